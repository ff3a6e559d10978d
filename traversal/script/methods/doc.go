// Package methods has the built-in methods of values: of texts, numbers, lists, maps, sets,
// times and so on, and the objects of Java's library that those return (streams, optionals,
// string builders). Each file is a table of names and the functions behind them; Add hands
// all of them to the machine.
package methods
