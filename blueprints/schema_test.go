package blueprints_test

import (
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/sample"
	"github.com/gremlind/gremlind/blueprints/schema"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// rule is a change of the schema, written as a client writes it.
func rule(m map[string]any) blueprints.SchemaChange {
	return func(old *schema.Schema) (*schema.Schema, error) { return old.With(value.Of(m)) }
}

// TestSchema: what the rules refuse when a transaction commits, and when they are set, in
// the words that clients are told.
func TestSchema(t *testing.T) {
	for _, level := range []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation, storage.CommittedIsolation} {
		s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
		if err != nil {
			t.Fatal(err)
		}
		db, err := blueprints.Open(s, blueprints.DatabaseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		g, err := db.CreateGraph("modern", blueprints.Options{Isolation: level})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sample.Load(ctx, g, "modern"); err != nil {
			t.Fatal(err)
		}
		set := func(want string, m map[string]any) {
			t.Helper()
			_, err := g.ChangeSchema(ctx, rule(m))
			if got := text(err); got != want {
				t.Errorf("level %d, %v:\ngot  %s\nwant %s", level, m, got, want)
			}
		}
		write := func(want string, fn func(tx *blueprints.Tx) error) {
			t.Helper()
			if got := text(g.Update(ctx, fn)); got != want {
				t.Errorf("level %d:\ngot  %s\nwant %s", level, got, want)
			}
		}
		property := func(id int, key string, v value.Value) func(*blueprints.Tx) error {
			return func(tx *blueprints.Tx) error {
				at, _, err := tx.FindVertex(value.Of(id))
				if err == nil {
					_, err = tx.SetVertexProperty(at, "single", key, v, value.Null, nil)
				}
				return err
			}
		}
		set("", map[string]any{"vertex": "person", "keys": map[string]any{"age": map[string]any{"type": "Integer", "min": 0}}})
		write("Label person: key age wants an Integer, got String", property(1, "age", value.String("x")))
		write("Label person: key age wants at least 0, got -1", property(1, "age", value.Int(-1)))
		write("", property(1, "age", value.Int(30)))
		set("", map[string]any{"vertex": "person", "keys": map[string]any{"name": map[string]any{"required": true}}})
		write("Label person: key name is required (vertex 77)", func(tx *blueprints.Tx) error {
			_, err := tx.AddVertex("person", value.Int(77))
			return err
		})
		write("Label person: key name is required (vertex 2)", property(2, "name", value.Null))
		set("", map[string]any{"edge": "created", "from": "person", "to": "software"})
		write("Edge created goes from person to software, not from software to person", func(tx *blueprints.Tx) error {
			a, _, _ := tx.FindVertex(value.Int(3))
			b, _, _ := tx.FindVertex(value.Int(1))
			_, err := tx.AddEdge("created", a, b, value.Null)
			return err
		})
		set("Edge knows: vertex 1 has 2 (and 0 more): cannot be ONE2ONE", map[string]any{"edge": "knows", "multiplicity": "ONE2ONE"})
		set("", map[string]any{"edge": "knows", "multiplicity": "SIMPLE"})
		write("Edge knows: vertex 1 has 2: cannot be SIMPLE", func(tx *blueprints.Tx) error {
			a, _, _ := tx.FindVertex(value.Int(1))
			b, _, _ := tx.FindVertex(value.Int(2))
			_, err := tx.AddEdge("knows", a, b, value.Null)
			return err
		})
		set("Label software: key lang wants an Integer, got String (vertex 3 and 1 more)", map[string]any{
			"vertex": "software", "keys": map[string]any{"lang": "Integer"}})
		now, err := g.Schema(ctx)
		if err != nil || now.Version != 4 || !g.Uses(blueprints.SchemaFeature) {
			t.Errorf("version %d, %v", now.Version, err)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
