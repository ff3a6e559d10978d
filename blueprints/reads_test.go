package blueprints

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/conformance/golden"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// reading is one way to read a graph; what it gives goes to tell.
type reading struct {
	name string
	read func(tx View, tell func(...any)) error
}

const (
	readVertices, readEdges = 600, 2500
	readHub                 = 10 // a vertex with more edges than a row keeps
	readWide                = 5  // and one with many properties
	smallCache              = 32 << 10
)

// readStore is a store with a graph of a thousand vertices, whose ids begin at 1.
func readStore(t *testing.T) *storagetest.Counting {
	t.Helper()
	s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	db := ok[*Database](t)(Open(&leftOpen{s}, DatabaseOptions{CacheBytes: -1}))
	defer db.Close()
	g := ok[*Graph](t)(db.CreateGraph("g", Options{}))
	indexRead(t, g)
	fillRead(t, g)
	return &storagetest.Counting{Store: &leftOpen{s}}
}

// indexRead makes its indexes.
func indexRead(t *testing.T, g *Graph) {
	t.Helper()
	if err := g.CreateKeyIndex(t.Context(), VertexClass, "age"); err != nil {
		t.Fatal(err)
	}
	if err := g.CreateKeyIndex(t.Context(), EdgeClass, "weight"); err != nil {
		t.Fatal(err)
	}
	for _, x := range []IndexSpec{
		{Name: "both", Class: VertexClass, Label: "person", Keys: []string{"age", "name"}},
		{Name: "words", Class: VertexClass, Keys: []string{"text"}, Analyzer: "words"},
		{Name: "heavy", Class: EdgeClass, Label: "knows", Keys: []string{"weight"}, Direction: "OUT"},
	} {
		ok[IndexInfo](t)(g.DeclareIndex(t.Context(), t.Context(), x))
	}
}

// fillRead adds the vertices and edges.
func fillRead(t *testing.T, g *Graph) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	commit(t, g, func(tx *Tx) error {
		for i := range readVertices {
			v := ok[VertexID](t)(tx.AddVertex([]string{"person", "software"}[i%5/4], value.String(fmt.Sprint("v", i+1))))
			set := func(key string, x value.Value) {
				ok[PropertyEntry](t)(tx.SetVertexProperty(v, "single", key, x, value.Null, nil))
			}
			meta := []value.Property{{Key: "since", Value: value.Int(1)}, {Key: "until", Value: value.Int(2)}}[:i%3]
			ok[PropertyEntry](t)(tx.SetVertexProperty(v, "single", "name", value.String(fmt.Sprint("name ", i%97)), value.Null, meta))
			set("age", value.Int(int32(i%50)))
			if i%10 == 0 {
				set("text", value.String(fmt.Sprint("some words of ", i%7)))
			}
			for k := range map[bool]int{true: 300}[i == readWide] {
				set(fmt.Sprint("k", k), value.Int(int32(k)))
			}
		}
		for i := range readEdges {
			from := VertexID(1 + r.IntN(readVertices))
			if i%3 == 0 {
				from = readHub
			}
			e := ok[EdgeID](t)(tx.AddEdge([]string{"knows", "created"}[i%2], from, VertexID(1+r.IntN(readVertices)), value.Null))
			if err := tx.SetEdgeProperty(e, "weight", value.Double(float64(i%100)/10)); err != nil {
				return err
			}
		}
		return nil
	})
}

// leftOpen is a store that outlives its databases.
type leftOpen struct{ storage.Store }

func (leftOpen) Close() error { return nil }

// vertexLists are lists of vertices: side by side, strewn, and a few.
func vertexLists() map[string][]VertexID {
	all := map[string][]VertexID{"few": {1, 7, readWide, readHub, 400, readVertices, readVertices + 9}}
	for i := range 150 {
		all["near"] = append(all["near"], VertexID(200+i))
		all["strewn"] = append(all["strewn"], VertexID(1+i*37%readVertices))
	}
	return all
}

