package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/raced"
)

// TestServed_ImportAndExport has a running server take a graph and give it back, while
// it answers, and compares with what the directory holds when the server is gone.
func TestServed_ImportAndExport(t *testing.T) {
	edges := raced.Times(20_000, 4)
	v, e := graphFiles(t, edges)
	all := fmt.Sprintf("%d vertices, %d edges", rowsOf(t, v), edges)
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir)
	readers := make(chan error, 1)
	stop := make(chan struct{})
	go func() { readers <- readUntil(t, p, stop) }()
	errs := wantDone(t, "import", "--data-dir", dir, "--index", "vertex:name", "--batch", "3000", e, v) // edges first
	contains(t, errs, all+", 0 rejected")
	close(stop)
	if err := <-readers; err != nil {
		t.Error(err)
	}
	for query, want := range map[string]string{
		"g.E().count()": fmt.Sprint("==>", edges), "g.V().has('name', 'p77').count()": "==>1",
		"g.V().has('name', 'p77').out().count()": fmt.Sprint("==>", outDegree(t, e, "77")),
	} {
		if _, text := p.post(t, query); text != want {
			t.Errorf("%s: %s, want %s", query, text, want)
		}
	}
	served, alone := t.TempDir(), t.TempDir()
	files := []string{"x.csv", "x.json", "x.xml", "x.kryo.gz"}
	for _, f := range files {
		contains(t, wantDone(t, "export", "--data-dir", dir, filepath.Join(served, f)), all)
	}
	if _, errs, code := run(t, "export", "--data-dir", dir, "--graph", "none", filepath.Join(served, "none.json")); code == exitDone || !strings.Contains(errs, "no such graph") {
		t.Errorf("export of a graph that is none: exit %d: %s", code, errs)
	}
	if code := p.stop(syscall.SIGTERM); code != exitDone {
		t.Fatalf("exit %d", code)
	}
	for _, f := range files {
		wantDone(t, "export", "--data-dir", dir, filepath.Join(alone, f))
	}
	want, _ := os.ReadDir(alone)
	for _, f := range want {
		if !bytes.Equal(readFile(t, filepath.Join(served, f.Name())), readFile(t, filepath.Join(alone, f.Name()))) {
			t.Errorf("%s is another through the server", f.Name())
		}
	}
	if got, _ := os.ReadDir(served); len(got) != len(want) || len(want) != 5 {
		t.Errorf("%d files through the server, %d without", len(got), len(want))
	}
	wantChecked(t, dir)
}

// readUntil counts edges again and again: never fewer than before.
func readUntil(t *testing.T, p *process, stop <-chan struct{}) error {
	last := -1
	for {
		select {
		case <-stop:
			return nil
		default:
		}
		code, text := p.post(t, "g.E().count()")
		var n int
		if _, err := fmt.Sscanf(text, "==>%d", &n); err != nil || code != 200 || n < last {
			return fmt.Errorf("status %d, %s behind %d", code, text, last)
		}
		last = n
	}
}

// TestServed_ImportResumes kills the command, then the server, in the middle of an
// import; the same command goes on, the last time without a server.
func TestServed_ImportResumes(t *testing.T) {
	const edges, batch = 20_000, 500
	v, e := graphFiles(t, edges)
	dir := t.TempDir()
	args := []string{"--data-dir", dir, "--format", "csv", "--batch", fmt.Sprint(batch), v, "-"}
	text := readFile(t, e)
	p := serve(t, "--data-dir", dir)
	killedImport(t, text, args...)
	_, answer := p.post(t, "g.E().count()")
	var n int
	if _, err := fmt.Sscanf(answer, "==>%d", &n); err != nil || n == 0 || n >= edges {
		t.Fatalf("after the kill: %s", answer)
	}
	if _, errs, code := run(t, "import", "--data-dir", dir, v); code == exitDone || !strings.Contains(errs, "stopped half way") {
		t.Errorf("another import: exit %d, %s", code, errs)
	}
	in, w := io.Pipe()
	cmd := exec.Command(binary, append([]string{"import"}, args...)...)
	cmd.Stdin = in
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(text[:3*len(text)/4]); err != nil {
		t.Fatal(err)
	}
	p.kill()
	go func() { _, _ = w.Write(text[3*len(text)/4:]); w.Close() }()
	if err := cmd.Wait(); err == nil {
		t.Fatal("the import outlived its server")
	}
	errs, code := importFrom(t, bytes.NewReader(text), args...)
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, errs)
	}
	vertices := rowsOf(t, v)
	contains(t, errs, fmt.Sprintf("%d vertices, %d edges, 0 rejected", vertices, edges))
	if n := wantChecked(t, dir); n[0] != vertices || n[1] != edges {
		t.Errorf("%v vertices, edges, properties, entries", n)
	}
	wantExport(t, dir, text)
}

