package main

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gremlind/gremlind/conformance/bench/raced"
)

// graphFiles makes a generated graph of so many edges with properties.
func graphFiles(t testing.TB, edges int) (vertexFile, edgeFile string) {
	t.Helper()
	dir := t.TempDir()
	vertexFile, edgeFile = filepath.Join(dir, "v.csv"), filepath.Join(dir, "e.csv")
	wantDone(t, "generate", "--edges", fmt.Sprint(edges), "--edge-properties", "--vertex-file", vertexFile, "--edge-file", edgeFile)
	return vertexFile, edgeFile
}

// wantDone runs a command that must succeed and returns its two outputs.
func wantDone(t testing.TB, args ...string) string {
	t.Helper()
	out, errs, code := run(t, args...)
	if code != exitDone {
		t.Fatalf("gremlind %s: exit %d\n%s%s", strings.Join(args, " "), code, out, errs)
	}
	return out + errs
}

var checkLine = regexp.MustCompile(`(\d+) vertices, (\d+) edges, (\d+) properties, (\d+) index entries`)

// wantChecked returns what a sound data directory holds: vertices, edges, properties
// and index entries of its graph.
func wantChecked(t testing.TB, dir string) (n [4]int) {
	t.Helper()
	out := wantDone(t, "check", "--data-dir", dir)
	m := checkLine.FindStringSubmatch(out)
	if m == nil {
		t.Fatalf("check says: %s", out)
	}
	for i := range n {
		fmt.Sscan(m[i+1], &n[i])
	}
	return n
}

// killedImport imports text from standard input and is killed when half of it is read.
func killedImport(t *testing.T, text []byte, args ...string) {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"import"}, args...)...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write(text[:len(text)/2]); err != nil {
		t.Fatal(err)
	}
	cmd.Process.Signal(syscall.SIGKILL)
	if err := cmd.Wait(); err == nil {
		t.Fatal("the import was not killed")
	}
}

