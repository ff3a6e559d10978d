package pebble_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	pebbledb "github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
)

// TestFormats: what stands in FORMAT decides, and the message names both numbers.
func TestFormats(t *testing.T) {
	newer := fmt.Sprintf("gremlind data directory\nformat %d\n", pebble.FormatVersion+1)
	for _, c := range []struct {
		name, content string
		want          error
		text          string
	}{
		{"newer", newer, storage.ErrFormat, fmt.Sprintf("its format is %d, this program knows formats up to %d", pebble.FormatVersion+1, pebble.FormatVersion)},
		{"garbled", "gremlind dat\x00", storage.ErrCorrupt, "/data/FORMAT is garbled"},
		{"no number", "gremlind data directory\nformat x\n", storage.ErrCorrupt, "/data/FORMAT is garbled"},
		{"truncated", "gremlind data directory\nformat 1", storage.ErrCorrupt, "/data/FORMAT is garbled"},
		{"empty", "", storage.ErrCorrupt, "/data/FORMAT is garbled"},
		{"zero", "gremlind data directory\nformat 0\n", storage.ErrCorrupt, "/data/FORMAT is garbled"},
	} {
		t.Run(c.name, func(t *testing.T) {
			mem := vfs.NewMem()
			closeStore(t, open(t, dataDir, quiet(mem)))
			damage(t, mem, dataDir+"/FORMAT", func([]byte) []byte { return []byte(c.content) })
			_, err := pebble.Open(dataDir, quiet(mem))
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
				t.Errorf("%v", err)
			}
			// The refusal leaves no lock behind and changes nothing.
			damage(t, mem, dataDir+"/FORMAT", func([]byte) []byte { return []byte("gremlind data directory\nformat 1\n") })
			closeStore(t, open(t, dataDir, quiet(mem)))
		})
	}
}

// TestForeignDirectory: a directory that holds something else is not taken over.
func TestForeignDirectory(t *testing.T) {
	mem := vfs.NewMem()
	if err := mem.MkdirAll(dataDir, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := mem.Create(dataDir+"/thesis.txt", vfs.WriteCategoryUnspecified); err != nil {
		t.Fatal(err)
	}
	if _, err := pebble.Open(dataDir, quiet(mem)); !errors.Is(err, storage.ErrFormat) || !strings.Contains(err.Error(), "thesis.txt") {
		t.Fatal(err)
	}
}

// TestNewerDatabase: so is a database whose marker says a version from the future.
func TestNewerDatabase(t *testing.T) {
	mem := vfs.NewMem()
	closeStore(t, open(t, dataDir, quiet(mem)))
	names, err := mem.List(dataDir + "/db")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if strings.HasPrefix(n, "marker.format-version") {
			if err := mem.Rename(dataDir+"/db/"+n, dataDir+"/db/marker.format-version.000099.099"); err != nil {
				t.Fatal(err)
			}
		}
	}
	_, err = pebble.Open(dataDir, quiet(mem))
	if !errors.Is(err, storage.ErrFormat) || !strings.Contains(err.Error(), "99") {
		t.Errorf("%v", err)
	}
}

// TestMissingTables: so is a table that is gone.
func TestMissingTables(t *testing.T) {
	mem, _ := filled(t)
	names, err := mem.List(dataDir + "/db")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if !strings.HasSuffix(n, ".sst") {
			continue
		}
		disk := mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: storagetest.Rand(1)})
		if err := disk.Remove(dataDir + "/db/" + n); err != nil {
			t.Fatal(err)
		}
		if _, err := pebble.Open(dataDir, quiet(disk)); !errors.Is(err, storage.ErrCorrupt) || !strings.Contains(err.Error(), strings.TrimSuffix(n, ".sst")) {
			t.Errorf("without %s: %v", n, err)
		}
	}
}

// filled returns a cleanly stopped store with tables, and its content.
func filled(t *testing.T) (*vfs.MemFS, *workload) {
	t.Helper()
	mem := vfs.NewCrashableMem()
	w := newWorkload(dataDir, quiet(mem), storagetest.Rand(1))
	if err := w.run(30); err != nil {
		t.Fatal(err)
	}
	return mem, w
}

// TestMissingFiles: any file of ours that is gone is missed.
func TestMissingFiles(t *testing.T) {
	for _, name := range []string{"FORMAT", "WATERMARK", "db"} {
		mem, _ := filled(t)
		if err := mem.RemoveAll(dataDir + "/" + name); err != nil {
			t.Fatal(err)
		}
		_, err := pebble.Open(dataDir, quiet(mem))
		if !errors.Is(err, storage.ErrCorrupt) || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

// TestManifest: Pebble takes damage in the last block of its MANIFEST for its end and
// goes back to older tables. After a clean stop every damage must be refused.
func TestManifest(t *testing.T) {
	mem, _ := filled(t)
	desc, err := pebbledb.Peek(dataDir+"/db", mem)
	if err != nil {
		t.Fatal(err)
	}
	st, err := mem.Stat(desc.ManifestFilename)
	if err != nil {
		t.Fatal(err)
	}
	for at := int64(0); at < st.Size(); at += 7 {
		for kind, change := range map[string]func([]byte) []byte{
			"flip": func(b []byte) []byte { b[at] ^= 1; return b },
			"cut":  func(b []byte) []byte { return b[:at] },
		} {
			disk := mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: storagetest.Rand(1)})
			damage(t, disk, desc.ManifestFilename, change)
			s, err := pebble.Open(dataDir, quiet(disk))
			if err == nil {
				closeStore(t, s)
			}
			if !errors.Is(err, storage.ErrCorrupt) || !strings.Contains(err.Error(), "MANIFEST") {
				t.Fatalf("%s at %d of %d: %v", kind, at, st.Size(), err)
			}
		}
	}
}

