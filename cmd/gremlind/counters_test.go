package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"

	"github.com/gremlind/gremlind/conformance/bench/raced"
)

func counting(id int, kv ...any) func(g source) *gremlingo.GraphTraversal {
	return func(g source) *gremlingo.GraphTraversal {
		return g.V(id).Call("gremlind.increment", params(kv...)).Id()
	}
}

func valuesOf(id int, key string) func(g source) *gremlingo.GraphTraversal {
	return func(g source) *gremlingo.GraphTraversal { return g.V(id).Values(key) }
}

// counterRows run in order on TinkerPop's modern graph.
var counterRows = []indexRow{
	{"g.V(1).call('gremlind.increment', [key:'views', by:1]).id()", counting(1, "key", "views", "by", 1), "1"},
	{"g.V(1).call('gremlind.increment', [key:'views', by:1]).id()", counting(1, "key", "views", "by", 1), "1"},
	{"g.V(1).call('gremlind.increment', [key:'views', by:1]).id()", counting(1, "key", "views", "by", 1), "1"},
	{"g.V(1).values('views')", valuesOf(1, "views"), "3"},
	{"g.V(1).values('views').is(typeOf(GType.LONG)).count()", func(g source) *gremlingo.GraphTraversal {
		return g.V(1).Values("views").Is(gremlingo.P.TypeOf(gremlingo.GType.Long)).Count()
	}, "1"},
	{"g.V(1).call('gremlind.increment', [key:'age', by:1])", counting(1, "key", "age", "by", 1), "!key age of vertex 1 is no counter: it is an Integer"},
	{"g.E(9).call('gremlind.increment', [key:'hits', by:-2]).id()", func(g source) *gremlingo.GraphTraversal {
		return g.E(9).Call("gremlind.increment", params("key", "hits", "by", -2)).Id()
	}, "9"},
	{"g.E(9).values('hits')", func(g source) *gremlingo.GraphTraversal { return g.E(9).Values("hits") }, "-2"},
	{"g.call('gremlind.index.createKey', [class:'vertex', key:'views'])", func(g source) *gremlingo.GraphTraversal {
		return g.Call("gremlind.index.createKey", params("class", "vertex", "key", "views"))
	}, "!key views is a counter: counters have no index"},
	{"g.call('gremlind.index.create', [name:'v', class:'vertex', label:'person', keys:['name', 'views']])", func(g source) *gremlingo.GraphTraversal {
		return createIndex(g, "name", "v", "class", "vertex", "label", "person", "keys", []string{"name", "views"})
	}, "!key views is a counter: counters have no index"},
	{"g.V().has('views', gt(2)).id()", func(g source) *gremlingo.GraphTraversal { return g.V().Has("views", gremlingo.P.Gt(2)).Id() }, "1"},
	{"g.V(1).property('views', 5).values('views')", func(g source) *gremlingo.GraphTraversal { return g.V(1).Property("views", 5).Values("views") }, "5"},
	{"g.V(1).property('views', 'x')", func(g source) *gremlingo.GraphTraversal { return g.V(1).Property("views", "x") }, "!key views of vertex 1 is a counter: it takes a whole number"},
	{"g.V(1, 2, 2).hasLabel('person').barrier().call('gremlind.increment', [key:'views']).count()", func(g source) *gremlingo.GraphTraversal {
		return g.V(1, 2, 2).HasLabel("person").Barrier().Call("gremlind.increment", params("key", "views")).Count()
	}, "3"},
	{"g.V().has('views').order().by('views', desc).limit(2).values('views')", func(g source) *gremlingo.GraphTraversal {
		return g.V().Has("views").Order().By("views", gremlingo.Order.Desc).Limit(2).Values("views")
	}, "6 2"},
	{"g.V(2).properties('views').drop()", func(g source) *gremlingo.GraphTraversal { return g.V(2).Properties("views").Drop() }, ""},
	{"g.V().has('views').count()", func(g source) *gremlingo.GraphTraversal { return g.V().Has("views").Count() }, "1"},
	{"g.V(2).call('gremlind.increment', [key:'reads', by:3, interval:['hour','month'], at:'2026-03-01T10:20:30Z']).id()",
		counting(2, "key", "reads", "by", 3, "interval", []string{"hour", "month"}, "at", "2026-03-01T10:20:30Z"), "2"},
	{"g.V(2).call('gremlind.increment', [key:'reads', interval:'hour', at:'2026-03-01T11:00:00Z']).id()",
		counting(2, "key", "reads", "interval", "hour", "at", "2026-03-01T11:00:00Z"), "2"},
	{"g.V(2).call('gremlind.counter', [key:'reads', interval:'hour']).select('count')", counts(2, "key", "reads", "interval", "hour"), "3 1"},
	{"g.V(2).call('gremlind.counter', [key:'reads', interval:'hour', from:'2026-03-01T10:30:00Z', to:'2026-03-01T12:00:00Z']).select('count')",
		counts(2, "key", "reads", "interval", "hour", "from", "2026-03-01T10:30:00Z", "to", "2026-03-01T12:00:00Z"), "1"},
	{"g.V(2).call('gremlind.counter', [key:'reads', interval:'month']).select('count')", counts(2, "key", "reads", "interval", "month"), "3"},
	{"g.V(2).values('reads')", valuesOf(2, "reads"), "4"},
	{"g.V(2).call('gremlind.counter', [key:'reads'])", counts(2, "key", "reads"), "!gremlind.counter wants one interval"},
	{"g.V(2).call('gremlind.increment', [key:'reads', interval:'eon'])", counting(2, "key", "reads", "interval", "eon"), "!want one of minute, hour, day, week, month, year"},
	{"g.V(2).call('gremlind.increment', [key:'reads', by:0.5d])", counting(2, "key", "reads", "by", 0.5), "!the parameter by is a whole number within a Long, not 0.5"},
	{"g.V(2).call('gremlind.increment', [key:'reads', to:1])", counting(2, "key", "reads", "to", 1), "!gremlind.increment has no parameter to"},
	{"g.call('gremlind.increment', [key:'reads'])", func(g source) *gremlingo.GraphTraversal { return g.Call("gremlind.increment", params("key", "reads")) },
		"!This service cannot be used to start a traversal."},
	{"g.withStrategies(ReadOnlyStrategy).V(2).call('gremlind.increment', [key:'reads'])", func(g source) *gremlingo.GraphTraversal {
		return g.WithStrategies(gremlingo.ReadOnlyStrategy()).V(2).Call("gremlind.increment", params("key", "reads"))
	}, "!is not read only"},
	{"g.withStrategies(ReadOnlyStrategy).V(2).call('gremlind.counter', [key:'reads', interval:'hour']).count()", func(g source) *gremlingo.GraphTraversal {
		return g.WithStrategies(gremlingo.ReadOnlyStrategy()).V(2).Call("gremlind.counter", params("key", "reads", "interval", "hour")).Count()
	}, "2"},
	{"g.call('gremlind.feature').select('keeps').tail()", func(g source) *gremlingo.GraphTraversal {
		return g.Call("gremlind.feature").Select("keeps").Tail()
	},
		"3 counters of labels: their sums stay, as ordinary properties; what was counted by interval goes"},
}

