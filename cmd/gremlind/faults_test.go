package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/storage"
)

// TestFaults: each count that should be zero is one that the store has, and is told when it is
// not; a data directory that is gone is told of.
func TestFaults(t *testing.T) {
	c := defaultConfig()
	c.DataDir = filepath.Join(t.TempDir(), "data")
	store, err := openStore(c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	all := store.(storage.Measured).Measures()
	if got := faultsIn(all); got != nil {
		t.Errorf("of a sound store: %q", got)
	}
	for i := range all {
		all[i].Value = 3
	}
	if got := faultsIn(all); len(got) != len(faults) || !strings.Contains(strings.Join(got, " "), "damage found 3 times") {
		t.Errorf("%q", got)
	}
	say := faultsOf(c, store)
	if got := say(); got != nil {
		t.Errorf("%q", got)
	}
	if err := os.Rename(c.DataDir, c.DataDir+"-gone"); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(say(), ""); !strings.Contains(got, "moved or removed") || strings.Contains(got, c.DataDir) {
		t.Errorf("%q", got)
	}
	if err := os.Rename(c.DataDir+"-gone", c.DataDir); err != nil { // or closing it ends the process
		t.Fatal(err)
	}
}
