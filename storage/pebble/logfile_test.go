package pebble_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
)

// A log that a crash leaves ends in zeros, and gives back every commit.
func TestLogEndsInZeros(t *testing.T) {
	dir, left := t.TempDir(), t.TempDir()
	s := open(t, dir, pebble.Options{Layout: table.Layout, BallastBytes: -1, DiskReserve: -1})
	for _, key := range []string{"a", "b", "c"} {
		if err := tryPut(t.Context(), s, key, "v"); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(left, os.DirFS(dir)); err != nil { // as a crash would leave it
		t.Fatal(err)
	}
	seq := s.Seq()
	closeStore(t, s)
	logs, err := filepath.Glob(filepath.Join(left, "db", "*.log"))
	if err != nil || len(logs) == 0 {
		t.Fatalf("logs %v, %v", logs, err)
	}
	data, err := os.ReadFile(logs[len(logs)-1])
	if err != nil {
		t.Fatal(err)
	}
	if n := len(data); n == 0 || data[n-1] != 0 {
		t.Errorf("a log of %d bytes does not end in zeros", n)
	}
	again := open(t, left, pebble.Options{Layout: table.Layout, BallastBytes: -1, DiskReserve: -1})
	defer closeStore(t, again)
	if again.Seq() != seq {
		t.Errorf("recovered commit %d of %d", again.Seq(), seq)
	}
}
