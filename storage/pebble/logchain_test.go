package pebble_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
)

// manyLogs returns the disk of a store that ended without its tables being written, so
// that all of its commits lie in several files of the log; and those commits.
func manyLogs(t *testing.T, ingest bool) (disk *vfs.MemFS, logs []string, commits int) {
	t.Helper()
	mem := vfs.NewCrashableMem()
	var stopped atomic.Bool
	o := quiet(errorfs.Wrap(mem, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if stopped.Load() && op.Kind == errorfs.OpCreate && strings.Contains(op.Path, "/db/") && strings.HasSuffix(op.Path, ".sst") {
			return fs.ErrInvalid
		}
		return nil
	})))
	o.MemTableBytes = 4 << 20
	s := open(t, dataDir, o)
	for i := range 3 {
		put(t, s, fmt.Sprintf("key/%05d", i), "in a table")
	}
	if err := s.DB().Flush(); err != nil {
		t.Fatal(err)
	}
	stopped.Store(true)
	for commits = 3; len(logs) < 3; commits++ {
		put(t, s, fmt.Sprintf("key/%05d", commits), strings.Repeat(fmt.Sprint(commits), 5000))
		if ingest && commits%10 == 0 {
			from := fmt.Sprintf("ingested/%05d/", commits)
			err := s.Ingest(t.Context(), []byte(from), []byte(from+"~"), func(add func(key, value []byte) error) error {
				return add([]byte(from+"1"), []byte("v"))
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		logs = logsOf(t, mem)
	}
	put(t, s, "the last", "one")
	s.Tick()
	commits = int(s.Seq())
	disk = mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: storagetest.Rand(1)})
	stopped.Store(false)
	closeStore(t, s)
	return disk, logsOf(t, disk), commits
}

func logsOf(t *testing.T, mem *vfs.MemFS) (logs []string) {
	t.Helper()
	names, err := mem.List(dataDir + "/db")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if strings.HasSuffix(n, ".log") {
			logs = append(logs, dataDir+"/db/"+n)
		}
	}
	return logs
}

// TestLogWithHole removes, empties and cuts each file of the log in turn: Pebble opens
// what is left of all but some, with a hole in it; the store refuses all of them.
func TestLogWithHole(t *testing.T) {
	for _, ingest := range []bool{false, true} {
		disk, logs, commits := manyLogs(t, ingest)
		whole := disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: storagetest.Rand(1)})
		s := open(t, dataDir, quiet(whole))
		if s.Seq() != uint64(commits) || value(t, s, "the last") != "one" {
			t.Fatalf("recovered %d of %d", s.Seq(), commits)
		}
		closeStore(t, s)
		unharmed := 0 // what was cut off held nothing
		for i, log := range logs {
			for how, harm := range harms(t) {
				broken := disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: storagetest.Rand(1)})
				harm(broken, log)
				s, err := pebble.Open(dataDir, quiet(broken))
				if err == nil {
					if missing := missingKeys(t, s); len(missing) > 0 || s.Seq() != uint64(commits) {
						t.Errorf("ingest %v: %s, file %d of %d, %s: recovered %d of %d, without %v", ingest, log, i+1, len(logs), how, s.Seq(), commits, missing)
					}
					unharmed++
					closeStore(t, s)
				} else if !errors.Is(err, storage.ErrCorrupt) {
					t.Errorf("ingest %v: %s, %s: %v", ingest, log, how, err)
				}
			}
		}
		if harmed := len(logs)*len(harms(t)) - unharmed; harmed < 3*len(logs) {
			t.Errorf("only %d of the logs' damages were noticed", harmed)
		}
	}
}

// missingKeys are those that manyLogs wrote up to the last one that is there.
func missingKeys(t *testing.T, s *pebble.Store) (missing []string) {
	t.Helper()
	for i, gap := 0, []string(nil); len(gap) < 100; i++ {
		if key := fmt.Sprintf("key/%05d", i); value(t, s, key) == "-" {
			gap = append(gap, key)
		} else {
			missing, gap = append(missing, gap...), nil
		}
	}
	if value(t, s, "the last") == "-" {
		missing = append(missing, "the last")
	}
	return missing
}

func harms(t *testing.T) map[string]func(mem *vfs.MemFS, log string) {
	cut := func(part int) func(mem *vfs.MemFS, log string) {
		return func(mem *vfs.MemFS, log string) {
			damage(t, mem, log, func(b []byte) []byte { return b[:len(b)*part/8] })
		}
	}
	return map[string]func(mem *vfs.MemFS, log string){
		"removed": func(mem *vfs.MemFS, log string) {
			if err := mem.Remove(log); err != nil {
				t.Fatal(err)
			}
		},
		"emptied": cut(0), "cut to an eighth": cut(1), "cut in the middle": cut(4), "cut near its end": cut(6),
		"zeros": func(mem *vfs.MemFS, log string) {
			damage(t, mem, log, func(b []byte) []byte { clear(b); return b })
		},
	}
}
