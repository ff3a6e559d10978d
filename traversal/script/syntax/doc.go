// Package syntax reads the text of a script and makes a program of it. The lexer cuts the
// text into tokens; the parser goes over them once and makes a Go closure of each expression
// and statement (machine.Expression, machine.Statement) as it reads it: there is no tree in
// between. Names are resolved here too: variables to slots of frames, all others when they
// are used, to variables of the session, functions, what the host has, constants and
// classes (names.go).
package syntax
