package blueprints_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/check"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// fataler is a test or a rapid.T.
type fataler interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// hidden returns what a hidden key says of an element, Null for nothing, by all ways to read it,
// which have to agree.
func hidden(t fataler, tx blueprints.View, c blueprints.ElementClass, id uint64, key string) value.Value {
	t.Helper()
	sym, ok := tx.Symbol(key)
	if !ok {
		return value.Null
	}
	if name := tx.Name(sym); name != key {
		t.Fatalf("%s is called %q", key, name)
	}
	one := func(v value.Value, ok bool, err error) value.Value {
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return value.Null
		}
		return v
	}
	var entries []blueprints.PropertyEntry
	var val value.Value
	var err error
	if c == blueprints.EdgeClass {
		val = one(tx.EdgeValue(blueprints.EdgeID(id), sym))
		entries, err = tx.EdgeProperties(nil, blueprints.EdgeID(id), []blueprints.Symbol{sym})
	} else {
		v := blueprints.VertexID(id)
		val = one(tx.VertexValue(v, sym))
		entries, err = tx.VertexProperties(nil, v, []blueprints.Symbol{sym})
		many, ends, merr := tx.VertexValues(nil, nil, []blueprints.VertexID{v, v}, sym)
		if merr != nil || len(ends) != 2 || (len(many) == 2) != !val.IsNull() || len(many) == 2 && !value.Equal(many[1], val) {
			t.Fatalf("of many vertices: %v, %v, %v, not %v", many, ends, merr, val)
		}
	}
	if err != nil || (len(entries) == 1) != !val.IsNull() || len(entries) == 1 && !value.Equal(entries[0].Value, val) {
		t.Fatalf("as properties: %v, %v, not %v", entries, err, val)
	}
	return val
}

// version is the version of the last change of a vertex, 0 for none.
func version(t fataler, tx blueprints.View, v blueprints.VertexID) int64 {
	t.Helper()
	if x := hidden(t, tx, blueprints.VertexClass, uint64(v), "~version"); !x.IsNull() {
		return x.Int64()
	}
	return 0
}

func newVertex(t testing.TB, g *blueprints.Graph) (v blueprints.VertexID) {
	t.Helper()
	update(t, g, func(tx *blueprints.Tx) (err error) {
		v, err = tx.AddVertex("p", value.Null)
		return err
	})
	return v
}

// TestStamps_TwoWriters: two who change different properties of a vertex both commit, and the
// later one is who changed it; who read when that was conflicts with them, where reads are
// validated.
func TestStamps_TwoWriters(t *testing.T) {
	for _, isolation := range levels {
		g := newGraph(t, blueprints.Options{Stamps: true, Isolation: isolation})
		v := newVertex(t, g)
		update(t, g, func(tx *blueprints.Tx) error { // the names are there
			for _, key := range []string{"a", "b"} {
				if _, err := tx.Intern(key); err != nil {
					return err
				}
			}
			return nil
		})
		one, two, reader := begin(t, g), begin(t, g), begin(t, g)
		version(t, reader, v)
		for i, tx := range []*blueprints.Tx{one, two} {
			if _, err := tx.SetVertexProperty(v, "", []string{"a", "b"}[i], value.Int(1), value.Null, nil); err != nil {
				t.Fatal(err)
			}
			if err := tx.Commit(ctx); err != nil {
				t.Fatalf("isolation %d: writer %d: %v", isolation, i, err)
			}
		}
		if _, err := reader.AddVertex("p", value.Null); err != nil {
			t.Fatal(err)
		}
		if err := reader.Commit(ctx); (err != nil) != (isolation == storage.StrictSerializable) {
			t.Errorf("isolation %d: who read it: %v", isolation, err)
		}
		wantSound(t, g)
	}
}

