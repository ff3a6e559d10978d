package storage

import (
	"encoding/binary"
	"time"
)

// Stamp is when a commit was made, and its place among the commits that have one: each
// has a greater stamp than those before it, whatever the clock of the machine does. The
// upper 44 bits are milliseconds since 1970, the lower 20 count commits that the clock does
// not tell apart. 0 is no commit's.
type Stamp uint64

// StampSize is the bytes of a Stamp in a key or a value, big endian.
const StampSize = 8

// NoStamp is what a transaction reads in place of its own stamp, before it has one: it is
// greater than every commit's.
const NoStamp = ^Stamp(0)

const stampCounter = 20 // bits

// After returns the stamp of a commit at a time of the clock, behind that of the last one.
func (s Stamp) After(now time.Time) Stamp {
	return max(s+1, Stamp(max(now.UnixMilli(), 0))<<stampCounter)
}

// Time returns the time of the clock, in milliseconds, or a later one if commits before
// it had that.
func (s Stamp) Time() time.Time { return time.UnixMilli(int64(s >> stampCounter)) }

// LastOf is the last stamp that a commit can have in a millisecond.
func LastOf(t time.Time) Stamp { return Stamp(max(t.UnixMilli(), 0)+1)<<stampCounter - 1 }

// AppendStamp appends a stamp as keys and values have it.
func AppendStamp(dst []byte, s Stamp) []byte { return binary.BigEndian.AppendUint64(dst, uint64(s)) }
