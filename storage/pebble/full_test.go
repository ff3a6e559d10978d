package pebble_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/conformance/smalldisk"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
)

// TestOpenOnFullDisk: with a log to recover and no room for its tables the store says so
// at once, and opens when there is room, with everything.
func TestOpenOnFullDisk(t *testing.T) {
	crashed, _, commits := manyLogs(t, false)
	disk := smalldisk.New(crashed, 1<<30)
	disk.Used.Store(1 << 30)
	began := time.Now()
	if _, err := pebble.Open(dataDir, quiet(disk)); !errors.Is(err, storage.ErrNoSpace) {
		t.Fatalf("opened on a full disk: %v", err)
	}
	if d := time.Since(began); d > 20*time.Second {
		t.Errorf("after %v", d)
	}
	again := crashed.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: storagetest.Rand(1)})
	s := open(t, dataDir, quiet(again))
	if missing := missingKeys(t, s); len(missing) > 0 || s.Seq() != uint64(commits) {
		t.Errorf("recovered %d of %d, without %v", s.Seq(), commits, missing)
	}
	closeStore(t, s)
}

// TestDiskReserve: the reserve that is chosen suits small disks too.
func TestDiskReserve(t *testing.T) {
	for _, c := range []struct {
		size, used int64
		percent    float64
		writable   bool
	}{
		{256 << 20, 100 << 20, 0, true},
		{256 << 20, 230 << 20, 0, false},
		{100 << 30, 98 << 30, 0, true}, // 2 GiB are free
		{100 << 30, 98 << 30, 5, false},
		{256 << 20, 230 << 20, 1, true},
	} {
		disk := smalldisk.New(vfs.NewMem(), c.size)
		disk.Used.Store(c.used)
		o := quiet(disk)
		o.DiskReserve, o.DiskReservePercent = 0, c.percent
		s := open(t, dataDir, o)
		err := tryPut(t.Context(), s, "a", "1")
		if c.writable && err != nil || !c.writable && (!errors.Is(err, storage.ErrReadOnly) || !strings.Contains(err.Error(), "diskReserve")) {
			t.Errorf("%+v: %v", c, err)
		}
		closeStore(t, s)
	}
}
