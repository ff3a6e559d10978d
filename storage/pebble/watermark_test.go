package pebble

import (
	"errors"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/storage"
)

// FuzzWatermark: whatever the file holds, opening it ends in a mark or in ErrCorrupt.
func FuzzWatermark(f *testing.F) {
	whole := appendSlot(nil, mark{seq: 7, manifest: manifestMark{number: 3, size: 100, crc: 9}})
	whole = append(whole, make([]byte, slotOffset-len(whole))...)
	f.Add(appendSlot(whole, mark{seq: 8}))
	f.Add([]byte{})
	f.Add(make([]byte, watermarkLength))
	f.Fuzz(func(t *testing.T, b []byte) {
		mem := vfs.NewMem()
		if err := writeFile(mem, "WATERMARK", b); err != nil {
			t.Fatal(err)
		}
		var w watermark
		err := w.open(mem, "WATERMARK", false)
		if err != nil && !errors.Is(err, storage.ErrCorrupt) {
			t.Fatal(err)
		}
		if err == nil && w.last.seq != w.noted.Load() {
			t.Fatalf("%+v, noted %d", w.last, w.noted.Load())
		}
		_ = w.close() // nothing was written
	})
}
