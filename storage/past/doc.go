// Package past keeps what commits overwrite, and reads a graph as it was.
//
// Keep adds to a transaction what the cells that it changes were: rows of the tables History and
// Commits (see storage/table), under the commit's stamp, in the same commit. A Tx of this package
// reads beneath that: it is a storage.Tx that changes nothing, of cells as of a stamp. Who reads
// through one need not know. Both know of the store no more than its contract, so any store has
// them. Shorten forgets what nobody may ask for any more.
package past
