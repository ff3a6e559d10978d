package differential_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/conformance/differential"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// filters are sources that show of the filled graph what the plain one holds.
var filters = []string{
	`withStrategies(new SubgraphStrategy(vertices: __.not(__.hasLabel("secret")),edges: __.not(__.hasLabel("hidden")),vertexProperties: __.hasNot("secret"))).`,
	`withStrategies(new SubgraphStrategy(vertices: __.hasLabel("person","software"),edges: __.not(__.hasLabel("hidden")).outV().bothE(),vertexProperties: __.hasNot("secret"))).`,
}

// partitions show of the filled graph what the plain one holds, and write into the part
// that shows.
var partitions = []string{
	`withStrategies(new PartitionStrategy(partitionKey: "part", writePartition: "a", readPartitions: ["a"])).`,
	`withStrategies(new PartitionStrategy(partitionKey: "part", writePartition: "a", readPartitions: ["a","c"], includeMetaProperties: true)).`,
}

// shows tells the steps that show how a filter works: out() goes over edges that paths
// show, as in the reference, and traversers that merge there write once. io() writes files
// of the whole graph or of what is seen, the rest of which a number of bytes would tell. Under
// a filter all objects of a path are kept, so that select(all) may find one more.
var shows = regexp.MustCompile(`profile\(|select\(all|[pP]ath\(|tree\(|add[VE]\(|merge[VE]\(|property\(`)

// walks reports whether a filter goes over edges itself. Behind such filters barriers stand
// where they would not without, as in the reference: equal traversers come together, and
// one of bulk 2 counts once for a fold(seed, operator).
func walks(filter string) bool { return strings.Contains(filter, ".bothE()") }

// hiding compares graphs of which one has more, under filters that hide it.
type hiding struct {
	comparison
	plain, filled state
}

func (h *hiding) under(filter string, filterPlain bool) {
	hidden, err := parse(differential.Query{Text: strings.Replace(h.q.Text, "g.", "g."+filter, 1), Ordered: h.q.Ordered})
	if err != nil {
		h.t.Fatal(err)
	}
	q := h.q
	if filterPlain {
		q = hidden
	}
	want, err := h.plain.run(h.t.Context(), q, usually)
	if err != nil {
		return // too large
	}
	got, err := h.filled.run(h.t.Context(), hidden, usually)
	if err != nil {
		return
	}
	h.compared++
	if got.String() != want.String() {
		h.t.Errorf("%s\nwith what is hidden: %.600s\nwithout: %.600s", hidden.Text, got, want)
	}
}

// What a strategy hides is not there, whatever steps a traversal has: under the filter it
// gives what it gives on a graph without the hidden parts.
func TestHiddenIsNotThere(t *testing.T) {
	traversals := raced.Times(raced.Part(1000, 3), 4)
	db := open(t, 0)
	h := hiding{comparison: comparison{t: t}, plain: plainly(t, db, "plain"), filled: plainly(t, db, "filled")}
	hide(t, h.filled.graph, value.Null, true)
	gen := differential.NewGenerator(seed(), differential.Files)
	for i := range traversals {
		var err error
		if h.q, err = parse(gen.Traversal()); err != nil {
			t.Fatal(err)
		}
		if h.q.ShowsNewIDs() || strings.Contains(h.q.Text, "profile(") {
			continue
		}
		filter := filters[i%len(filters)]
		h.under(filter, shows.MatchString(h.q.Text) || h.q.Picks || walks(filter))
	}
	if h.compared < traversals/2 {
		t.Errorf("only %d of %d traversals could be compared", h.compared, traversals)
	}
}

// The same of PartitionStrategy: the plain graph has all in the partition that is read.
func TestOtherPartitionsAreNotThere(t *testing.T) {
	traversals := raced.Times(raced.Part(600, 3), 4)
	gen := differential.NewGenerator(seed(), differential.Files)
	compared := 0
	for i, filter := range partitions {
		db := open(t, 0)
		h := hiding{comparison: comparison{t: t}, plain: inPart(t, db, "plain"), filled: inPart(t, db, "filled")}
		hide(t, h.filled.graph, value.String("b"), i > 0)
		for range traversals / len(partitions) {
			var err error
			if h.q, err = parse(gen.Traversal()); err != nil {
				t.Fatal(err)
			}
			if !h.q.ShowsNewIDs() && !strings.Contains(h.q.Text, "profile(") {
				h.under(filter, true)
			}
		}
		compared += h.compared
	}
	if compared < traversals/2 {
		t.Errorf("only %d of %d traversals could be compared", compared, traversals)
	}
}

