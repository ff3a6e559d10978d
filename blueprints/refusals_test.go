package blueprints_test

import (
	"errors"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// TestRestricted_Refusals: what rules, indexes and quotas refuse to somebody is told without
// what is denied to him: names that are in a rule, values of a key in an index of several, how
// many there are in all. Others are told everything.
func TestRestricted_Refusals(t *testing.T) {
	g := newGraph(t, blueprints.Options{Limits: blueprints.Limits{Vertices: 6}})
	update(t, g, func(tx *blueprints.Tx) error {
		for i, label := range []string{"person", "person", "software", "spy"} {
			v, err := tx.AddVertex(label, value.Of(i))
			if err == nil {
				_, err = tx.SetVertexProperty(v, "single", "name", value.Of(label+" "+string(rune('0'+i))), value.Null, nil)
			}
			if err == nil {
				_, err = tx.SetVertexProperty(v, "single", "ssn", value.Of("s3cret"), value.Null, nil)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if _, err := g.DeclareIndex(ctx, ctx, blueprints.IndexSpec{Name: "both", Class: blueprints.VertexClass, Keys: []string{"name", "ssn"}, Unique: true}); err != nil {
		t.Fatal(err)
	}
	for _, r := range []map[string]any{
		{"vertex": "person", "keys": map[string]any{"ssn": map[string]any{"type": "String", "required": true}, "age": "Integer"}},
		{"edge": "knows", "from": "person", "to": []any{"person", "spy"}},
		{"edge": "made", "from": "person", "to": "software"},
	} {
		if _, err := g.ChangeSchema(ctx, rule(r)); err != nil {
			t.Fatal(err)
		}
	}
	by := &blueprints.Restriction{
		Denied: blueprints.Denied{Keys: []string{"ssn"}, VertexLabels: []string{"spy"}},
		Refuse: func(what, name string) error { return errors.New(what + " " + name) },
	}
	for _, row := range []struct {
		do          func(w writer) error
		whole, less string
	}{
		{addPeople(1), "Label person: key ssn is required (vertex 8)", "Label person: a rule of the schema that is not shown refuses that (vertex 9)"},
		{setName(1, "person 0"), "Index both: another vertex has [person 0, s3cret]", "another vertex has the same values in an index that is not shown"},
		{setAge(1), "Label person: key age wants an Integer, got String", ""},
		{join("knows", 0, 2), "Edge knows goes from person to person or spy, not from person to software", "Edge knows: a rule of the schema that is not shown refuses that"},
		{join("made", 0, 1), "Edge made goes from person to software, not from person to person", ""},
		{addOthers(3), "graph g has 4 of 6 vertices (quota.vertices): there is no room for 3 more", "graph g has no room for 3 more vertices (quota.vertices)"},
	} {
		if row.less == "" {
			row.less = row.whole
		}
		for _, restricted := range []bool{false, true} {
			want := row.whole
			err := g.Update(ctx, func(tx *blueprints.Tx) error {
				if restricted {
					want = row.less
					return row.do(tx.Restrict(by))
				}
				return row.do(tx)
			})
			if text(err) != want {
				t.Errorf("restricted %t:\ngot  %v\nwant %s", restricted, err, want)
			}
		}
	}
}

// writer is a transaction, or what somebody sees of it.
type writer interface {
	blueprints.View
	blueprints.Mutator
}

func addPeople(n int) func(writer) error { return add(n, "person") }
func addOthers(n int) func(writer) error { return add(n, "other") }

// add adds so many vertices of a label.
func add(n int, label string) func(writer) error {
	return func(w writer) error {
		for range n {
			if _, err := w.AddVertex(label, value.Null); err != nil {
				return err
			}
		}
		return nil
	}
}

func setName(id int, name string) func(writer) error { return set(id, "name", value.Of(name)) }
func setAge(id int) func(writer) error               { return set(id, "age", value.Of("old")) }

func set(id int, key string, to value.Value) func(writer) error {
	return func(w writer) error {
		v, _, err := w.FindVertex(value.Of(id))
		if err == nil {
			_, err = w.SetVertexProperty(v, "single", key, to, value.Null, nil)
		}
		return err
	}
}

func join(label string, out, in int) func(writer) error {
	return func(w writer) error {
		var ends [2]blueprints.VertexID
		for i, id := range [2]int{out, in} {
			v, _, err := w.FindVertex(value.Of(id))
			if ends[i] = v; err != nil {
				return err
			}
		}
		_, err := w.AddEdge(label, ends[0], ends[1], value.Null)
		return err
	}
}
