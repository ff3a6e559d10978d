package table

import (
	"encoding/binary"
	"fmt"

	"github.com/gremlind/gremlind/storage"
)

// AppendCommit appends the key of what a commit changed.
func AppendCommit(dst []byte, graph uint32, s storage.Stamp) []byte {
	return storage.AppendStamp(AppendTable(dst, graph, Commits), s)
}

// DecodeCommit reads a key that AppendCommit wrote.
func DecodeCommit(key []byte) (graph uint32, s storage.Stamp, err error) {
	f, graph := open(key, Commits)
	s = storage.Stamp(f.u64())
	return graph, s, f.end(Commits, key)
}

// AppendNote begins the value of a commit: what whoever made it notes of it, and then, with
// AppendChanged, the keys of what it changed, ascending, each by what it does not have in common
// with the one before.
func AppendNote(dst, note []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(note))), note...)
}

// AppendChanged appends a key behind the one before it, which is empty for the first.
func AppendChanged(dst, before, key []byte) []byte {
	same := 0
	for same < len(before) && same < len(key) && before[same] == key[same] {
		same++
	}
	dst = binary.AppendUvarint(dst, uint64(same))
	dst = binary.AppendUvarint(dst, uint64(len(key)-same))
	return append(dst, key[same:]...)
}

// Changed reads the value of a commit: its note, and its keys one after the other.
type Changed struct {
	Note []byte // aliases the value
	rest []byte
	key  []byte
	err  error
}

// DecodeChanged begins to read the value of a commit of a graph, which is aliased.
func DecodeChanged(val []byte) (c Changed) {
	n, size := binary.Uvarint(val)
	if size <= 0 || n > uint64(len(val)-size) {
		c.bad()
		return c
	}
	c.Note, c.rest = val[size:size+int(n)], val[size+int(n):]
	return c
}

func (c *Changed) bad() {
	c.rest, c.err = nil, fmt.Errorf("a row of table %s is none: %w", Commits, storage.ErrCorrupt)
}

// Next reports whether there is another key.
func (c *Changed) Next() bool {
	if len(c.rest) == 0 {
		return false
	}
	same, n1 := binary.Uvarint(c.rest)
	if n1 <= 0 || same > uint64(len(c.key)) {
		c.bad()
		return false
	}
	more, n2 := binary.Uvarint(c.rest[n1:])
	if n2 <= 0 || more > uint64(len(c.rest)-n1-n2) {
		c.bad()
		return false
	}
	c.rest = c.rest[n1+n2:]
	c.key = append(c.key[:same], c.rest[:more]...)
	c.rest = c.rest[more:]
	return true
}

// Key is the key, valid until the next call of Next.
func (c *Changed) Key() []byte { return c.key }

// Err is why there are no more keys, nil when these were all.
func (c *Changed) Err() error { return c.err }
