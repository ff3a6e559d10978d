// Package lang turns Gremlin text into bytecode and back.
//
// Text comes in, a Query goes out: one Statement per query of the text, each with the
// source it starts from, its Bytecode and the terminal that ends it. The grammar is
// gremlin-lang of TinkerPop 3.8; the bytecode is what a driver would have sent for the
// same traversal, with the argument types of Java's GraphTraversal. The parser runs
// nothing: no expressions, no closures, no names beyond the grammar's and the
// variables that Options hands in.
//
// A lexer (lexer.go) hands out tokens on demand. The parser (query.go, chain.go) reads
// chains of calls; the table in methods.go says which arguments a call takes, so that
// argument.go knows whether `list` means Cardinality.list or GType.LIST, and an error
// can say what would have been right. Print goes the other way.
//
// Limits (options.go) bound text, nesting, steps, statements, strings and ranges. Every
// error is an *Error with line, column and an excerpt with a caret.
package lang
