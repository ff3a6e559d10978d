package blueprints

import (
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage/value"
)

// TestGone_LeavesNoRows: of elements that were read, changed and removed nothing stays in
// the cache, however few cells they have; earlier readers see them all the same.
func TestGone_LeavesNoRows(t *testing.T) {
	db, g := openCached(t, 64<<20)
	n := raced.Times(500, 4)
	vs, es := ring(t, g, n)
	before := reader(t, g)
	readAll(t, before, vs, es)
	for range 2 {
		commit(t, g, func(tx *Tx) error {
			for i, v := range vs {
				ok[PropertyEntry](t)(tx.SetVertexProperty(v, "single", "k", value.Int(int32(-i)), value.Null, nil))
			}
			return nil
		})
	}
	readAll(t, reader(t, g), vs, es)
	if rows := db.CacheStats().Rows; rows < int64(4*n) {
		t.Fatalf("%d rows are in the cache", rows)
	}
	for i := range 5 { // pieces of the graph, so that ranges do not join
		commit(t, g, func(tx *Tx) error {
			for k := i; k < n; k += 5 {
				if err := tx.RemoveVertex(vs[k]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if st := db.CacheStats(); st.Rows > 8 { // of labels and names
		t.Errorf("%d rows, %d bytes are in the cache of an empty graph", st.Rows, st.Bytes)
	}
	readAll(t, before, vs, es)
}
