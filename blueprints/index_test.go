package blueprints_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// lookup returns the values of key in the order in which the index gives them.
func lookup(t testing.TB, tx *blueprints.Tx, key string, r blueprints.ValueRange) []string {
	t.Helper()
	it := tx.LookupVertices(key, r)
	defer it.Close()
	sym, _ := tx.Symbol(key)
	var got []string
	var buf [2]blueprints.VertexID
	for n := it.Next(buf[:]); n > 0; n = it.Next(buf[:]) {
		for _, v := range buf[:n] {
			val, _, err := tx.VertexValue(v, sym)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, val.GoString())
		}
	}
	if it.Err() != nil {
		t.Fatal(it.Err())
	}
	return got
}

func eq(v any) blueprints.ValueRange {
	x := value.Of(v)
	return blueprints.ValueRange{Min: x, Max: x, HasMin: true, HasMax: true}
}

func createKeyIndex(t testing.TB, g *blueprints.Graph, c blueprints.ElementClass, key string) {
	t.Helper()
	if err := g.CreateKeyIndex(ctx, c, key); err != nil {
		t.Fatal(err)
	}
}

// testReIndexingOfElements, testUpdateValuesInIndexKeys and their like of Blueprints'
// KeyIndexableGraphTestSuite.
func TestKeyIndexableGraph(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	wantText(t, g.CreateKeyIndex(ctx, 0, "name"), "elementClass argument cannot be null.")
	wantText(t, g.DropKeyIndex(ctx, 0, "name"), "elementClass argument cannot be null.")
	_, err := g.IndexedKeys(0)
	wantText(t, err, "elementClass argument cannot be null.")

	var v blueprints.VertexID
	update(t, g, func(tx *blueprints.Tx) error {
		v = addVertex(t, tx, "person", "name", "marko")
		for i := range 1500 {
			addVertex(t, tx, fmt.Sprint("l", i%3), "name", fmt.Sprint("n", i), "age", i)
		}
		return nil
	})
	createKeyIndex(t, g, blueprints.VertexClass, "name")
	createKeyIndex(t, g, blueprints.VertexClass, "name")
	createKeyIndex(t, g, blueprints.EdgeClass, "weight")
	keys := must[[]string](t)(g.IndexedKeys(blueprints.VertexClass))
	if !slices.Equal(keys, []string{"name"}) {
		t.Errorf("indexed vertex keys %v", keys)
	}
	if keys = must[[]string](t)(g.IndexedKeys(blueprints.EdgeClass)); !slices.Equal(keys, []string{"weight"}) {
		t.Errorf("indexed edge keys %v", keys)
	}
	if all := must[[]blueprints.IndexInfo](t)(g.Indices()); len(all) != 0 {
		t.Errorf("key indexes are among the indices: %v", all)
	}
	view(t, g, func(tx *blueprints.Tx) {
		if got := lookup(t, tx, "name", eq("marko")); len(got) != 1 {
			t.Errorf("existing element not indexed: %v", got)
		}
		if got := lookup(t, tx, "name", blueprints.ValueRange{}); len(got) != 1501 {
			t.Errorf("%d entries", len(got))
		}
	})
	update(t, g, func(tx *blueprints.Tx) error {
		setProperty(t, tx, v, "name", "peter")
		if got := lookup(t, tx, "name", eq("marko")); len(got) != 0 {
			t.Errorf("old value found before the commit: %v", got)
		}
		if got := lookup(t, tx, "name", eq("peter")); len(got) != 1 {
			t.Errorf("own write not found: %v", got)
		}
		return nil
	})
	update(t, g, func(tx *blueprints.Tx) error {
		it := tx.LookupVertices("name", blueprints.ValueRange{Prefix: "n1"})
		for _, u := range vertices(t, it) {
			if err := tx.RemoveVertex(u); err != nil {
				return err
			}
		}
		return nil
	})
	view(t, g, func(tx *blueprints.Tx) {
		if got := lookup(t, tx, "name", blueprints.ValueRange{Prefix: "n1"}); len(got) != 0 {
			t.Errorf("removed elements found: %v", got)
		}
	})
	if err := g.DropKeyIndex(ctx, blueprints.VertexClass, "name"); err != nil {
		t.Fatal(err)
	}
	view(t, g, func(tx *blueprints.Tx) {
		if keys := tx.VertexIndexes(); len(keys) != 0 {
			t.Errorf("dropped index is used: %v", keys)
		}
		it := tx.LookupVertices("name", eq("peter"))
		if n := it.Next(make([]blueprints.VertexID, 1)); n != 0 || it.Err() == nil {
			t.Errorf("a look-up in a dropped index gave %d, %v", n, it.Err())
		}
	})
	createKeyIndex(t, g, blueprints.VertexClass, "name") // waits for the removal
	view(t, g, func(tx *blueprints.Tx) {
		if got := lookup(t, tx, "name", eq("peter")); len(got) != 1 {
			t.Errorf("built again: %v", got)
		}
	})
}

