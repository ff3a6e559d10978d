package check_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/check"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

var ctx = context.Background()

// sample is a graph with one of everything.
type sample struct {
	g    *blueprints.Graph
	a, b blueprints.VertexID
	e    blueprints.EdgeID
}

func newSample(t *testing.T) sample {
	t.Helper()
	s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	db, err := blueprints.Open(s, blueprints.DatabaseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	g, err := db.CreateGraph("sample", blueprints.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x := sample{g: g}
	for _, err := range []error{
		g.CreateKeyIndex(ctx, blueprints.VertexClass, "name"),
		g.CreateKeyIndex(ctx, blueprints.EdgeClass, "weight"),
		g.CreateIndex(ctx, "people", blueprints.VertexClass),
		g.Update(ctx, x.fill),
		declare(g, blueprints.IndexSpec{Name: "both", Class: blueprints.VertexClass, Label: "person", Keys: []string{"name", "weight"}}),
		declare(g, blueprints.IndexSpec{Name: "one", Class: blueprints.VertexClass, Keys: []string{"name"}, Unique: true}),
		declare(g, blueprints.IndexSpec{Name: "of", Class: blueprints.EdgeClass, Label: "owns", Keys: []string{"weight"}, Direction: "BOTH"}),
		declare(g, blueprints.IndexSpec{Name: "text", Class: blueprints.VertexClass, Keys: []string{"name"}, Analyzer: "trigram"}),
		declare(g, blueprints.IndexSpec{Name: "geo", Class: blueprints.VertexClass, Keys: []string{"where"}, Analyzer: "geo"}),
		declare(g, blueprints.IndexSpec{Name: "words", Class: blueprints.VertexClass, Keys: []string{"name"}, Analyzer: "words"}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return x
}

func declare(g *blueprints.Graph, s blueprints.IndexSpec) error {
	i, err := g.DeclareIndex(ctx, ctx, s)
	if err == nil && i.State != "ACTIVE" {
		err = fmt.Errorf("%+v", i)
	}
	return err
}

func (x *sample) fill(tx *blueprints.Tx) (err error) {
	if x.a, err = tx.AddVertex("person", value.Null); err != nil {
		return err
	}
	if x.b, err = tx.AddVertex("dog", value.String("rex")); err != nil {
		return err
	}
	if x.e, err = tx.AddEdge("owns", x.a, x.b, value.Null); err != nil {
		return err
	}
	for _, card := range []string{"single", "list", "list"} {
		meta := []value.Property{{Key: "since", Value: value.Int(2010)}}
		if _, err = tx.SetVertexProperty(x.a, card, "name", value.String("marko"), value.Null, meta); err != nil {
			return err
		}
	}
	if err = tx.SetEdgeProperty(x.e, "weight", value.Double(0.5)); err != nil {
		return err
	}
	people, err := tx.Index("people", 0)
	if err != nil {
		return err
	}
	return people.Put("nick", value.String("okram"), uint64(x.a))
}

// damage changes the store behind the graph's back.
func (x *sample) damage(t *testing.T, fn func(tx storage.Tx) error) {
	t.Helper()
	tx, err := x.g.Store().Begin(ctx, storage.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Close()
	if err := fn(tx); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Commit(ctx); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, g *blueprints.Graph) check.Report {
	t.Helper()
	r, err := check.Run(ctx, g)
	if err != nil {
		t.Fatal(err)
	}
	slow, err := check.LookUp(ctx, g)
	if err != nil {
		t.Fatal(err)
	}
	if r.OK() != slow.OK() || r.Entries != slow.Entries {
		t.Fatalf("reported %+v, looking everything up finds %+v", r, slow)
	}
	return r
}

// TestRun_EveryKey removes each key of a graph, changes its value, and gives it that of
// the key behind: what looking everything up finds, adding up must find.
func TestRun_EveryKey(t *testing.T) {
	keys, values := cells(t, newSample(t))
	for i, key := range keys {
		last := max(len(values[i]), 1) - 1
		for _, val := range [][]byte{nil, append(bytes.Clone(values[i]), 7), append(bytes.Clone(values[i][:last]), 0), values[(i+1)%len(keys)]} {
			x := newSample(t)
			x.damage(t, func(tx storage.Tx) error {
				if val == nil {
					return tx.Delete(key)
				}
				return tx.Set(key, val)
			})
			run(t, x.g)
		}
	}
}

// TestRun_Exchanged lets each key of a graph exchange its value with the one behind it:
// as many cells stand there as before.
func TestRun_Exchanged(t *testing.T) {
	keys, values := cells(t, newSample(t))
	for i := range len(keys) - 1 {
		x := newSample(t)
		x.damage(t, func(tx storage.Tx) error {
			return errors.Join(tx.Set(keys[i], values[i+1]), tx.Set(keys[i+1], values[i]))
		})
		run(t, x.g)
	}
}

// cells returns the keys of a graph and their values.
func cells(t *testing.T, x sample) (keys, values [][]byte) {
	t.Helper()
	snap, err := x.g.Store().Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	from := table.AppendGraph(nil, x.g.Number())
	it := snap.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from)})
	defer it.Close()
	for it.Next() {
		keys, values = append(keys, bytes.Clone(it.Key())), append(values, bytes.Clone(it.Value()))
	}
	if it.Err() != nil || len(keys) < 25 {
		t.Fatalf("%d keys, %v", len(keys), it.Err())
	}
	return keys, values
}

func TestRun_SoundGraph(t *testing.T) {
	x := newSample(t)
	r := run(t, x.g)
	var text strings.Builder
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	if !r.OK() || r.Vertices != 2 || r.Edges != 1 || r.Properties != 4 || r.Entries != 11 {
		t.Errorf("%s", text.String())
	}
	if !strings.Contains(text.String(), "no problems") {
		t.Errorf("%s", text.String())
	}
	if _, settled, err := check.AddUp(ctx, x.g); !settled || err != nil {
		t.Errorf("adding up is not enough: %v", err)
	}
	if err := x.g.Update(ctx, func(tx *blueprints.Tx) error { return tx.RemoveVertex(x.a) }); err != nil {
		t.Fatal(err)
	}
	if r = run(t, x.g); !r.OK() || r.Vertices != 1 || r.Entries != 0 {
		t.Errorf("after a removal: %+v", r)
	}
}

// keys of the sample's cells.
func (x *sample) keys() map[string][]byte {
	n, a, b, e := x.g.Number(), uint64(x.a), uint64(x.b), uint64(x.e)
	form, _, _ := value.AppendOrdered(nil, value.String("marko"))
	weight, _, _ := value.AppendOrdered(nil, value.Double(0.5))
	nick, _, _ := value.AppendOrdered(nil, value.String("okram"))
	o := x.g.Options()
	id, _ := o.AppendIDRow(nil, blueprints.VertexClass, value.String("rex"))
	const name, weightSym, person, dog, owns, since, nickSym = 1, 2, 3, 4, 5, 6, 7
	entry := table.KeyIndex{Graph: n, Class: table.VertexClass, Key: name, Value: form, Element: a}
	edgeEntry := table.KeyIndex{Graph: n, Class: table.EdgeClass, Key: weightSym, Value: weight, Element: e}
	named := table.NamedEntry{Graph: n, Index: 1, Key: nickSym, Value: nick, Element: a}
	adj := table.Adjacency{Graph: n, Vertex: a, Direction: table.OutEdge, Label: owns, Edge: e, Other: b}
	back := table.Adjacency{Graph: n, Vertex: b, Direction: table.InEdge, Label: owns, Edge: e, Other: a}
	return map[string][]byte{
		"vertex":        table.AppendVertexExists(nil, n, a),
		"property":      table.AppendVertexProperty(nil, table.VertexProperty{Graph: n, Vertex: a, Key: name, Ordinal: 1}),
		"edge":          table.AppendEdgeExists(nil, n, e),
		"edge property": table.AppendEdgeProperty(nil, table.EdgeProperty{Graph: n, Edge: e, Key: weightSym}),
		"out":           table.AppendAdjacency(nil, adj),
		"in":            table.AppendAdjacency(nil, back),
		"vertex label":  table.AppendLabel(nil, table.Label{Graph: n, Class: table.VertexClass, Label: person, Element: a}),
		"edge label":    table.AppendLabel(nil, table.Label{Graph: n, Class: table.EdgeClass, Label: owns, Element: e}),
		"id":            table.AppendUserID(nil, n, table.VertexClass, id),
		"entry":         table.AppendKeyIndex(nil, entry),
		"owned":         table.AppendKeyOwned(nil, entry),
		"edge entry":    table.AppendKeyIndex(nil, edgeEntry),
		"edge owned":    table.AppendKeyOwned(nil, edgeEntry),
		"named":         table.AppendNamedEntry(nil, named),
		"named owned":   table.AppendNamedOwnedEntry(nil, named),
		"counter":       table.AppendCounter(nil, table.Counter{Graph: n, Kind: table.VertexCount}),
		"label counter": table.AppendCounter(nil, table.Counter{Graph: n, Kind: table.EdgeCount, Symbol: owns}),
		"symbol":        table.AppendSymbol(nil, n, owns),
		"symbol name":   table.AppendSymbolName(nil, n, "name"),
		"vertex ids":    table.AppendMeta(nil, n, "sequence/vertex"),
		"edge ids":      table.AppendMeta(nil, n, "sequence/edge"),
		"numbers":       table.AppendMeta(nil, n, "sequence/number"),
		"definition":    table.AppendIndexDefinition(nil, table.IndexDefinition{Graph: n, Family: table.IndexKey, Class: table.VertexClass, Name: "name"}),
		"named index":   table.AppendIndexDefinition(nil, table.IndexDefinition{Graph: n, Family: table.IndexName, Name: "people"}),
		"cursor":        table.AppendIndexDefinition(nil, table.IndexDefinition{Graph: n, Family: table.IndexCursor, Class: table.VertexClass, Name: "name"}),
	}
}

// Every kind of damage is reported, under its invariant.
func TestRun_Damage(t *testing.T) {
	one := binary.BigEndian.AppendUint64(nil, 1)
	none := binary.BigEndian.AppendUint64(nil, 0)
	cell := func(c blueprints.VertexCell) []byte { b, _ := blueprints.AppendVertexCell(nil, c); return b }
	edge := func(c blueprints.EdgeCell) []byte { b, _ := blueprints.AppendEdgeCell(nil, c); return b }
	prop := func(c blueprints.PropertyCell) []byte { b, _ := blueprints.AppendPropertyCell(nil, c); return b }
	weight, _ := value.AppendMsgpack(nil, value.Double(0.75))
	tests := []struct {
		name, key string
		val       []byte // nil: delete
		want      string
	}{
		{"vertex gone", "vertex", nil, "I3"},
		{"vertex garbled", "vertex", []byte{0xff}, "I1"},
		{"vertex with another label", "vertex", cell(blueprints.VertexCell{Label: 4, ID: value.Long(0)}), "I5"},
		{"vertex with another id", "vertex", cell(blueprints.VertexCell{Label: 3, ID: value.Long(77)}), "I6"},
		{"vertex with an unnamed label", "vertex", cell(blueprints.VertexCell{Label: 99, ID: value.Long(0)}), "I11"},
		{"property gone: two more equal ones hold the entry, and words are counted", "property", nil, "I4"},
		{"property changed", "property", prop(blueprints.PropertyCell{Number: 3, Value: value.String("x")}), "I4"},
		{"property of another type", "property", prop(blueprints.PropertyCell{Number: 3, Value: value.Int(1)}), "I4"},
		{"property garbled", "property", []byte{1, 0xf0}, "I1"},
		{"property numbered beyond the sequence", "property", prop(blueprints.PropertyCell{Number: 1 << 40, Value: value.String("marko")}), "I8"},
		{"meta-property of an unnamed key", "property", prop(blueprints.PropertyCell{Number: 3, Value: value.String("marko"), Meta: []blueprints.MetaCell{{Key: 99}}}), "I11"},
		{"edge gone", "edge", nil, "I2"},
		{"edge to another vertex", "edge", edge(blueprints.EdgeCell{Label: 5, Out: 1, In: 1, ID: value.Long(2)}), "I2"},
		{"edge to no vertex", "edge", edge(blueprints.EdgeCell{Label: 5, Out: 1, In: 9, ID: value.Long(2)}), "I3"},
		{"edge with another label", "edge", edge(blueprints.EdgeCell{Label: 3, Out: 1, In: 2, ID: value.Long(2)}), "I5"},
		{"edge property changed", "edge property", weight, "I4"},
		{"edge property garbled", "edge property", []byte{0xc1}, "I1"},
		{"edge property gone", "edge property", nil, "I4"},
		{"out entry gone", "out", nil, "I2"},
		{"in entry gone", "in", nil, "I2"},
		{"adjacency of another version", "in", []byte{9}, "I1"},
		{"label row gone", "vertex label", nil, "I5"},
		{"edge label row gone", "edge label", nil, "I5"},
		{"id row gone", "id", nil, "I6"},
		{"id row of another vertex", "id", one, "I6"},
		{"index entry gone", "entry", nil, "I4"},
		{"reverse row gone", "owned", nil, "I4"},
		{"edge index entry gone", "edge entry", nil, "I4"},
		{"edge reverse row gone", "edge owned", nil, "I4"},
		{"named entry gone", "named", nil, "I4"},
		{"named reverse row gone", "named owned", nil, "I4"},
		{"named entry garbled", "named", []byte{0xc1}, "I1"},
		{"counter off", "counter", one, "I7"},
		{"label counter gone", "label counter", nil, "I7"},
		{"symbol without a name", "symbol", nil, "I11"},
		{"symbol under another name", "symbol", []byte("x"), "I11"},
		{"name without a symbol", "symbol name", nil, "I11"},
		{"vertex ids handed out again", "vertex ids", one, "I8"},
		{"edge ids handed out again", "edge ids", none, "I8"},
		{"numbers handed out again", "numbers", one, "I8"},
		{"index without a definition", "definition", nil, "I10"},
		{"definition garbled", "definition", []byte("{"), "I9"},
		{"definition of another key", "definition", []byte(`{"state":"ACTIVE","class":"vertex","symbol":3}`), "I9"},
		{"definition in an unknown state", "definition", []byte(`{"state":"ODD","class":"vertex","symbol":1}`), "I9"},
		{"named index without a definition", "named index", nil, "I10"},
		{"a builder's place left over", "cursor", one, "I9"},
		{"unknown table", "\x00\x00\x00\x01\x7f", one, "I1"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			x := newSample(t)
			key, ok := x.keys()[c.key]
			if !ok {
				key = []byte(c.key)
			}
			x.damage(t, func(tx storage.Tx) error {
				if _, err := tx.Get(key); ok && c.key != "cursor" && err != nil {
					t.Fatalf("the sample has no %s: %v", c.key, err)
				}
				if c.val == nil {
					return tx.Delete(key)
				}
				return tx.Set(key, c.val)
			})
			r := run(t, x.g)
			if c.want == "" {
				if !r.OK() {
					t.Errorf("reported %v", r.Problems)
				}
				return
			}
			for _, p := range r.Problems {
				if p.Invariant == c.want {
					return
				}
			}
			t.Errorf("want %s, reported %v", c.want, r.Problems)
		})
	}
}

func TestInspector(t *testing.T) {
	x := newSample(t)
	snap, err := x.g.Store().Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	var out bytes.Buffer
	n, err := check.NewInspector(snap).Print(&out, nil, nil, 0)
	if err != nil || n < 25 {
		t.Errorf("%d lines, %v", n, err)
	}
	for _, want := range []string{
		`String(marko), number`, `label #5 "owns", 1 -> 2`, `graph "sample" in the catalog`, `#1 "name", value String(marko)`,
		`"state":"` + string(keyindex.Active), `#6 "since": Integer(2010)`,
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	out.Reset()
	if n, err = check.NewInspector(snap).Print(&out, nil, nil, 3); n != 3 || err != nil {
		t.Errorf("%d lines, %v", n, err)
	}
}

// TestPairs: equal ids that an older program took are no contradiction, and are listed.
func TestPairs(t *testing.T) {
	x := newSample(t)
	o := x.g.Options()
	var cell []byte
	if err := x.g.Update(ctx, func(tx *blueprints.Tx) error {
		label, _ := tx.Symbol("dog")
		for _, id := range []value.Value{value.Long(101), value.Int(102)} {
			if _, err := tx.AddVertex("dog", id); err != nil {
				return err
			}
		}
		var err error
		cell, err = blueprints.AppendVertexCell(nil, blueprints.VertexCell{Label: label, ID: value.Int(101)})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if r := run(t, x.g); !r.OK() || r.Noted != 0 {
		t.Fatalf("%v %v", r.Problems, r.Notes)
	}
	row := func(id value.Value) []byte {
		b, err := o.AppendIDRow(table.AppendUserID(nil, x.g.Number(), table.VertexClass, nil), blueprints.VertexClass, id)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	var v blueprints.VertexID
	if err := x.g.View(ctx, func(tx *blueprints.Tx) (err error) { v, _, err = tx.FindVertex(value.Int(102)); return err }); err != nil {
		t.Fatal(err)
	}
	x.damage(t, func(tx storage.Tx) error {
		return errors.Join(tx.Delete(row(value.Int(102))), tx.Set(row(value.Int(101)), binary.BigEndian.AppendUint64(nil, uint64(v))),
			tx.Set(table.AppendVertexExists(nil, x.g.Number(), uint64(v)), cell))
	})
	r := run(t, x.g)
	if !r.OK() || r.Noted != 1 || !strings.Contains(r.Notes[0].String(), "its id Integer(101) is equal to Long(101), the id of vertex ") {
		t.Errorf("%v %v", r.Problems, r.Notes)
	}
	var out strings.Builder
	if err := r.Write(&out); err != nil || !strings.Contains(out.String(), "1 notes") || !strings.Contains(out.String(), "no problems") {
		t.Errorf("%v %s", err, out.String())
	}
	if err := x.g.View(ctx, func(tx *blueprints.Tx) error { // each is found by its exact form
		for _, id := range []value.Value{value.Long(101), value.Int(101)} {
			found, ok, err := tx.FindVertex(id)
			if own, _ := tx.VertexUserID(found); err != nil || !ok || !value.Identical(own, id) {
				t.Errorf("%#v: %#v, %v, %v", id, own, ok, err)
			}
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}