// TestStamps_SameValue: what is written over itself has changed nothing, neither where stamps are
// cells nor where history tells them.
func TestStamps_SameValue(t *testing.T) {
	for name, o := range map[string]blueprints.Options{
		"stamps": {Stamps: true}, "history": {History: blueprints.Forever}, "both": {Stamps: true, History: blueprints.Forever},
		"snapshot": {Stamps: true, Isolation: storage.SnapshotIsolation},
	} {
		g := newGraph(t, o)
		v, w := newVertex(t, g), newVertex(t, g)
		var e blueprints.EdgeID
		set := func(tx *blueprints.Tx, n int32, meta ...value.Property) {
			t.Helper()
			if _, err := tx.SetVertexProperty(v, "single", "n", value.Int(n), value.Null, meta); err != nil {
				t.Fatal(err)
			}
			if err := tx.SetEdgeProperty(e, "n", value.Int(n)); err != nil {
				t.Fatal(err)
			}
		}
		update(t, g, func(tx *blueprints.Tx) (err error) {
			e, err = tx.AddEdge("e", v, w, value.Null)
			set(tx, 1)
			return err
		})
		for i, row := range []struct {
			do      func(tx *blueprints.Tx)
			changes bool
		}{
			{func(tx *blueprints.Tx) { set(tx, 1) }, false},
			{func(tx *blueprints.Tx) { set(tx, 2); set(tx, 1) }, false},
			{func(tx *blueprints.Tx) { set(tx, 2) }, true},
			{func(tx *blueprints.Tx) { _ = tx.RemoveEdgeProperty(e, "n"); set(tx, 2) }, false},
			{func(tx *blueprints.Tx) { set(tx, 2, value.Property{Key: "m", Value: value.Int(1)}); set(tx, 3) }, true},
			{func(tx *blueprints.Tx) { _ = tx.RemoveEdgeProperty(e, "none"); set(tx, 3) }, false},
		} {
			versions := func() (at [2]int64) {
				view(t, g, func(tx *blueprints.Tx) {
					for k, c := range []blueprints.ElementClass{blueprints.VertexClass, blueprints.EdgeClass} {
						at[k] = hidden(t, tx, c, []uint64{uint64(v), uint64(e)}[k], "~version").Int64()
					}
				})
				return at
			}
			was := versions()
			update(t, g, func(tx *blueprints.Tx) error {
				row.do(tx)
				if own := hidden(t, tx, blueprints.VertexClass, uint64(v), "~version"); !own.IsNull() {
					t.Errorf("%s: %d: of what the transaction wrote the version is %v", name, i, own)
				}
				return nil
			})
			if is := versions(); is[0] != was[0] != row.changes || is[1] != was[1] != row.changes {
				t.Errorf("%s: %d: versions were %v and are %v", name, i, was, is)
			}
		}
		wantSound(t, g)
	}
}

// stampedElement is an element of the model: the commits that added and changed it.
type stampedElement struct {
	class          blueprints.ElementClass
	id             uint64
	added, changed storage.Stamp
	out, in        uint64 // of an edge
}

// stampedGraph is a graph beside its model.
type stampedGraph struct {
	*rapid.T
	g     *blueprints.Graph
	all   []stampedElement
	floor storage.Stamp // since when it has stamps, 0 for none
	n     int64
	was   map[storage.Stamp][]stampedElement
}

func (m *stampedGraph) last() storage.Stamp {
	snap, err := m.g.Store().Snapshot()
	noError(m.T, err)
	defer snap.Close()
	b, _ := snap.Get(table.Layout.Stamp)
	n, _ := storage.Count(b)
	return storage.Stamp(n)
}

// commit makes some changes in one commit.
func (m *stampedGraph) commit(t *rapid.T) {
	next := append([]stampedElement{}, m.all...)
	touched := map[int]bool{}
	noError(t, m.g.Update(ctx, func(tx *blueprints.Tx) error {
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			if err := m.change(t, tx, &next, touched); err != nil {
				return err
			}
		}
		return nil
	}))
	at := max(m.last(), 1) // there are none without a feature
	m.all = m.all[:0]
	for i, e := range next {
		if e.id == 0 { // dropped
			continue
		}
		if e.added == 0 {
			e.added, e.changed = at, at
		} else if touched[i] {
			e.changed = at
		}
		m.all = append(m.all, e)
	}
	if m.was != nil {
		m.was[at] = append([]stampedElement{}, m.all...)
	}
}

