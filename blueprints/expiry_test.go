package blueprints_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/check"
	"github.com/gremlind/gremlind/blueprints/schema"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// ending is an element of the model, and when it and its property k end, 0 for never.
type ending struct {
	class   blueprints.ElementClass
	id      uint64
	end     int64
	has     bool // the property
	propEnd int64
	out, in uint64 // of an edge
}

// endings is a graph beside its model. Its times lie far ahead, where only the test drops.
type endings struct {
	g   *blueprints.Graph
	all []ending
	now int64
}

func (m *endings) time(t *rapid.T) time.Time {
	if rapid.IntRange(0, 3).Draw(t, "never") == 0 {
		return time.Time{}
	}
	return time.UnixMilli(m.now + rapid.Int64Range(1, 5).Draw(t, "in"))
}

func ms(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}

func (m *endings) change(t *rapid.T) {
	next := slices.Clone(m.all)
	noError(t, m.g.Update(ctx, func(tx *blueprints.Tx) error {
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			if err := m.one(t, tx, &next); err != nil {
				return err
			}
		}
		return nil
	}))
	m.all = slices.DeleteFunc(next, func(e ending) bool { return e.id == 0 })
}

func (m *endings) one(t *rapid.T, tx *blueprints.Tx, all *[]ending) error {
	i := rapid.IntRange(-2, len(*all)-1).Draw(t, "element")
	if i < 0 || (*all)[i].id == 0 {
		return m.add(t, tx, all)
	}
	e := &(*all)[i]
	switch rapid.IntRange(0, 4).Draw(t, "what") {
	case 0:
		at := m.time(t)
		e.end = ms(at)
		return tx.Expire(e.class, e.id, at)
	case 1:
		m.forget(*all, i)
		if e.class == blueprints.EdgeClass {
			return tx.RemoveEdge(blueprints.EdgeID((*all)[i].out)) // see forget
		}
		return tx.RemoveVertex(blueprints.VertexID((*all)[i].out))
	case 2:
		return m.unset(tx, e)
	}
	return m.set(t, tx, e)
}

// forget takes an element out of the model, whose number it leaves in out.
func (m *endings) forget(all []ending, i int) {
	e := all[i]
	if e.class == blueprints.VertexClass {
		for k := range all {
			if all[k].class == blueprints.EdgeClass && (all[k].out == e.id || all[k].in == e.id) {
				all[k].id = 0
			}
		}
	}
	all[i].id, all[i].out = 0, e.id
}

func (m *endings) unset(tx *blueprints.Tx, e *ending) error {
	e.has, e.propEnd = false, 0
	if e.class == blueprints.EdgeClass {
		return tx.RemoveEdgeProperty(blueprints.EdgeID(e.id), "k")
	}
	key, _ := tx.Symbol("k")
	ps, err := tx.VertexProperties(nil, blueprints.VertexID(e.id), []blueprints.Symbol{key})
	for i := 0; i < len(ps) && err == nil; i++ {
		err = tx.RemoveVertexProperty(blueprints.VertexID(e.id), ps[i])
	}
	return err
}

// set gives the property another value, which stays unless it is said when it ends.
func (m *endings) set(t *rapid.T, tx *blueprints.Tx, e *ending) error {
	at := m.time(t)
	e.has, e.propEnd = true, ms(at)
	val := value.Int(rapid.Int32Range(0, 3).Draw(t, "value"))
	if e.class == blueprints.EdgeClass {
		err := tx.SetEdgeProperty(blueprints.EdgeID(e.id), "k", val)
		if err == nil && !at.IsZero() {
			err = tx.ExpireEdgeProperty(blueprints.EdgeID(e.id), "k", at)
		}
		return err
	}
	p, err := tx.SetVertexProperty(blueprints.VertexID(e.id), "single", "k", val, value.Null, nil)
	if err == nil && !at.IsZero() {
		err = tx.ExpireVertexProperty(blueprints.VertexID(e.id), p, at)
	}
	if err == nil && rapid.Bool().Draw(t, "meta") { // which leaves the end as it is
		err = tx.SetMetaProperty(blueprints.VertexID(e.id), p, "m", val)
	}
	return err
}

func (m *endings) add(t *rapid.T, tx *blueprints.Tx, all *[]ending) error {
	var ends []uint64
	for _, e := range *all {
		if e.class == blueprints.VertexClass && e.id != 0 {
			ends = append(ends, e.id)
		}
	}
	if len(ends) == 0 || rapid.Bool().Draw(t, "vertex") {
		v, err := tx.AddVertex("p", value.Null)
		*all = append(*all, ending{class: blueprints.VertexClass, id: uint64(v)})
		return err
	}
	out, in := rapid.SampledFrom(ends).Draw(t, "out"), rapid.SampledFrom(ends).Draw(t, "in")
	e, err := tx.AddEdge("q", blueprints.VertexID(out), blueprints.VertexID(in), value.Null)
	*all = append(*all, ending{class: blueprints.EdgeClass, id: uint64(e), out: out, in: in})
	return err
}

