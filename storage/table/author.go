package table

import (
	"encoding/binary"
	"fmt"

	"github.com/gremlind/gremlind/storage"
)

// Author is who made a commit, as its note says.
type Author struct {
	// User is who asked for it, empty where nobody is asked for a name.
	User string
	// By is what made it where that was no request: a command, or the server's own work.
	By string
	// Request is the id of the request that committed, zero for none.
	Request [16]byte
}

const (
	authorVersion = 1
	// authorTextMax bounds each text of a note, in bytes; no user's name is longer.
	authorTextMax = 255
)

// AppendAuthor appends the note of a commit: nothing for an Author of whom nothing is known,
// otherwise
//
//	01 | length uvarint, user | length uvarint, by | request 16B, if there is one
func AppendAuthor(dst []byte, a *Author) []byte {
	if *a == (Author{}) {
		return dst
	}
	dst = append(dst, authorVersion)
	for _, s := range []string{a.User, a.By} {
		s = s[:min(len(s), authorTextMax)]
		dst = append(binary.AppendUvarint(dst, uint64(len(s))), s...)
	}
	if a.Request == [16]byte{} {
		return dst
	}
	return append(dst, a.Request[:]...)
}

// DecodeAuthor reads a note.
func DecodeAuthor(note []byte) (a Author, err error) {
	if len(note) == 0 {
		return a, nil
	}
	rest, ok := note[1:], note[0] == authorVersion
	for _, s := range []*string{&a.User, &a.By} {
		n, size := binary.Uvarint(rest)
		if ok = ok && size > 0 && n <= authorTextMax && n <= uint64(len(rest)-size); !ok {
			break
		}
		*s, rest = string(rest[size:size+int(n)]), rest[size+int(n):]
	}
	switch {
	case ok && len(rest) == 0:
		return a, nil
	case ok && len(rest) == len(a.Request):
		copy(a.Request[:], rest)
		return a, nil
	}
	return Author{}, fmt.Errorf("the note of who made a commit cannot be read: %w", storage.ErrCorrupt)
}
