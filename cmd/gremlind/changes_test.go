package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
)

const changesConfig = `graphs:
  social: {history: forever, transactional: true}
  copy: {}
  plain: {}
traversalSources: {g: social, gcopy: copy, gplain: plain}
`

// feedLine is a line of the feed.
type feedLine struct {
	Version, Cursor, Time, User, Request string
	Changes                              []map[string]any
}

// following is a reader of the feed.
type following struct {
	t     *testing.T
	p     *process
	after string
	lines []feedLine
}

// poll asks once, and reports the status and what was said when that is none of success.
func (f *following) poll(query string) (code int, text string) {
	f.t.Helper()
	q := "source=g&after=" + url.QueryEscape(f.after) + query
	resp, err := http.Get("http://" + f.p.addr + "/changes?" + q)
	if err != nil {
		return 0, err.Error() // the server was killed
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		b, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(b)
	}
	f.after = resp.Header.Get("Gremlind-Cursor")
	for r := bufio.NewReader(resp.Body); ; {
		line, err := r.ReadString('\n')
		if err != nil { // what is not whole comes again
			return resp.StatusCode, ""
		}
		var x feedLine
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			f.t.Fatal(line, err)
		}
		f.lines, f.after = append(f.lines, x), x.Cursor
	}
}

// TestChanges_Driver asks what stands in the table of examples, beside an unmodified driver.
func TestChanges_Driver(t *testing.T) {
	p := serve(t, "--data-dir", t.TempDir(), writeFile(t, "g.yaml", strings.Replace(changesConfig, "social: {", "social: {sample: modern, ", 1)))
	conn, g := p.connect("g")
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	f := &following{t: t, p: p, after: "now"}
	if code, text := f.poll(""); code != 200 || len(f.lines) != 0 {
		t.Fatal(code, text)
	}
	v0 := f.after
	do(<-g.V(1).Property("age", 30).Iterate())
	tx := g.Tx()
	gtx, err := tx.Begin()
	do(err)
	do(<-gtx.AddV("never").Iterate())
	do(tx.Rollback())
	if code, text := p.post(t, "g.addV('never').property('x', 1).fail('as asked')"); code == 200 {
		t.Error(text)
	}
	do(<-g.V(4).Drop().Iterate())
	if code, text := f.poll("&limit=1"); code != 200 || len(f.lines) != 1 {
		t.Fatal(code, text, f.lines)
	}
	x := f.lines[0].Changes
	if len(x) != 1 || x[0]["op"] != "set" || x[0]["class"] != "vertex" || x[0]["id"] != 1.0 || x[0]["key"] != "age" || x[0]["value"] != 30.0 || x[0]["before"] != 29.0 {
		t.Errorf("the line of v1: %v", x)
	}
	if f.lines[0].Request == "" || f.lines[0].Time == "" || !strings.HasSuffix(f.lines[0].Cursor, "-"+f.lines[0].Version) {
		t.Errorf("%+v", f.lines[0])
	}
	f.poll("")
	if len(f.lines) != 2 || len(f.lines[1].Changes) != 4 {
		t.Errorf("a rolled back session and a failed request: %v", f.lines)
	}
	answered := make(chan time.Time, 1)
	go func() {
		f.poll("&wait=60")
		answered <- time.Now()
	}()
	<-time.After(300 * time.Millisecond) // it waits by then, most likely
	do(<-g.AddV("person").Iterate())
	done := time.Now()
	if took := (<-answered).Sub(done); took > 2*time.Second || len(f.lines) != 3 {
		t.Errorf("a poll that waits is answered %v behind the commit, with %v", took, f.lines[2:])
	} else {
		t.Logf("a poll that waits was answered %v behind the answer to the writer", took)
	}
	for query, want := range map[string]string{
		"source=gplain":                  "graph plain keeps no history (setting: history)",
		"source=g&after=17592186044416":  "changes before 17592186044416 are no longer kept (history: forever)",
		"source=g&after=0123-" + v0[20:]: "is of another history",
		"source=nobody":                  "there is no traversal source",
	} {
		resp, err := http.Get("http://" + p.addr + "/changes?" + query)
		do(err)
		b, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode < 400 || resp.StatusCode >= 500 || !strings.Contains(string(b), want) {
			t.Errorf("%s: %d %s", query, resp.StatusCode, b)
		}
	}
	go func() {
		f.poll("&wait=300")
		answered <- time.Now()
	}()
	<-time.After(100 * time.Millisecond)
	conn.Close()            // the driver races with itself when its server ends it
	p.stop(syscall.SIGTERM) // fails if it waits for who waits
	<-answered
}

