package storage

import (
	"bytes"
	"testing"
)

// TestLayout: without a layout each key is a row of its own; with one its rows count.
func TestLayout(t *testing.T) {
	plain := Layout{}.Or()
	if row := plain.RowOf([]byte("abc")); string(row) != "abc" {
		t.Errorf("a plain key has the row %q", row)
	}
	if plain.Describe([]byte{0xAB}) != "key ab" || plain.Table([]byte("abc")) != nil || len(plain.Seq) == 0 || bytes.Equal(plain.Seq, plain.Stamp) {
		t.Errorf("%+v", plain)
	}
	own := Layout{Name: "own", Row: func(key []byte) ([]byte, bool) { return key[:1], key[0] == 'r' }}.Or()
	if own.Name != "own" || string(own.RowOf([]byte("row"))) != "r" || string(own.RowOf([]byte("else"))) != "else" {
		t.Errorf("%+v", own)
	}
}