func importFrom(t *testing.T, stdin io.Reader, args ...string) (stderr string, code int) {
	t.Helper()
	var errs bytes.Buffer
	cmd := exec.Command(binary, append([]string{"import"}, args...)...)
	cmd.Stdin, cmd.Stderr = stdin, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return errs.String(), cmd.ProcessState.ExitCode()
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestImport_ResumesAfterKill kills an import into a graph that holds elements half
// way; called again it goes on, and everything is there once.
func TestImport_ResumesAfterKill(t *testing.T) {
	const edges, batch = 20_000, 500
	v, e := graphFiles(t, edges)
	dir := t.TempDir()
	first := writeFile(t, "first.csv", "~id,name\nfirst,x\n")
	wantDone(t, "import", "--data-dir", dir, "--index", "vertex:name", "--index", "edge:since", first)
	args := []string{"--data-dir", dir, "--format", "csv", "--batch", fmt.Sprint(batch), v, "-"}
	text := readFile(t, e)
	killedImport(t, text, args...)
	n := wantChecked(t, dir)
	if n[1] == 0 || n[1] >= edges || n[1]%batch == 0 && n[0] == 1 {
		t.Fatalf("after the kill there are %v vertices, edges, properties, entries", n)
	}
	vertices := n[0]
	if errs, code := importFrom(t, nil, "--data-dir", dir, v); code == exitDone || !strings.Contains(errs, "stopped half way") {
		t.Errorf("another import: exit %d, %s", code, errs)
	}
	if errs, code := importFrom(t, bytes.NewReader(text), args...); code != exitDone {
		t.Fatalf("exit %d: %s", code, errs)
	}
	n = wantChecked(t, dir)
	if want := [4]int{vertices, edges, 2*(vertices-1) + 1 + 2*edges, vertices + edges}; n != want {
		t.Errorf("%v vertices, edges, properties, entries, want %v", n, want)
	}
	wantExport(t, dir, text)
}

// TestImport_RejectsLastAfterKill kills an import half way; called again it keeps what
// was rejected before, also what it does not look at again, and nothing twice.
func TestImport_RejectsLastAfterKill(t *testing.T) {
	dir, rejects := t.TempDir(), filepath.Join(t.TempDir(), "rejects.csv")
	wantDone(t, "import", "--data-dir", dir, writeFile(t, "first.csv", "~id\nfirst\n"))
	text := bytes.NewBufferString("~id,age:Int,name\n")
	var want []string
	for line := 2; line < 20_000; line++ {
		id, age := fmt.Sprint(line), "7"
		switch line % 100 {
		case 0:
			id = "first" // which the graph refuses
			want = append(want, fmt.Sprintf("-:%d", line))
		case 50:
			age = "old"
			want = append(want, fmt.Sprintf("-:%d", line))
		}
		fmt.Fprintf(text, "%s,%s,a name that is long enough to fill the pipe\n", id, age)
	}
	args := []string{"--data-dir", dir, "--format", "csv", "--batch", "500", "--rejects", rejects, "-"}
	killedImport(t, text.Bytes(), args...)
	before := len(rejectedAt(t, rejects))
	if n := wantChecked(t, dir); before == 0 || before == len(want) || n[0] < 2 {
		t.Fatalf("the kill left %d rejects and %d vertices", before, n[0])
	}
	errs, code := importFrom(t, text, args...)
	if code != exitRejected {
		t.Fatalf("exit %d: %s", code, errs)
	}
	contains(t, errs, fmt.Sprintf("%d records were rejected", len(want)))
	if got := rejectedAt(t, rejects); !slices.Equal(got, want) {
		t.Errorf("%d rejects, or in another order, want %d", len(got), len(want))
	}
}

// rejectedAt returns the places of the rows of a reject file that are whole.
func rejectedAt(t *testing.T, file string) (places []string) {
	t.Helper()
	for line := range strings.Lines(string(readFile(t, file))) {
		if strings.HasSuffix(line, "\n") {
			place, _, _ := strings.Cut(line, ",")
			places = append(places, place)
		}
	}
	return places
}

// TestRejectFile_HalfARow cuts a file anywhere: the rows that are whole stay.
func TestRejectFile_HalfARow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rejects.csv")
	reason := errors.New("two\n\"lines\"\n")
	fill := func(r *rejectFile) {
		for _, place := range []string{"a:1", "a:2"} {
			if !r.keeps(place) {
				if err := r.add(place, reason, []string{"x,\n", "y"}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := r.close(); err != nil {
			t.Fatal(err)
		}
	}
	open := func(goesOn bool) *rejectFile {
		r, err := openRejects(path, goesOn)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	fill(open(false))
	whole := readFile(t, path)
	for n := range len(whole) + 1 {
		if err := os.WriteFile(path, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		fill(open(true))
		if got := readFile(t, path); !bytes.Equal(got, whole) {
			t.Fatalf("from %q came %q", whole[:n], got)
		}
	}
	fill(open(false))
	if got := readFile(t, path); !bytes.Equal(got, whole) {
		t.Errorf("a file that is made anew holds %q", got)
	}
}

// wantExport compares the edges of a graph with those of a file, in any order.
func wantExport(t *testing.T, dir string, want []byte) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "x.csv")
	wantDone(t, "export", "--data-dir", dir, out)
	got := readFile(t, strings.TrimSuffix(out, ".csv")+"-edges.csv")
	ids := func(text []byte) map[string]int {
		rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		set := map[string]int{}
		for _, row := range rows[1:] {
			set[strings.Join(row[:4], " ")]++
		}
		return set
	}
	g, w := ids(got), ids(want)
	for id, n := range g {
		if n != 1 || w[id] != 1 {
			t.Fatalf("edge %s stands %d times in the graph, %d times in the file", id, n, w[id])
		}
	}
	if len(g) != len(w) {
		t.Errorf("%d edges, want %d", len(g), len(w))
	}
}

// TestImport_AllOrNothing kills imports into an empty graph: while they read, and while
// they write their tables.
func TestImport_AllOrNothing(t *testing.T) {
	edges := raced.Times(20_000, 2)
	v, e := graphFiles(t, edges)
	dir := t.TempDir()
	wantDone(t, "import", "--data-dir", dir, writeFile(t, "none.csv", "~id\n"))
	killedImport(t, readFile(t, e), "--data-dir", dir, "--format", "csv", "--index", "edge:weight", v, "-")
	if n := wantChecked(t, dir); n != [4]int{} {
		t.Fatalf("%v vertices, edges, properties, entries were left", n)
	}
	for wait := 40 * time.Millisecond; ; wait *= 2 {
		cmd := exec.Command(binary, "import", "--data-dir", dir, v, e)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(wait, func() { cmd.Process.Signal(syscall.SIGKILL) })
		err := cmd.Wait()
		timer.Stop()
		n := wantChecked(t, dir)
		if n[1] == edges {
			break // the load was in before the kill
		}
		if err == nil || n != [4]int{} {
			t.Fatalf("killed after %v: %v vertices, edges, properties, entries were left; %v", wait, n, err)
		}
	}
}

// TestImport_MillionEdges fills two indexes with a graph of 1,000,000 edges, in a plain run a fifth of them.
func TestImport_MillionEdges(t *testing.T) {
	if testing.Short() || len(buildFlags) > 0 {
		t.Skip("takes 10 s, under the race detector a minute")
	}
	edges := raced.Part(1_000_000, 5)
	v, e := graphFiles(t, edges)
	vertices := bytes.Count(readFile(t, v), []byte("\n")) - 1
	since := bytes.Count(readFile(t, e), []byte(",1990\n"))
	dir := t.TempDir()
	begun := time.Now()
	out := wantDone(t, "import", "--data-dir", dir, "--index", "vertex:name", "--index", "edge:since", v, e)
	t.Logf("imported in %v", time.Since(begun))
	contains(t, out, fmt.Sprintf("%d vertices, %d edges, 0 rejected", vertices, edges))
	p := serve(t, "--data-dir", dir)
	for query, want := range map[string]int{
		"g.V().count()": vertices, "g.E().count()": edges,
		"g.V().has('name', 'p77').count()":                     1,
		"g.E().has('since', 1990).count()":                     since,
		"g.E().has('since', P.lt(1990)).count()":               0,
		"g.E().has('since', P.gte(1990)).count()":              edges,
		"g.V().has('name', P.gte('')).count()":                 vertices,
		"g.V().has('name', 'p77').out().count()":               outDegree(t, e, "77"),
		"g.V().has('name', 'p77').properties().count()":        2,
		"g.V().has('name', 'p77').outE().properties().count()": 2 * outDegree(t, e, "77"),
	} {
		if code, text := p.post(t, query); text != fmt.Sprint("==>", want) {
			t.Errorf("%s: status %d, %s, want %d", query, code, text, want)
		}
	}
}

func outDegree(t *testing.T, edgeFile, id string) int {
	t.Helper()
	return len(regexp.MustCompile(`(?m)^\d+,`+id+`,`).FindAll(readFile(t, edgeFile), -1))
}

// TestImport_Rejects has bad records of every kind, in files of an empty graph, which is
// loaded, and of a filled one, which takes batches.
func TestImport_Rejects(t *testing.T) {
	v := writeFile(t, "v.csv", "~id,~label,age:Int\n1,p,7\n2,p,old\n\"3\n\",p,8\n1,p,9\n4,p\n5,p,5\n")
	e := writeFile(t, "e.csv", "~id,~from,~to,w:Double\ne1,1,5,0.5\ne2,1,9,0.5\ne3,5,1,0.5\n")
	want := []string{
		v + `:3|"old" is no int|2|p|old`,
		v + `:6|Vertex with id already exists: 1|1|p|9`,
		v + `:7|wrong number of fields|4|p`,
		e + `:3|vertex|e2|1|9|0.5`,
	}
	for _, first := range []string{"", "~id\nfirst\n"} {
		dir, rejects := t.TempDir(), filepath.Join(t.TempDir(), "rejects.csv")
		elements := 3
		if first != "" {
			wantDone(t, "import", "--data-dir", dir, writeFile(t, "first.csv", first))
			elements++
		}
		_, errs, code := run(t, "import", "--data-dir", dir, "--errors", "3", v, e)
		if code != exitFailed || !strings.Contains(errs, "more than 3 records are bad") {
			t.Fatalf("four bad records of three: exit %d: %s", code, errs)
		}
		if first != "" {
			wantDone(t, "check", "--data-dir", dir)
		}
		_, errs, code = run(t, "import", "--data-dir", dir, "--errors", "4", "--rejects", rejects, "--index", "vertex:age", v, e)
		if code != exitRejected {
			t.Fatalf("exit %d: %s", code, errs)
		}
		contains(t, errs, "4 rejected", "4 records were rejected")
		if n := wantChecked(t, dir); n != [4]int{elements, 2, 5, 3} {
			t.Errorf("%v vertices, edges, properties, entries", n)
		}
		r := csv.NewReader(bytes.NewReader(readFile(t, rejects)))
		r.FieldsPerRecord = -1
		rows, err := r.ReadAll()
		if err != nil || len(rows) != len(want) {
			t.Fatalf("%d rejects, want %d: %v", len(rows), len(want), err)
		}
		for i, row := range rows {
			w := strings.Split(want[i], "|")
			if row[0] != w[0] || !strings.Contains(row[1], w[1]) || !slices.Equal(row[2:], w[2:]) {
				t.Errorf("reject %q, want %q", row, w)
			}
		}
	}
}

func TestImport_Compressed(t *testing.T) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	io.WriteString(w, "~id,~label,name\n1,p,a\n2,p,\"b,\n c\"\n")
	w.Close()
	dir := t.TempDir()
	file := filepath.Join(t.TempDir(), "v.csv.gz")
	if err := os.WriteFile(file, z.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	wantDone(t, "import", "--data-dir", dir, file)
	other := t.TempDir()
	if errs, code := importFrom(t, bytes.NewReader(z.Bytes()), "--data-dir", other, "--format", "csv", "-"); code != exitDone {
		t.Fatalf("exit %d: %s", code, errs)
	}
	for _, d := range []string{dir, other} {
		if n := wantChecked(t, d); n != [4]int{2, 0, 2, 0} {
			t.Errorf("%v", n)
		}
	}
	if errs, code := importFrom(t, strings.NewReader("~id\n1\n"), "--data-dir", t.TempDir(), "-"); code != exitDone {
		t.Errorf("told by its content: exit %d: %s", code, errs)
	}
	if errs, code := importFrom(t, strings.NewReader("hello\n"), "--data-dir", t.TempDir(), "-"); code != exitFailed || !strings.Contains(errs, "say --format") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if errs, code := importFrom(t, bytes.NewReader(z.Bytes()[:20]), "--data-dir", t.TempDir(), "--format", "csv", "--errors", "-1", "-"); code == exitDone {
		t.Errorf("a gzip stream cut short: exit %d: %s", code, errs)
	}
}

func TestImport_IndexFlag(t *testing.T) {
	v := writeFile(t, "v.csv", "~id,name\n1,a\n2,b\n")
	for _, bad := range []string{"name", "vertices:name", "vertex:", "edge:~x"} {
		_, errs, code := run(t, "import", "--data-dir", t.TempDir(), "--index", bad, v)
		if code != exitUsage {
			t.Errorf("--index %s: exit %d", bad, code)
		}
		contains(t, errs, fmt.Sprintf("--index %q: ", bad))
	}
	dir := t.TempDir()
	wantDone(t, "import", "--data-dir", dir, "--index", "vertex:name", v)
	wantDone(t, "import", "--data-dir", dir, "--index", "vertex:name", "--index", "edge:w", writeFile(t, "w.csv", "~id,name\n3,a\n"))
	if n := wantChecked(t, dir); n != [4]int{3, 0, 3, 3} {
		t.Errorf("%v vertices, edges, properties, entries", n)
	}
}

// TestImport_RealGraphs imports TinkerPop's two real graphs and asks what the real
// Gremlin Server was asked; the numbers are its answers.
func TestImport_RealGraphs(t *testing.T) {
	for i, c := range []struct {
		sample, file string
		answers      map[string]string
	}{
		{"grateful", "g.json.gz", map[string]string{"g.V().count()": "808", "g.E().count()": "8049", "g.V().out().out().count()": "327370",
			"g.V().out().in().out().count()": "17257638", "g.V().repeat(out()).times(4).dedup().count()": "452"}},
		{"airroutes", "a.kryo", map[string]string{"g.V().count()": "3749", "g.E().count()": "57645", "g.V().out().out().count()": "4423308",
			"g.V().out().in().out().count()": "419740306", "g.V().both().both().both().count()": "3133902968"}},
	} {
		if raced.Skips(i, 2) {
			continue
		}
		source, dir, file := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), c.file)
		p := serve(t, "--data-dir", source, "--sample", c.sample)
		p.stop(syscall.SIGTERM)
		wantDone(t, "export", "--data-dir", source, file)
		wantDone(t, "import", "--data-dir", dir, file)
		p = serve(t, "--data-dir", dir)
		for query, want := range c.answers {
			if _, text := p.post(t, query); text != "==>"+want {
				t.Errorf("%s: %s: %s, want %s", c.sample, query, text, want)
			}
		}
		p.stop(syscall.SIGTERM)
	}
}