// TestChanges_Replay: 16 write while one reads from the beginning; what he reads, done to an empty
// graph, makes it equal. Then the server is killed under both: each commit that was acknowledged
// is told once.
func TestChanges_Replay(t *testing.T) {
	dir, files := t.TempDir(), t.TempDir()
	config := writeFile(t, "g.yaml", changesConfig)
	p := serve(t, "--data-dir", dir, config)
	f := &following{t: t, p: p}
	writers := startWriters(p, 12)
	for ended := false; !ended; {
		select {
		case <-writers.done:
			ended = true
		default:
		}
		if code, text := f.poll("&wait=1&limit=7"); code != 200 {
			t.Fatal(code, text)
		}
	}
	f.rest()
	if len(f.lines) != len(writers.acked) {
		t.Errorf("%d commits were told, %d acknowledged", len(f.lines), len(writers.acked))
	}
	for _, x := range f.lines {
		for _, c := range x.Changes {
			if code, text := p.post(t, strings.Replace(replayed(t, c), "g.", "gcopy.", 1)); code != 200 {
				t.Fatal(c, text)
			}
		}
	}
	exports := map[string]string{}
	for _, graph := range []string{"social", "copy"} {
		out := filepath.Join(files, graph+".csv")
		wantDone(t, "export", "--data-dir", dir, "--graph", graph, out)
		names, err := filepath.Glob(filepath.Join(files, graph+"*"))
		if err != nil || len(names) == 0 {
			t.Fatal(names, err)
		}
		for _, name := range names {
			lines := strings.Split(string(readFile(t, name)), "\n")
			slices.Sort(lines)
			exports[graph] += strings.Join(lines, "\n")
		}
	}
	if exports["social"] != exports["copy"] || !strings.Contains(exports["social"], "person") {
		t.Errorf("the graph\n%s\nand what the feed makes of an empty one\n%s", exports["social"], exports["copy"])
	}

	writers = startWriters(p, 1000)
	before := len(f.lines)
	for len(f.lines) < before+50 {
		if code, text := f.poll("&wait=5&limit=9"); code != 200 {
			t.Fatal(code, text)
		}
	}
	p.kill()
	<-writers.done
	f.p = serve(t, "--data-dir", dir, config)
	f.rest()
	times := map[string]int{}
	for _, x := range f.lines {
		times[x.Version]++
		for _, c := range x.Changes {
			if c["key"] == "n" {
				times[fmt.Sprintf("%.0f", c["value"])]++
			}
		}
	}
	for _, n := range writers.acked {
		if times[n] != 1 {
			t.Errorf("the commit of %s was told %d times", n, times[n])
		}
	}
	for _, x := range f.lines {
		if times[x.Version] != 1 {
			t.Errorf("version %s was told %d times", x.Version, times[x.Version])
		}
	}
}

// rest reads to the end.
func (f *following) rest() {
	f.t.Helper()
	for n := -1; n != len(f.lines); {
		n = len(f.lines)
		if code, text := f.poll(""); code != 200 {
			f.t.Fatal(code, text)
		}
	}
}

// writing are 16 writers; acked are the numbers of the commits that were acknowledged.
type writing struct {
	mu    sync.Mutex
	acked []string
	done  chan struct{}
}

// startWriters has each of 16 make so many commits, or fewer when the server is gone.
func startWriters(p *process, commits int) *writing {
	w := &writing{done: make(chan struct{})}
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() { w.write(p, i, commits) })
	}
	go func() {
		all.Wait()
		close(w.done)
	}()
	return w
}

