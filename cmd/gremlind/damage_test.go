package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestDamagedDirectoryExits damages each kind of file of a data directory in several ways. The
// commands that open it end well, or with findings of check, or with the exit code for
// damage and what to do; never with the one that has a supervisor try again.
func TestDamagedDirectoryExits(t *testing.T) {
	dir := t.TempDir()
	wantDone(t, "import", "--data-dir", dir, writeFile(t, "v.csv", "~id,name\n1,a\n2,b\n"))
	p := serve(t, "--data-dir", dir)
	for i := range 5 {
		if code, text := p.post(t, fmt.Sprintf("g.addV('a').property('n', %d)", i)); code != 200 {
			t.Fatal(text)
		}
	}
	p.kill()
	refused := 0
	for _, pattern := range []string{"FORMAT", "WATERMARK", "db/marker.format-version.*", "db/marker.manifest.*", "db/MANIFEST-*", "db/OPTIONS-*", "db/*.log", "db/*.sst"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		name, _ := filepath.Rel(dir, names[len(names)-1])
		for how, harm := range fileHarms {
			harmed := filepath.Join(t.TempDir(), "data")
			if err := copyDir(harmed, dir); err != nil {
				t.Fatal(err)
			}
			if err := harm(filepath.Join(harmed, name)); err != nil {
				t.Fatal(err)
			}
			_, errs, code := run(t, "check", "--data-dir", harmed)
			switch {
			case code == exitDone, code == exitRejected:
			case code != exitData:
				t.Errorf("%s %s: check ends with %d: %.500s", name, how, code, errs)
			case !strings.Contains(errs, "restore a backup"):
				t.Errorf("%s %s: %.500s", name, how, errs)
			default:
				refused++
			}
		}
	}
	if refused < 5 {
		t.Errorf("%d refused", refused)
	}
}

// copyDir copies a directory without its sockets and its ballast, which is only room.
func copyDir(to, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o700)
		case !d.Type().IsRegular(), d.Name() == "BALLAST":
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), b, 0o600)
	})
}

var fileHarms = map[string]func(path string) error{
	"removed": os.Remove,
	"flipped": func(path string) error {
		b, err := os.ReadFile(path)
		if err != nil || len(b) == 0 {
			return err
		}
		b[len(b)/3] ^= 0x10
		return os.WriteFile(path, b, 0o600)
	},
}

// TestServeDamagedDirectory: a server says the same before it serves.
func TestServeDamagedDirectory(t *testing.T) {
	dir := t.TempDir()
	wantDone(t, "import", "--data-dir", dir, writeFile(t, "v.csv", "~id,name\n1,a\n2,b\n"))
	for _, marker := range []string{"FORMAT", "db/marker.format-version.*"} {
		names, err := filepath.Glob(filepath.Join(dir, marker))
		if err != nil || len(names) != 1 {
			t.Fatalf("%s: %v %v", marker, names, err)
		}
		harmed := filepath.Join(t.TempDir(), "data")
		if err := copyDir(harmed, dir); err != nil {
			t.Fatal(err)
		}
		name, _ := filepath.Rel(dir, names[0])
		if err := os.Remove(filepath.Join(harmed, name)); err != nil {
			t.Fatal(err)
		}
		_, errs, code := run(t, "serve", "--data-dir", harmed, "--port", "0", "--admin", "off")
		if code != exitData || !strings.Contains(errs, "restore a backup") {
			t.Errorf("without %s: exit %d: %s", name, code, errs)
		}
	}
}

// TestBackup_NoAdminAddress: the socket in the data directory is enough.
func TestBackup_NoAdminAddress(t *testing.T) {
	dir, backup := t.TempDir(), filepath.Join(t.TempDir(), "backup")
	p := serve(t, "--data-dir", dir, "--admin", "off")
	if code, text := p.post(t, "g.addV('a')"); code != 200 {
		t.Fatal(text)
	}
	wantDone(t, "backup", "--data-dir", dir, backup)
	p.stop(syscall.SIGTERM)
	restored := t.TempDir()
	wantDone(t, "restore", "--data-dir", restored, backup)
	if n := wantChecked(t, restored); n[0] != 1 {
		t.Errorf("%v", n)
	}
}
