package pebble_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
)

const dataDir = "/data"

// quiet are options for tests that provoke errors by the thousand.
func quiet(fs vfs.FS) pebble.Options {
	return pebble.Options{Layout: table.Layout,
		FS: fs, Logger: slog.New(slog.DiscardHandler), BallastBytes: -1, DiskReserve: -1,
		MemTableBytes: 64 << 10, CacheBytes: 1 << 20, Tick: time.Hour, CloseWait: time.Second,
	}
}

// crashPoint is the disk as a crash in front of one write or sync would leave it, for
// different shares of unsynced data that survive.
type crashPoint struct {
	op            errorfs.Op
	number        int
	disks         map[int]*vfs.MemFS // by percentage
	acked, issued int
}

// crasher copies the disk in front of every operation that changes it.
type crasher struct {
	mu     sync.Mutex
	fs     *vfs.MemFS
	rng    *rand.Rand
	number int
	at     func() (acked, issued int)
	check  func(p crashPoint)

	linking sync.Mutex
}

// disk returns the file system that the crasher watches. MemFS.Link and ReuseForWrite
// take a lock twice that CrashClone wants in between, hence a lock around both.
func (c *crasher) disk() vfs.FS { return errorfs.Wrap(linkGuard{c.fs, &c.linking}, c) }

type linkGuard struct {
	vfs.FS
	mu *sync.Mutex
}

func (g linkGuard) Link(from, to string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.FS.Link(from, to)
}

func (g linkGuard) ReuseForWrite(from, to string, c vfs.DiskWriteCategory) (vfs.File, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.FS.ReuseForWrite(from, to, c)
}

// String and MaybeError implement errorfs.Injector.
func (c *crasher) String() string { return "crasher" }

func (c *crasher) MaybeError(op errorfs.Op) error {
	if op.Kind.ReadOrWrite() != errorfs.OpIsWrite {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.number++
	p := crashPoint{op: op, number: c.number, disks: map[int]*vfs.MemFS{}}
	p.acked, _ = c.at() // before the copies: later ones need not be in them
	c.linking.Lock()
	defer c.linking.Unlock()
	for _, percent := range []int{0, 50, 100} {
		p.disks[percent] = c.fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: c.rng})
	}
	_, p.issued = c.at() // after the copies: other goroutines went on
	c.check(p)
	return nil
}

// TestCrashAtEveryOperation crashes a workload in front of every write and every sync
// that it does, and recovers from what is left.
func TestCrashAtEveryOperation(t *testing.T) {
	storagetest.Seeds(t, raced.Part(2, 2), func(t *testing.T, seed uint64) {
		points, disks := crashEverywhere(t, seed, 40)
		if points < 300 {
			t.Fatalf("only %d operations were seen", points)
		}
		t.Logf("%d crash points, %d different disks", points, disks)
	})
}

// crashEverywhere runs a workload of n steps and verifies each of its crash points. Many
// leave the same bytes behind, from which the store recovers once.
func crashEverywhere(t *testing.T, seed uint64, n int) (crashes, disks int) {
	t.Helper()
	rng := storagetest.Rand(seed)
	mem := vfs.NewCrashableMem()
	c := &crasher{fs: mem, rng: rng}
	w := newWorkload(dataDir, quiet(c.disk()), storagetest.Rand(seed+1))
	c.at = func() (int, int) { return int(w.acked.Load()), int(w.issued.Load()) }
	var points []crashPoint
	c.check = func(p crashPoint) { points = append(points, p) }
	if err := w.run(n); err != nil {
		t.Fatal(err)
	}
	recovered := map[contents]int{}
	for _, p := range points {
		if raced.Skips(p.number, 12) || raced.Leaves(p.number, 12) {
			continue
		}
		for percent, disk := range p.disks {
			of := contentsOf(t, disk)
			seq, ok := recovered[of]
			var err error
			if !ok {
				seq, err = w.recover(dataDir, quiet(disk))
				recovered[of] = seq
			}
			if err == nil {
				err = between(seq, p.acked, p.issued)
			}
			if err != nil {
				t.Fatalf("crash before operation %d (%v %s), %d %% of unsynced data kept: %v", p.number, p.op.Kind, p.op.Path, percent, err)
			}
		}
	}
	return len(points), len(recovered)
}