// readings are all ways to read.
func readings() (all []reading) {
	add := func(name string, read func(tx View, tell func(...any)) error) { all = append(all, reading{name, read}) }
	lists := vertexLists()
	for _, name := range []string{"few", "near", "strewn"} {
		elementReadings(name, lists[name], add)
		expansions(name, lists[name], add)
	}
	walks(add)
	return all
}

// elementReadings read the elements of a list, one at a time and at once.
func elementReadings(name string, vs []VertexID, add func(string, func(View, func(...any)) error)) {
	each := func(what string, one func(tx View, v VertexID) (any, error)) {
		for _, ahead := range []bool{false, true} {
			add(fmt.Sprintf("%s of %s, ahead %t", what, name, ahead), func(tx View, tell func(...any)) error {
				objs := make([]value.Value, len(vs))
				for i, v := range vs {
					objs[i] = value.VertexRef(uint64(v))
					if strings.HasPrefix(what, "edge") {
						objs[i] = value.EdgeRef(uint64(v))
					}
				}
				if ahead {
					tx.Ahead(objs)
				}
				for _, v := range vs {
					x, err := one(tx, v)
					if errors.Is(err, ErrNoElement) {
						x, err = "none", nil
					}
					if tell(x); err != nil {
						return err
					}
				}
				return nil
			})
		}
	}
	each("vertex", func(tx View, v VertexID) (any, error) { return tx.VertexExists(v) })
	each("label", func(tx View, v VertexID) (any, error) { return tx.VertexLabel(v) })
	each("id", func(tx View, v VertexID) (any, error) {
		id, err := tx.VertexUserID(v)
		return id.JavaString(), err
	})
	each("copied", func(tx View, v VertexID) (any, error) {
		e, err := tx.(value.Resolver).ResolveVertex(uint64(v), true, nil)
		if err != nil {
			return nil, err
		}
		var b strings.Builder
		for _, p := range e.Properties {
			fmt.Fprintf(&b, "%s=%s %v ", p.VertexProperty().Key, p.VertexProperty().Value.JavaString(), p.VertexProperty().Meta)
		}
		return b.String(), nil
	})
	each("edge copied", func(tx View, v VertexID) (any, error) {
		e, err := tx.(value.Resolver).ResolveEdge(uint64(v), true)
		if err != nil {
			return nil, err
		}
		return fmt.Sprint(e.Label, e.Properties), nil
	})
	each("found", func(tx View, v VertexID) (any, error) {
		at, has, err := tx.FindVertex(value.String(fmt.Sprint("v", v)))
		if !has {
			return nil, err
		}
		return at, err
	})
	each("properties", func(tx View, v VertexID) (any, error) { return entries(tx.VertexProperties(nil, v, nil)) })
	each("two properties", func(tx View, v VertexID) (any, error) {
		age, _ := tx.Symbol("age")
		text, _ := tx.Symbol("text")
		return entries(tx.VertexProperties(nil, v, []Symbol{age, text}))
	})
	each("value", func(tx View, v VertexID) (any, error) {
		age, _ := tx.Symbol("age")
		x, has, err := tx.VertexValue(v, age)
		return fmt.Sprint(x.JavaString(), has), err
	})
	each("edge", func(tx View, v VertexID) (any, error) { return tx.Edge(EdgeID(v)) })
	each("edge exists", func(tx View, v VertexID) (any, error) { return tx.EdgeExists(EdgeID(v)) })
	each("edge properties", func(tx View, v VertexID) (any, error) { return entries(tx.EdgeProperties(nil, EdgeID(v), nil)) })
	each("edge value", func(tx View, v VertexID) (any, error) {
		weight, _ := tx.Symbol("weight")
		x, has, err := tx.EdgeValue(EdgeID(v), weight)
		return fmt.Sprint(x.JavaString(), has), err
	})
	add("values of "+name, func(tx View, tell func(...any)) error {
		age, _ := tx.Symbol("age")
		xs, ends, err := tx.VertexValues(nil, nil, vs, age)
		tell(len(xs), ends)
		return err
	})
	add("labels of "+name, func(tx View, tell func(...any)) error {
		ls, err := tx.VertexLabels(nil, vs)
		if errors.Is(err, ErrNoElement) {
			return nil
		}
		tell(ls)
		return err
	})
	for _, adjacent := range []bool{false, true} {
		add(fmt.Sprintf("fetched %s, adjacent %t", name, adjacent), func(tx View, tell func(...any)) error {
			some := slices.Sorted(slices.Values(vs))
			if err := tx.FetchVertices(some, adjacent); err != nil {
				return err
			}
			for _, v := range some {
				x, err := tx.VertexExists(v)
				if tell(x); err != nil {
					return err
				}
			}
			return nil
		})
	}
	add("fetched edges of "+name, func(tx View, tell func(...any)) error {
		var es []EdgeID
		for _, v := range slices.Sorted(slices.Values(vs)) {
			es = append(es, EdgeID(v))
		}
		if err := tx.FetchEdges(es); err != nil {
			return err
		}
		for _, e := range es {
			x, err := tx.EdgeExists(e)
			if tell(x); err != nil {
				return err
			}
		}
		return nil
	})
}