func (w *writing) write(p *process, i, commits int) {
	rnd := rand.New(rand.NewPCG(uint64(commits), uint64(i)))
	for k := range commits {
		n := fmt.Sprint((commits*16+i)*10000 + k)
		id := fmt.Sprintf("'%d-%d'", i, rnd.IntN(5))
		script := fmt.Sprintf("g.mergeV([(T.id):%s,(T.label):'person']).property('n',%s)", id, n)
		switch other := fmt.Sprintf("'%d-%d'", i, rnd.IntN(5)); rnd.IntN(4) {
		case 0:
			script += fmt.Sprintf(".as('a').V(%s).addE('knows').to('a').property('w',%d)", other, k)
		case 1:
			script += fmt.Sprintf(".sideEffect(V(%s).drop())", other)
			if other == id {
				continue
			}
		case 2:
			script += ".property(list,'nick','x" + n + "').property(single,'name','y')"
		}
		body, _ := json.Marshal(map[string]string{"gremlin": script, "language": "gremlin-lang"})
		resp, err := http.Post("http://"+p.addr+"/gremlin", "application/json", strings.NewReader(string(body)))
		if err != nil {
			return
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			return
		}
		if resp.StatusCode != http.StatusOK {
			p.t.Errorf("%s: %s", script, text)
			return
		}
		w.mu.Lock()
		w.acked = append(w.acked, n)
		w.mu.Unlock()
	}
}

// replayed is what does to a graph what the feed says was done.
func replayed(t *testing.T, c map[string]any) string {
	literal := func(x any) string {
		if s, ok := x.(string); ok {
			return "'" + s + "'"
		}
		return fmt.Sprintf("%.0f", x)
	}
	of, id := "V", literal(c["id"])
	if c["class"] == "edge" {
		of, id = "E", id+"L"
	}
	switch c["op"] {
	case "add":
		if of == "E" {
			return fmt.Sprintf("g.addE('%s').from(V(%s)).to(V(%s)).property(T.id,%s)", c["label"], literal(c["out"]), literal(c["in"]), id)
		}
		return fmt.Sprintf("g.addV('%s').property(T.id,%s)", c["label"], id)
	case "drop":
		return fmt.Sprintf("g.%s(%s).drop()", of, id)
	case "remove":
		return fmt.Sprintf("g.%s(%s).properties('%s').hasValue(%s).drop()", of, id, c["key"], literal(c["before"]))
	case "set":
		cardinality := "single,"
		if c["key"] == "nick" {
			cardinality = "list,"
		}
		if of == "E" {
			cardinality = ""
		}
		return fmt.Sprintf("g.%s(%s).property(%s'%s',%s)", of, id, cardinality, c["key"], literal(c["value"]))
	}
	t.Fatalf("%v is no change", c)
	return ""
}

// TestChanges_Restore: what follows a graph that is restored from a copy has to read it again.
func TestChanges_Restore(t *testing.T) {
	dir, files := t.TempDir(), t.TempDir()
	config := writeFile(t, "g.yaml", changesConfig)
	p := serve(t, "--data-dir", dir, config)
	f := &following{t: t, p: p}
	if code, text := p.post(t, "g.addV('person')"); code != 200 {
		t.Fatal(text)
	}
	f.poll("")
	cursor := f.after
	wantDone(t, "graph", "backup", "social", filepath.Join(files, "social"), "--data-dir", dir)
	wantDone(t, "backup", "--data-dir", dir, filepath.Join(files, "copy"))
	wantDone(t, "graph", "restore", "again", filepath.Join(files, "social"), "--data-dir", dir)
	resp, err := http.Get("http://" + p.addr + "/changes?source=again&after=" + cursor)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusGone {
		t.Errorf("a graph that was restored: %s", resp.Status)
	}
	p.stop(syscall.SIGTERM)
	restored := filepath.Join(files, "restored")
	wantDone(t, "restore", "--data-dir", restored, filepath.Join(files, "copy"))
	wantDone(t, "check", "--data-dir", restored)
	f.p = serve(t, "--data-dir", restored, config)
	if code, text := f.poll(""); code != http.StatusGone || !strings.Contains(text, "restored or began anew") {
		t.Errorf("a directory that was restored: %d %s", code, text)
	}
	f.after = ""
	if code, text := f.poll(""); code != 200 || len(f.lines) != 2 {
		t.Errorf("from the beginning: %d %s %v", code, text, f.lines)
	}
}

