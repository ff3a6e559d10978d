package blueprints_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/check"
	"github.com/gremlind/gremlind/blueprints/graphio"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/blueprints/schema"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// modelElement is an element of the model, with all of its values by key.
type modelElement struct {
	edge    bool
	label   string
	id      value.Value
	props   map[string][]value.Value
	out, in string // ids of vertices
}

// people is a graph that is asked about rules as a whole, each time.
type people map[string]*modelElement // by class and id

func (m people) clone() people {
	next := people{}
	for name, e := range m {
		own := *e
		own.props = map[string][]value.Value{}
		for k, v := range e.props {
			own.props[k] = slices.Clone(v)
		}
		next[name] = &own
	}
	return next
}

// unfit says what does not fit a schema, in words of its own.
func (m people) unfit(s *schema.Schema) string {
	many := map[string]int{}
	for name, e := range m {
		l := s.Of(e.edge, e.label)
		if l == nil {
			if s.Closed {
				return "label of " + name
			}
			continue
		}
		if !l.ID.Has(e.id) {
			return "id of " + name
		}
		for key, values := range e.props {
			k := l.Keys[key]
			if k == nil && l.Closed {
				return "unknown key of " + name
			}
			for _, v := range values {
				if k != nil && !valueFits(k, v) {
					return "value of " + name
				}
			}
		}
		for key, k := range l.Keys {
			if k.Required && !slices.ContainsFunc(e.props[key], func(v value.Value) bool { return !v.IsNull() }) {
				return "required key of " + name
			}
		}
		if !e.edge {
			continue
		}
		if len(l.From) > 0 && !slices.Contains(l.From, m["v"+e.out].label) || len(l.To) > 0 && !slices.Contains(l.To, m["v"+e.in].label) {
			return "ends of " + name
		}
		switch l.Multiplicity {
		case schema.Simple:
			many[fmt.Sprint("pair", e.label, e.out, "/", e.in)]++
		case schema.ManyToOne:
			many[fmt.Sprint("out", e.label, e.out)]++
		case schema.OneToMany:
			many[fmt.Sprint("in", e.label, e.in)]++
		case schema.OneToOne:
			many[fmt.Sprint("out", e.label, e.out)]++
			many[fmt.Sprint("in", e.label, e.in)]++
		}
	}
	for at, n := range many {
		if n > 1 {
			return "too many: " + at
		}
	}
	return ""
}

func valueFits(k *schema.Key, v value.Value) bool {
	if v.IsNull() {
		return true
	}
	below := func(a, b value.Value) bool {
		c, ok := value.Compare(a, b)
		return !ok || c < 0
	}
	return k.Type.Has(v) && (k.Min.IsNull() || !below(v, k.Min)) && (k.Max.IsNull() || !below(k.Max, v)) &&
		(k.MaxLength == 0 || v.Kind() != value.KindString || len(v.Str()) <= k.MaxLength)
}

// world is a graph and its model.
type world struct {
	t    *testing.T
	r    *rand.Rand
	g    *blueprints.Graph
	m    people
	next int
	// How many definitions, writes and loads were taken and refused.
	taken, refused [3]int
}

// met counts an outcome.
func (w *world) met(what int, why string) {
	if why == "" {
		w.taken[what]++
	} else {
		w.refused[what]++
	}
}

