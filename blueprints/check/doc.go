// Package check reads every cell of a graph and tells what contradicts something else:
// cells that do not decode, elements without their rows in other tables and rows
// without their element, counts, numbers handed out twice, indexes that disagree with
// the properties. It works on one snapshot, beside a running server or without one.
//
// One pass over the keys in order adds up what cells promise about other tables and what
// stands there; where that does not come out even, or anything else is wrong, a second
// pass looks each promise up. Memory does not grow with the graph. A report names the
// invariant, the key as a person reads it, and what is wrong:
//
//	I1  every key and cell decodes, and its table is known
//	I2  an edge has exactly one entry at each end, and an entry its edge
//	I3  endpoints exist; no cell without its element
//	I4  index entry and property value correspond, both ways, and so do reverse rows;
//	    declared indexes have what follows from their elements, and nothing else
//	I5  an element stands under its label, and nothing else does
//	I6  user ids lead to their element and back
//	I7  counters say what a count says
//	I8  numbers in use are below those to be handed out
//	I9  definitions of indexes are consistent
//	I10 no entries of an index that does not exist
//	I11 labels and keys have names, names have symbols
//	I12 history is of cells and commits that there were
//	I13 of each cell that a commit is said to have changed there is what it was before
//	I15 elements keep to the schema
//	I16 counters are of keys that are counters of the label, and no other properties have
//	    such a key beside one; what was counted in intervals has a sum
//
// Inspect decodes any key and value for a person.
package check
