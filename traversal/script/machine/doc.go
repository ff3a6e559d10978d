// Package machine runs scripts that were read: it is what all other rooms of scripts stand
// on.
//
// A State is what outlives a script: variables, functions, limits, the host and the tables
// of built-in methods. A Machine is one evaluation in it. It applies operators (Binary,
// Unary), calls methods (Invoke) and functions, compares, converts and prints values, and
// counts what that costs before it is done (meter.go).
//
// Values are those of storage/value. What only scripts have (lists that change, closures,
// matchers, and what the rooms above add) is an Object; the machine knows those of the
// rooms above by what they can do besides (roles.go), and their methods from Tables, which
// the rooms above fill. A program is Go closures, one for each expression (Program): who
// makes them of a text is package syntax.
package machine