// contents stands for the names and bytes of all files of the store.
type contents [sha256.Size]byte

func contentsOf(t *testing.T, disk vfs.FS) contents {
	t.Helper()
	h := sha256.New()
	var add func(path string)
	add = func(path string) {
		f, err := disk.Open(path)
		if path == dataDir && errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		_, _ = fmt.Fprintf(h, "%q %t %d\n", path, info.IsDir(), info.Size())
		if !info.IsDir() {
			if _, err := io.Copy(h, f); err != nil {
				t.Fatal(err)
			}
			return
		}
		names, err := disk.List(path)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(names)
		for _, name := range names {
			add(disk.PathJoin(path, name))
		}
	}
	add(dataDir)
	return contents(h.Sum(nil))
}

// TestCrashDuringRecovery crashes again while the store recovers from a crash.
func TestCrashDuringRecovery(t *testing.T) {
	storagetest.Seeds(t, 1, func(t *testing.T, seed uint64) {
		mem := vfs.NewCrashableMem()
		w := newWorkload(dataDir, quiet(mem), storagetest.Rand(seed))
		if err := w.run(30); err != nil {
			t.Fatal(err)
		}
		// A second life that ends in a crash with a log to be replayed.
		w.store = open(t, dataDir, w.opts)
		for range 20 {
			if err := w.commit(); err != nil {
				t.Fatal(err)
			}
		}
		crashed := mem.CrashClone(vfs.CrashCloneCfg{})
		if err := w.store.Close(); err != nil {
			t.Fatal(err)
		}
		acked := int(w.acked.Load())
		var points []crashPoint
		c := &crasher{fs: crashed, rng: storagetest.Rand(seed), at: func() (int, int) { return acked, acked }}
		c.check = func(p crashPoint) { points = append(points, p) }
		if err := w.verify(dataDir, quiet(c.disk()), acked, acked); err != nil {
			t.Fatal(err)
		}
		for _, p := range points {
			for percent, disk := range p.disks {
				if err := w.verify(dataDir, quiet(disk), acked, acked); err != nil {
					t.Fatalf("second crash before operation %d (%v %s), %d %%: %v", p.number, p.op.Kind, p.op.Path, percent, err)
				}
			}
		}
		t.Logf("%d crash points in recovery", len(points))
	})
}

// TestCheckpoints opens every checkpoint of a workload; one that a crash cut short is
// refused.
func TestCheckpoints(t *testing.T) {
	mem := vfs.NewCrashableMem()
	w := newWorkload(dataDir, quiet(mem), storagetest.Rand(1))
	if err := w.run(60); err != nil {
		t.Fatal(err)
	}
	if len(w.copies) == 0 {
		t.Fatal("no checkpoint was made")
	}
	for i, dir := range w.copies {
		at := w.copyAt[i]
		if err := w.verify(dir, quiet(mem), at, at); err != nil {
			t.Errorf("%s: %v", dir, err)
		}
	}
	s := open(t, dataDir, quiet(mem))
	defer func() { _ = s.Close() }()
	if err := s.Checkpoint(t.Context(), w.copies[0]); err == nil {
		t.Error("a checkpoint over an existing directory succeeded")
	}
}

// TestCheckpointCutShort removes what is written last.
func TestCheckpointCutShort(t *testing.T) {
	mem := vfs.NewMem()
	s := open(t, dataDir, quiet(mem))
	if err := s.Checkpoint(t.Context(), "/copy"); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := mem.Remove("/copy/FORMAT"); err != nil {
		t.Fatal(err)
	}
	if _, err := pebble.Open("/copy", quiet(mem)); err == nil {
		t.Fatal("a partial copy was opened")
	} else {
		t.Log(fmt.Sprint(err))
	}
}