func entries(list []PropertyEntry, err error) (string, error) {
	var b strings.Builder
	for _, p := range list {
		fmt.Fprint(&b, p.Key, p.Value.JavaString(), p.Ordinal, p.Meta(), " ")
	}
	return b.String(), err
}

// upcoming are the vertices behind the first ones of a list.
type upcoming []VertexID

func (u upcoming) Upcoming(dst []VertexID, max int) []VertexID {
	return append(dst, u[:min(len(u), max)]...)
}

// expansions expand a list in pieces, in all directions.
func expansions(name string, vs []VertexID, add func(string, func(View, func(...any)) error)) {
	for _, dir := range []Direction{Out, In, Both} {
		for _, want := range []Want{WantEdges, WantEnds, WantCount} {
			for _, labels := range [][]string{nil, {"knows"}, {"created", "knows"}} {
				for _, piece := range []int{1, 100} {
					add(fmt.Sprintf("expanded %s, direction %d, want %d, %v, %d at once", name, dir, want, labels, piece), func(tx View, tell func(...any)) error {
						x := Expansion{Dir: dir, Want: want}
						for _, l := range labels {
							s, _ := tx.Symbol(l)
							x.Labels = append(x.Labels, s)
						}
						for at := 0; at < len(vs); at += piece {
							some := vs[at:min(len(vs), at+piece)]
							x.Next = upcoming(vs[at+len(some):])
							all := make([][]string, len(some))
							if err := tx.Expand(some, x, SinkFunc(func(i int, e Expanded) error {
								for _, a := range e.Edges {
									all[i] = append(all[i], fmt.Sprint(a.Other))
								}
								for p := 1; p < len(e.Pairs); p += 2 {
									all[i] = append(all[i], fmt.Sprint(e.Pairs[p]))
								}
								if want == WantCount {
									all[i] = append(all[i], fmt.Sprint(e.Count))
								}
								return nil
							})); err != nil {
								return err
							}
							for _, ends := range all {
								if want == WantEnds {
									slices.Sort(ends)
								}
								tell(ends)
							}
						}
						return nil
					})
				}
			}
		}
	}
	add("pages of "+name, func(tx View, tell func(...any)) error {
		for _, v := range vs[:min(len(vs), 20)] {
			x := Expansion{Dir: Both, Max: 100}
			for n := x.Max; n == x.Max; {
				n = 0
				if err := tx.Expand([]VertexID{v}, x, SinkFunc(func(_ int, e Expanded) error {
					if n = len(e.Edges); n > 0 {
						x.After = e.Edges[n-1]
					}
					for _, a := range e.Edges {
						tell(min(a.Edge, readEdges+1), a.Other, a.Label, a.Dir)
					}
					return nil
				})); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// walks read the whole graph, or walk an index.
func walks(add func(string, func(View, func(...any)) error)) {
	vertices := func(name string, open func(tx View) VertexIterator) {
		for _, room := range []int{1, 64, 1000} {
			add(fmt.Sprintf("%s, %d at once", name, room), func(tx View, tell func(...any)) error {
				it, buf := open(tx), make([]VertexID, room)
				defer it.Close()
				for n := it.Next(buf); n > 0; n = it.Next(buf) {
					for _, v := range buf[:n] {
						tell(v)
					}
				}
				tell(it.Exact())
				return it.Err()
			})
		}
	}
	edges := func(name string, open func(tx View) EdgeIterator) {
		for _, room := range []int{1, 1000} {
			add(fmt.Sprintf("%s, %d at once", name, room), func(tx View, tell func(...any)) error {
				it, buf := open(tx), make([]EdgeID, room)
				defer it.Close()
				for n := it.Next(buf); n > 0; n = it.Next(buf) {
					for _, e := range buf[:n] {
						tell(min(e, readEdges+1)) // a new one has another number each time
					}
				}
				tell(it.Exact())
				return it.Err()
			})
		}
	}
	symbol := func(tx View, name string) Symbol { s, _ := tx.Symbol(name); return s }
	vertices("all vertices", func(tx View) VertexIterator { return tx.Vertices() })
	vertices("software", func(tx View) VertexIterator { return tx.Vertices(symbol(tx, "software")) })
	vertices("both labels", func(tx View) VertexIterator { return tx.Vertices(symbol(tx, "software"), symbol(tx, "person")) })
	edges("all edges", func(tx View) EdgeIterator { return tx.Edges() })
	edges("edges that know", func(tx View) EdgeIterator { return tx.Edges(symbol(tx, "knows")) })
	for _, r := range []ValueRange{{}, {Min: value.Int(7), HasMin: true, Max: value.Int(9), HasMax: true, MaxOpen: true}, {Min: value.Int(12), HasMin: true, Max: value.Int(12), HasMax: true}, {Reverse: true}} {
		name := fmt.Sprint(" ", r, r.Reverse)
		vertices("ages"+name, func(tx View) VertexIterator { return tx.LookupVertices("age", r) })
		edges("weights"+name, func(tx View) EdgeIterator { return tx.LookupEdges("weight", r) })
	}
	add("counts", func(tx View, tell func(...any)) error {
		for _, labels := range [][]Symbol{nil, {symbol(tx, "person")}, {symbol(tx, "knows")}} {
			v, err := tx.VertexCount(labels...)
			if err != nil {
				return err
			}
			e, err := tx.EdgeCount(labels...)
			if tell(v, e); err != nil {
				return err
			}
		}
		return nil
	})
	add("few of ages", func(tx View, tell func(...any)) error {
		values := []value.Value{value.Int(3), value.Int(40), value.Int(99), value.Int(7)}
		for _, max := range []int{1, 30, 1000} {
			if _, _, err := tx.FewVertices(nil, "age", values, max); err != nil { // how many it gives depends on what is in memory
				return err
			}
		}
		return nil
	})
	declared := func(tx View, name string) *IndexDefinition {
		for _, c := range []ElementClass{VertexClass, EdgeClass} {
			for _, d := range tx.DeclaredIndexes(c) {
				if d.Name == name {
					return d
				}
			}
		}
		return nil
	}
	vertices("of an age and a name", func(tx View) VertexIterator {
		return tx.LookupVerticesBy(declared(tx, "both"), IndexColumns{Equal: []value.Value{value.Int(3)}})
	})
	vertices("of words", func(tx View) VertexIterator {
		return tx.LookupVerticesBy(declared(tx, "words"), IndexColumns{Texts: []string{"words of 3"}})
	})
	add("heavy edges of the hub", func(tx View, tell func(...any)) error {
		by := &EdgeLookup{Index: declared(tx, "heavy"), Columns: IndexColumns{Ranged: true, Range: ValueRange{Min: value.Double(9), HasMin: true}}}
		return tx.Expand([]VertexID{readHub, 7}, Expansion{Dir: Out, Want: WantEdges, Labels: []Symbol{symbol(tx, "knows")}, By: by}, SinkFunc(func(i int, e Expanded) error {
			tell(i, len(e.Edges), e.Count)
			return nil
		}))
	})
	add("everything once", func(tx View, tell func(...any)) error {
		return tx.ReadOnce(func() error {
			for v := range VertexID(readVertices) {
				list, err := entries(tx.VertexProperties(nil, v+1, nil))
				if tell(list); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// TestReads reads in every way without a cache, with one for a tenth of the graph and one for all
// of it; the first time, the second, and in transactions that write and that have changed some:
// all give the same. What that asks of a store without a cache and with the large one, round
// trips, those for further pages, and keys, it compares with testdata/reads, so that nothing that
// is kept or read ahead goes unused. -rewrite writes the file anew.
func TestReads(t *testing.T) {
	if raced.Detector() { // everything happens one behind the other
		return
	}
	store := readStore(t)
	var out strings.Builder
	answers := map[string]uint64{}
	for _, bytes := range []int64{-1, smallCache, 16 << 20} {
		db := ok[*Database](t)(Open(store, DatabaseOptions{CacheBytes: bytes}))
		g := ok[*Graph](t)(db.Graph("g"))
		for _, r := range readings() {
			if bytes > 0 {
				g.cache.reset(g.store.Seq())
			}
			told := &out
			if bytes == smallCache || strings.HasPrefix(r.name, "found") {
				told = &strings.Builder{} // what is evicted, and where ids lie, is chance
			}
			fmt.Fprintf(told, "%d %s:", bytes>>10, r.name)
			for _, how := range []string{"cold", "warm", "writing", "changed"} {
				given := readsOf(t, told, store, g, r, how)
				key := r.name + map[bool]string{true: " changed"}[how == "changed"]
				if was, known := answers[key]; known && was != given {
					t.Errorf("%s %s, a cache of %d bytes: it gives something else", r.name, how, bytes)
				}
				answers[key] = given
			}
			if s := db.CacheStats(); bytes > 0 && r.name != "few of ages" { // whether postings share a page is chance
				fmt.Fprintf(told, " cached %d in %d", s.Bytes, s.Rows)
			}
			told.WriteByte('\n')
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	golden.Check(t, "testdata/reads", out.String())
}

// changeRead changes some of what is read.
func changeRead(t *testing.T, tx Mutator, edge EdgeID) {
	t.Helper()
	ok[EdgeID](t)(tx.AddEdge("knows", 1, 7, value.Null))
	ok[PropertyEntry](t)(tx.SetVertexProperty(211, "single", "age", value.Int(12), value.Null, nil))
	if err := tx.RemoveEdge(edge); err != nil {
		t.Fatal(err)
	}
	if err := tx.RemoveVertex(221); err != nil {
		t.Fatal(err)
	}
}

// readsOf reads in a transaction of its own and returns a sum of what that gives.
func readsOf(t *testing.T, out *strings.Builder, store *storagetest.Counting, g *Graph, r reading, how string) uint64 {
	t.Helper()
	tx := ok[*Tx](t)(g.Begin(t.Context(), TxOptions{ReadOnly: how == "cold" || how == "warm"}))
	defer tx.Close()
	if how == "changed" {
		changeRead(t, tx, 4)
	}
	store.Reset()
	sum := fnv.New64a()
	if err := r.read(tx, func(x ...any) { fmt.Fprintln(sum, x...) }); err != nil {
		t.Fatalf("%s: %v", r.name, err)
	}
	n := store.Reads()
	fmt.Fprintf(out, " %s %d %d %d", how, n.Trips, n.Pages, n.Keys)
	return sum.Sum64()
}
