package blueprints_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/check"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// TestLoad_Counters: what a load brings under keys that are counters can be counted on.
func TestLoad_Counters(t *testing.T) {
	from, v, e := counted(t, blueprints.Options{})
	update(t, from, func(tx *blueprints.Tx) error {
		increment(t, tx, v, "views", 3)
		return tx.Increment(blueprints.EdgeClass, uint64(e), "hits", 4)
	})
	defined := must[*blueprints.Definitions](t)(from.Definitions(ctx))
	g := newGraph(t, blueprints.Options{})
	for range 2 { // the second finds all of it
		if err := g.Define(ctx, defined); err != nil {
			t.Fatal(err)
		}
	}
	person := func(id int, props ...blueprints.PropertyRecord) blueprints.VertexRecord {
		return blueprints.VertexRecord{ID: value.Of(id), Label: "person", Properties: props}
	}
	prop := func(key string, v any) blueprints.PropertyRecord {
		return blueprints.PropertyRecord{Key: key, Value: value.Of(v)}
	}
	views, age := prop("views", 3), prop("age", 29)
	meta := views
	meta.Meta = []value.Property{{Key: "m", Value: value.Int(1)}}
	var ids []blueprints.VertexID
	_, err := load.Graph(ctx, g, load.Options{}, func(sink blueprints.RecordSink) error {
		for i, r := range []blueprints.VertexRecord{
			person(1, views, age), person(2, age), person(3, prop("zip", "x"), prop("views", int64(-1)), prop("age", 1)),
			{ID: value.Of(4), Label: "software", Properties: []blueprints.PropertyRecord{prop("views", "x"), prop("views", 2)}},
		} {
			if err := sink.Vertex(&r); err != nil {
				t.Error(i, err)
			}
		}
		for want, r := range map[string]blueprints.VertexRecord{
			"it takes a whole number": person(5, prop("views", "x")), "has one value": person(6, views, views), "no properties of its own": person(7, meta),
		} {
			if err := sink.Vertex(&r); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		}
		return sink.Edge(&blueprints.EdgeRecord{ID: value.Of(9), Label: "knows", Out: value.Of(1), In: value.Of(2), Properties: []blueprints.PropertyRecord{prop("hits", 7), prop("a", 1)}})
	})
	if err != nil {
		t.Fatal(err)
	}
	wantSound(t, g)
	update(t, g, func(tx *blueprints.Tx) error {
		ids = vertices(t, tx.Vertices())
		for _, v := range ids[:3] {
			increment(t, tx, v, "views", 10)
		}
		if err := tx.Increment(blueprints.VertexClass, uint64(ids[3]), "views", 1); err == nil {
			t.Error("a property of another label counts")
		}
		e, _, err := tx.FindEdge(value.Of(9))
		if err != nil {
			return err
		}
		hits, _ := tx.Symbol("hits")
		val, _, err := tx.EdgeValue(e, hits)
		if javaText(val) != "7L" {
			t.Errorf("hits %v", val)
		}
		return err
	})
	view(t, g, func(tx *blueprints.Tx) {
		for i, want := range []string{"13L", "10L", "9L"} {
			if got := valueOf(t, tx, ids[i], "views"); got != want {
				t.Errorf("%d: %s, want %s", i, got, want)
			}
		}
	})
	wantSound(t, g)
}

// TestRun_CounterDamage: the checker finds what is wrong with counters, and inspect shows
// their cells.
func TestRun_CounterDamage(t *testing.T) {
	for name, c := range map[string]struct {
		want   string
		damage func(tx storage.Tx, g uint32, v uint64, person, views, age uint32) error
	}{
		"garbled": {"I1", func(tx storage.Tx, g uint32, v uint64, person, views, age uint32) error {
			return tx.Set(table.AppendElementCounter(nil, table.ElementCounter{Graph: g, Class: table.VertexClass, Element: v, Key: views}), []byte{1})
		}},
		"not declared": {"I16", func(tx storage.Tx, g uint32, v uint64, person, views, age uint32) error {
			return tx.Delete(table.AppendCounterKey(nil, table.CounterKey{Graph: g, Class: table.VertexClass, Label: person, Key: views}))
		}},
		"an interval without a sum": {"I16", func(tx storage.Tx, g uint32, v uint64, person, views, age uint32) error {
			return tx.Delete(table.AppendElementCounter(nil, table.ElementCounter{Graph: g, Class: table.VertexClass, Element: v, Key: views}))
		}},
		"beside a property": {"I16", func(tx storage.Tx, g uint32, v uint64, person, views, age uint32) error {
			if err := tx.Set(table.AppendCounterKey(nil, table.CounterKey{Graph: g, Class: table.VertexClass, Label: person, Key: age}), []byte{1}); err != nil {
				return err
			}
			return tx.Set(table.AppendElementCounter(nil, table.ElementCounter{Graph: g, Class: table.VertexClass, Element: v, Key: age}), storage.AppendCount(nil, 1))
		}},
		"a key without a name": {"I11", func(tx storage.Tx, g uint32, v uint64, person, views, age uint32) error {
			return tx.Set(table.AppendCounterKey(nil, table.CounterKey{Graph: g, Class: table.VertexClass, Label: person, Key: 99}), []byte{1})
		}},
	} {
		g, v, _ := counted(t, blueprints.Options{})
		var person, views, age blueprints.Symbol
		update(t, g, func(tx *blueprints.Tx) error {
			at := blueprints.Day.At(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
			err := tx.Increment(blueprints.VertexClass, uint64(v), "views", 3, at)
			person, _ = tx.Symbol("person")
			views, _ = tx.Symbol("views")
			age, _ = tx.Symbol("age")
			return err
		})
		wantSound(t, g)
		tx := must[storage.Tx](t)(g.Store().Begin(ctx, storage.TxOptions{}))
		if err := c.damage(tx, g.Number(), uint64(v), uint32(person), uint32(views), uint32(age)); err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Commit(ctx); err != nil {
			t.Fatal(err)
		}
		r := must[check.Report](t)(check.Run(ctx, g))
		if r.OK() || r.Problems[0].Invariant != c.want {
			t.Errorf("%s: %+v", name, r.Problems)
		}
	}
	g, v, _ := counted(t, blueprints.Options{})
	update(t, g, func(tx *blueprints.Tx) error { increment(t, tx, v, "views", 3); return nil })
	snap := must[storage.Snapshot](t)(g.Store().Snapshot())
	defer snap.Close()
	var out strings.Builder
	if _, err := check.NewInspector(snap).Print(&out, nil, nil, 1000); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`COUNTER #`, ` "views" of graph 1 -> 3`, `definition of counter #`, `-> version 1`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}
