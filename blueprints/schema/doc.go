// Package schema says what elements of a label have to be like, and reads, writes and compares
// such rules. It knows values and no graph: a transaction asks it about each element that it
// changed, a load about each record.
//
//	Schema  the rules of a graph, by label; immutable once it is made
//	Label   of the elements of one label: ids, keys, and for edges their ends and how many
//	Key     of the values under one property key: type, bounds, whether there has to be one
//	Misfit  why an element does not fit, as an error
package schema