// inPart is the sample modern, all in the partition a.
func inPart(t *testing.T, db *blueprints.Database, name string) state {
	s := plainly(t, db, name)
	for _, text := range []string{`g.V().properties().property("part","a")`, `g.V().property("part","a","part","a")`, `g.E().property("part","a")`} {
		q, err := parse(differential.Query{Text: text})
		if err == nil {
			s.changes = append(s.changes, q)
		} else {
			t.Fatal(err)
		}
	}
	if err := s.graph.Update(t.Context(), func(tx *blueprints.Tx) error { return s.change(t.Context(), tx) }); err != nil {
		t.Fatal(err)
	}
	s.changes = nil
	return s
}

// ReadOnlyStrategy refuses a traversal with a step that writes, and changes nothing else.
func TestReadOnlyChangesNothing(t *testing.T) {
	traversals := raced.Times(raced.Part(500, 3), 4)
	s := plainly(t, open(t, 0), "plain")
	gen := differential.NewGenerator(seed(), differential.Files)
	for range traversals {
		plain := gen.Traversal()
		q, err := parse(plain)
		if err != nil {
			t.Fatal(err)
		}
		guarded, err := parse(differential.Query{Text: strings.Replace(q.Text, "g.", "g.withStrategies(ReadOnlyStrategy).", 1), Ordered: q.Ordered})
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.run(t.Context(), guarded, usually)
		if err != nil {
			continue
		}
		if q.Writes() {
			if got.failure == "" {
				t.Errorf("%s writes and gives %.300s", guarded.Text, got)
			}
			continue
		}
		want, err := s.run(t.Context(), q, usually)
		if err == nil && got.String() != want.String() && !strings.Contains(q.Text, "profile(") {
			t.Errorf("%s\nread only: %.300s\nelse: %.300s", q.Text, got, want)
		}
	}
}

// plainly is the sample modern.
func plainly(t *testing.T, db *blueprints.Database, name string) state {
	s := state{graph: load(t, db, name, "modern", storage.StrictSerializable), old: oldIDs{}}
	if err := s.graph.View(t.Context(), s.old.note); err != nil {
		t.Fatal(err)
	}
	return s
}

// hide adds vertices, edges and, if asked, properties that the filters hide, in a partition
// unless that is Null.
func hide(t *testing.T, g *blueprints.Graph, part value.Value, properties bool) {
	marked := []value.Property{{Key: "secret", Value: value.Int(1)}}
	if !part.IsNull() {
		marked = append(marked, value.Property{Key: "part", Value: part})
	}
	err := g.Update(t.Context(), func(tx *blueprints.Tx) error {
		for i := range 3 {
			seen, _, err := tx.FindVertex(value.Int([]int32{1, 4, 3}[i]))
			if err != nil {
				return err
			}
			if err := hideBeside(tx, seen, part, marked, properties); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// hideBeside adds a hidden vertex, hidden edges between it and the one that is seen, and
// hidden properties of that.
func hideBeside(tx *blueprints.Tx, seen blueprints.VertexID, part value.Value, marked []value.Property, properties bool) error {
	v, err := tx.AddVertex("secret", value.Null)
	if err != nil {
		return err
	}
	set := func(at blueprints.VertexID, key string, val value.Value) {
		if err == nil {
			_, err = tx.SetVertexProperty(at, "list", key, val, value.Null, marked)
		}
	}
	set(v, "name", value.String("josh"))
	for _, key := range []string{"name", "age", "lang"} {
		if properties {
			set(seen, key, value.Int(29))
		}
	}
	if !part.IsNull() {
		set(v, "part", part)
	}
	for _, label := range []string{"knows", "hidden"} {
		for _, ends := range [][2]blueprints.VertexID{{seen, v}, {v, seen}} {
			if err != nil {
				return err
			}
			var e blueprints.EdgeID
			if e, err = tx.AddEdge(label, ends[0], ends[1], value.Null); err == nil && !part.IsNull() {
				err = tx.SetEdgeProperty(e, "part", part)
			}
		}
	}
	return err
}
