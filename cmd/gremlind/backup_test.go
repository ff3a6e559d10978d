package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// TestBackup_WhileWriting copies a directory while clients write to it. The copy holds
// what was acknowledged before the call, is sound, and serves; what was written during
// the copy is in it whole or not at all.
func TestBackup_WhileWriting(t *testing.T) {
	dir := t.TempDir()
	backup, restored := filepath.Join(t.TempDir(), "backup"), filepath.Join(t.TempDir(), "data")
	p := serve(t, "--data-dir", dir, "--admin", "127.0.0.1:0")
	admin := p.admin()
	const before = 50
	add := func(i int) error {
		if code, text := p.post(t, fmt.Sprintf("g.addV('a').property('n', %d).as('a').addV('b').property('n', %d).addE('of').to('a')", i, i)); code != 200 {
			return fmt.Errorf("write %d: %d %s", i, code, text)
		}
		return nil
	}
	for i := range before {
		if err := add(i); err != nil {
			t.Fatal(err)
		}
	}
	var writers sync.WaitGroup
	stop, begun := make(chan struct{}), make(chan struct{}, 4)
	for w := range cap(begun) {
		writers.Go(func() {
			for i := before + w*1_000_000; ; i++ {
				if err := add(i); err != nil {
					t.Error(err)
					return
				}
				select {
				case begun <- struct{}{}:
				case <-stop:
					return
				default:
				}
			}
		})
	}
	for range cap(begun) {
		<-begun
	}
	_, errs, code := run(t, "backup", "--data-dir", dir, "--admin", admin, backup)
	close(stop)
	writers.Wait()
	if code != exitDone {
		t.Fatalf("backup: exit %d: %s", code, errs)
	}
	total := count(t, p, "g.V().hasLabel('a').count()")
	p.stop(syscall.SIGTERM)

	wantDone(t, "restore", "--data-dir", restored, backup)
	n := wantChecked(t, restored)
	if n[1] < before || n[0] != 2*n[1] || n[2] != n[0] || n[1] > total {
		t.Errorf("%v vertices, edges, properties, entries of %d writes", n, total)
	}
	if _, errs, code := run(t, "restore", "--data-dir", restored, backup); code == exitDone || !strings.Contains(errs, "not empty") {
		t.Errorf("restore into a directory that is not empty: exit %d: %s", code, errs)
	}
	if _, errs, code := run(t, "backup", "--data-dir", restored, "--admin", admin, backup); code == exitDone || !strings.Contains(errs, "exists already") {
		t.Errorf("backup onto another: exit %d: %s", code, errs)
	}
	p = serve(t, "--data-dir", restored)
	if got := count(t, p, "g.E().hasLabel('of').count()"); got != n[1] {
		t.Errorf("the restored server has %d edges, want %d", got, n[1])
	}
	if got := count(t, p, fmt.Sprintf("g.V().hasLabel('b').has('n', P.lt(%d)).count()", before)); got != before {
		t.Errorf("%d of %d acknowledged writes are in the backup", got, before)
	}
}

// TestBackup_Offline copies a directory that nobody serves.
func TestBackup_Offline(t *testing.T) {
	const admin = "127.0.0.1:1" // where nobody listens
	dir, backup, restored := t.TempDir(), filepath.Join(t.TempDir(), "backup"), t.TempDir()
	wantDone(t, "import", "--data-dir", dir, writeFile(t, "v.csv", "~id,name\n1,a\n2,b\n"))
	wantDone(t, "backup", "--data-dir", dir, "--admin", admin, backup)
	wantDone(t, "restore", "--data-dir", restored, backup)
	nowhere := filepath.Join(t.TempDir(), "nowhere")
	if err := os.Symlink("none", nowhere); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := run(t, "restore", "--data-dir", filepath.Join(nowhere, "data"), backup); code == exitDone || !strings.Contains(errs, "mkdir") {
		t.Errorf("restored to where no folder can be made: exit %d, %s", code, errs)
	}
	if n := wantChecked(t, restored); n != [4]int{2, 0, 2, 0} {
		t.Errorf("%v", n)
	}
	part, removed := t.TempDir(), 0
	err := filepath.WalkDir(backup, func(path string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".sst" {
			return err
		}
		removed++
		return os.Remove(path)
	})
	if err != nil || removed == 0 {
		t.Fatalf("%d tables removed: %v", removed, err)
	}
	if _, errs, code := run(t, "restore", "--data-dir", part, backup); code == exitDone {
		t.Errorf("a backup without its tables was restored: %s", errs)
	}
	if entries, err := os.ReadDir(part); err != nil || len(entries) > 0 {
		t.Errorf("%d files were left in the data directory: %v", len(entries), err)
	}
}

// count runs a query that gives a number.
func count(t *testing.T, p *process, query string) int {
	t.Helper()
	_, text := p.post(t, query)
	n, err := strconv.Atoi(strings.TrimPrefix(text, "==>"))
	if err != nil {
		t.Fatalf("%s: %s", query, text)
	}
	return n
}
