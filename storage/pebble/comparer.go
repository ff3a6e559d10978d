package pebble

import (
	"github.com/cockroachdb/pebble/v2"

	"github.com/gremlind/gremlind/storage"
)

// comparerOf orders keys by bytes; its Split makes Bloom filters know rows. The name is
// on disk: another Split has another one, and Pebble refuses a database of it.
// Whoever writes tables takes turns with others.
func comparerOf(l storage.Layout, t *turns) *pebble.Comparer {
	c := *pebble.DefaultComparer
	c.Name = l.Name
	c.Split = func(key []byte) int {
		if row, ok := l.Row(key); ok {
			return len(row)
		}
		return len(key)
	}
	// What follows a row is not the row and a zero, as in a comparer without rows: that is
	// before the row's own keys, and NextPrefix would stay where it is.
	c.ImmediateSuccessor = func(dst, prefix []byte) []byte {
		if row, ok := l.Row(prefix); ok && len(row) == len(prefix) {
			if end := storage.PrefixEnd(dst, prefix); len(end) > len(dst) {
				return end
			}
		}
		return append(append(dst, prefix...), 0)
	}
	c.Separator = func(dst, a, b []byte) []byte { // asked for behind each block of a table
		t.pass()
		return pebble.DefaultComparer.Separator(dst, a, b)
	}
	return &c
}
