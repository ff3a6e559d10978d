package pebble_test

import (
	"errors"
	"runtime"
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
	unlocked(t, disk)
	s = open(t, dataDir, quiet(disk))
	if missing := missingKeys(t, s); len(missing) > 0 {
		t.Errorf("without %v", missing)
	}
	closeStore(t, s)
}

// unlocked waits until the database that was given up on a full disk is closed: it opens once there
// is room.
func unlocked(t *testing.T, disk *smalldisk.Disk) {
	t.Helper()
	disk.Used.Store(0)
	for began := time.Now(); ; runtime.Gosched() {
		lock, err := disk.Lock(dataDir + "/db/LOCK")
		if err == nil {
			_ = lock.Close()
			return
		}
		if time.Since(began) > 20*time.Second {
			t.Fatal(err)
		}
	}
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

// TestDiskReserve_Steps: what a disk with so much free space gives, in this order. Writes that were
// refused take a tenth more than the reserve to go on, and the ballast is made only when it leaves
// the reserve.
func TestDiskReserve_Steps(t *testing.T) {
	const mib = 1 << 20
	disk := smalldisk.New(vfs.NewMem(), 64*mib)
	disk.Fill(20 * mib)
	o := quiet(disk)
	o.DiskReserve, o.BallastBytes = 16*mib, 4*mib
	s := open(t, dataDir, o)
	for i, c := range []struct {
		free              int64
		writable, ballast bool
	}{
		{19 * mib, true, false},
		{16 * mib, true, false},
		{16*mib - 1, false, false},
		{19 * mib, false, false}, // it would have to make the ballast, and have more than the reserve
		{21 * mib, false, false},
		{22 * mib, true, true},
		{16*mib - 1, false, true},
		{17 * mib, false, true},
		{18 * mib, true, true},
	} {
		disk.Fill(c.free)
		s.Tick()
		_, none := disk.Stat(dataDir + "/BALLAST")
		if err := tryPut(t.Context(), s, "a", "1"); (err == nil) != c.writable || (none == nil) != c.ballast {
			t.Errorf("step %d, %d bytes are free: %v, %v", i, c.free, err, none)
		}
	}
	closeStore(t, s)
}
