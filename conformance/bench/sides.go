package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/conformance/server"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/lang"
)

// Row 19 compares gremlind with itself: what indexes, a schema and counters cost those who
// write, on two graphs of one server.

// side is a graph and what is asked of it. The text has the variables v and w, two vertices,
// and n, a name that no request has had before.
type side struct {
	source string
	setup  []string
	text   string
	// vertices is over how many v goes; 0 stands for all.
	vertices int
}

// sides are a line of row 19.
type sides struct {
	name          string
	with, without side
	clients       []int
	bar           float64 // of the rate without
}

// sideVertices is how many vertices the graph of a side has.
const sideVertices = 1000

const (
	addPerson = `g.addV("person").property("email", n).count()`
	addRating = `g.V(v).addE("rated").to(__.V(w)).property("stars", 4).count()`
	addFive   = `g.addV("book").property("name", n).property("age", 3).property("mail", "a@x").property("born", 1990).property("score", 7).count()`
	count     = `g.V(v).call("gremlind.increment", ["key":"views"]).count()`
)

var compared = []sides{
	{
		name: "add a vertex, unique index beside key index", clients: writers, bar: 0.9,
		with:    side{source: "unique", text: addPerson, setup: []string{`g.call("gremlind.index.create", ["name":"email","class":"vertex","label":"person","keys":["email"],"unique":true])`}},
		without: side{source: "key", text: addPerson, setup: []string{`g.call("gremlind.index.createKey", ["class":"vertex","key":"email"])`}},
	},
	{
		name: "add an edge, edge-centric index beside none", clients: writers, bar: 0.85,
		with:    side{source: "edges", text: addRating, setup: []string{`g.call("gremlind.index.create", ["name":"stars","class":"edge","label":"rated","keys":["stars"],"direction":"OUT"])`}},
		without: side{source: "bare", text: addRating},
	},
	{
		name: "add a vertex, schema of five typed keys beside none", clients: writers, bar: 0.95,
		with: side{source: "schema", text: addFive, setup: []string{
			`g.call("gremlind.schema", ["set":["vertex":"book","keys":["name":["type":"String","required":true],"age":["type":"Integer","min":0],"mail":"String","born":"Integer","score":["type":"Integer","max":1000]]]])`,
		}},
		without: side{source: "free", text: addFive},
	},
	{
		name: "64 clients on one counter, beside 64 on 64", clients: []int{64}, bar: 0.9,
		with:    side{source: "one", text: count, vertices: 1},
		without: side{source: "many", text: count, vertices: 64},
	},
}

// fresh is what the variable n is before a request gets a name of its own.
const fresh = "name 000000000000@example"

// renew gives the requests in frames, which stand side by side, names of their own.
func renew(frames []byte, next func() uint64) {
	for {
		i := bytes.Index(frames, []byte(fresh[:len("name ")]))
		if i < 0 || len(frames)-i < len(fresh) {
			return
		}
		number := frames[i+len("name "):]
		number = number[:len("000000000000")]
		var digits [20]byte
		d := strconv.AppendUint(digits[:0], next(), 10)
		for k := range number {
			number[k] = '0'
		}
		copy(number[len(number)-len(d):], d)
		frames = frames[i+len(fresh):]
	}
}

// load makes the requests of a side.
func (s *side) load() (*load, error) {
	l := &load{source: s.source, fresh: strings.Contains(s.text, ", n)")}
	n := s.vertices
	if n == 0 {
		n = sideVertices
	}
	for i := range n {
		parsed, err := lang.Parse(s.text, lang.Options{Variables: func(name string) (value.Value, bool) {
			switch name {
			case "v":
				return value.Long(int64(i)), true
			case "w":
				return value.Long(int64((i*7 + 1) % sideVertices)), true
			case "n":
				return value.String(fresh), true
			}
			return value.Null, false
		}})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.text, err)
		}
		f, err := encode(l.source, parsed.Last().Bytecode, requestTimeout)
		if err != nil {
			return nil, err
		}
		l.frames = append(l.frames, f)
	}
	l.join()
	return l, nil
}

// prepare fills the graph of a side.
func (s *side) prepare(ctx context.Context, t *target) error {
	var ids []string
	for i := range sideVertices {
		ids = append(ids, fmt.Sprintf("[(T.id):%dL,(T.label):\"page\"]", i))
	}
	for _, text := range append([]string{"g.inject(" + strings.Join(ids, ",") + ").mergeV().count()"}, s.setup...) {
		if _, err := t.text(ctx, s.source, text); err != nil {
			return fmt.Errorf("%s on %s: %w", value.String(text).Brief(), s.source, err)
		}
	}
	return nil
}

