package load_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// loadSlices is a source of two slices.
type loadSlices struct {
	vertices []blueprints.VertexRecord
	edges    []blueprints.EdgeRecord
}

func (s loadSlices) push(sink blueprints.RecordSink) error {
	for i := range s.vertices {
		if err := sink.Vertex(&s.vertices[i]); err != nil {
			return fmt.Errorf("vertices: %w", err)
		}
	}
	for i := range s.edges {
		if err := sink.Edge(&s.edges[i]); err != nil {
			return fmt.Errorf("edges: %w", err)
		}
	}
	return nil
}

func randomLoad(r *rand.Rand, n int) loadSlices {
	ids := []func(i int) value.Value{
		func(i int) value.Value { return value.Long(int64(i)) },
		func(i int) value.Value { return value.String(fmt.Sprint("v", i*7919%n)) },
		func(i int) value.Value { return value.Int(int32(n - i)) },
		func(i int) value.Value { return value.Null },
	}
	id := ids[r.IntN(3)]
	edgeID := ids[r.IntN(4)]
	var s loadSlices
	for i := range n {
		v := blueprints.VertexRecord{ID: id(i), Label: fmt.Sprint("l", r.IntN(3))}
		for range r.IntN(4) {
			v.Properties = append(v.Properties, blueprints.PropertyRecord{
				Key: []string{"a", "b"}[r.IntN(2)], Value: value.Of([]any{1, "xyzzy", 2.5, "xyzzy"}[r.IntN(4)]),
				Meta: []value.Property{{Key: "m", Value: value.Bool(true)}},
			})
		}
		if i%4 == 0 {
			where := value.List([]value.Value{value.Int(int32(i % 90)), value.Double(float64(i % 180))})
			v.Properties = append(v.Properties, blueprints.PropertyRecord{Key: "where", Value: where, Meta: []value.Property{{Key: "m", Value: value.Bool(true)}}})
		}
		s.vertices = append(s.vertices, v)
	}
	for i := range 3 * n {
		s.edges = append(s.edges, blueprints.EdgeRecord{
			ID: edgeID(i), Label: fmt.Sprint("e", r.IntN(3)), Out: id(r.IntN(n)), In: id(r.IntN(n)),
			Properties: []blueprints.PropertyRecord{{Key: "w", Value: value.Double(r.Float64())}},
		})
	}
	return s
}

func TestGraph(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 1))
		g := newGraph(t, blueprints.Options{})
		indexKey(t, g, blueprints.VertexClass, "a")
		indexKey(t, g, blueprints.VertexClass, "b")
		indexKey(t, g, blueprints.EdgeClass, "w")
		declared := []blueprints.IndexSpec{
			{Name: "ab", Class: blueprints.VertexClass, Label: "l0", Keys: []string{"a", "b"}},
			{Name: "ba", Class: blueprints.VertexClass, Keys: []string{"b", "a"}},
			{Name: "every w", Class: blueprints.EdgeClass, Keys: []string{"w"}, Unique: true},
			{Name: "w", Class: blueprints.EdgeClass, Label: "e1", Keys: []string{"w"}, Direction: []string{"OUT", "IN", "BOTH"}[seed%3]},
			{Name: "text", Class: blueprints.VertexClass, Keys: []string{"a", "b"}, Analyzer: "trigram"},
			{Name: "geo", Class: blueprints.VertexClass, Keys: []string{"where"}, Analyzer: "geo"},
			{Name: "words", Class: blueprints.VertexClass, Keys: []string{"a", "b"}, Analyzer: "words"},
		}
		for _, s := range declared {
			declare(t, g, s)
		}
		src := randomLoad(r, 200)
		if seed >= 4 {
			for i := range src.edges {
				if src.edges[i].ID.Kind() == value.KindString {
					src.edges[i].ID = value.String(fmt.Sprint("e", i))
				}
			}
		}
		report, err := load.Graph(ctx, g, load.Options{}, src.push)
		if err != nil {
			var x *blueprints.Exception
			if errors.As(err, &x) { // ids of edges that repeat
				wantSound(t, g)
				continue
			}
			t.Fatal(err)
		}
		sum := wantSound(t, g)
		if sum.Vertices != 200 || sum.Edges != 600 || report.Vertices != 200 || report.Edges != 600 || report.Properties != sum.Properties {
			t.Errorf("seed %d: %+v, loaded %+v", seed, sum, report)
		}
		for _, s := range declared {
			if rep := wantVerified(t, g, s.Name); rep.Entries == 0 {
				t.Errorf("seed %d: index %s is empty", seed, s.Name)
			}
		}
		if _, err := load.Graph(ctx, g, load.Options{}, src.push); !errors.Is(err, blueprints.ErrNotEmpty) {
			t.Errorf("second load: %v", err)
		}
		view(t, g, func(tx *blueprints.Tx) {
			for i, v := range src.vertices {
				id, ok, err := tx.FindVertex(v.ID)
				if err != nil || !ok {
					t.Fatalf("vertex %d not found: %v", i, err)
				}
				props := give[[]blueprints.PropertyEntry](t)(tx.VertexProperties(nil, id, nil))
				if len(props) != len(v.Properties) {
					t.Fatalf("vertex %d has %d properties, want %d", i, len(props), len(v.Properties))
				}
				for k := range props {
					if !value.Identical(props[k].Value, v.Properties[k].Value) || len(props[k].Meta()) != 1 {
						t.Fatalf("vertex %d property %d: %v", i, k, props[k])
					}
				}
			}
		})
		// The graph takes writes as any other afterwards.
		update(t, g, func(tx *blueprints.Tx) error {
			v, _, err := tx.FindVertex(src.vertices[3].ID)
			if err != nil {
				return err
			}
			u := give[blueprints.VertexID](t)(tx.AddVertex("l0", value.Null))
			if _, err := tx.SetVertexProperty(u, "single", "a", value.String("new"), value.Null, nil); err != nil {
				return err
			}
			if _, err := tx.AddEdge("e0", v, u, value.Null); err != nil {
				return err
			}
			w, _, err := tx.FindVertex(src.vertices[5].ID)
			if err != nil {
				return err
			}
			return tx.RemoveVertex(w)
		})
		wantSound(t, g)
	}
}

