package pebble_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
)

func formatFile(t *testing.T, fs vfs.FS, dir string) string {
	t.Helper()
	f, err := fs.Open(dir + "/FORMAT")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b := make([]byte, 100)
	n, _ := f.Read(b)
	return string(b[:n])
}

func formatLine(version int) string {
	return fmt.Sprintf("gremlind data directory\nformat %d\n", version)
}

// TestRaiseFormat: a fresh directory has the first format, whatever this program knows; a
// raised one stays raised, and a copy carries it.
func TestRaiseFormat(t *testing.T) {
	mem := vfs.NewMem()
	s := open(t, dataDir, quiet(mem))
	if got := formatFile(t, mem, dataDir); got != formatLine(1) || s.Format() != 1 {
		t.Fatalf("fresh: %q, %d", got, s.Format())
	}
	if err := s.Checkpoint(context.Background(), "/before"); err != nil {
		t.Fatal(err)
	}
	for _, version := range []int{1, 2, 1, 0} { // lower ones change nothing
		if err := s.RaiseFormat(version); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.RaiseFormat(pebble.FormatVersion + 1); !errors.Is(err, storage.ErrFormat) {
		t.Fatalf("unknown: %v", err)
	}
	if err := s.Checkpoint(context.Background(), "/after"); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	if err := s.RaiseFormat(2); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
	s = open(t, dataDir, quiet(mem)) // opening lowers nothing
	if s.Format() != 2 {
		t.Errorf("reopened: %d", s.Format())
	}
	closeStore(t, s)
	for dir, want := range map[string]int{"/before": 1, dataDir: 2, "/after": 2} {
		if got := formatFile(t, mem, dir); got != formatLine(want) {
			t.Errorf("%s: %q", dir, got)
		}
	}
}

// TestRaiseFormatCrash: in front of every write of raising and of the commit behind it
// the disk opens, and never holds the commit without the format.
func TestRaiseFormatCrash(t *testing.T) {
	mem := vfs.NewCrashableMem()
	c := &crasher{fs: mem, rng: storagetest.Rand(1), at: func() (int, int) { return 0, 0 }}
	var points []crashPoint
	c.check = func(p crashPoint) { points = append(points, p) }
	s := open(t, dataDir, quiet(c.disk()))
	points = nil
	if err := s.RaiseFormat(2); err != nil {
		t.Fatal(err)
	}
	raised := len(points)
	commitKey(t, s, "needs format 2")
	committed := len(points)
	closeStore(t, s)
	if raised == 0 || committed == raised {
		t.Fatalf("%d and %d operations were seen", raised, committed)
	}
	for _, p := range points[:committed] {
		for percent, disk := range p.disks {
			r, err := pebble.Open(dataDir, quiet(disk))
			if err != nil {
				t.Fatalf("%v, %d %%: %v", p.op, percent, err)
			}
			if found := has(t, r, "needs format 2"); found && r.Format() != 2 {
				t.Errorf("%v, %d %%: the commit is there, and the format is %d", p.op, percent, r.Format())
			}
			closeStore(t, r)
		}
	}
}

// TestRaiseFormatFails: a disk that cannot take FORMAT leaves the old one in force.
func TestRaiseFormatFails(t *testing.T) {
	mem := vfs.NewMem()
	closeStore(t, open(t, dataDir, quiet(mem)))
	s := open(t, dataDir, quiet(noFormat{mem}))
	defer closeStore(t, s)
	if err := s.RaiseFormat(2); err == nil || !strings.Contains(err.Error(), "raise the format of "+dataDir+" to 2") {
		t.Errorf("%v", err)
	}
	if s.Format() != 1 || formatFile(t, mem, dataDir) != formatLine(1) {
		t.Errorf("format %d", s.Format())
	}
}

// noFormat is a disk on which FORMAT cannot be written anew.
type noFormat struct{ vfs.FS }

func (f noFormat) Rename(from, to string) error {
	if strings.HasSuffix(to, "/FORMAT") {
		return errors.New("no room")
	}
	return f.FS.Rename(from, to)
}

func commitKey(t *testing.T, s storage.Store, key string) {
	t.Helper()
	tx, err := s.Begin(context.Background(), storage.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Close()
	if err := tx.Set([]byte(key), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Commit(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func has(t *testing.T, s storage.Store, key string) bool {
	t.Helper()
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	_, err = snap.Get([]byte(key))
	if err != nil && !errors.Is(err, storage.ErrNotFound) {
		t.Fatal(err)
	}
	return err == nil
}

// TestLowerFormat: a directory has an older format again, over a restart, and a newer one
// is not taken for a lower one.
func TestLowerFormat(t *testing.T) {
	fs := vfs.NewMem()
	s := open(t, dataDir, quiet(fs))
	for _, step := range []struct {
		change  func(int) error
		to, now int
	}{{s.RaiseFormat, 2, 2}, {s.LowerFormat, 2, 2}, {s.LowerFormat, 0, 1}, {s.LowerFormat, 2, 1}, {s.RaiseFormat, 2, 2}, {s.LowerFormat, 1, 1}} {
		if err := step.change(step.to); err != nil || s.Format() != step.now {
			t.Errorf("to %d: %d, %v", step.to, s.Format(), err)
		}
	}
	closeStore(t, s)
	if s = open(t, dataDir, quiet(fs)); s.Format() != 1 {
		t.Errorf("opened again: %d", s.Format())
	}
	closeStore(t, s)
}