func counts(id int, kv ...any) func(g source) *gremlingo.GraphTraversal {
	return func(g source) *gremlingo.GraphTraversal {
		return g.V(id).Call("gremlind.counter", params(kv...)).Select("count")
	}
}

// TestCounters sends the rows as text and as bytecode, to a graph of each isolation level;
// the graph is sound then, and without the feature has the sums as properties.
func TestCounters(t *testing.T) {
	for _, level := range []string{"strict", "snapshot", "committed"} {
		for _, form := range []string{"text", "bytecode"} {
			t.Run(level+" "+form, func(t *testing.T) {
				dir := t.TempDir()
				p := serve(t, "--data-dir", dir, writeFile(t, "g.yaml", fmt.Sprintf("graphs:\n  graph: {sample: modern, isolation: %s}\ntraversalSources: {g: graph}\n", level)))
				conn, g := p.connect("g")
				defer conn.Close()
				for _, r := range counterRows {
					got := p.asked(t, r, g, form)
					if !strings.HasPrefix(r.want, "!") && got != r.want || strings.HasPrefix(r.want, "!") && !strings.Contains(got, r.want[1:]) {
						t.Errorf("%s: %s, want %s", r.text, got, r.want)
					}
				}
				p.stop(syscall.SIGTERM)
				wantDone(t, "check", "--data-dir", dir)
				_, errs, _ := run(t, "graph", "feature", "off", "counters", "--data-dir", dir)
				contains(t, errs, "counters would be lost: 3 counters of labels")
				wantDone(t, "graph", "feature", "off", "counters", "--yes", "--data-dir", dir)
				wantDone(t, "check", "--data-dir", dir)
				out, _, _ := run(t, "query", "--data-dir", dir, "g.V(1).values('views')")
				contains(t, out, "6")
			})
		}
	}
}

