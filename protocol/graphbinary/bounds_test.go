package graphbinary_test

import (
	"encoding/binary"
	"testing"

	"github.com/gremlind/gremlind/protocol/graphbinary"
)

// TestDecodeValue_Bounds: an offset is eighteen hours at most, as in java.time, and a clock
// shows less than a day.
func TestDecodeValue_Bounds(t *testing.T) {
	for n, want := range map[int32]bool{0: true, 18 * 3600: true, -18 * 3600: true, 18*3600 + 1: false, -18*3600 - 1: false} {
		form := binary.BigEndian.AppendUint32([]byte{0x8E, 0}, uint32(n))
		if v, err := graphbinary.DecodeValue(form); (err == nil) != want || want && int32(v.ZoneOffset()) != n {
			t.Errorf("an offset of %d seconds: %#v, %v", n, v, err)
		}
	}
	const day = 24 * 3600 * 1e9
	for n, want := range map[int64]bool{0: true, day - 1: true, day: false, -1: false} {
		form := binary.BigEndian.AppendUint64([]byte{0x86, 0}, uint64(n))
		if v, err := graphbinary.DecodeValue(form); (err == nil) != want || want && int64(v.LocalTime()) != n {
			t.Errorf("a clock of %d ns: %#v, %v", n, v, err)
		}
	}
}