func TestGraph_Refusals(t *testing.T) {
	g := newGraph(t, blueprints.Options{VertexIDs: ids.Long})
	tests := []struct {
		name string
		src  loadSlices
		want string
	}{
		{"same vertex twice", loadSlices{vertices: []blueprints.VertexRecord{{ID: value.Int(1), Label: "a"}, {ID: value.String("1"), Label: "a"}}},
			`load graph "g": vertices: Vertex with id already exists: 1`},
		{"no label", loadSlices{vertices: []blueprints.VertexRecord{{}}}, `load graph "g": vertices: Label can not be empty`},
		{"dangling edge", loadSlices{
			vertices: []blueprints.VertexRecord{{ID: value.Int(1), Label: "a"}},
			edges:    []blueprints.EdgeRecord{{ID: value.Int(1), Label: "e", Out: value.Int(1), In: value.Int(2)}},
		}, `load graph "g": edges: edge 1: vertex with id 2 is not part of the load`},
		{"hidden key", loadSlices{vertices: []blueprints.VertexRecord{{Label: "a", Properties: []blueprints.PropertyRecord{{Key: "~k", Value: value.Int(1)}}}}},
			`load graph "g": vertices: vertex 0: Property key can not be a hidden key: ~k`},
	}
	for _, c := range tests {
		_, err := load.Graph(ctx, g, load.Options{}, c.src.push)
		wantText(t, err, c.want)
		if r := wantSound(t, g); r.Vertices+r.Edges != 0 {
			t.Errorf("%s: %d elements were left", c.name, r.Vertices+r.Edges)
		}
	}
	if _, err := load.Graph(ctx, g, load.Options{}, loadSlices{vertices: []blueprints.VertexRecord{{Label: "a"}}}.push); err != nil {
		t.Errorf("a good load after bad ones: %v", err)
	}
	update(t, g, func(tx *blueprints.Tx) error {
		all := tx.Vertices()
		defer all.Close()
		var v [1]blueprints.VertexID
		if all.Next(v[:]) == 0 {
			t.Fatal("no vertex")
		}
		return tx.RemoveVertex(v[0])
	})
	if _, err := load.Graph(ctx, g, load.Options{}, loadSlices{vertices: []blueprints.VertexRecord{{Label: "a"}}}.push); err != nil {
		t.Errorf("a load into a graph that was emptied: %v", err)
	}
}