func (m *stampedGraph) change(t *rapid.T, tx *blueprints.Tx, next *[]stampedElement, touched map[int]bool) error {
	m.n++
	i := rapid.IntRange(-2, len(*next)-1).Draw(t, "element")
	if i < 0 || (*next)[i].id == 0 {
		return m.add(t, tx, next)
	}
	e := &(*next)[i]
	if rapid.IntRange(0, 6).Draw(t, "drop") == 0 {
		return dropElement(tx, *next, i)
	}
	touched[i] = true
	if e.class == blueprints.EdgeClass {
		return tx.SetEdgeProperty(blueprints.EdgeID(e.id), "k", value.Long(m.n))
	}
	p, err := tx.SetVertexProperty(blueprints.VertexID(e.id), "list", "k", value.Long(m.n), value.Null, nil)
	if err == nil && rapid.Bool().Draw(t, "remove") {
		err = tx.RemoveVertexProperty(blueprints.VertexID(e.id), p)
	}
	if err == nil {
		_, err = tx.SetVertexProperty(blueprints.VertexID(e.id), "single", "l", value.Long(m.n), value.Null, nil)
	}
	return err
}

func (m *stampedGraph) add(t *rapid.T, tx *blueprints.Tx, next *[]stampedElement) error {
	var ends []uint64
	for _, e := range *next {
		if e.class == blueprints.VertexClass && e.id != 0 {
			ends = append(ends, e.id)
		}
	}
	if len(ends) == 0 || rapid.Bool().Draw(t, "vertex") {
		v, err := tx.AddVertex("p", value.Null)
		*next = append(*next, stampedElement{class: blueprints.VertexClass, id: uint64(v)})
		return err
	}
	out, in := rapid.SampledFrom(ends).Draw(t, "out"), rapid.SampledFrom(ends).Draw(t, "in")
	e, err := tx.AddEdge("q", blueprints.VertexID(out), blueprints.VertexID(in), value.Null)
	*next = append(*next, stampedElement{class: blueprints.EdgeClass, id: uint64(e), out: out, in: in})
	return err
}

// dropElement removes an element, a vertex with its edges.
func dropElement(tx *blueprints.Tx, all []stampedElement, i int) error {
	e := all[i]
	all[i].id = 0
	if e.class == blueprints.EdgeClass {
		return tx.RemoveEdge(blueprints.EdgeID(e.id))
	}
	for k := range all {
		if all[k].class == blueprints.EdgeClass && (all[k].out == e.id || all[k].in == e.id) {
			all[k].id = 0
		}
	}
	return tx.RemoveVertex(blueprints.VertexID(e.id))
}

// look compares what is read with the model; with cells, what is older than they are has their
// beginning.
func (m *stampedGraph) look(tx *blueprints.Tx, all []stampedElement, floor storage.Stamp, known bool) {
	for _, e := range all {
		added, changed := max(e.added, floor), max(e.changed, floor)
		created, modified, ver := hidden(m, tx, e.class, e.id, "~created"), hidden(m, tx, e.class, e.id, "~modified"), hidden(m, tx, e.class, e.id, "~version")
		if !known {
			if !created.IsNull() || !modified.IsNull() || !ver.IsNull() {
				m.Fatalf("%+v has %v, %v, %v", e, created, modified, ver)
			}
			continue
		}
		if !value.Equal(ver, value.Long(int64(changed))) || !value.Equal(created, value.OffsetDateTime(added.Time().UTC())) || !value.Equal(modified, value.OffsetDateTime(changed.Time().UTC())) {
			m.Fatalf("as of %d: %+v has %v, %v, %v; since %d", tx.AsOf(), e, created, modified, ver, floor)
		}
	}
}

