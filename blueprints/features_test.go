package blueprints

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// rowOf reads everything of a vertex and of an edge, from the store.
func rowOf(t *testing.T, g *Graph, v VertexID, e EdgeID) (props int, err error) {
	t.Helper()
	g.cache.reset(g.store.Seq())
	tx := ok[*Tx](t)(g.Begin(context.Background(), TxOptions{ReadOnly: true}))
	defer tx.Close()
	ps, err := tx.VertexProperties(nil, v, nil)
	if err != nil {
		return 0, err
	}
	es, err := tx.EdgeProperties(nil, e, nil)
	return len(ps) + len(es), err
}

// TestFeatureCells: cells of a feature in the row of an element, and the forms that a
// feature gives a property, are refused in a graph without it, by its name; those of a
// feature that the graph uses are passed over.
func TestFeatureCells(t *testing.T) {
	s := ok[*pebble.Store](t)(pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true}))
	db := ok[*Database](t)(Open(s, DatabaseOptions{}))
	defer db.Close()
	for name, o := range map[string]Options{"plain": {}, "stamped": {IDsByValue: true}} {
		g := ok[*Graph](t)(db.CreateGraph(name, o))
		tx := ok[*Tx](t)(g.Begin(context.Background(), TxOptions{}))
		v := ok[VertexID](t)(tx.AddVertex("person", value.Null))
		ok[PropertyEntry](t)(tx.SetVertexProperty(v, "single", "name", value.String("x"), value.Null, nil))
		e := ok[EdgeID](t)(tx.AddEdge("knows", v, v, value.Null))
		err := tx.SetEdgeProperty(e, "weight", value.Int(1))
		weight, _ := tx.Symbol("weight")
		if err = errors.Join(err, tx.Commit(context.Background())); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			what, key string
			val       []byte
			want      string // in a plain graph
		}{
			{"stamp of the vertex", string(table.AppendVertexRow(nil, g.number, uint64(v))) + string([]byte{byte(table.StampCell), 0}), make([]byte, 8), `there is a cell STAMP, and the graph does not use the feature "stamps"`},
			{"stamp of the edge", string(table.AppendEdgeRow(nil, g.number, uint64(e))) + string([]byte{byte(table.StampCell), 0}), make([]byte, 8), `does not use the feature "stamps"`},
			{"something else", string(table.AppendVertexRow(nil, g.number, uint64(v))) + string([]byte{0x19}), nil, "family 0x19 is unknown"},
			{"edge property that expires", string(table.AppendEdgeProperty(nil, table.EdgeProperty{Graph: g.number, Edge: uint64(e), Key: uint32(weight)})), ok[[]byte](t)(AppendEdgeProperty(nil, EdgePropertyCell{Expires: 1, Value: value.Int(1)})), `written with the feature "ttl", which the graph does not use`},
		} {
			old := put(t, s, c.key, c.val)
			_, err := rowOf(t, g, v, e)
			if !errors.Is(err, storage.ErrCorrupt) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: %v", name, c.what, err)
			}
			if name == "stamped" && strings.HasPrefix(c.what, "stamp") {
				known := features
				features = append(slices.Clone(features), features[0])
				features[len(known)].name = "stamps"
				if n, err := rowOf(t, g, v, e); err != nil || n != 2 {
					t.Errorf("%s, with the feature: %d properties, %v", c.what, n, err)
				}
				features = known
			}
			put(t, s, c.key, old)
		}
		if n, err := rowOf(t, g, v, e); err != nil || n != 2 {
			t.Errorf("%s, as it was: %d properties, %v", name, n, err)
		}
	}
}

// put sets a key past all graphs, or removes it when val is nil and it was not there, and
// returns what it was.
func put(t *testing.T, s storage.Store, key string, val []byte) (old []byte) {
	t.Helper()
	tx := ok[storage.Tx](t)(s.Begin(context.Background(), storage.TxOptions{}))
	old, err := tx.Get([]byte(key))
	if old = slices.Clone(old); err == nil && val == nil {
		err = tx.Delete([]byte(key))
	} else {
		err = tx.Set([]byte(key), val)
	}
	if err != nil {
		t.Fatal(err)
	}
	ok[uint64](t)(tx.Commit(context.Background()))
	return old
}

// TestFeatureForms: flags of features in the cells of properties, and their names.
func TestFeatureForms(t *testing.T) {
	for flags, want := range map[byte]string{propertyChunked: `"values:chunked"`, 1 << 6: "0x40 are unknown"} {
		_, err := DecodeEdgeProperty([]byte{edgeEnvelope, flags, 1})
		if !errors.Is(err, storage.ErrCorrupt) || !strings.Contains(err.Error(), want) {
			t.Errorf("edge property of flags %#x: %v", flags, err)
		}
		_, err = DecodePropertyCell([]byte{7, flags, 1})
		if !errors.Is(err, storage.ErrCorrupt) || !strings.Contains(err.Error(), want) {
			t.Errorf("property of flags %#x: %v", flags, err)
		}
	}
	for _, b := range [][]byte{{edgeEnvelope}, {}} {
		if _, err := DecodeEdgeProperty(b); !errors.Is(err, storage.ErrCorrupt) {
			t.Errorf("%x: %v", b, err)
		}
	}
}
