package pebble

import (
	"bytes"
	"io"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// A log that is used again and too short for what comes grows in steps, as a new one does.
func TestLogFS_Reuse(t *testing.T) {
	fs := logFS{vfs.NewMem()}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	write := func(f vfs.File, err error, data []byte) {
		t.Helper()
		must(err)
		_, err = f.Write(data)
		must(err)
		must(f.Close())
	}
	f, err := fs.FS.Create("1.log", vfs.WriteCategoryUnspecified)
	write(f, err, bytes.Repeat([]byte{1}, 100))

	f, err = fs.ReuseForWrite("1.log", "2.log", vfs.WriteCategoryUnspecified)
	must(err)
	for range 3 {
		_, err = f.Write(bytes.Repeat([]byte{2}, 60))
		must(err)
	}
	must(f.Close())

	f, err = fs.Open("2.log")
	must(err)
	got, err := io.ReadAll(f)
	must(err)
	must(f.Close())
	want := make([]byte, 120+memLogStep) // from the write on that came behind its end
	for i := range 180 {
		want[i] = 2
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%d bytes, %v behind what was written; want %d, zeros", len(got), got[min(180, len(got)):min(184, len(got))], len(want))
	}
}
