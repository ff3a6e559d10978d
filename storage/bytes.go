package storage

import "encoding/binary"

// PrefixEnd appends the first key behind all keys that start with prefix. Nothing is
// appended when there is none, which a scan takes as the end of everything.
func PrefixEnd(dst, prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] != 0xff {
			dst = append(dst, prefix[:i+1]...)
			dst[len(dst)-1]++
			return dst
		}
	}
	return dst
}

// AppendCount appends the value of a counter (Tx.Merge).
func AppendCount(dst []byte, n int64) []byte {
	return binary.BigEndian.AppendUint64(dst, uint64(n))
}

// Count reads the value of a counter; a missing one counts nothing.
func Count(b []byte) (n int64, ok bool) {
	if len(b) == 0 {
		return 0, true
	}
	if len(b) != 8 {
		return 0, false
	}
	return int64(binary.BigEndian.Uint64(b)), true
}
