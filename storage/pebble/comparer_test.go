package pebble

import (
	"bytes"
	"testing"

	"github.com/gremlind/gremlind/storage"
)

// What follows a row follows all of its keys, and nothing else lies between.
func TestComparer_Rows(t *testing.T) {
	const rowLen = 3
	c := comparerOf(storage.Layout{Name: "rows of three", Row: func(key []byte) ([]byte, bool) {
		if len(key) < rowLen {
			return nil, false
		}
		return key[:rowLen], true
	}}, &turns{})
	for row, want := range map[string]string{"abc": "abd", "ab\xff": "ac", "\xff\xff\xff": "\xff\xff\xff\x00", "ab": "ab\x00"} {
		next := c.ImmediateSuccessor([]byte("in front "), []byte(row))
		if string(next) != "in front "+want {
			t.Errorf("%q is followed by %q, want %q", row, next, want)
		}
	}
	next := c.ImmediateSuccessor(nil, []byte("abc"))
	if last := []byte("abc\xff\xff\xff\xff"); bytes.Compare(next, last) <= 0 {
		t.Errorf("%q does not lie behind %q, a key of the row before it", next, last)
	}
}