// TestGraph_RefusedRecords goes on behind records that the sink refused: nothing of
// them may be left, and what follows may not take their place.
func TestGraph_RefusedRecords(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	indexKey(t, g, blueprints.VertexClass, "a")
	indexKey(t, g, blueprints.EdgeClass, "w")
	id := func(i int) value.Value { return value.String(fmt.Sprint("id ", i*7919%100_000)) }
	const n = 5000 // more than one mark
	refused := 0
	refuse := func(err error) {
		if err != nil {
			refused++
		}
	}
	report, err := load.Graph(ctx, g, load.Options{}, func(sink blueprints.RecordSink) error {
		for i := range n {
			props := []blueprints.PropertyRecord{{Key: "a", Value: value.Int(int32(i % 7))}}
			refuse(sink.Vertex(&blueprints.VertexRecord{ID: id(i), Label: "v", Properties: props}))
			if i%5 == 0 {
				props = append(props, blueprints.PropertyRecord{Key: "~hidden", Value: value.Int(1)})
				refuse(sink.Vertex(&blueprints.VertexRecord{ID: id(i), Label: "v"}))
				refuse(sink.Vertex(&blueprints.VertexRecord{ID: id(n + i), Label: "v", Properties: props}))
			}
		}
		for i := range n {
			e := blueprints.EdgeRecord{ID: id(i), Label: "e", Out: id(i), In: id(n - 1 - i),
				Properties: []blueprints.PropertyRecord{{Key: "w", Value: value.Double(float64(i % 9))}}}
			if i%4 == 0 {
				bad := e
				bad.In = id(n)
				refuse(sink.Edge(&bad))
				bad = e
				bad.Properties = append(e.Properties, e.Properties[0])
				refuse(sink.Edge(&bad))
			}
			refuse(sink.Edge(&e))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := 2*n/5 + 2*n/4; refused != want {
		t.Errorf("%d records were refused, want %d", refused, want)
	}
	if sum := wantSound(t, g); sum.Vertices != n || sum.Edges != n || sum.Properties != 2*n || report.Properties != 2*n {
		t.Errorf("%+v, loaded %+v", sum, report)
	}
	view(t, g, func(tx *blueprints.Tx) {
		for i := range n {
			e, ok, err := tx.FindEdge(id(i))
			if err != nil || !ok {
				t.Fatalf("edge %d is not found: %v", i, err)
			}
			h := give[blueprints.EdgeHeader](t)(tx.Edge(e))
			out := give[value.Value](t)(tx.VertexUserID(h.Out))
			if out.Str() != id(i).Str() {
				t.Fatalf("edge %d goes out of %v", i, out)
			}
		}
	})
}

// genSource makes vertices and random edges, with or without properties.
type genSource struct {
	n, m  int
	props bool
}

func (s genSource) push(sink blueprints.RecordSink) error {
	if err := s.vertices(sink.Vertex); err != nil {
		return err
	}
	return s.edges(sink.Edge)
}

func (s genSource) vertices(add func(*blueprints.VertexRecord) error) error {
	v := blueprints.VertexRecord{Label: "v"}
	if s.props {
		v.Properties = make([]blueprints.PropertyRecord, 2)
	}
	for i := range s.n {
		v.ID = value.Long(int64(i))
		if s.props {
			v.Properties[0] = blueprints.PropertyRecord{Key: "name", Value: value.String("name of a vertex")}
			v.Properties[1] = blueprints.PropertyRecord{Key: "age", Value: value.Int(int32(i % 100))}
		}
		if err := add(&v); err != nil {
			return err
		}
	}
	return nil
}

func (s genSource) edges(add func(*blueprints.EdgeRecord) error) error {
	r := rand.New(rand.NewPCG(1, 2))
	e := blueprints.EdgeRecord{Label: "e"}
	if s.props {
		e.Properties = make([]blueprints.PropertyRecord, 2)
	}
	for i := range s.m {
		e.Out, e.In = value.Long(int64(r.IntN(s.n))), value.Long(int64(r.IntN(s.n)))
		if s.props {
			e.Properties[0] = blueprints.PropertyRecord{Key: "weight", Value: value.Double(float64(i%1000) / 1000)}
			e.Properties[1] = blueprints.PropertyRecord{Key: "since", Value: value.Int(int32(i))}
		}
		if err := add(&e); err != nil {
			return err
		}
	}
	return nil
}

func benchLoad(b *testing.B, props bool) {
	const n, m = 131_072, 1_000_000
	for range b.N {
		b.StopTimer()
		s, err := pebble.Open(b.TempDir(), pebble.Options{Layout: table.Layout, DiskReserve: -1, BallastBytes: -1})
		if err != nil {
			b.Fatal(err)
		}
		db, err := blueprints.Open(s, blueprints.DatabaseOptions{})
		if err != nil {
			b.Fatal(err)
		}
		g, err := db.CreateGraph("g", blueprints.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if props {
			indexKey(b, g, blueprints.EdgeClass, "weight")
		}
		b.StartTimer()
		if _, err := load.Graph(ctx, g, load.Options{}, genSource{n, m, props}.push); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		db.Close()
		b.StartTimer()
	}
	b.ReportMetric(m*float64(b.N)/b.Elapsed().Seconds(), "edges/s")
}

func BenchmarkGraph_Bare(b *testing.B)                    { benchLoad(b, false) }
func BenchmarkGraph_TwoPropertiesAndAnIndex(b *testing.B) { benchLoad(b, true) }

// TestGraph_ManyNames loads as many labels and keys as elements. Their names become
// durable in batches, so that a commit is paid for thousands of them.
func TestGraph_ManyNames(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	const n = 100_000
	before := time.Now()
	_, err := load.Graph(ctx, g, load.Options{}, func(sink blueprints.RecordSink) error {
		for i := range n / 2 {
			v := blueprints.VertexRecord{Label: fmt.Sprint("label", i), Properties: []blueprints.PropertyRecord{{Key: fmt.Sprint("key", i), Value: value.Int(1)}}}
			if err := sink.Vertex(&v); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d names in %v", n, time.Since(before))
	if got := g.Store().Seq(); got > 200 {
		t.Errorf("%d commits for %d names", got, n)
	}
	view(t, g, func(tx *blueprints.Tx) {
		for _, i := range []int{0, n/2 - 1} {
			if _, ok := tx.Symbol(fmt.Sprint("key", i)); !ok {
				t.Errorf("key%d has no symbol", i)
			}
		}
	})
}

// TestGraph_DuplicateEdges gives ids twice, in an order in which they need a table, with
// little room in memory: each is refused at once, whatever its form.
func TestGraph_DuplicateEdges(t *testing.T) {
	for name, id := range map[string]func(i int) value.Value{
		"texts":   func(i int) value.Value { return value.String(fmt.Sprint("e", i*7919%10_007)) },
		"numbers": func(i int) value.Value { return value.Long(int64(i * 7919 % 10_007)) },
		"mixed": func(i int) value.Value {
			n := i * 7919 % 10_007
			return []value.Value{value.Int(int32(n)), value.String(fmt.Sprint("x", n)), value.Double(float64(n) + 0.5)}[n%3]
		},
	} {
		g := newGraph(t, blueprints.Options{})
		refused := 0
		_, err := load.Graph(ctx, g, load.Options{Memory: 4096, Dir: t.TempDir()}, func(sink blueprints.RecordSink) error {
			v := blueprints.VertexRecord{ID: value.Long(1), Label: "v"}
			if err := sink.Vertex(&v); err != nil {
				return err
			}
			e := blueprints.EdgeRecord{Label: "e", Out: v.ID, In: v.ID, Properties: []blueprints.PropertyRecord{{Key: "w", Value: value.Int(1)}}}
			for i := range 10_000 {
				e.Properties = e.Properties[:i%2]
				if e.ID = id(i); sink.Edge(&e) != nil {
					return fmt.Errorf("edge %d is refused", i)
				}
				if i%100 != 0 {
					continue
				}
				e.ID = id(i / 2)
				if e.ID.Kind() == value.KindInt {
					e.ID = value.Long(e.ID.Int64())
				}
				if sink.Edge(&e) != nil {
					refused++
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if r := wantSound(t, g); refused != 100 || r.Edges != 10_000 {
			t.Errorf("%s: %d were refused and %d edges taken", name, refused, r.Edges)
		}
	}
}

// TestGraph_EdgeOrders: the table of the edges' ids is whole however these came, with little
// room in memory: merged from a few runs, or sorted.
func TestGraph_EdgeOrders(t *testing.T) {
	const n = 4800
	for name, id := range map[string]func(i int) value.Value{
		"in order":        func(i int) value.Value { return value.Long(int64(i)) },
		"texts of digits": func(i int) value.Value { return value.String(fmt.Sprint(i)) },
		"sixteen runs":    func(i int) value.Value { return value.Long(int64(i%(n/16)*16 + i/(n/16))) },
		"many runs":       func(i int) value.Value { return value.String(fmt.Sprint(i%100*50, "-", i/100)) },
		"downwards":       func(i int) value.Value { return value.Long(int64(-i)) },
	} {
		g := newGraph(t, blueprints.Options{})
		_, err := load.Graph(ctx, g, load.Options{Memory: 4096, Dir: t.TempDir()}, func(sink blueprints.RecordSink) error {
			v := blueprints.VertexRecord{ID: value.Long(1), Label: "v"}
			if err := sink.Vertex(&v); err != nil {
				return err
			}
			e := blueprints.EdgeRecord{Label: "e", Out: v.ID, In: v.ID, Properties: []blueprints.PropertyRecord{{Key: "at", Value: value.Int(1)}}}
			for i := range n {
				e.ID = id(i)
				if err := sink.Edge(&e); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		wantSound(t, g)
		view(t, g, func(tx *blueprints.Tx) {
			var first blueprints.EdgeID
			for i := range n {
				e, ok, err := tx.FindEdge(id(i))
				if err != nil || !ok {
					t.Fatalf("%s: edge %s is found: %t, %v", name, id(i).Brief(), ok, err)
				}
				if i == 0 {
					first = e
				}
				if e != first+blueprints.EdgeID(i) {
					t.Fatalf("%s: edge %s is the %d-th that came, not the %d-th", name, id(i).Brief(), e-first, i)
				}
			}
		})
	}
}

// TestGraph_Unique: what a unique index does not allow is no load, whether the key of the
// entry tells the values or not.
func TestGraph_Unique(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, x := range []struct {
		values []value.Value
		want   string
	}{
		{[]value.Value{value.String("a"), value.String("b"), value.Long(1)}, ""},
		{[]value.Value{value.String("a"), value.Int(1), value.Long(1)}, "Index u: [1] occurs more than once (vertices 1, 2)"},
		{[]value.Value{value.String(long), value.String("b"), value.String(long)}, "occurs more than once (vertices 0, 2)"},
		{[]value.Value{value.String(long + "a"), value.String(long + "b"), value.String(long)}, ""},
		{[]value.Value{value.Of([]any{1}), value.Of([]any{2})}, ""},
	} {
		for _, memory := range []int64{0, 1} {
			g := newGraph(t, blueprints.Options{AllowNull: true})
			declare(t, g, blueprints.IndexSpec{Name: "u", Class: blueprints.VertexClass, Label: "v", Keys: []string{"k"}, Unique: true})
			_, err := load.Graph(ctx, g, load.Options{Memory: memory}, func(sink blueprints.RecordSink) error {
				for i, v := range x.values {
					props := []blueprints.PropertyRecord{{Key: "k", Value: v}, {Key: "n", Value: value.Null}}
					for n, label := range []string{"v", "w"} { // the index is about one of them
						if err := sink.Vertex(&blueprints.VertexRecord{ID: value.Int(int32(i + 100*n)), Label: label, Properties: props}); err != nil {
							return err
						}
					}
				}
				return nil
			})
			if (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
				t.Errorf("%v, want %q", err, x.want)
			}
			wantSound(t, g)
			if sum := wantVerified(t, g, "u"); err == nil && sum.Entries != int64(len(x.values)) {
				t.Errorf("%+v", sum)
			}
		}
	}
}

// TestGraph_UniqueEdges names the edges by their ids.
func TestGraph_UniqueEdges(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	declare(t, g, blueprints.IndexSpec{Name: "u", Class: blueprints.EdgeClass, Keys: []string{"k", "l"}, Unique: true})
	_, err := load.Graph(ctx, g, load.Options{}, func(sink blueprints.RecordSink) error {
		if err := sink.Vertex(&blueprints.VertexRecord{ID: value.Int(1), Label: "v"}); err != nil {
			return err
		}
		for i := range 9000 {
			props := []blueprints.PropertyRecord{{Key: "k", Value: value.Int(int32(i % 8000))}, {Key: "l", Value: value.Int(int32(i / 8500))}}
			e := blueprints.EdgeRecord{ID: value.String(fmt.Sprintf("e%d", i)), Label: "e", Out: value.Int(1), In: value.Int(1), Properties: props}
			if err := sink.Edge(&e); err != nil {
				return err
			}
		}
		return nil
	})
	wantText(t, err, "load graph \"g\": ingest: Index u: [0, 0] occurs more than once (edges e0, e8000)")
}
