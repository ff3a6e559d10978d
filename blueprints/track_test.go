package blueprints_test

import (
	"fmt"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

// TestTx_Forgotten begins to read very often, in each way that there is, and forgets what
// it reads from: that is closed in time, what was kept goes on, and all is given back.
func TestTx_Forgotten(t *testing.T) {
	const limit, times = 8 << 20, 2_000
	g := newGraph(t, blueprints.Options{})
	if err := g.CreateKeyIndex(ctx, blueprints.VertexClass, "n"); err != nil {
		t.Fatal(err)
	}
	update(t, g, func(tx *blueprints.Tx) error {
		for i := range 100 {
			v := must[blueprints.VertexID](t)(tx.AddVertex(fmt.Sprint("l", i%3), value.Null))
			if _, err := tx.SetVertexProperty(v, "", "n", value.Int(int32(i)), value.Null, nil); err != nil {
				return err
			}
			if _, err := tx.AddEdge("e", v, v, value.Null); err != nil {
				return err
			}
		}
		return nil
	})
	var some [1]blueprints.VertexID
	var edge [1]blueprints.EdgeID
	for name, read := range map[string]func(tx *blueprints.Tx) int{
		"vertices":   func(tx *blueprints.Tx) int { return tx.Vertices().Next(some[:]) },
		"edges":      func(tx *blueprints.Tx) int { return tx.Edges().Next(edge[:]) },
		"an index's": func(tx *blueprints.Tx) int { return tx.LookupVertices("n", blueprints.ValueRange{}).Next(some[:]) },
	} {
		for _, readOnly := range []bool{false, true} {
			a := account.New(nil, "queryMemory", limit)
			tx := must[*blueprints.Tx](t)(g.Begin(ctx, blueprints.TxOptions{ReadOnly: readOnly, Account: a}))
			kept := tx.Vertices()
			all := []blueprints.VertexIterator{kept}
			for range 100 {
				all = append(all, tx.Vertices())
			}
			for n := range times {
				if read(tx) != 1 {
					t.Fatalf("%s, %d: nothing is read", name, n)
				}
			}
			for i, it := range all {
				if n := it.Next(make([]blueprints.VertexID, 200)); n != 100 || it.Err() != nil {
					t.Errorf("%s: scan %d that was kept gives %d vertices, %v", name, i, n, it.Err())
				}
			}
			if err := tx.Close(); err != nil || a.Used() != 0 {
				t.Errorf("%s: %d bytes are charged behind the end, %v", name, a.Used(), err)
			}
		}
	}
}