// TestStamps_Rapid: whatever is added, changed and dropped, with cells or from history alone, now
// and as of any time; and cells come and go with the feature.
func TestStamps_Rapid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clock := time.Unix(1_800_000_000, 0)
		store, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true, Now: func() time.Time {
			clock = clock.Add(900 * time.Microsecond)
			return clock
		}})
		noError(t, err)
		db, err := blueprints.Open(store, blueprints.DatabaseOptions{})
		noError(t, err)
		defer db.Close()
		o := blueprints.Options{Stamps: rapid.Bool().Draw(t, "stamps"), Isolation: rapid.SampledFrom(levels).Draw(t, "isolation")}
		m := &stampedGraph{T: t}
		if rapid.Bool().Draw(t, "history") {
			o.History, m.was = blueprints.Forever, map[storage.Stamp][]stampedElement{}
		}
		m.g, err = db.CreateGraph("g", o)
		noError(t, err)
		if o.Stamps {
			m.floor = m.last()
		}
		t.Repeat(map[string]func(*rapid.T){
			"commit": m.commit,
			"on": func(t *rapid.T) {
				if noError(t, m.g.Gain(ctx, blueprints.Stamps)); m.floor == 0 {
					m.floor = m.last()
				}
			},
			"off": func(t *rapid.T) {
				noError(t, m.g.Lose(ctx, blueprints.Stamps))
				m.floor = 0
			},
			"": func(t *rapid.T) {
				noError(t, m.g.View(ctx, func(tx *blueprints.Tx) error {
					m.look(tx, m.all, m.floor, m.floor != 0 || m.was != nil)
					return nil
				}))
				if len(m.was) > 0 {
					at := rapid.SampledFrom(stamps(m.was)).Draw(t, "as of")
					noError(t, m.g.ViewAsOf(ctx, at, func(tx *blueprints.Tx) error {
						m.look(tx, m.was[at], 0, true)
						return nil
					}))
				}
			},
		})
		report, err := check.Run(ctx, m.g)
		if noError(t, err); !report.OK() {
			t.Fatal(report.Problems)
		}
	})
}

func stamps(was map[storage.Stamp][]stampedElement) []storage.Stamp {
	return slices.Sorted(maps.Keys(was))
}

// TestStamps_Own: a transaction sees what it adds and changes as of now, without a version.
func TestStamps_Own(t *testing.T) {
	for _, o := range []blueprints.Options{{Stamps: true}, {History: blueprints.Forever}} {
		g := newGraph(t, o)
		old := newVertex(t, g)
		tx := begin(t, g)
		v, err := tx.AddVertex("p", value.Null)
		if err != nil {
			t.Fatal(err)
		}
		before := version(t, tx, old)
		if _, err := tx.SetVertexProperty(old, "", "k", value.Int(1), value.Null, nil); err != nil {
			t.Fatal(err)
		}
		if before == 0 || version(t, tx, old) != 0 || version(t, tx, v) != 0 {
			t.Errorf("%+v: versions %d, %d, %d", o, before, version(t, tx, old), version(t, tx, v))
		}
		for _, key := range []string{"~created", "~modified"} {
			if x := hidden(t, tx, blueprints.VertexClass, uint64(v), key); time.Since(x.Time()) > time.Minute {
				t.Errorf("%+v: %s is %v", o, key, x)
			}
		}
		if err := tx.RemoveVertex(v); err != nil {
			t.Fatal(err)
		}
		if x := hidden(t, tx, blueprints.VertexClass, uint64(v), "~created"); !x.IsNull() {
			t.Errorf("%+v: it is gone, and was added %v", o, x)
		}
		if err := tx.Commit(ctx); err != nil {
			t.Fatal(err)
		}
		wantSound(t, g)
	}
}

// TestStamps_Hidden: nothing shows them but who asks by name, nobody writes them, and who is denied
// one does not know it.
func TestStamps_Hidden(t *testing.T) {
	g := newGraph(t, blueprints.Options{Stamps: true})
	v := newVertex(t, g)
	tx := begin(t, g)
	all, err := tx.VertexProperties(nil, v, nil)
	if err != nil || len(all) != 0 {
		t.Error(all, err)
	}
	sym, _ := tx.Symbol("~modified")
	ps, err := tx.VertexProperties(nil, v, []blueprints.Symbol{sym})
	if err != nil || len(ps) != 1 {
		t.Fatal(ps, err)
	}
	const refused = "Property key can not be a hidden key: ~modified"
	_, err = tx.SetVertexProperty(v, "", "~modified", value.Int(1), value.Null, nil)
	wantText(t, err, refused)
	wantText(t, tx.RemoveVertexProperty(v, ps[0]), refused)
	wantText(t, tx.SetMetaProperty(v, ps[0], "k", value.Int(1)), refused)
	wantText(t, tx.RemoveEdgeProperty(1, "~modified"), refused)
	denied := tx.Restrict(&blueprints.Restriction{Denied: blueprints.Denied{Keys: []string{"~modified"}}})
	if x := hidden(t, denied, blueprints.VertexClass, uint64(v), "~modified"); !x.IsNull() {
		t.Errorf("what is denied is %v", x)
	}
	if x := hidden(t, denied, blueprints.VertexClass, uint64(v), "~created"); x.IsNull() {
		t.Error("the other is denied too")
	}
}
