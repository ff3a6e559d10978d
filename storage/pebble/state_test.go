package pebble_test

import (
	"bytes"
	"testing"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
)

// TestModel compares transactions with a map.
func TestModel(t *testing.T) {
	storagetest.RunModel(t, func(t testing.TB) storage.Store {
		return open(t, "", pebble.Options{Layout: table.Layout, InMemory: true})
	})
}

// TestScanWithinRow: a scan within one row takes another way (a Bloom filter) than one
// over several.
func TestScanWithinRow(t *testing.T) {
	s := open(t, "", pebble.Options{Layout: table.Layout, InMemory: true})
	defer closeStore(t, s)
	tx, err := s.Begin(t.Context(), storage.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var keys [][]byte
	for v := range byte(3) {
		for c := range byte(4) {
			key := append([]byte{0, 0, 0, 1, 0x10, 0, 0, 0, 0, 0, 0, 0, v}, c)
			keys = append(keys, key)
			if err := tx.Set(key, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = snap.Close() }()
	bounds := append(keys, keys[4][:13], keys[5][:12], nil)
	for _, from := range bounds[:len(bounds)-1] {
		for _, to := range bounds {
			want, got := 0, 0
			for _, k := range keys {
				if bytes.Compare(k, from) >= 0 && (to == nil || bytes.Compare(k, to) < 0) {
					want++
				}
			}
			it := snap.Scan(storage.ScanOptions{From: from, To: to})
			for it.Next() {
				got++
			}
			if err := it.Close(); err != nil || got != want {
				t.Errorf("[%x, %x): %d of %d keys, %v", from, to, got, want, err)
			}
		}
	}
}
