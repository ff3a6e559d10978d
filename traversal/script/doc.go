// Package script runs the small Groovy scripts that applications and drivers send:
// arithmetic, variables, functions, closures, traversals with next() and toList(), and
// the closures inside bytecode.
//
// A Session holds what outlives one script: variables and functions. Eval parses a text
// into Go closures, one per expression, and runs them at once. Names that are no
// variable belong to the host.Host: traversal sources and graphs, through which traversals
// run in the request's transaction. Steps only build bytecode; a terminal such as
// next() makes the Host execute it. NewClosures compiles lambdas for a running
// traversal.
//
// The rooms, each of which knows those above it in this list alone: host is what scripts
// reach of the server, machine runs programs and has what all values can do, methods are
// those of values, graphs what scripts see of graphs and traversals, classes what the names
// of classes stand for, syntax makes programs of texts. This package puts them together.
//
// Nothing here reaches the host's machine: there are no classes but those of package
// classes, no reflection, no files, no processes. What is unknown is a *machine.Error that
// names line and column. Limits bound nesting, calls, turns of loops and bytes made; the context ends
// a script with traversal.ErrTimeout.
//
// Caveats. A GString is a String at once. Closures that outlive their script keep the
// script's variables, not its context. Groovy's method missing, categories, traits,
// classes and arrays do not exist.
package script