// TestImport_InPieces adds to a graph that holds elements, with and without a server.
func TestImport_InPieces(t *testing.T) {
	v := writeFile(t, "v.csv", "~id,~label,name:String,age:Int\na,person,marko,29\nb,person,josh,32\n")
	more := writeFile(t, "more.csv", "~id,~from,~to,~label\ne1,a,b,knows\ne2,b,a,knows\ne1,a,b,knows\ne3,a,z,knows\n")
	again := writeFile(t, "again.csv", "~id,age:Int,tags:String[]\na,30,x;y;x\nc,1,\n")
	other := writeFile(t, "other.csv", "~id,~label\nb,robot\n")
	for _, served := range []bool{false, true} {
		dir := t.TempDir()
		var p *process
		if served {
			p = serve(t, "--data-dir", dir)
		}
		wantDone(t, "import", "--data-dir", dir, v)
		_, errs, code := run(t, "import", "--data-dir", dir, more)
		if code != exitFailed || !strings.Contains(errs, more+": line 4: Edge with id already exists: e1") {
			t.Errorf("exit %d: %s", code, errs)
		}
		_, errs, code = run(t, "import", "--data-dir", dir, "--errors", "-1", more)
		if code != exitRejected || !strings.Contains(errs, "0 vertices, 2 edges, 2 rejected") {
			t.Errorf("exit %d: %s", code, errs)
		}
		_, errs, code = run(t, "import", "--data-dir", dir, again)
		if code != exitFailed || !strings.Contains(errs, again+": line 2: Vertex with id already exists: a") {
			t.Errorf("exit %d: %s", code, errs)
		}
		contains(t, wantDone(t, "import", "--data-dir", dir, "--forget", "--merge", again), "2 vertices, 0 edges, 0 rejected")
		_, errs, code = run(t, "import", "--data-dir", dir, "--merge", other)
		if code != exitFailed || !strings.Contains(errs, `vertex b has the label "person", which cannot become "robot"`) {
			t.Errorf("exit %d: %s", code, errs)
		}
		if !served {
			p = serve(t, "--data-dir", dir)
		}
		for query, want := range map[string]string{
			"g.V().count()": "==>3", "g.E().count()": "==>2", "g.V('a').values('age')": "==>30", "g.V('a').values('name')": "==>marko",
			"g.V('a').values('tags').fold()": "==>[x, y]", "g.V('a').label()": "==>person", "g.V('c').label()": "==>vertex",
		} {
			if _, text := p.post(t, query); text != want {
				t.Errorf("%s: %s, want %s", query, text, want)
			}
		}
		p.stop(syscall.SIGTERM)
		wantChecked(t, dir)
	}
}

// TestImport_CountsAreTrue loads files with bad records of all kinds: what is said to be
// there is there, and a duplicate edge is told with its file and line.
func TestImport_CountsAreTrue(t *testing.T) {
	v := writeFile(t, "v.csv", "~id,age:Int\n1,1\n2,2\n1,3\n3,x\n4,4\n\"\xff\",5\n")
	for _, order := range [][]string{{"9", "10", "9", "10"}, {"b", "a", "c", "a"}, {"a", "bb", "a", "bb"}} {
		text := "~id,~from,~to\n"
		for _, id := range order {
			text += id + ",1,2\n"
		}
		e := writeFile(t, "e.csv", text)
		rejects := filepath.Join(t.TempDir(), "rejects.csv")
		dir := t.TempDir()
		_, errs, code := run(t, "import", "--data-dir", dir, "--errors", "-1", "--rejects", rejects, e, v)
		distinct := map[string]bool{}
		for _, id := range order {
			distinct[id] = true
		}
		bad := 3 + len(order) - len(distinct)
		if code != exitRejected {
			t.Fatalf("exit %d: %s", code, errs)
		}
		contains(t, errs, fmt.Sprintf("3 vertices, %d edges, %d rejected", len(distinct), bad))
		if n := wantChecked(t, dir); n[0] != 3 || n[1] != len(distinct) {
			t.Errorf("%v vertices, edges, properties, entries", n)
		}
		contains(t, string(readFile(t, rejects)), e+":5,Edge with id already exists: "+order[3], v+":7,a field is not UTF-8")
		_, errs, code = run(t, "import", "--data-dir", t.TempDir(), writeFile(t, "good.csv", "~id\n1\n2\n"), e)
		if code != exitFailed || !strings.Contains(errs, e+": csv line ") || !strings.Contains(errs, "Edge with id already exists") {
			t.Errorf("exit %d: %s", code, errs)
		}
	}
}

func TestGenerate_OverwritesOnlyByForce(t *testing.T) {
	dir := t.TempDir()
	edges := filepath.Join(dir, "e.csv")
	args := []string{"generate", "--edges", "10", "--vertex-file", filepath.Join(dir, "v.csv"), "--edge-file", edges}
	if err := os.WriteFile(edges, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, errs, code := run(t, args...)
	if code != exitUsage || !strings.Contains(errs, "--force") || string(readFile(t, edges)) != "mine" {
		t.Errorf("exit %d: %s", code, errs)
	}
	wantDone(t, append(args, "--force")...)
}

// rowsOf is how many records a CSV file has that quotes no line.
func rowsOf(t *testing.T, file string) int { return bytes.Count(readFile(t, file), []byte("\n")) - 1 }
