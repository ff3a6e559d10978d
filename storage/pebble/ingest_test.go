package pebble_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/storage"
)

// TestIngest_NeedsNoCompaction: what is ingested into a gap between keys that share a
// table lands on the lowest level, where nothing writes it again.
func TestIngest_NeedsNoCompaction(t *testing.T) {
	s := open(t, dataDir, quiet(vfs.NewMem()))
	put(t, s, "a", "before the gap")
	put(t, s, "z", "behind the gap")
	if err := s.DB().Flush(); err != nil {
		t.Fatal(err)
	}
	if err := s.DB().Compact(t.Context(), []byte("a"), []byte("zz"), false); err != nil {
		t.Fatal(err)
	}
	err := s.Ingest(context.Background(), []byte("k"), []byte("l"), func(add func(key, value []byte) error) error {
		for i := range 100 {
			if err := add(fmt.Appendf(nil, "k%03d", i), []byte("v")); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DB().Flush(); err != nil {
		t.Fatal(err)
	}
	levels := s.DB().Metrics().Levels
	if n := levels[len(levels)-1].TablesIngested; n == 0 {
		t.Errorf("no ingested table is on the lowest level: %+v", levels)
	}
	for _, key := range []string{"a", "k000", "k099", "z"} {
		if value(t, s, key) == "" {
			t.Errorf("%s is lost", key)
		}
	}
	closeStore(t, s)
}

// slowTables is a file system on which tables of the database itself wait for a while, once slow.
type slowTables struct {
	vfs.FS
	slow atomic.Bool
}

func (s *slowTables) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if s.slow.Load() && strings.HasSuffix(name, ".sst") && category != vfs.WriteCategoryUnspecified {
		<-time.After(100 * time.Millisecond)
	}
	return s.FS.Create(name, category)
}

// TestCommitTables_Written: who has committed tables goes on when what was in memory then is on disk: a
// snapshot that he opens keeps none of it.
func TestCommitTables_Written(t *testing.T) {
	fs := &slowTables{FS: vfs.NewMem()}
	s := open(t, dataDir, quiet(fs))
	put(t, s, "k050", "before")
	fs.slow.Store(true)
	tx, err := s.Begin(t.Context(), storage.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = tx.CommitTables(t.Context(), func(add func(key, value []byte) error) error {
		return errors.Join(add([]byte("k000"), []byte("v")), add([]byte("k099"), []byte("v")))
	})
	if err != nil {
		t.Fatal(err)
	}
	if m := s.DB().Metrics(); m.MemTable.Count != 1 || m.Flush.Count == 0 {
		t.Errorf("%d tables are in memory, %d were written", m.MemTable.Count, m.Flush.Count)
	}
}