func TestKeyIndex_Ranges(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	createKeyIndex(t, g, blueprints.VertexClass, "k")
	update(t, g, func(tx *blueprints.Tx) error {
		for _, x := range []any{3, int64(1), 2.0, -5, "b", "a", "abc", true, 2, float32(0.5)} {
			addVertex(t, tx, "v", "k", x)
		}
		return nil
	})
	num := func(x any) value.Value { return value.Of(x) }
	tests := []struct {
		name string
		r    blueprints.ValueRange
		want string
	}{
		{"eq across types", eq(2), "[Integer(2) Double(2.0)]"},
		{"eq long", eq(int64(2)), "[Integer(2) Double(2.0)]"},
		{"gt", blueprints.ValueRange{Min: num(1), HasMin: true, MinOpen: true}, "[Integer(2) Double(2.0) Integer(3)]"},
		{"gte", blueprints.ValueRange{Min: num(1), HasMin: true}, "[Long(1) Integer(2) Double(2.0) Integer(3)]"},
		{"lt", blueprints.ValueRange{Max: num(1), HasMax: true, MaxOpen: true}, "[Integer(-5) Float(0.5)]"},
		{"between", blueprints.ValueRange{Min: num(0), HasMin: true, Max: num(2), HasMax: true, MaxOpen: true}, "[Float(0.5) Long(1)]"},
		{"prefix", blueprints.ValueRange{Prefix: "a"}, "[String(a) String(abc)]"},
		{"strings", blueprints.ValueRange{Min: num("aa"), HasMin: true}, "[String(abc) String(b)]"},
		{"backwards", blueprints.ValueRange{Min: num(1), HasMin: true, Reverse: true}, "[Integer(3) Double(2.0) Integer(2) Long(1)]"},
		{"nothing", blueprints.ValueRange{Min: num(7), HasMin: true, Max: num(2), HasMax: true}, "[]"},
	}
	view(t, g, func(tx *blueprints.Tx) {
		for _, c := range tests {
			if got := fmt.Sprint(lookup(t, tx, "k", c.r)); got != c.want {
				t.Errorf("%s: %s, want %s", c.name, got, c.want)
			}
		}
		if got := lookup(t, tx, "k", blueprints.ValueRange{}); len(got) != 10 {
			t.Errorf("everything: %v", got)
		}
	})
}

func TestKeyIndex_MultiProperties(t *testing.T) {
	g := newGraph(t, blueprints.Options{DefaultCardinality: "list"})
	createKeyIndex(t, g, blueprints.VertexClass, "k")
	tx := begin(t, g)
	v := addVertex(t, tx, "a")
	var first blueprints.PropertyEntry
	for i, x := range []string{"x", "x", "y"} {
		p, err := tx.SetVertexProperty(v, "list", "k", value.String(x), value.Null, nil)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = p
		}
	}
	found := func(r blueprints.ValueRange) int { return len(vertices(t, tx.LookupVertices("k", r))) }
	if n := found(blueprints.ValueRange{}); n != 1 {
		t.Errorf("a vertex with two values in range comes %d times", n)
	}
	if err := tx.RemoveVertexProperty(v, first); err != nil {
		t.Fatal(err)
	}
	if n := found(eq("x")); n != 1 {
		t.Error("removing one of two equal values lost the entry")
	}
	if _, err := tx.SetVertexProperty(v, "single", "k", value.String("z"), value.Null, nil); err != nil {
		t.Fatal(err)
	}
	if found(eq("x")) != 0 || found(eq("y")) != 0 || found(eq("z")) != 1 {
		t.Error("single left entries of old values")
	}
}

