package blueprints_test

import (
	"errors"
	"fmt"
	"maps"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/value"
)

// ofHistory are ways to read what was and what changed, and to change that.
var ofHistory = map[string]func(x things) error{
	"commits":              func(x things) error { return x.tx.EachCommit(0, 0, false, changesOf) },
	"commits backwards":    func(x things) error { return x.tx.EachCommit(0, 0, true, changesOf) },
	"commits of a vertex":  func(x things) error { return x.tx.EachCommitOf(blueprints.VertexClass, uint64(x.v), 0, 0, changesOf) },
	"commits of an edge":   func(x things) error { return x.tx.EachCommitOf(blueprints.EdgeClass, uint64(x.e), 0, 0, changesOf) },
	"a vertex of the past": func(x things) error { _, _, err := x.tx.FindPast(blueprints.VertexClass, value.Long(2)); return err },
	"an edge of the past":  func(x things) error { _, _, err := x.tx.FindPast(blueprints.EdgeClass, value.Long(3)); return err },
	"last version":         func(x things) error { _, err := x.tx.LastVersion(); return err },
	"where it begins":      func(x things) error { _, err := x.tx.HistoryFloor(); return err },
	"restore":              func(x things) error { _, err := x.tx.Restore(blueprints.VertexClass, value.Long(2)); return err },
	"purge":                func(x things) error { _, err := x.tx.Purge(blueprints.VertexClass, value.Long(2)); return err },
	"difference": func(x things) error {
		floor, err := x.tx.HistoryFloor()
		if err != nil {
			return err
		}
		return x.tx.Diff(floor, 0, passOver)
	},
	"denied commits": func(x things) error {
		return x.tx.Restrict(&blueprints.Restriction{Denied: blueprints.Denied{Keys: []string{"name"}, EdgeLabels: []string{"knows"}}}).EachCommit(0, 0, false, changesOf)
	},
}

func changesOf(c *blueprints.Commit) (bool, error) { return true, c.Changes(passOver) }

func passOver(*blueprints.Change) (bool, error) { return true, nil }

// TestFaults_OfHistory has each call of the store fail once while history is read, or changed: the
// one who asked hears of it.
func TestFaults_OfHistory(t *testing.T) {
	f, g := faultyGraph(t, blueprints.Options{VertexIDs: ids.Long, EdgeIDs: ids.Long, VertexPropertyIDs: ids.Long, History: blueprints.Forever}, -1)
	var x things
	for _, write := range []func(tx *blueprints.Tx) error{
		func(tx *blueprints.Tx) (err error) { x, err = addThings(tx); return err },
		func(tx *blueprints.Tx) error { setProperty(t, tx, x.v, "name", "other"); return nil },
		func(tx *blueprints.Tx) error { return tx.SetEdgeProperty(x.e, "name", value.Int(9)) },
		func(tx *blueprints.Tx) error { return tx.RemoveVertex(x.w) },
	} {
		update(t, g, write)
	}
	versions := versionsOf(t, g)
	ways := maps.Clone(ofHistory)
	for i, version := range versions {
		ways[fmt.Sprint("undo ", i)] = func(x things) error { _, err := x.tx.Undo(version, true); return err }
	}
	for name, do := range ways {
		for n := int64(0); failsAt(t, f, n, func() error {
			return g.Update(asked, func(tx *blueprints.Tx) error {
				x := x
				x.tx = tx
				err := do(x)
				if err != nil && !errors.Is(err, storagetest.ErrDisk) {
					t.Errorf("%s: %v", name, err)
				}
				return errors.Join(err, errUndo)
			})
		}, name); n++ {
		}
	}
	for _, name := range []string{"find a vertex", "find an edge", "an edge", "properties", "an edge's properties", "all vertices", "all edges", "values", "edges of", "ends of", "vertices by name"} {
		for n := int64(0); failsAt(t, f, n, func() error {
			tx, err := g.Begin(asked, blueprints.TxOptions{ReadOnly: true, AsOf: versions[1]})
			if err != nil {
				return err
			}
			defer tx.Close()
			x := x
			x.tx = tx
			return errors.Join(operations[name](x), errUndo)
		}, name, "in the past"); n++ {
		}
	}
}
