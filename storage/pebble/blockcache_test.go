package pebble

import (
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// TestBlockCache_Size reads far more than fits into the cache, before anything is written:
// blocks take no room of tables in memory that are not there.
func TestBlockCache_Size(t *testing.T) {
	const size, memTable, values = 8 << 20, 4 << 20, 3000
	dir := t.TempDir()
	reopen := func() *Store {
		s, err := Open(dir, Options{Layout: table.Layout, CacheBytes: size, MemTableBytes: memTable, BallastBytes: -1, DiskReserve: -1,
			Tick: time.Hour, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	write := func(s *Store) {
		noise := rand.NewChaCha8([32]byte{}) // it does not become smaller on disk
		for i := 0; i < values; i += 100 {
			tx, err := s.Begin(t.Context(), storage.TxOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for j := range 100 {
				value := make([]byte, 8<<10)
				_, _ = noise.Read(value)
				if err := tx.Set(fmt.Appendf(nil, "k%d", i+j), value); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := tx.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	read := func(s *Store) int64 {
		snap, err := s.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		it := snap.Scan(storage.ScanOptions{From: []byte("k"), To: []byte("l")})
		n := 0
		for it.Next() {
			n++
		}
		if err := it.Close(); err != nil || n != values {
			t.Fatalf("%d keys, %v", n, err)
		}
		if err := snap.Close(); err != nil {
			t.Fatal(err)
		}
		return s.db.Metrics().BlockCache.Size
	}
	s := reopen()
	write(s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = reopen()
	if got := read(s); got > size+size/2 || got < size/2 {
		t.Errorf("blocks of %d bytes are cached, of %d", got, size)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