func indexHits(t testing.TB, h blueprints.IndexHits) []uint64 {
	t.Helper()
	var buf [16]uint64
	n := h.Next(buf[:])
	if h.Err() != nil {
		t.Fatal(h.Err())
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	return slices.Clone(buf[:n])
}

// The contract of Blueprints' IndexableGraphTestSuite and IndexTestSuite.
func TestIndexableGraph(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	wantText(t, g.CreateIndex(ctx, "people", 0), "elementClass argument cannot be null.")
	if err := g.CreateIndex(ctx, "people", blueprints.VertexClass); err != nil {
		t.Fatal(err)
	}
	wantText(t, g.CreateIndex(ctx, "people", blueprints.VertexClass), "Index already exists: people")
	wantText(t, g.CreateIndex(ctx, "people", blueprints.EdgeClass), "Index already exists: people")
	if err := g.CreateIndex(ctx, "links", blueprints.EdgeClass); err != nil {
		t.Fatal(err)
	}
	if all := must[[]blueprints.IndexInfo](t)(g.Indices()); len(all) != 2 || all[0].Name != "links" || all[1].Class != blueprints.VertexClass {
		t.Errorf("indices %v", all)
	}
	tx := begin(t, g)
	if x, err := tx.Index("nothing", blueprints.VertexClass); x != nil || err != nil {
		t.Errorf("missing index: %v, %v", x, err)
	}
	_, err := tx.Index("people", blueprints.EdgeClass)
	wantText(t, err, "people does not support class: edge")
	people := must[*blueprints.Index](t)(tx.Index("people", blueprints.VertexClass))
	if people.Name() != "people" || people.Class() != blueprints.VertexClass {
		t.Errorf("index %s of %s", people.Name(), people.Class())
	}
	v, u := addVertex(t, tx, "a", "dog", "x"), addVertex(t, tx, "a")
	for _, e := range []struct {
		key string
		val any
		id  blueprints.VertexID
	}{{"dog", "puppy", v}, {"dog", "puppy", v}, {"dog", "puppy", u}, {"dog", "mama", v}, {"cat", 7, u}} {
		if err := people.Put(e.key, value.Of(e.val), uint64(e.id)); err != nil {
			t.Fatal(err)
		}
	}
	if n := must[int64](t)(people.Count("dog", value.String("puppy"))); n != 2 {
		t.Errorf("count %d", n)
	}
	if got := indexHits(t, people.Get("dog", value.String("mama"))); !slices.Equal(got, []uint64{uint64(v)}) {
		t.Errorf("mama: %v", got)
	}
	if got := indexHits(t, people.Get("cat", value.Long(7))); !slices.Equal(got, []uint64{uint64(u)}) {
		t.Errorf("cat 7: %v", got)
	}
	if got := indexHits(t, people.Query("dog", blueprints.ValueRange{Prefix: "p"}, nil)); len(got) != 2 {
		t.Errorf("query: %v", got)
	}
	setProperty(t, tx, v, "dog", "y") // leaves the entries alone
	if n := must[int64](t)(people.Count("dog", value.String("puppy"))); n != 2 {
		t.Errorf("count after a property change %d", n)
	}
	if err := people.Remove("dog", value.String("puppy"), uint64(v)); err != nil {
		t.Fatal(err)
	}
	if got := indexHits(t, people.Get("dog", value.String("puppy"))); !slices.Equal(got, []uint64{uint64(u)}) {
		t.Errorf("after remove: %v", got)
	}
	if err := tx.RemoveVertex(u); err != nil {
		t.Fatal(err)
	}
	if n := must[int64](t)(people.Count("cat", value.Int(7))); n != 0 {
		t.Errorf("entries of a removed vertex: %d", n)
	}
	if err := people.Put("dog", value.Int(1), uint64(u)); err == nil {
		t.Error("put of a removed vertex")
	}
	if err := tx.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	if err := g.DropIndex(ctx, "people"); err != nil {
		t.Fatal(err)
	}
	if err := g.CreateIndex(ctx, "people", blueprints.EdgeClass); err != nil {
		t.Fatal(err)
	}
	tx = begin(t, g)
	people = must[*blueprints.Index](t)(tx.Index("people", 0))
	if n := must[int64](t)(people.Count("dog", value.String("mama"))); n != 0 {
		t.Errorf("an index made again has %d old entries", n)
	}
}

func TestIndex_LongValues(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	if err := g.CreateIndex(ctx, "x", blueprints.VertexClass); err != nil {
		t.Fatal(err)
	}
	tx := begin(t, g)
	x := must[*blueprints.Index](t)(tx.Index("x", 0))
	v := addVertex(t, tx, "a")
	long := func(end string) value.Value { return value.String(fmt.Sprintf("%0300d%s", 0, end)) }
	list := value.Of([]any{1, "a"})
	for _, val := range []value.Value{long("a"), long("b"), list} {
		if err := x.Put("k", val, uint64(v)); err != nil {
			t.Fatal(err)
		}
	}
	for val, want := range map[string]int64{"a": 1, "b": 1, "c": 0} {
		if n := must[int64](t)(x.Count("k", long(val))); n != want {
			t.Errorf("long value %s: %d", val, n)
		}
	}
	if n := must[int64](t)(x.Count("k", list)); n != 1 {
		t.Errorf("list: %d", n)
	}
	if err := x.Remove("k", long("a"), uint64(v)); err != nil {
		t.Fatal(err)
	}
	if must[int64](t)(x.Count("k", long("a"))) != 0 || must[int64](t)(x.Count("k", long("b"))) != 1 {
		t.Error("remove took the wrong one")
	}
}

func TestEdgeKeyIndex(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	createKeyIndex(t, g, blueprints.EdgeClass, "w")
	tx := begin(t, g)
	v := addVertex(t, tx, "a")
	e := must[blueprints.EdgeID](t)(tx.AddEdge("e", v, v, value.Null))
	find := func(x any) int {
		it := tx.LookupEdges("w", eq(x))
		defer it.Close()
		return it.Next(make([]blueprints.EdgeID, 4))
	}
	for _, x := range []any{1, 2} {
		if err := tx.SetEdgeProperty(e, "w", value.Of(x)); err != nil {
			t.Fatal(err)
		}
	}
	if find(1) != 0 || find(2) != 1 {
		t.Error("the index does not follow the property")
	}
	if err := tx.RemoveEdgeProperty(e, "w"); err != nil {
		t.Fatal(err)
	}
	if find(2) != 0 {
		t.Error("entry of a removed property")
	}
}
