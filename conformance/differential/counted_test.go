package differential_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/conformance/differential"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// countKey is what Counted counts under.
const countKey = "views"

// A counter is a property to every step: a graph that counts under a key, with indexes of every
// kind on others, gives what one gives in which the key is as others, where a traversal that adds
// is written as one that reads and sets; stored, among own changes of a transaction, and in all
// ways to run it.
func TestDifferential_Counters(t *testing.T) {
	traversals := raced.Times(raced.Part(1200, 3), 4)
	rng := rand.New(rand.NewPCG(seed(), 6))
	plain, counted := countedGraphs(t, rng)
	gens := []*differential.Generator{differential.NewGenerator(seed(), differential.Counted, differential.Counted, differential.Counted),
		differential.NewGenerator(seed()+1, differential.Indexed, differential.Counted, differential.Indexed)}
	others := ways()
	c := comparison{t: t, f: &family{sample: "counters"}, anyError: true}
	added := 0
	for i := range traversals {
		made := gens[i%3/2].Traversal()
		if i%2 == 0 && !made.Picks { // and what it leaves
			made.Text += `.fold().V().hasLabel("person").as("v").values("views").as("n").select("v","n")`
			made.Ordered = false
		}
		q, err := parse(made)
		if err != nil {
			t.Fatal(err)
		}
		uncounted, err := parse(made.Uncounted())
		if err != nil {
			t.Fatal(err)
		}
		u := made
		if u.ShowsNewIDs() || strings.Contains(u.Text, "profile(") || u.ShowsFirst() || u.Picks {
			continue
		}
		if besides := u.Besides(); besides.Interferes() || strings.Contains(u.Text, "withBulk(false)") {
			continue // where barriers stand shows
		}
		c.q, c.different = q, false
		for k, base := range plain {
			want, err := base.run(t.Context(), uncounted, usually)
			if err != nil {
				continue // too large
			}
			c.compared++
			if q.Counts() && want.failure == "" {
				added++
			}
			for _, s := range counted[k] {
				c.is(want, s, usually, "as a property")
				c.is(want, s, others[i%len(others)], "as a property")
			}
		}
	}
	t.Logf("compared %d of %d, of which %d add", c.compared, 2*traversals, added)
	if c.compared < traversals/2 || added < traversals/16 {
		t.Errorf("only %d of %d traversals could be compared, and %d of them add", c.compared, 2*traversals, added)
	}
}

// countedGraphs returns a random graph in which views is a property, as it is stored and with
// changes, and of either those in which it is a counter.
func countedGraphs(t *testing.T, rng *rand.Rand) (plain []state, counted [][]state) {
	data := rng.Uint64()
	cached, uncached := open(t, 0), open(t, -1)
	filled := func(db *blueprints.Database, name string, isolation storage.Isolation, counts bool) state {
		g, err := db.CreateGraph(name, blueprints.Options{VertexIDs: ids.Integer, EdgeIDs: ids.Integer,
			VertexPropertyIDs: ids.Long, Isolation: isolation, Transactional: true})
		if err == nil {
			err = g.Update(t.Context(), func(tx *blueprints.Tx) error { return namesFirst(tx) })
		}
		if err == nil {
			err = g.Update(t.Context(), func(tx *blueprints.Tx) error { return fillRandom(tx, rand.New(rand.NewPCG(data, 1))) })
		}
		if err == nil {
			err = g.Update(t.Context(), func(tx *blueprints.Tx) error { return fillCounts(tx, rand.New(rand.NewPCG(data, 2)), counts) })
		}
		if err != nil {
			t.Fatal(err)
		}
		return state{name: name, graph: g, old: oldIDs{}}
	}
	base := filled(cached, "plain", storage.StrictSerializable, false)
	if err := base.graph.View(t.Context(), base.old.note); err != nil {
		t.Fatal(err)
	}
	changes := []string{
		`g.V(1,2,3).{inc}`, `g.V(4).property("views",11l).{inc}`, `g.V(5).properties("views").drop()`, `g.E(42,43).{inc}`, `g.V(6).{inc}.property("views",0l)`,
		`g.addV("person").property(T.id,900).dedup().{inc}`, `g.V(7).addE("knows").to(__.V(8)).property(T.id,901).dedup().{inc}`,
	}
	changed := func(s state) state {
		s.name += " with own changes"
		s.anew, s.old = true, base.old
		for _, text := range changes {
			made := differential.Query{Text: strings.ReplaceAll(text, "{inc}", `call("gremlind.increment",["key":"views","by":4l])`)}
			if s.graph == base.graph {
				made = made.Uncounted()
			}
			q, err := parse(made)
			if err != nil {
				t.Fatal(err)
			}
			s.changes = append(s.changes, q)
		}
		return s
	}
	counted = make([][]state, 2)
	for i, isolation := range []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation, storage.CommittedIsolation} {
		db := cached
		if i == 1 {
			db = uncached
		}
		s := filled(db, fmt.Sprint("counted", i), isolation, true)
		s.old = base.old
		s.name += " " + strings.Join(index(t, rng, s.graph), " ")
		counted[0], counted[1] = append(counted[0], s), append(counted[1], changed(s))
	}
	return []state{base, changed(base)}, counted
}

// namesFirst gives the other keys their numbers before views has one: counters stand behind
// the other properties of an element, and those in the order of their keys' numbers.
func namesFirst(tx *blueprints.Tx) error {
	v, err := tx.AddVertex("person", value.Int(1000))
	if err != nil {
		return err
	}
	for _, key := range []string{"name", "age", "lang", "text", "nick", "grade", "rank", "title", "where", "weight", "since", "at", "seen", "made", "met", "w", "part"} {
		if _, err := tx.SetVertexProperty(v, "single", key, value.Int(1), value.Null, nil); err != nil {
			return err
		}
	}
	return tx.RemoveVertex(v)
}

// fillCounts counts under views, for some elements of each label.
func fillCounts(tx *blueprints.Tx, rng *rand.Rand, counts bool) error {
	vs := tx.Vertices()
	defer vs.Close()
	buf := make([]blueprints.VertexID, 100)
	for _, v := range buf[:vs.Next(buf)] {
		n := rng.Int64N(10)
		if n == 9 {
			continue
		}
		var err error
		if counts {
			err = tx.Increment(blueprints.VertexClass, uint64(v), countKey, n)
		} else {
			_, err = tx.SetVertexProperty(v, "single", countKey, value.Long(n), value.Null, nil)
		}
		if err != nil {
			return err
		}
	}
	es := tx.Edges()
	defer es.Close()
	edges := make([]blueprints.EdgeID, 200)
	for _, e := range edges[:es.Next(edges)] {
		n := rng.Int64N(10)
		if n > 6 {
			continue
		}
		var err error
		if counts {
			err = tx.Increment(blueprints.EdgeClass, uint64(e), countKey, n)
		} else {
			err = tx.SetEdgeProperty(e, countKey, value.Long(n))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
