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

// oneOf gives one of a list.
func oneOf[T any](rng *rand.Rand, list ...T) T { return list[rng.IntN(len(list))] }

// An index is all that tells these graphs apart: whatever a traversal is, it gives the same
// with indexes of every kind, ACTIVE or HIDDEN, in all ways to run it and among the own
// changes of a transaction.
func TestDifferential_RandomIndexes(t *testing.T) {
	traversals := raced.Times(raced.Part(800, 3), 4)
	rng := rand.New(rand.NewPCG(seed(), 5))
	plain, indexed := graphsOf(t, rng)
	gen := differential.NewGenerator(seed(), differential.Indexed, differential.Indexed, differential.Indexed)
	others := ways()
	c := comparison{t: t, f: &family{sample: "random"}, anyError: true}
	for i := range traversals {
		q, err := parse(gen.Traversal())
		if err != nil {
			t.Fatal(err)
		}
		if q.ShowsNewIDs() || strings.Contains(q.Text, "profile(") || q.Interferes() || q.ShowsFirst() {
			continue
		}
		c.q, c.different = q, false
		for k, base := range plain {
			want, err := base.run(t.Context(), q, usually)
			if err != nil || q.Picks {
				continue // too large, or any answer is one
			}
			c.compared++
			for _, s := range indexed[k] {
				c.is(want, s, usually, "without indexes")
				c.is(want, s, others[i%len(others)], "without indexes")
			}
		}
	}
	t.Logf("compared %d of %d", c.compared, 2*traversals)
	if c.compared < traversals {
		t.Errorf("only %d of %d traversals could be compared", c.compared, 2*traversals)
	}
}

// graphsOf returns a random graph as it is stored and with changes, without indexes and, of
// either, with random ones.
func graphsOf(t *testing.T, rng *rand.Rand) (plain []state, indexed [][]state) {
	data, db := rng.Uint64(), open(t, 0)
	filled := func(name string, isolation storage.Isolation) state {
		g, err := db.CreateGraph(name, blueprints.Options{VertexIDs: ids.Integer, EdgeIDs: ids.Integer,
			VertexPropertyIDs: ids.Long, Isolation: isolation, Transactional: true})
		if err == nil {
			err = g.Update(t.Context(), func(tx *blueprints.Tx) error { return fillRandom(tx, rand.New(rand.NewPCG(data, 1))) })
		}
		if err != nil {
			t.Fatal(err)
		}
		return state{name: name, graph: g, old: oldIDs{}}
	}
	base := filled("plain", storage.StrictSerializable)
	if err := base.graph.View(t.Context(), base.old.note); err != nil {
		t.Fatal(err)
	}
	changes := changesOf(t, rng)
	changed := func(s state) state {
		s.name += " with own changes"
		s.changes, s.anew, s.old = changes, true, base.old
		return s
	}
	indexed = make([][]state, 2)
	for i, isolation := range []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation, storage.CommittedIsolation} {
		s := filled(fmt.Sprint("indexed", i), isolation)
		s.old = base.old
		s.name += " " + strings.Join(index(t, rng, s.graph), " ")
		indexed[0], indexed[1] = append(indexed[0], s), append(indexed[1], changed(s))
	}
	// the changes were committed before the indexes were built
	s := filled("indexed changed", storage.StrictSerializable)
	made := state{changes: changes, old: base.old}
	if err := s.graph.Update(t.Context(), func(tx *blueprints.Tx) error { return made.change(t.Context(), tx) }); err != nil {
		t.Fatal(err)
	}
	s.name, s.anew, s.old = s.name+" "+strings.Join(index(t, rng, s.graph), " "), true, base.old
	indexed[1] = append(indexed[1], s)
	return []state{base, changed(base)}, indexed
}

// fillRandom adds vertices and edges with the labels, ids, keys and values that traversals
// ask for: several values of a key, numbers of several kinds, and keys of other types.
func fillRandom(tx *blueprints.Tx, rng *rand.Rand) error {
	var vs []blueprints.VertexID
	for i := range 40 {
		v, err := tx.AddVertex(oneOf(rng, "person", "person", "software"), value.Int(int32(i+1)))
		if err != nil {
			return err
		}
		if err := fillVertex(tx, rng, v, i); err != nil {
			return err
		}
		vs = append(vs, v)
	}
	for i := range 100 {
		// ids that no vertex has, behind those which traversals ask for
		e, err := tx.AddEdge(oneOf(rng, "knows", "created", "uses"), vs[rng.IntN(8)], vs[rng.IntN(len(vs))], value.Int(int32(i+41)))
		if err != nil {
			return err
		}
		for _, key := range []string{"weight", "since"} {
			if rng.IntN(8) == 0 {
				continue
			}
			w := oneOf(rng, value.Double(0.5), value.Double(1), value.Int(1), value.Long(2), value.Double(0.1), value.Float(0.5), value.Int(29), value.String("a"))
			if err := tx.SetEdgeProperty(e, key, w); err != nil {
				return err
			}
		}
		if err := tx.SetEdgeProperty(e, "at", value.Int(int32(i))); err != nil {
			return err
		}
	}
	return nil
}