// TestChanges_Rights: the feed asks who there is, and leaves out what he may not see.
func TestChanges_Rights(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir, "--auth", writeFile(t, "g.yaml", changesConfig))
	wantDone(t, "role", "add", "clerk", "--allow", "write", "--graph", "social", "--deny-keys", "salary", "--data-dir", dir)
	for name, role := range map[string]string{"ann": "clerk", "bob": "write"} {
		if out, code := pipe(t, "a password\n", "user", "add", name, "--role", role, "--data-dir", dir); code != exitDone {
			t.Fatal(out)
		}
	}
	g := connect(t, p, "bob", "a password")
	for _, add := range []*gremlingo.GraphTraversal{g.AddV("person").Property("salary", 1).Property("name", "x"), g.AddV("person")} {
		if err := <-add.Iterate(); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-g.V().Has("name", "x").Property("salary", 2).Iterate(); err != nil {
		t.Fatal(err)
	}
	for user, want := range map[string]string{"": "401", "ann": "2", "bob": "3"} {
		for source, also := range map[string]bool{"g": true, "gplain": false} {
			r, err := http.NewRequest(http.MethodGet, "http://"+p.addr+"/changes?source="+source, nil)
			if err != nil {
				t.Fatal(err)
			}
			if user != "" {
				r.SetBasicAuth(user, "a password")
			}
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			b, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			got := fmt.Sprint(strings.Count(string(b), "\n"))
			if resp.StatusCode != 200 {
				got = fmt.Sprint(resp.StatusCode)
			}
			switch {
			case !also && resp.StatusCode == 200:
				t.Errorf("%s follows %s", user, source)
			case also && got != want:
				t.Errorf("%s is told %s, want %s: %s", user, got, want, b)
			case user == "ann" && strings.Contains(string(b), "salary"):
				t.Errorf("what is denied is told: %s", b)
			case also && user == "bob" && !strings.Contains(string(b), `"user":"bob"`):
				t.Errorf("nobody says who wrote: %s", b)
			}
		}
	}
}

// TestChanges_Page runs the program of docs/time.md that is in Go, while the server is killed and
// starts again.
func TestChanges_Page(t *testing.T) {
	_, page, _ := strings.Cut(string(readFile(t, "../../docs/time.md")), "```go\n")
	program, _, found := strings.Cut(page, "```")
	if !found {
		t.Fatal("docs/time.md has no program in Go")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "main.go")
	imports := []string{"encoding/json", "fmt", "io", "net/http", "net/url", "os", "time"}
	text := "package main\n\nimport (\n\"" + strings.Join(imports, "\"\n\"") + "\"\n)\n\n" + program + `
func main() {
	err := follow(os.Args[1], "g", "", func(commit map[string]any) error {
		fmt.Println(commit["changes"].([]any)[0].(map[string]any)["label"])
		return nil
	})
	fmt.Println(err)
}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	built := filepath.Join(dir, "follow")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", built, file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	config, data := writeFile(t, "g.yaml", changesConfig), filepath.Join(dir, "data")
	p := serve(t, "--data-dir", data, config)
	cmd := exec.Command(built, "http://"+p.addr)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	said := bufio.NewScanner(out)
	for i, label := range []string{"first", "second", "third"} {
		if i == 1 {
			p.kill()
			p = serve(t, "--data-dir", data, "--port", p.addr[strings.LastIndex(p.addr, ":")+1:], config)
		}
		if code, text := p.post(t, "g.addV('"+label+"')"); code != 200 {
			t.Fatal(text)
		}
		if !said.Scan() || said.Text() != label {
			t.Fatalf("%q, want %s", said.Text(), label)
		}
	}
}
