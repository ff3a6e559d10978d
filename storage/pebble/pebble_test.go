package pebble_test

import (
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
)

func open(t testing.TB, dir string, o pebble.Options) *pebble.Store {
	t.Helper()
	s, err := pebble.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestInMemory(t *testing.T) {
	storagetest.Run(t, func(t testing.TB) storage.Store {
		return open(t, "", pebble.Options{Layout: table.Layout, InMemory: true})
	})
}

func TestOnDisk(t *testing.T) {
	open := func(t testing.TB) storage.Store {
		return open(t, t.TempDir(), pebble.Options{Layout: table.Layout, BallastBytes: -1, DiskReserve: -1})
	}
	storagetest.Run(t, open)
	storagetest.RunConcurrent(t, open)
}

func TestOnCrashableFS(t *testing.T) {
	storagetest.Run(t, func(t testing.TB) storage.Store {
		return open(t, "/data", pebble.Options{Layout: table.Layout, FS: vfs.NewCrashableMem()})
	})
}

// TestIsolation is the part of the suite that takes a seed: make isolation SEED=n.
func TestIsolation(t *testing.T) {
	storagetest.RunIsolation(t, func(t testing.TB) storage.Store {
		return open(t, "", pebble.Options{Layout: table.Layout, InMemory: true})
	})
}
