package blueprints

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// TestReadingRows: elements side by side are what reading each by itself says, those that are gone
// too, also where most of a row was not asked for.
func TestReadingRows(t *testing.T) {
	_, g := openCached(t, 0)
	var asked [2]Symbol
	commit(t, g, func(tx *Tx) error {
		for i := range 12 {
			v := ok[VertexID](t)(tx.AddVertex("person", value.Null))
			e := ok[EdgeID](t)(tx.AddEdge("knows", v, v, value.Null))
			for k := range 3 * rowsSkip * (i % 3) / 2 {
				name := fmt.Sprint("k", k)
				ok[PropertyEntry](t)(tx.SetVertexProperty(v, "list", name, value.Int(int32(k)), value.Null, nil))
				ok[PropertyEntry](t)(tx.SetVertexProperty(v, "list", name, value.Int(int32(i)), value.Null, nil))
				if err := tx.SetEdgeProperty(e, name, value.Int(int32(k))); err != nil {
					return err
				}
			}
			if i%5 == 4 {
				if err := tx.RemoveVertex(v); err != nil {
					return err
				}
			}
		}
		first, _ := tx.Symbol("k0")
		last, _ := tx.Symbol(fmt.Sprint("k", 3*rowsSkip-1))
		asked = [...]Symbol{last, first}
		return nil
	})
	tx := reader(t, g)
	defer tx.Close()
	s, symbols := source{g.number}, []uint32{uint32(asked[0]), uint32(asked[1])}
	for _, class := range []table.Class{table.VertexClass, table.EdgeClass} {
		var ids []uint64
		for id := range uint64(14) {
			if id%4 != 3 {
				ids = append(ids, id+1)
			}
		}
		rows, err := s.ReadingRows(tx.tx, class, ids, symbols)
		if err != nil {
			t.Fatal(err)
		}
		each := stored{s, tx.tx}
		for _, id := range ids {
			got, there, err := rows.Element(class, id)
			want, is, err2 := each.Element(class, id)
			if got != want && is || there != is || err != nil || err2 != nil {
				t.Errorf("%v %d: %+v %v %v, want %+v %v %v", class, id, got, there, err, want, is, err2)
			}
			for _, k := range symbols {
				got, err := rows.Values(nil, class, id, k)
				want, err2 := each.Values(nil, class, id, k)
				if !slices.EqualFunc(got, want, value.Equal) || err != nil || err2 != nil {
					t.Errorf("%v %d key %d: %v %v, want %v %v", class, id, k, got, err, want, err2)
				}
			}
		}
	}
}

// TestReadingRows_Corrupt: a key in the row of an element that says no more is told of.
func TestReadingRows_Corrupt(t *testing.T) {
	_, g := openCached(t, 0)
	commit(t, g, func(tx *Tx) error {
		for range 5 {
			v := ok[VertexID](t)(tx.AddVertex("person", value.Null))
			ok[EdgeID](t)(tx.AddEdge("knows", v, v, value.Null))
		}
		return nil
	})
	for class, row := range map[table.Class]func([]byte, uint32, uint64) []byte{table.VertexClass: table.AppendVertexRow, table.EdgeClass: table.AppendEdgeRow} {
		key := row(nil, g.number, 3)
		put(t, g.Store(), string(key), []byte{1})
		commit(t, g, func(tx *Tx) error {
			if _, err := (source{g.number}).ReadingRows(tx.tx, class, []uint64{2, 3, 4}, nil); !errors.Is(err, storage.ErrCorrupt) {
				t.Errorf("%v: %v", class, err)
			}
			return nil
		})
		put(t, g.Store(), string(key), nil)
	}
}
