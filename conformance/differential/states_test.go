package differential_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/blueprints/sample"
	"github.com/gremlind/gremlind/conformance/differential"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

func seed() uint64 {
	n, err := strconv.ParseUint(os.Getenv("SEED"), 10, 64)
	if err != nil {
		return 1
	}
	return n
}

// query is a traversal that was read.
type query struct {
	differential.Query
	code *traversal.Bytecode
}

func parse(q differential.Query) (query, error) {
	parsed, err := lang.Parse(q.Text, lang.Options{})
	if err != nil {
		return query{}, fmt.Errorf("%s: %w", q.Text, err)
	}
	return query{q, parsed.Last().Bytecode}, nil
}

// open opens a database in memory. cacheBytes is that of its row cache: negative for none.
func open(t *testing.T, cacheBytes int64) *blueprints.Database {
	store, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true, CacheBytes: 8 << 20})
	if err != nil {
		t.Fatal(err)
	}
	db, err := blueprints.Open(store, blueprints.DatabaseOptions{CacheBytes: cacheBytes})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// load makes a graph of a sample, with an index.
func load(t *testing.T, db *blueprints.Database, name, from string, isolation storage.Isolation) *blueprints.Graph {
	g, err := db.CreateGraph(name, blueprints.Options{VertexIDs: ids.Integer, EdgeIDs: ids.Integer,
		VertexPropertyIDs: ids.Long, Isolation: isolation, Transactional: true})
	if err == nil {
		_, err = sample.Load(t.Context(), g, from)
	}
	if err == nil {
		err = g.CreateKeyIndex(t.Context(), blueprints.VertexClass, "name")
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// state is a graph as a transaction finds it.
type state struct {
	name    string
	graph   *blueprints.Graph
	changes []query // that the transaction has made itself and not committed
	old     oldIDs
	anew    bool // ids of properties are its own
	// denied is what of the graph is not there.
	denied *blueprints.Restriction
}

// deny keeps something from who reads the state from now on.
func (s *state) deny(d blueprints.Denied) {
	s.denied = &blueprints.Restriction{Denied: d, Refuse: func(what, name string) error { return refused{what + " " + name} }}
}

// seen is what there is of a transaction.
func (s state) seen(tx *blueprints.Tx) seen {
	if s.denied == nil {
		return tx
	}
	return tx.Restrict(s.denied)
}

// refused is the error of who writes what is denied to him.
type refused struct{ what string }

func (r refused) Error() string { return "may not write " + r.what }

// JavaClass tells it from others.
func (refused) JavaClass() string { return refusal }

const refusal = "refused"

func (s state) begin(ctx context.Context) (*blueprints.Tx, error) {
	tx, err := s.graph.Begin(ctx, blueprints.TxOptions{})
	if err != nil {
		return nil, err
	}
	if err = s.change(ctx, tx); err == nil {
		err = tx.Refresh(ctx)
	}
	if err != nil {
		tx.Close()
	}
	return tx, err
}

func (s state) change(ctx context.Context, tx *blueprints.Tx) error {
	for _, q := range s.changes {
		if err := new(outcome).evaluate(ctx, tx, q, usually, s.old); err != nil {
			return fmt.Errorf("%s: %w", q.Text, err)
		}
	}
	return nil
}

// family are states of one graph.
type family struct {
	sample string
	stored state
	// like give what stored gives, and alike what changed gives.
	like    []state
	changed state
	alike   []state
}

// families returns those of the samples, with changes that the seed chooses.
func families(t *testing.T) []family {
	cached, uncached := open(t, 0), open(t, -1)
	var list []family
	for _, name := range []string{"modern", "crew", "sink"} {
		changes := changesOf(t, rand.New(rand.NewPCG(seed(), 7)))
		with := func(db *blueprints.Database, kind string, isolation storage.Isolation) state {
			return state{name: kind, graph: load(t, db, name+kind, name, isolation)}
		}
		f := family{sample: name, stored: with(cached, "", storage.StrictSerializable),
			changed: with(cached, "changed", storage.StrictSerializable)}
		f.changed.anew = true
		f.like = []state{
			with(uncached, "without a row cache", storage.StrictSerializable),
			with(cached, "under isolation: snapshot", storage.SnapshotIsolation),
			with(cached, "under isolation: committed", storage.CommittedIsolation),
		}
		for _, s := range append([]state{f.stored}, f.like...) {
			s.name += " with own changes"
			s.changes, s.anew = changes, true
			f.alike = append(f.alike, s)
		}
		made := state{changes: changes}
		err := f.changed.graph.Update(t.Context(), func(tx *blueprints.Tx) error { return made.change(t.Context(), tx) })
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, f.known(t))
	}
	return list
}

// known has all states know which ids are not of new elements.
func (f family) known(t *testing.T) family {
	old := oldIDs{}
	for _, g := range []*blueprints.Graph{f.stored.graph, f.changed.graph} {
		if err := g.View(t.Context(), old.note); err != nil {
			t.Fatal(err)
		}
	}
	f.stored.old, f.changed.old = old, old
	for _, list := range [][]state{f.like, f.alike} {
		for i := range list {
			list[i].old = old
		}
	}
	return f
}

// oldIDs are the ids of elements that a graph has, by class.
type oldIDs map[value.Kind]map[int64]bool

// note adds those that tx sees.
func (o oldIDs) note(tx *blueprints.Tx) error {
	o[value.KindVertex], o[value.KindEdge] = orEmpty(o[value.KindVertex]), orEmpty(o[value.KindEdge])
	vs := tx.Vertices()
	defer vs.Close()
	v := make([]blueprints.VertexID, 1)
	for vs.Next(v) > 0 {
		id, err := tx.VertexUserID(v[0])
		if err != nil {
			return err
		}
		o[value.KindVertex][value.AsInt64(id)] = true
	}
	es := tx.Edges()
	defer es.Close()
	e := make([]blueprints.EdgeID, 1)
	for es.Next(e) > 0 {
		id, err := tx.EdgeUserID(e[0])
		if err != nil {
			return err
		}
		o[value.KindEdge][value.AsInt64(id)] = true
	}
	return errors.Join(vs.Err(), es.Err())
}

func orEmpty(m map[int64]bool) map[int64]bool {
	if m == nil {
		m = map[int64]bool{}
	}
	return m
}

// isNew reports whether an element that a traversal made has the id.
func (o oldIDs) isNew(k value.Kind, id int64) bool {
	switch k {
	case value.KindVertex, value.KindEdge:
		return !o[k][id]
	}
	return !o[value.KindVertex][id] && !o[value.KindEdge][id]
}

// statements change graphs: of each kind of thing some are added, changed and removed.
var statements = []string{
	`g.addV("person").property(T.id,5001).property("name","marko").property("age",29)`,
	`g.addV("software").property(T.id,5002).property("name","lop").property("lang","go")`,
	`g.addV("none").property(T.id,5003)`,
	`g.V(1,8).property("age",30)`,
	`g.V(1,8).property(list,"name","josh")`,
	`g.V(2,9).properties("name").drop()`,
	`g.V(4,10,1000).properties().drop()`,
	`g.V(3,11,1001).property("age",1).property("lang","c")`,
	`g.V(6,7,1002).drop()`,
	`g.V(2,9,5001).property("name","lop")`,
	`g.E(7,13,1003).property("weight",2.0d)`,
	`g.E(8,14,1004).properties().drop()`,
	`g.E(9,15,1005).drop()`,
	`g.V(1,8,1000).as("a").V(2,9,1001).limit(1).addE("knows").property(T.id,6001).from("a").property("weight",0.1d)`,
	`g.V(2,9,1002).as("a").limit(1).addE("created").property(T.id,6002).to("a")`,
	`g.V(1,8).as("a").V(5001,5002).limit(1).addE("uses").property(T.id,6003).from("a")`,
	`g.V(5001,5003).as("a").V(4,10).limit(1).addE("created").property(T.id,6004).from("a")`,
	`g.V(1,8).outE("created","develops").limit(1).drop()`,
	`g.V(5001).drop()`,
	`g.V(1,8).properties("name").property("acl","public")`,
}

func changesOf(t *testing.T, rng *rand.Rand) []query {
	var list []query
	for _, text := range statements {
		if rng.IntN(2) == 0 {
			continue
		}
		q, err := parse(differential.Query{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, q)
	}
	return list
}