// TestCounters_Killed: many clients count at one place, the server is killed, and everything
// that was acknowledged is there; what was under way may be.
func TestCounters_Killed(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir, "--sample", "modern")
	const clients, each = 64, 1000
	var acknowledged, begun atomic.Int64
	enough := make(chan struct{})
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			c := dialLedger(t, p)
			defer c.Close()
			for range each {
				begun.Add(1)
				if _, err := c.Text(context.Background(), "g", "gremlin-lang", "g.V(1).call('gremlind.increment', [key:'views', by:1])", nil); err != nil {
					select {
					case <-enough: // it was killed
					default:
						t.Error(err)
					}
					return
				}
				if acknowledged.Add(1) == killAt {
					close(enough)
				}
			}
		})
	}
	<-enough
	p.kill()
	wg.Wait()
	p = serve(t, "--data-dir", dir)
	_, text := p.post(t, "g.V(1).values('views')")
	var sum int64
	if _, err := fmt.Sscan(strings.TrimPrefix(strings.TrimSpace(text), "==>"), &sum); err != nil {
		t.Fatal(text, err)
	}
	if sum < acknowledged.Load() || sum > begun.Load() {
		t.Errorf("%d are there, %d were acknowledged and %d begun", sum, acknowledged.Load(), begun.Load())
	}
	p.stop(syscall.SIGTERM)
	wantDone(t, "check", "--data-dir", dir)
}

// killAt is after how many increments the server is killed.
const killAt = 5000

// TestCounters_ExportAndImport takes counters through files of every format, with what
// defines them: to a directory and to a running server. Whoever counts goes on from there.
// Without the definitions they come as ordinary properties.
func TestCounters_ExportAndImport(t *testing.T) {
	dir, files := t.TempDir(), t.TempDir()
	p := serve(t, "--data-dir", dir, "--sample", "modern")
	for _, query := range []string{"g.V(1).call('gremlind.increment', [key:'views', by:41])", "g.E(9).call('gremlind.increment', [key:'hits', by:-2, interval:'day'])"} {
		if code, text := p.post(t, query); code != 200 {
			t.Fatal(query, text)
		}
	}
	p.stop(syscall.SIGTERM)
	// The checks ask with ids as texts: of CSV and GraphML that is what they are.
	const count = "g.V().has('name','marko').call('gremlind.increment', [key:'views']).values('views')"
	const edges = "g.E().has('hits').call('gremlind.increment', [key:'hits']).values('hits')"
	for i, suffix := range []string{".json", ".kryo", ".xml", ".csv"} {
		for j, running := range []bool{false, true} {
			if raced.Leaves(i+j, 2) {
				continue
			}
			name := fmt.Sprint("of", running, suffix)
			wantDone(t, "export", "--data-dir", dir, "--all", filepath.Join(files, name))
			to := t.TempDir()
			var q *process
			if running {
				q = serve(t, "--data-dir", to)
			}
			in := []string{filepath.Join(files, name)}
			if suffix == ".csv" {
				base := strings.TrimSuffix(in[0], suffix)
				in = []string{base + "-vertices.csv", base + "-edges.csv"}
			}
			defined := strings.TrimSuffix(filepath.Join(files, name), suffix) + "-definitions.json"
			wantDone(t, append([]string{"import", "--data-dir", to, "--definitions", defined}, in...)...)
			if !running {
				wantDone(t, "check", "--data-dir", to)
				q = serve(t, "--data-dir", to)
			}
			_, views := q.post(t, count)
			_, hits := q.post(t, edges)
			if strings.TrimSpace(views) != "==>42" || strings.TrimSpace(hits) != "==>-1" {
				t.Errorf("%s: %s, %s", name, views, hits)
			}
			q.stop(syscall.SIGTERM)
			wantDone(t, "check", "--data-dir", to)
			if running {
				continue
			}
			plain := t.TempDir()
			wantDone(t, append([]string{"import", "--data-dir", plain}, in...)...)
			out, errs, _ := run(t, "query", "--data-dir", plain, count)
			contains(t, out+errs, "is no counter: it is a Long")
		}
	}
}

// TestCounters_BackedUp: a backup has the counters and the feature, and so has what is made
// of it.
func TestCounters_BackedUp(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, "--data-dir", dir, "--sample", "modern")
	if code, text := p.post(t, "g.V(1).call('gremlind.increment', [key:'views', by:41, interval:'day', at:'2026-03-01T00:00:00Z'])"); code != 200 {
		t.Fatal(text)
	}
	copied := filepath.Join(t.TempDir(), "copy")
	wantDone(t, "backup", "--data-dir", dir, copied)
	p.stop(syscall.SIGTERM)
	wantDone(t, "check", "--data-dir", copied)
	q := serve(t, "--data-dir", copied)
	_, text := q.post(t, "g.V(1).call('gremlind.increment', [key:'views']).call('gremlind.counter', [key:'views', interval:'day']).select('count')")
	if strings.TrimSpace(text) != "==>41" {
		t.Error(text)
	}
	q.stop(syscall.SIGTERM)
	if out, _, _ := run(t, "inspect", "--data-dir", dir); !strings.Contains(out, `COUNTER #`) {
		t.Error("inspect shows no counter")
	}
}
