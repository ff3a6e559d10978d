// Package console is the shell that people type into: it reads statements and commands,
// sends the former to a server and shows what comes back.
//
// A statement goes on while a bracket is open. Statements run in a session, so that
// variables stay, and each commits itself, but between :tx begin and :tx commit. Where a
// server has no sessions each statement stands alone.
//
// Ctrl-C stops the statement that runs: the server is told to, where its administration is
// in reach; elsewhere the connection is given up and another opened with the next
// statement, which ends the session and its transaction.
//
// The line editor is github.com/reeflective/readline, which has many lines, history,
// completion and wide characters; nothing else here knows it but editor.go. Without a
// terminal, statements are read line by line and nothing is asked.
package console
