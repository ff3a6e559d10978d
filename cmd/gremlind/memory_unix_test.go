//go:build unix

package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/conformance/bench/raced"
)

// Edges of the graphs that these tests write and read, of which there is a vertex to every fifth: if a
// command kept but 300 bytes of each element, 29 MB, or a server 100, 18 MB, its bound would be passed,
// for the collector lets what is kept grow to twice as much before it looks.
const memoryEdges, servedEdges = 80_000, 150_000

// onTwo has commands run on two processors, wherever: what each of them holds for a while
// is not to take the room of a bound.
func onTwo(t *testing.T) { t.Setenv("GOMAXPROCS", "2") }

// wantWithin runs a command that must succeed and have no more than so many megabytes in
// memory at any time.
func wantWithin(t *testing.T, megabytes int64, args ...string) {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Env = append(os.Environ(), "GREMLIN_YAML=", "GREMLIND_DISKRESERVE=0")
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	most, ended, looked := int64(0), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(looked)
		for tick := time.NewTicker(5 * time.Millisecond); ; {
			most = max(most, highWater(cmd.Process.Pid))
			select {
			case <-ended:
				tick.Stop()
				return
			case <-tick.C:
			}
		}
	}()
	err := cmd.Wait()
	close(ended)
	<-looked
	if err != nil {
		t.Fatalf("gremlind %s: %v\n%s", strings.Join(args, " "), err, out.String())
	}
	wantMegabytes(t, fmt.Sprintf("gremlind %s %s", args[0], filepath.Base(args[len(args)-1])), most, megabytes)
}

func wantMegabytes(t *testing.T, what string, bytes, megabytes int64) {
	t.Helper()
	t.Logf("%s: %d MB", what, bytes>>20)
	if bytes == 0 && runtime.GOOS == "linux" {
		t.Errorf("%s: its memory is not known", what)
	}
	if bytes>>20 > megabytes && !raced.Detector() { // the race detector takes several times as much
		t.Errorf("%s: %d MB were in memory, %d are allowed", what, bytes>>20, megabytes)
	}
}

// TestFiles_Memory writes and reads files of every format, as commands: what stays in
// memory does not grow with the graph.
func TestFiles_Memory(t *testing.T) {
	const exportMax, importMax = 120, 95
	onTwo(t)
	size := memoryEdges
	if raced.Detector() { // no bound holds then, and it would take minutes
		size /= 20
	}
	vertices, edges := graphFiles(t, size)
	dir, files := filepath.Join(t.TempDir(), "data"), t.TempDir()
	wantWithin(t, importMax, "import", "--data-dir", dir, vertices, edges)
	for _, name := range []string{"g.csv", "g.xml"} {
		wantWithin(t, exportMax, "export", "--data-dir", dir, filepath.Join(files, name))
	}
	p := serve(t, "--data-dir", dir, "--io-dir", files)
	for _, name := range []string{"io.xml", "io.json", "io.kryo"} {
		if code, body := p.groovy(t, fmt.Sprintf("g.io('%s').write().iterate()", name)); code != http.StatusOK {
			t.Fatalf("%s: %d %s", name, code, body)
		}
	}
	p.kill()
	for _, name := range []string{"io.xml", "io.json", "io.kryo"} {
		wantWithin(t, importMax, "import", "--data-dir", filepath.Join(t.TempDir(), "data"), filepath.Join(files, name))
	}
}

// TestIO_Memory has a server that has read nothing yet write a graph by io(): the cache of
// elements that others read is not filled with what is read once, and blocks take no more
// than the cache has for them, here little beside what io() takes itself.
func TestIO_Memory(t *testing.T) {
	const growthMax = 75
	onTwo(t)
	size := servedEdges
	if raced.Detector() {
		size /= 50
	}
	vertices, edges := graphFiles(t, size)
	dir, files := filepath.Join(t.TempDir(), "data"), t.TempDir()
	wantDone(t, "import", "--data-dir", dir, vertices, edges)
	for i, name := range []string{"io.xml", "io.json", "io.kryo"} {
		if raced.Leaves(i+1, 3) {
			continue
		}
		p := serve(t, "--data-dir", dir, "--io-dir", files, "--set", "queryMemory=64MiB", "--set", "blockCache=8MiB", "--set", "evaluationTimeout=600000")
		before := highWater(p.cmd.Process.Pid)
		if code, body := p.groovy(t, fmt.Sprintf("g.io('%s').write().iterate()", name)); code != http.StatusOK {
			t.Fatalf("%s: %d %s", name, code, body)
		}
		wantMegabytes(t, "io("+name+") takes", highWater(p.cmd.Process.Pid)-before, growthMax)
		p.kill()
	}
}
