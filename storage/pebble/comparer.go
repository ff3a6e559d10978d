package pebble

import (
	"github.com/cockroachdb/pebble/v2"

	"github.com/gremlind/gremlind/storage/table"
)

// comparer orders keys by bytes; its Split makes Bloom filters know rows. The name is
// on disk: another Split needs another name.
var comparer = func() *pebble.Comparer {
	c := *pebble.DefaultComparer
	c.Name = "gremlind.rows.1"
	c.Split = table.Split
	return &c
}()

// rowOf returns the row that key belongs to.
func rowOf(key []byte) []byte {
	n := table.Split(key)
	return key[:n:n]
}

// rowEnd returns the first key behind a row.
func rowEnd(row []byte) []byte { return table.PrefixEnd(nil, row) }
