package blueprints_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

var ctx = context.Background()

func openDatabase(t testing.TB) *blueprints.Database {
	t.Helper()
	s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	db, err := blueprints.Open(s, blueprints.DatabaseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func newGraph(t testing.TB, o blueprints.Options) *blueprints.Graph {
	t.Helper()
	g, err := openDatabase(t).CreateGraph("g", o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func update(t testing.TB, g *blueprints.Graph, fn func(*blueprints.Tx) error) {
	t.Helper()
	if err := g.Update(ctx, fn); err != nil {
		t.Fatal(err)
	}
}

func view(t testing.TB, g *blueprints.Graph, fn func(*blueprints.Tx)) {
	t.Helper()
	if err := g.View(ctx, func(tx *blueprints.Tx) error { fn(tx); return nil }); err != nil {
		t.Fatal(err)
	}
}

func begin(t testing.TB, g *blueprints.Graph) *blueprints.Tx {
	t.Helper()
	tx, err := g.Begin(ctx, blueprints.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tx.Close() })
	return tx
}

func must[T any](t testing.TB) func(T, error) T {
	return func(x T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

func wantText(t testing.TB, err error, text string) {
	t.Helper()
	if err == nil || err.Error() != text {
		t.Errorf("got error %v, want %q", err, text)
	}
}

func addVertex(t testing.TB, tx *blueprints.Tx, label string, kv ...any) blueprints.VertexID {
	t.Helper()
	v := must[blueprints.VertexID](t)(tx.AddVertex(label, value.Null))
	for i := 0; i < len(kv); i += 2 {
		setProperty(t, tx, v, kv[i].(string), kv[i+1])
	}
	return v
}

func setProperty(t testing.TB, tx *blueprints.Tx, v blueprints.VertexID, key string, val any) {
	t.Helper()
	if _, err := tx.SetVertexProperty(v, "single", key, value.Of(val), value.Null, nil); err != nil {
		t.Fatal(err)
	}
}

func vertices(t testing.TB, it blueprints.VertexIterator) []blueprints.VertexID {
	t.Helper()
	defer it.Close()
	var all []blueprints.VertexID
	var buf [3]blueprints.VertexID
	for n := it.Next(buf[:]); n > 0; n = it.Next(buf[:]) {
		all = append(all, buf[:n]...)
	}
	if err := it.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestGraph_RoundTrip(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	var marko, lop blueprints.VertexID
	var created blueprints.EdgeID
	update(t, g, func(tx *blueprints.Tx) error {
		marko = addVertex(t, tx, "person", "name", "marko", "age", 29)
		lop = addVertex(t, tx, "software", "name", "lop")
		created = must[blueprints.EdgeID](t)(tx.AddEdge("created", marko, lop, value.Null))
		return tx.SetEdgeProperty(created, "weight", value.Double(0.4))
	})
	view(t, g, func(tx *blueprints.Tx) {
		e := must[*value.Element](t)(tx.ResolveVertex(uint64(marko), true, nil))
		if e.Label != "person" || len(e.Properties) != 2 || e.Properties[0].VertexProperty().Key != "name" {
			t.Errorf("marko is %+v", e)
		}
		edge := must[*value.Element](t)(tx.ResolveEdge(uint64(created), true))
		if edge.Label != "created" || edge.In.Detached().Label != "software" || len(edge.Properties) != 1 {
			t.Errorf("edge is %+v", edge)
		}
		adj := must[[]blueprints.Adjacent](t)(edgesOf(tx, lop, blueprints.Expansion{Dir: blueprints.In}))
		if len(adj) != 1 || adj[0].Other != marko || adj[0].Edge != created {
			t.Errorf("in edges of lop: %+v", adj)
		}
		if n := must[int64](t)(tx.VertexCount()); n != 2 {
			t.Errorf("%d vertices", n)
		}
		if n := must[int64](t)(tx.EdgeCount()); n != 1 {
			t.Errorf("%d edges", n)
		}
		if got := vertices(t, tx.Vertices()); len(got) != 2 || got[0] != marko {
			t.Errorf("vertices %v", got)
		}
	})
}

// A vertex read into memory that held another is as if it were read into its own.
func TestTx_ResolveVertexInRoom(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	var all []blueprints.VertexID
	update(t, g, func(tx *blueprints.Tx) error {
		all = []blueprints.VertexID{
			addVertex(t, tx, "person", "name", "marko", "age", 29), addVertex(t, tx, "none"),
			addVertex(t, tx, "software", "name", "lop"), addVertex(t, tx, "many", "a", 1, "b", 2, "c", 3, "d", 4),
		}
		_, err := tx.SetVertexProperty(all[2], "single", "lang", value.String("java"), value.Null, []value.Property{{Key: "since", Value: value.Int(2009)}})
		return err
	})
	text := func(e *value.Element) string {
		s := fmt.Sprint(e.ID, e.Label, e.Properties == nil)
		for _, p := range e.Properties {
			s += fmt.Sprintf(" %+v", *p.VertexProperty())
		}
		return s
	}
	update(t, g, func(tx *blueprints.Tx) error {
		room := &value.Element{}
		for i := range 100 {
			v, with := all[i*i*7%31%len(all)], i%5 != 0
			got := must[*value.Element](t)(tx.ResolveVertex(uint64(v), with, room))
			if want := must[*value.Element](t)(tx.ResolveVertex(uint64(v), with, nil)); text(got) != text(want) || got != room {
				t.Fatalf("%s, want %s", text(got), text(want))
			}
			if i == 50 {
				room.Forget(3)
			}
			if i == 70 {
				addVertex(t, tx, "other") // a transaction that has written
			}
		}
		return nil
	})
}

func TestTx_DroppedElementsKeepIdentity(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	tx := begin(t, g)
	a, b := addVertex(t, tx, "person", "name", "a"), addVertex(t, tx, "person")
	e := must[blueprints.EdgeID](t)(tx.AddEdge("knows", a, b, value.Null))
	scan := tx.Vertices()
	if err := tx.RemoveVertex(a); err != nil {
		t.Fatal(err)
	}
	if got := vertices(t, scan); len(got) != 1 || got[0] != b {
		t.Errorf("a scan open during the removal gave %v", got)
	}
	id := must[value.Value](t)(tx.VertexUserID(a))
	if label := must[blueprints.Symbol](t)(tx.VertexLabel(a)); tx.Name(label) != "person" {
		t.Errorf("label %q", tx.Name(label))
	}
	if h := must[blueprints.EdgeHeader](t)(tx.Edge(e)); h.Out != a || h.In != b {
		t.Errorf("edge %+v", h)
	}
	if p := must[[]blueprints.PropertyEntry](t)(tx.VertexProperties(nil, a, nil)); len(p) != 0 {
		t.Errorf("properties %v", p)
	}
	if ok := must[bool](t)(tx.VertexExists(a)); ok {
		t.Error("vertex still exists")
	}
	_, err := tx.SetVertexProperty(a, "", "x", value.Int(1), value.Null, nil)
	wantText(t, err, "Vertex with id "+id.JavaString()+" was removed.")
	if err := tx.RemoveVertex(a); err != nil {
		t.Errorf("removing twice: %v", err)
	}
	if n := must[int64](t)(tx.EdgeCount()); n != 0 {
		t.Errorf("%d edges", n)
	}
}

func TestTx_Validation(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	tx := begin(t, g)
	v := addVertex(t, tx, "a")
	_, err := tx.AddVertex("", value.Null)
	wantText(t, err, "Label can not be empty")
	_, err = tx.AddVertex("~x", value.Null)
	wantText(t, err, "Label can not be a hidden key: ~x")
	_, err = tx.SetVertexProperty(v, "", "", value.Int(1), value.Null, nil)
	wantText(t, err, "Property key can not be the empty string")
	_, err = tx.SetVertexProperty(v, "", "~k", value.Int(1), value.Null, nil)
	wantText(t, err, "Property key can not be a hidden key: ~k")
	if _, err = tx.AddVertex("a", value.Long(100)); err != nil {
		t.Fatal(err)
	}
	_, err = tx.AddVertex("a", value.Long(100))
	wantText(t, err, "Vertex with id already exists: 100")
	var x *blueprints.Exception
	if !errors.As(err, &x) || x.Class != "java.lang.IllegalArgumentException" {
		t.Errorf("class of %v", err)
	}
	if _, err = tx.AddEdge("e", v, v, value.String("7")); err != nil {
		t.Fatal(err)
	}
	_, err = tx.AddEdge("e", v, v, value.String("7"))
	wantText(t, err, "Edge with id already exists: 7")
	if _, err = tx.AddEdge("e", v, 99, value.Null); !errors.Is(err, blueprints.ErrNoElement) {
		t.Errorf("edge to nowhere: %v", err)
	}
}

func TestTx_IDManagers(t *testing.T) {
	ints := newGraph(t, blueprints.Options{VertexIDs: ids.Integer})
	tx := begin(t, ints)
	v := must[blueprints.VertexID](t)(tx.AddVertex("a", value.String("1")))
	for _, id := range []value.Value{value.Long(1), value.String("1"), value.Int(1), value.Double(1)} {
		if got, ok, err := tx.FindVertex(id); err != nil || !ok || got != v {
			t.Errorf("V(%v) = %v, %v, %v", id, got, ok, err)
		}
	}
	_, _, err := tx.FindVertex(value.String("abc"))
	wantText(t, err, "Expected an id that is convertible to class java.lang.Integer but received class java.lang.String - [abc]")
	if _, ok, err := tx.FindVertex(value.Null); ok || err != nil {
		t.Errorf("V(null) = %v, %v", ok, err)
	}
	var ids []string
	for range 3 {
		u := addVertex(t, tx, "a")
		ids = append(ids, must[value.Value](t)(tx.VertexUserID(u)).GoString())
	}
	if ids[0] != "Integer(0)" || ids[1] != "Integer(2)" || ids[2] != "Integer(3)" {
		t.Errorf("generated ids %v must skip what the user took", ids)
	}

	anyIDs := newGraph(t, blueprints.Options{})
	tx = begin(t, anyIDs)
	addVertex(t, tx, "a")
	if _, ok, _ := tx.FindVertex(value.Int(0)); !ok {
		t.Error("under ANY an Int does not find the generated Long")
	}
	if _, ok, _ := tx.FindVertex(value.String("0")); ok {
		t.Error("under ANY a text finds a number")
	}
	if _, ok, _ := tx.FindVertex(value.Long(0)); !ok {
		t.Error("under ANY the generated Long is not found")
	}
}

func TestTx_Cardinality(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	tx := begin(t, g)
	v := addVertex(t, tx, "a")
	set := func(card string, val any, meta ...value.Property) {
		t.Helper()
		if _, err := tx.SetVertexProperty(v, card, "k", value.Of(val), value.Null, meta); err != nil {
			t.Fatal(err)
		}
	}
	values := func() []any {
		var got []any
		for _, p := range must[[]blueprints.PropertyEntry](t)(tx.VertexProperties(nil, v, nil)) {
			got = append(got, p.Value.JavaString())
		}
		return got
	}
	check := func(want ...any) {
		t.Helper()
		got := values()
		if len(got) != len(want) {
			t.Fatalf("values %v, want %v", got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("values %v, want %v", got, want)
			}
		}
	}
	set("list", "a")
	set("list", "b")
	set("list", "a")
	check("a", "b", "a")
	set("set", "b", value.Property{Key: "m", Value: value.Int(1)})
	check("a", "b", "a")
	if p := must[[]blueprints.PropertyEntry](t)(tx.VertexProperties(nil, v, nil)); len(p[1].Meta()) != 1 || p[1].Meta()[0].Key != "m" {
		t.Errorf("meta of b: %+v", p[1].Meta())
	}
	set("set", "c")
	check("a", "b", "a", "c")
	if _, err := tx.SetVertexProperty(v, "list", "k", value.Null, value.Null, nil); err != nil {
		t.Fatal(err)
	}
	check("a", "b", "a", "c")
	set("single", "x")
	check("x")
	set("single", "y")
	check("y")
	set("list", "z")
	check("y", "z")
	if _, err := tx.SetVertexProperty(v, "single", "k", value.Null, value.Null, nil); err != nil {
		t.Fatal(err)
	}
	check()
}

func TestDatabase_GraphsPersist(t *testing.T) {
	dir := t.TempDir()
	open := func() *blueprints.Database {
		s, err := pebble.Open(dir, pebble.Options{Layout: table.Layout, DiskReserve: -1, BallastBytes: -1})
		if err != nil {
			t.Fatal(err)
		}
		db, err := blueprints.Open(s, blueprints.DatabaseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	db := open()
	g, err := db.CreateGraph("one", blueprints.Options{VertexIDs: ids.Long, DefaultCardinality: "list", Isolation: storage.SnapshotIsolation})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.CreateGraph("one", blueprints.Options{}); !errors.Is(err, blueprints.ErrGraphExists) {
		t.Errorf("second graph one: %v", err)
	}
	if _, err := db.CreateGraph("two", blueprints.Options{}); err != nil {
		t.Fatal(err)
	}
	update(t, g, func(tx *blueprints.Tx) error { addVertex(t, tx, "a", "k", 1); return nil })
	if err := db.DropGraph("two"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = open()
	defer db.Close()
	if names := db.GraphNames(); len(names) != 1 || names[0] != "one" {
		t.Fatalf("graphs %v", names)
	}
	if g, err = db.Graph("one"); err != nil {
		t.Fatal(err)
	}
	if o := g.Options(); o.VertexIDs != ids.Long || o.DefaultCardinality != "list" || o.Isolation != storage.SnapshotIsolation {
		t.Errorf("options %+v", o)
	}
	if _, err := db.Graph("two"); !errors.Is(err, blueprints.ErrNoGraph) {
		t.Errorf("graph two: %v", err)
	}
	update(t, g, func(tx *blueprints.Tx) error {
		v := addVertex(t, tx, "a")
		if id := must[value.Value](t)(tx.VertexUserID(v)); id.GoString() != "Long(2)" {
			t.Errorf("the id after a clean stop is %#v: numbers were lost", id)
		}
		return nil
	})
}