func fillVertex(tx *blueprints.Tx, rng *rand.Rand, v blueprints.VertexID, i int) (err error) {
	set := func(key string, val value.Value) {
		if err == nil {
			_, err = tx.SetVertexProperty(v, "list", key, val, value.Null, nil)
		}
	}
	long := strings.Repeat("a long text ", 40)
	for range oneOf(rng, 0, 1, 1, 1, 2) {
		set("name", value.String(oneOf(rng, "marko", "josh", "lop", "peter", "", long+"a", long+"b")))
	}
	for range oneOf(rng, 0, 1, 1, 1, 3) {
		set("age", oneOf(rng, value.Int(27), value.Int(29), value.Long(29), value.Double(29), value.Int(32), value.Int(1), value.Double(2.5), value.String("lop"), value.Byte(29)))
	}
	for range oneOf(rng, 0, 1, 2) {
		set("lang", oneOf(rng, value.String("go"), value.String("java"), value.Int(1)))
	}
	for range oneOf(rng, 0, 1, 1, 2) {
		set("text", value.String(oneOf(rng, "a red cable", "a red cable, not a blue one", "black or blue", "marko", "", "l'été, lopsided", "CABLE", long+"one")))
	}
	set("nick", value.String(fmt.Sprint("n", i)))
	set("grade", oneOf(rng, value.Int(int32(i)), value.Double(float64(i)), value.String(fmt.Sprint("grade ", i)), value.String(fmt.Sprint(long, i))))
	if rng.IntN(6) > 0 {
		set("rank", oneOf(rng, value.Int(27), value.Int(29), value.Long(29), value.Double(29), value.Int(1), value.Double(2.5), value.String("lop")))
		set("title", value.String(oneOf(rng, "marko", "lop", "a", "", long+"a", long+"b")))
	}
	if rng.IntN(2) == 0 {
		set("where", value.List([]value.Value{value.Double(float64(i)), value.Double(1)}))
	}
	return err
}

// index makes random indexes, of every kind, and hides some. It names them.
func index(t *testing.T, rng *rand.Rand, g *blueprints.Graph) (names []string) {
	for _, key := range []string{"name", "age", "lang", "text", "nick", "rank", "title", "grade", "weight"} {
		if c := blueprints.VertexClass; rng.IntN(3) == 0 {
			if key == "weight" {
				c = blueprints.EdgeClass
			}
			if err := g.CreateKeyIndex(t.Context(), c, key); err != nil {
				t.Fatal(err)
			}
			names = append(names, key)
		}
	}
	for _, s := range specs(rng) {
		s.Name = fmt.Sprintf("%d:%s%v%s%s", len(names), s.Label, s.Keys, s.Analyzer, s.Direction)
		i, err := g.DeclareIndex(t.Context(), t.Context(), s)
		if err != nil || i.State != "ACTIVE" {
			t.Fatalf("%s: %+v, %v", s.Name, i, err)
		}
		if rng.IntN(5) == 0 {
			if i, err = g.HideIndex(t.Context(), s.Name, true); err != nil {
				t.Fatal(err)
			}
		}
		names = append(names, fmt.Sprint(i.Name, " ", i.State))
	}
	return names
}

// specs are indexes of every kind.
func specs(rng *rand.Rand) []blueprints.IndexSpec {
	keys := func(of ...string) []string {
		rng.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
		return of[:1+rng.IntN(len(of))]
	}
	vertex := func(s blueprints.IndexSpec) blueprints.IndexSpec {
		s.Class, s.Label = blueprints.VertexClass, oneOf(rng, "", "person", "software")
		return s
	}
	list := []blueprints.IndexSpec{
		vertex(blueprints.IndexSpec{Keys: keys("name", "age", "lang")}),
		vertex(blueprints.IndexSpec{Keys: keys("name", "age", "lang", "text")}),
		vertex(blueprints.IndexSpec{Keys: append(keys("name", "lang"), "grade")}),
		vertex(blueprints.IndexSpec{Keys: []string{"name", oneOf(rng, "grade", "title")}}),
		vertex(blueprints.IndexSpec{Keys: keys("rank", "title", "lang")}),
		vertex(blueprints.IndexSpec{Keys: []string{"nick"}, Unique: true}),
		vertex(blueprints.IndexSpec{Keys: append(keys("age", "lang"), "nick"), Unique: true}),
		vertex(blueprints.IndexSpec{Keys: keys("text", "name"), Analyzer: "trigram"}),
		vertex(blueprints.IndexSpec{Keys: keys("text", "name"), Analyzer: "words"}),
		vertex(blueprints.IndexSpec{Keys: []string{"where"}, Analyzer: "geo"}),
		{Class: blueprints.EdgeClass, Label: oneOf(rng, "", "knows", "created"), Keys: keys("weight", "since")},
	}
	for _, label := range []string{"knows", "created", "uses"} {
		list = append(list, blueprints.IndexSpec{Class: blueprints.EdgeClass, Label: label, Keys: oneOf(rng, keys("weight", "since"), []string{"since", "at"}, []string{"at"}),
			Direction: oneOf(rng, "OUT", "IN", "BOTH")})
	}
	return list
}
