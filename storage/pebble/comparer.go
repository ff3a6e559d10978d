package pebble

import (
	"github.com/cockroachdb/pebble/v2"

	"github.com/gremlind/gremlind/storage"
)

// comparerOf orders keys by bytes; its Split makes Bloom filters know rows. The name is
// on disk: another Split has another one, and Pebble refuses a database of it.
func comparerOf(l storage.Layout) *pebble.Comparer {
	c := *pebble.DefaultComparer
	c.Name = l.Name
	c.Split = func(key []byte) int {
		if row, ok := l.Row(key); ok {
			return len(row)
		}
		return len(key)
	}
	return &c
}