// TestOlderDatabase: so is a database that an older copy has replaced, although it holds
// every commit.
func TestOlderDatabase(t *testing.T) {
	mem, _ := filled(t)
	older := mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: storagetest.Rand(1)})
	closeStore(t, open(t, dataDir, quiet(mem))) // goes on to the next MANIFEST
	newer, err := mem.Open(dataDir + "/WATERMARK")
	if err != nil {
		t.Fatal(err)
	}
	watermark, err := io.ReadAll(newer)
	if err := errors.Join(err, newer.Close()); err != nil {
		t.Fatal(err)
	}
	damage(t, older, dataDir+"/WATERMARK", func([]byte) []byte { return watermark })
	s, err := pebble.Open(dataDir, quiet(older))
	if err == nil {
		closeStore(t, s)
	}
	if !errors.Is(err, storage.ErrCorrupt) || !strings.Contains(err.Error(), "DATA LOSS: the database in") {
		t.Error(err)
	}
}

// TestDamagedFiles damages every file of a stopped store in several ways. Accepted are
// a refusal or a read error of the right class that names a file, or no harm at all;
// never a wrong or shorter answer, and never a panic.
func TestDamagedFiles(t *testing.T) {
	mem, w := filled(t)
	want := len(w.states) - 1
	harmless, refused, files, tried := 0, 0, 0, 0
	for _, dir := range []string{dataDir, dataDir + "/db"} {
		names, err := mem.List(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			path := dir + "/" + name
			st, err := mem.Stat(path)
			if err != nil || st.IsDir() || strings.HasSuffix(name, "LOCK") {
				continue
			}
			files++
			for kind, change := range damages(st.Size()) {
				if tried++; raced.Skips(tried, 4) {
					continue
				}
				disk := mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: storagetest.Rand(1)})
				if change != nil {
					damage(t, disk, path, change)
				} else if err := disk.Remove(path); err != nil {
					t.Fatal(err)
				}
				if err := w.verify(dataDir, quiet(disk), want, want); err == nil {
					harmless++
				} else if refused++; !acceptable(err) {
					t.Errorf("%s of %s: %v", kind, path, err)
				}
			}
		}
	}
	t.Logf("%d files: %d damages refused, %d harmless", files, refused, harmless)
	if refused == 0 {
		t.Error("no damage was noticed")
	}
}

// acceptable errors are of a class for damage, and not a comparison that failed.
func acceptable(err error) bool {
	text := err.Error()
	return (errors.Is(err, storage.ErrCorrupt) || errors.Is(err, storage.ErrFormat)) && !strings.Contains(text, "lost:") && !strings.Contains(text, "want") && !strings.Contains(text, "missing, first")
}

func damages(size int64) map[string]func([]byte) []byte {
	out := map[string]func([]byte) []byte{
		"truncation to nothing": func([]byte) []byte { return nil },
		"truncation by one":     func(b []byte) []byte { return b[:len(b)-1] },
		"truncation to half":    func(b []byte) []byte { return b[:len(b)/2] },
	}
	out["removal"] = nil
	if size == 0 {
		return map[string]func([]byte) []byte{"removal": nil}
	}
	for i := range int64(8) {
		at := size * i / 8
		out[fmt.Sprintf("flip at %d", at)] = func(b []byte) []byte { b[at] ^= 0x10; return b }
	}
	out["zeros"] = func(b []byte) []byte { clear(b[len(b)/3 : len(b)/3*2]); return b }
	return out
}

// TestOtherLayout: a database whose rows are others is refused, because its Bloom filters
// would hide keys.
func TestOtherLayout(t *testing.T) {
	mem := vfs.NewMem()
	s := open(t, dataDir, quiet(mem))
	put(t, s, "a", "1")
	closeStore(t, s)
	o := quiet(mem)
	o.Layout = storage.Layout{}
	if _, err := pebble.Open(dataDir, o); !errors.Is(err, storage.ErrFormat) {
		t.Fatalf("opened with another layout: %v", err)
	}
	s = open(t, dataDir, quiet(mem))
	if got := value(t, s, "a"); got != "1" {
		t.Error(got)
	}
	closeStore(t, s)
}

// TestClose_NoManifest: a MANIFEST that somebody has taken away is an error, not something
// that is waited for.
func TestClose_NoManifest(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, pebble.Options{Layout: table.Layout, BallastBytes: -1, DiskReserve: -1})
	found, err := filepath.Glob(filepath.Join(dir, "db", "MANIFEST-*"))
	if err != nil || len(found) == 0 {
		t.Fatal(found, err)
	}
	for _, name := range found {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	done := make(chan error, 1)
	go func() { done <- s.Close() }()
	select {
	case err := <-done:
		if err == nil || !strings.Contains(err.Error(), "sync the MANIFEST") {
			t.Errorf("closed: %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it is waited for")
	}
}
