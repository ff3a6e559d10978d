package pebble_test

import (
	"errors"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/storage"
)

// TestMetrics: what is open is counted, with its age.
func TestMetrics(t *testing.T) {
	s := open(t, dataDir, quiet(vfs.NewMem()))
	defer closeStore(t, s)
	put(t, s, "a", "1")
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	tx, err := s.Begin(t.Context(), storage.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, "a", "2")
	if m := s.Metrics(); m.OpenReaders != 2 || m.OpenTransactions != 1 || m.OldestReader <= 0 || m.Commits != 2 || m.Seq != 2 || m.SyncMax <= 0 {
		t.Errorf("%+v", m)
	}
	s.Tick()
	if err := errors.Join(snap.Close(), tx.Close()); err != nil {
		t.Fatal(err)
	}
	if m := s.Metrics(); m.OpenReaders != 0 || m.OpenTransactions != 0 || m.OldestReader != 0 || m.Watermark != 2 {
		t.Errorf("%+v", m)
	}
}