// pass lets time go by, and drops what is due.
func (m *endings) pass(t *rapid.T) {
	m.now += rapid.Int64Range(0, 4).Draw(t, "ms")
	_, err := m.g.DropExpired(ctx, time.UnixMilli(m.now))
	noError(t, err)
	for i := range m.all {
		e := &m.all[i]
		if e.id != 0 && e.end != 0 && e.end <= m.now {
			m.forget(m.all, i)
		} else if e.propEnd != 0 && e.propEnd <= m.now {
			e.has, e.propEnd = false, 0
		}
	}
	m.all = slices.DeleteFunc(m.all, func(e ending) bool { return e.id == 0 })
}

func (m *endings) look(t *rapid.T) {
	noError(t, m.g.View(ctx, func(tx *blueprints.Tx) error {
		n, err := tx.VertexCount()
		noError(t, err)
		edges, err := tx.EdgeCount()
		if noError(t, err); int(n+edges) != len(m.all) {
			t.Fatalf("%d vertices and %d edges, want %d", n, edges, len(m.all))
		}
		key, _ := tx.Symbol("k")
		for _, e := range m.all {
			var ok bool
			if e.class == blueprints.EdgeClass {
				_, ok, err = tx.EdgeValue(blueprints.EdgeID(e.id), key)
			} else {
				_, ok, err = tx.VertexValue(blueprints.VertexID(e.id), key)
			}
			if noError(t, err); ok != e.has {
				t.Fatalf("%+v: there is a property: %v", e, ok)
			}
			end := hidden(t, tx, e.class, e.id, "~expires")
			if end.IsNull() != (e.end == 0) || e.end != 0 && end.Time().UnixMilli() != e.end {
				t.Fatalf("%+v ends %v", e, end)
			}
			if got := propertyEnd(t, tx, e.class, e.id, key); got != e.propEnd {
				t.Fatalf("%+v: its property ends %d", e, got)
			}
		}
		return nil
	}))
}

// propertyEnd is when the property of a key of an element ends, 0 for never.
func propertyEnd(t fataler, tx blueprints.View, c blueprints.ElementClass, id uint64, key blueprints.Symbol) int64 {
	sym, ok := tx.Symbol("~expires")
	if !ok {
		return 0
	}
	ps := []blueprints.PropertyEntry{{Key: key}}
	var err error
	if c == blueprints.VertexClass {
		ps, err = tx.VertexProperties(nil, blueprints.VertexID(id), []blueprints.Symbol{key})
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ps {
		if end, ok, err := tx.PropertyHidden(c, id, p, sym); err != nil {
			t.Fatal(err)
		} else if ok {
			return end.Time().UnixMilli()
		}
	}
	return 0
}

// TestExpiry_Rapid: whatever is said of when things end, changed and dropped, what is due goes and
// nothing else does; indexes, history and the list of ends are right; and all stays once the
// feature is lost.
func TestExpiry_Rapid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		store, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
		noError(t, err)
		db, err := blueprints.Open(store, blueprints.DatabaseOptions{})
		noError(t, err)
		defer db.Close()
		o := blueprints.Options{TTL: true, Stamps: rapid.Bool().Draw(t, "stamps"), Isolation: rapid.SampledFrom(levels).Draw(t, "isolation")}
		if rapid.Bool().Draw(t, "history") {
			o.History = blueprints.Forever
		}
		m := &endings{now: time.Now().UnixMilli() + 1<<40}
		m.g, err = db.CreateGraph("g", o)
		noError(t, err)
		noError(t, m.g.CreateKeyIndex(ctx, blueprints.VertexClass, "k"))
		t.Repeat(map[string]func(*rapid.T){
			"change": m.change,
			"pass":   m.pass,
			"lose": func(t *rapid.T) {
				if rapid.IntRange(0, 3).Draw(t, "really") > 0 {
					return
				}
				noError(t, m.g.Lose(ctx, blueprints.TTL))
				for i := range m.all {
					m.all[i].end, m.all[i].propEnd = 0, 0
				}
				m.look(t)
				noError(t, m.g.Gain(ctx, blueprints.TTL))
			},
			"": m.look,
		})
		report, err := check.Run(ctx, m.g)
		if noError(t, err); !report.OK() {
			t.Fatal(report.Problems)
		}
	})
}