func one[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// aRule is a random rule for a label, as a client says it.
func (w *world) aRule() map[string]any {
	r := w.r
	if r.IntN(12) == 0 {
		return map[string]any{"open": r.IntN(2) == 0, "labels": []any{}}
	}
	m := map[string]any{"open": r.IntN(4) != 0}
	if r.IntN(8) == 0 {
		m["id"] = one(r, "any", "Integer", "String")
	}
	keys := map[string]any{}
	for _, k := range []string{"k", "l"} {
		if r.IntN(2) == 0 {
			continue
		}
		key := map[string]any{"required": r.IntN(6) == 0, "min": nil, "max": nil, "maxLength": nil}
		switch r.IntN(4) {
		case 0:
			key["type"] = nil
		case 1:
			key["type"], key["maxLength"] = "String", one[any](r, nil, 2, 4)
		default:
			key["type"], key["min"], key["max"] = one(r, "Integer", "Number"), one[any](r, nil, 0, -3), one[any](r, nil, 5, 9)
		}
		keys[k] = key
	}
	m["keys"] = keys
	if r.IntN(2) == 0 {
		m["vertex"] = one(r, "a", "b")
		return m
	}
	m["edge"] = one(r, "x", "y")
	m["multiplicity"] = one(r, "MULTI", "MULTI", "SIMPLE", "MANY2ONE", "ONE2MANY", "ONE2ONE")
	m["from"], m["to"] = one[any](r, nil, "a", []any{"a", "b"}), one[any](r, nil, nil, "b")
	return m
}

func (w *world) aValue() value.Value {
	return one(w.r, value.Int(-1), value.Int(5), value.Int(7), value.Long(3), value.String("s"), value.String("sss"), value.Null)
}

// define changes the schema at random, and tells whether the graph agrees with the model.
func (w *world) define(ask bool) {
	rule := w.aRule()
	change := func(old *schema.Schema) (*schema.Schema, error) {
		if w.r.IntN(6) == 0 {
			return old.Without(value.Of(map[string]any{"vertex": "a"}))
		}
		return old.With(value.Of(rule))
	}
	var made *schema.Schema
	keep := func(old *schema.Schema) (*schema.Schema, error) {
		if made != nil {
			return made, nil
		}
		next, err := change(old)
		made = next
		return next, err
	}
	next, unfit, err := w.g.TrySchema(ctx, keep, 10)
	if made == nil {
		if err == nil || !errors.As(err, new(*schema.Misfit)) {
			w.t.Fatalf("%v: %v", rule, err)
		}
		return // rules that contradict each other
	}
	why := w.m.unfit(made)
	if err != nil || (len(unfit) > 0) != (why != "") {
		w.t.Fatalf("asked about %v, schema %v: %v, %v; the model says %q", rule, next.Value(), unfit, err, why)
	}
	if ask {
		return
	}
	w.met(0, why)
	_, err = w.g.ChangeSchema(ctx, keep)
	if (err != nil) != (why != "") || err != nil && !errors.As(err, new(*schema.Misfit)) {
		w.t.Fatalf("defined %v, schema %v: %v; the model says %q", rule, made.Value(), err, why)
	}
}

// write changes elements at random in one transaction.
func (w *world) write() {
	after := w.m.clone()
	err := w.g.Update(ctx, func(tx *blueprints.Tx) error {
		for range 1 + w.r.IntN(4) {
			if err := w.step(tx, after); err != nil {
				return err
			}
		}
		return nil
	})
	s, serr := w.g.Schema(ctx)
	if serr != nil {
		w.t.Fatal(serr)
	}
	why := after.unfit(s)
	w.met(1, why)
	switch {
	case err == nil && why == "":
		w.m = after
	case err == nil || !errors.As(err, new(*schema.Misfit)) || why == "":
		w.t.Fatalf("schema %v: %v; the model says %q", s.Value(), err, why)
	}
}

func pick(r *rand.Rand, m people, edge bool) *modelElement {
	var all []string
	for name, e := range m {
		if e.edge == edge {
			all = append(all, name)
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.Sort(all)
	return m[one(r, all...)]
}

func (w *world) step(tx *blueprints.Tx, m people) error {
	switch n := w.r.IntN(12); {
	case n < 2:
		return w.addVertex(tx, m)
	case n < 5:
		return w.addEdge(tx, m)
	case n < 8:
		return w.remove(tx, m)
	}
	edge := w.r.IntN(3) == 0
	if e := pick(w.r, m, edge); e != nil {
		return w.change(tx, e)
	}
	return nil
}

func (w *world) id() value.Value {
	if w.next++; w.r.IntN(10) == 0 {
		return value.String(fmt.Sprint("i", w.next))
	}
	return value.Int(int32(w.next))
}

func (w *world) addVertex(tx *blueprints.Tx, m people) error {
	e := &modelElement{label: one(w.r, "a", "b", "c"), id: w.id(), props: map[string][]value.Value{}}
	if _, err := tx.AddVertex(e.label, e.id); err != nil {
		return err
	}
	m["v"+e.id.JavaString()] = e
	for range w.r.IntN(4) {
		if err := w.change(tx, e); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) addEdge(tx *blueprints.Tx, m people) error {
	out, in := pick(w.r, m, false), pick(w.r, m, false)
	if out == nil {
		return nil
	}
	e := &modelElement{edge: true, label: one(w.r, "x", "y"), id: w.id(), out: out.id.JavaString(), in: in.id.JavaString(), props: map[string][]value.Value{}}
	from, _, _ := tx.FindVertex(out.id)
	to, _, err := tx.FindVertex(in.id)
	if err == nil {
		_, err = tx.AddEdge(e.label, from, to, e.id)
	}
	if err != nil {
		return err
	}
	m["e"+e.id.JavaString()] = e
	if w.r.IntN(2) == 0 {
		return w.change(tx, e)
	}
	return nil
}

func (w *world) remove(tx *blueprints.Tx, m people) error {
	e := pick(w.r, m, w.r.IntN(2) == 0)
	switch {
	case e == nil:
		return nil
	case e.edge:
		delete(m, "e"+e.id.JavaString())
		at, _, err := tx.FindEdge(e.id)
		if err == nil {
			err = tx.RemoveEdge(at)
		}
		return err
	}
	id := e.id.JavaString()
	delete(m, "v"+id)
	for name, other := range m {
		if other.edge && (other.out == id || other.in == id) {
			delete(m, name)
		}
	}
	at, _, err := tx.FindVertex(e.id)
	if err == nil {
		err = tx.RemoveVertex(at)
	}
	return err
}

// change sets or removes values under a key.
func (w *world) change(tx *blueprints.Tx, e *modelElement) error {
	key, v, list := one(w.r, "k", "l", "m"), w.aValue(), w.r.IntN(3) == 0
	removes := w.r.IntN(4) == 0
	if e.edge {
		at, _, err := tx.FindEdge(e.id)
		switch {
		case err != nil:
			return err
		case removes:
			delete(e.props, key)
			return tx.RemoveEdgeProperty(at, key)
		}
		e.props[key] = []value.Value{v}
		return tx.SetEdgeProperty(at, key, v)
	}
	at, _, err := tx.FindVertex(e.id)
	if err != nil {
		return err
	}
	if removes {
		sym, ok := tx.Symbol(key)
		if !ok || len(e.props[key]) == 0 {
			return nil
		}
		props, err := tx.VertexProperties(nil, at, []blueprints.Symbol{sym})
		if err != nil {
			return err
		}
		if e.props[key] = e.props[key][1:]; len(e.props[key]) == 0 {
			delete(e.props, key)
		}
		return tx.RemoveVertexProperty(at, props[0])
	}
	cardinality := "single"
	if list {
		cardinality = "list"
		v = one(w.r, v, value.Int(6)) // null is for one value
	}
	if cardinality == "list" {
		e.props[key] = append(e.props[key], v)
	} else {
		e.props[key] = []value.Value{v}
	}
	_, err = tx.SetVertexProperty(at, cardinality, key, v, value.Null, nil)
	return err
}

// load has another graph of a random schema take all elements at once.
func (w *world) load(db *blueprints.Database, name string) {
	other, err := db.CreateGraph(name, w.g.Options())
	if err != nil {
		w.t.Fatal(err)
	}
	for range 1 + w.r.IntN(2) {
		rule := w.aRule()
		_, _ = other.ChangeSchema(ctx, func(old *schema.Schema) (*schema.Schema, error) { return old.With(value.Of(rule)) })
	}
	s, err := other.Schema(ctx)
	if err != nil {
		w.t.Fatal(err)
	}
	why := w.m.unfit(s)
	w.met(2, why)
	err = w.g.View(ctx, func(tx *blueprints.Tx) error {
		_, err := load.Graph(ctx, other, load.Options{}, func(sink blueprints.RecordSink) error {
			source := graphio.ViewSource(tx)
			return errors.Join(source.EachVertex(sink.Vertex), source.EachEdge(sink.Edge))
		})
		return err
	})
	if (err != nil) != (why != "") || err != nil && !errors.As(err, new(*schema.Misfit)) {
		w.t.Fatalf("loaded into %v: %v; the model says %q", s.Value(), err, why)
	}
	w.sound(other)
}

func (w *world) sound(g *blueprints.Graph) {
	w.t.Helper()
	if report, err := check.Run(ctx, g); err != nil || !report.OK() {
		w.t.Fatalf("%v %v", err, report.Problems)
	}
}

// TestSchema_Random: random definitions and writes, and loads, against a model that looks
// at all elements each time.
func TestSchema_Random(t *testing.T) {
	rounds := 8
	if testing.Short() {
		rounds = 2
	}
	cached := int64(0)
	for name, level := range isolations {
		cached = -1 - cached // with a cache and without one
		s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
		if err != nil {
			t.Fatal(err)
		}
		db, err := blueprints.Open(s, blueprints.DatabaseOptions{CacheBytes: cached})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		for i := range rounds {
			seed := rand.Uint64()
			t.Run(fmt.Sprintf("%s/%d", name, i), func(t *testing.T) {
				t.Logf("seed %d", seed)
				g, err := db.CreateGraph(fmt.Sprintf("%s%d", name, i), blueprints.Options{Isolation: level, AllowNull: true})
				if err != nil {
					t.Fatal(err)
				}
				w := &world{t: t, r: rand.New(rand.NewPCG(seed, 1)), g: g, m: people{}}
				for range 300 {
					switch n := w.r.IntN(10); {
					case n < 2:
						w.define(n == 0)
					default:
						w.write()
					}
				}
				w.sound(g)
				for i := range 4 {
					w.load(db, fmt.Sprint(g.Name(), " loaded ", i))
				}
				t.Logf("%d elements; taken %v, refused %v of definitions, writes, loads", len(w.m), w.taken, w.refused)
			})
		}
	}
}
