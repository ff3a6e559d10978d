package pebble_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
)

// The ballast has the space that it is to give back: a sparse file would have its length alone.
func TestBallast_TakesSpace(t *testing.T) {
	const bytes = 3<<20 + 100
	dir := t.TempDir()
	s := open(t, dir, pebble.Options{Layout: table.Layout, BallastBytes: bytes, DiskReservePercent: 0, DiskReserve: 1})
	defer closeStore(t, s)
	var st syscall.Stat_t
	if err := syscall.Stat(filepath.Join(dir, "BALLAST"), &st); err != nil {
		t.Fatal(err)
	}
	if st.Size != bytes || st.Blocks*512 < bytes {
		t.Errorf("%d bytes in %d blocks of 512, of %d", st.Size, st.Blocks, bytes)
	}
}