// TestExpiry_Worker: what is due goes by itself, also what was said before the server stopped.
func TestExpiry_Worker(t *testing.T) {
	dir := t.TempDir()
	db := openDisk(t, dir)
	g := must[*blueprints.Graph](t)(db.CreateGraph("g", blueprints.Options{TTL: true, History: blueprints.Forever}))
	if err := g.SetLabelTTL(ctx, blueprints.EdgeClass, "e", time.Second); err != nil {
		t.Fatal(err)
	}
	var v blueprints.VertexID
	update(t, g, func(tx *blueprints.Tx) (err error) {
		v = addVertex(t, tx, "p", "name", "x")
		w := addVertex(t, tx, "p")
		if _, err = tx.AddEdge("e", v, w, value.Null); err != nil {
			return err
		}
		return tx.Expire(blueprints.VertexClass, uint64(w), time.Now().Add(time.Second))
	})
	wantCounts(t, g, 2, 1)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = openDisk(t, dir)
	g = must[*blueprints.Graph](t)(db.Graph("g"))
	for end := time.Now().Add(20 * time.Second); ; {
		if n := elementsIn(t, g); n == 1 {
			break
		} else if time.Now().After(end) {
			t.Fatalf("%d elements are there", n)
		}
		<-time.After(20 * time.Millisecond)
	}
	wantSound(t, g)
	view(t, g, func(tx *blueprints.Tx) {
		var last *blueprints.Commit
		err := tx.EachCommit(0, 0, true, func(c *blueprints.Commit) (bool, error) {
			last = c
			return false, nil
		})
		if err != nil || last == nil || last.Author.By != "expiry" {
			t.Errorf("the last commit is %+v, %v", last, err)
		}
	})
}

func wantCounts(t *testing.T, g *blueprints.Graph, vertices, edges int) {
	t.Helper()
	if n := elementsIn(t, g); n != vertices+edges {
		t.Fatalf("%d elements, want %d and %d", n, vertices, edges)
	}
}

func elementsIn(t *testing.T, g *blueprints.Graph) int {
	var n, m int64
	view(t, g, func(tx *blueprints.Tx) {
		n, m = must[int64](t)(tx.VertexCount()), must[int64](t)(tx.EdgeCount())
	})
	return int(n + m)
}

// TestExpiry_Required: what the schema asks for does not expire; where it began to ask later, what
// is due stays, and what is beside it goes.
func TestExpiry_Required(t *testing.T) {
	g := newGraph(t, blueprints.Options{TTL: true})
	soon := time.Now().Add(time.Hour)
	var v, w blueprints.VertexID
	update(t, g, func(tx *blueprints.Tx) error {
		v, w = addVertex(t, tx, "p"), addVertex(t, tx, "p", "name", "y")
		p, err := tx.SetVertexProperty(v, "single", "name", value.String("x"), value.Null, nil)
		if err != nil {
			return err
		}
		return errors.Join(tx.ExpireVertexProperty(v, p, soon), tx.Expire(blueprints.VertexClass, uint64(w), soon))
	})
	_, err := g.ChangeSchema(ctx, func(old *schema.Schema) (*schema.Schema, error) {
		return old.With(value.Of(map[string]any{"vertex": "p", "keys": map[string]any{"name": map[string]any{"required": true}}}))
	})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := g.DropExpired(ctx, soon.Add(time.Second)); n != 1 || err == nil {
		t.Errorf("%d are dropped, %v", n, err)
	}
	if n := elementsIn(t, g); n != 1 {
		t.Errorf("%d are left", n)
	}
	tx := begin(t, g)
	key, _ := tx.Symbol("name")
	ps, err := tx.VertexProperties(nil, v, []blueprints.Symbol{key})
	if err != nil || len(ps) != 1 {
		t.Fatal(ps, err)
	}
	wantText(t, tx.ExpireVertexProperty(v, ps[0], soon), "Label p: key name is required, and so cannot expire")
	wantSound(t, g)
}

// TestTTL_Parse: texts of durations, and others.
func TestTTL_Parse(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"PT2S": 2 * time.Second, "P1D": 24 * time.Hour, "PT1.5S": 1500 * time.Millisecond, "PT30M": 30 * time.Minute,
		"soon": 0, "PT0.5S": 0, "PT0S": 0, "PT-5S": 0, "P40000D": 0, "PT9223372036854775807S": 0, "": 0,
	} {
		if d, err := blueprints.ParseTTL(value.String(text)); d != want || (err == nil) != (want != 0) {
			t.Errorf("%s: %v, %v", text, d, err)
		}
	}
	_, err := blueprints.ParseTTL(value.String("soon"))
	wantText(t, err, "ttl 'soon': want an ISO-8601 duration of at least one second")
	_, err = blueprints.ParseTTL(value.Int(5))
	wantText(t, err, "ttl 5: want an ISO-8601 duration of at least one second")
	if d, err := blueprints.ParseTTLOrEnd(value.String("PT0S")); d != 0 || err != nil {
		t.Error(d, err)
	}
}