// measureSides is row 19. It returns the rows of the short table.
func measureSides(ctx context.Context, o options, w io.Writer) ([]floorBar, error) {
	t, err := startSides(ctx, o)
	if t.stop != nil {
		defer t.stop()
	}
	if err != nil {
		return nil, err
	}
	fmt.Fprint(w, "\nRow 19, gremlind with a feature and without it, on two graphs of one server:\n\n",
		"| write | clients | with, req/s | without | ratio | spread | ratio of CPU/req | bar |\n|---|---|---|---|---|---|---|---|\n")
	var bars []floorBar
	for i := range compared {
		c := &compared[i]
		b, err := c.measure(ctx, o, t, w)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		bars = append(bars, b)
	}
	b, err := addSame(ctx, t, w)
	if err != nil {
		return nil, err
	}
	bars = append(bars, b)
	building, err := measureBuilding(ctx, o, t, w)
	return append(bars, building...), err
}

func (c *sides) measure(ctx context.Context, o options, t *target, w io.Writer) (floorBar, error) {
	q := &query{row: "19", name: c.name, clients: c.clients, write: true, noDriver: true}
	var targets []*target
	loads := map[*target]*load{}
	for _, s := range []*side{&c.with, &c.without} {
		if err := s.prepare(ctx, t); err != nil {
			return floorBar{}, err
		}
		l, err := s.load()
		if err != nil {
			return floorBar{}, err
		}
		of := *t
		of.name = s.source
		targets = append(targets, &of)
		loads[&of] = l
	}
	bar := floorBar{what: c.name, bar: fmt.Sprint(c.bar), met: true}
	var measured []string
	for _, l := range q.lines() {
		samples, err := alternate(ctx, o, q, targets, loads, &l)
		if err != nil {
			return bar, err
		}
		if len(samples[1]) == 0 {
			return bar, fmt.Errorf("%s did not answer", targets[1].name)
		}
		r := ratios(samples[0], samples[1])
		fmt.Fprintf(w, "| %s | %d | %s | %s | %s%.2f | %.0f%% | %.2f | %v |\n", c.name, l.clients, typicalRate(samples[0]), typicalRate(samples[1]),
			doubt(r), median(r), spread(r)*100, median(cpuRatios(samples[0], samples[1])), c.bar)
		bar.met = bar.met && median(r) >= c.bar
		measured = append(measured, doubt(r)+short3(median(r)))
	}
	bar.measured = strings.Join(measured, " / ")
	return bar, nil
}

// cpuRatios are those of the server's time for a request, round by round: more than 1 where
// ours take more.
func cpuRatios(ours, theirs []sample) []float64 {
	var all []float64
	for k := range theirs {
		all = append(all, (float64(ours[k].cpu)/float64(ours[k].requests))/(float64(max(theirs[k].cpu, 1))/float64(theirs[k].requests)))
	}
	return all
}

// sideConfig has the graphs of all sides; those of buildGraph are loaded before.
func sideConfig() string {
	sources := []string{"g", "same", buildGraph}
	for i := range compared {
		sources = append(sources, compared[i].with.source, compared[i].without.source)
	}
	var graphs, names strings.Builder
	for i, s := range sources {
		fmt.Fprintf(&graphs, "  %sGraph: {vertexIdManager: LONG, edgeIdManager: LONG, vertexPropertyIdManager: LONG}\n", s)
		if i > 0 {
			names.WriteString(", ")
		}
		fmt.Fprintf(&names, "%s: %sGraph", s, s)
	}
	return "host: 127.0.0.1\nevaluationTimeout: 600000\nevaluationTimeoutMax: 3600000\ngraphs:\n" + graphs.String() + "traversalSources: {" + names.String() + "}\n"
}

// startSides starts a gremlind with the graphs of row 19.
func startSides(ctx context.Context, o options) (*target, error) {
	t := &target{name: "gremlind", binary: o.binary}
	dir := filepath.Join(o.work, "sides")
	config, data := filepath.Join(dir, "bench.yaml"), filepath.Join(dir, "data")
	if err := os.RemoveAll(dir); err != nil {
		return t, fmt.Errorf("clear data: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return t, fmt.Errorf("make data folder: %w", err)
	}
	if err := os.WriteFile(config, []byte(sideConfig()), 0o644); err != nil {
		return t, fmt.Errorf("write configuration: %w", err)
	}
	port, err := server.FreePort()
	if err != nil {
		return t, err
	}
	t.url = fmt.Sprintf("ws://127.0.0.1:%d/gremlin", port)
	serve := func() error {
		cmd := exec.Command(o.binary, "serve", "--port", strconv.Itoa(port), "--data-dir", data, config)
		_, err := t.launch(ctx, cmd, filepath.Join(dir, "log"))
		return err
	}
	// A first start makes the graphs with their id managers; the import fills one.
	if err := serve(); err != nil {
		return t, err
	}
	if err := t.stop(); err != nil {
		return t, err
	}
	file := filepath.Join(dir, "build.json")
	if err := writeBuildGraph(file); err != nil {
		return t, err
	}
	if out, err := exec.CommandContext(ctx, o.binary, "import", "--data-dir", data, "--graph", buildGraph+"Graph", file).CombinedOutput(); err != nil {
		return t, fmt.Errorf("gremlind import: %w\n%s", err, out)
	}
	return t, serve()
}

// nextName counts the names of the variable n, over all clients.
func (l *load) nextName() uint64 { return l.names.Add(1) }
