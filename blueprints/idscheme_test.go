package blueprints_test

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/check"
	"github.com/gremlind/gremlind/blueprints/graphio"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// forms are a number in every width that holds it.
func forms(n int64) []value.Value {
	all := []value.Value{value.Long(n), value.BigInt(big.NewInt(n))}
	if n == int64(int32(n)) {
		all = append(all, value.Int(int32(n)))
	}
	if n == int64(int16(n)) {
		all = append(all, value.Short(int16(n)))
	}
	if n == int64(int8(n)) {
		all = append(all, value.Byte(int8(n)))
	}
	return all
}

// idMachine adds, finds and drops elements by ids of every kind, beside a model that
// knows ids by what makes them equal.
type idMachine struct {
	g     *blueprints.Graph
	tx    *blueprints.Tx
	have  map[string]value.Value // as of the transaction, by class and identity
	saved map[string]value.Value
}

func identity(edge bool, id value.Value) string {
	if n := wholeID(id); n != nil {
		return fmt.Sprint(edge, " ", n)
	}
	return fmt.Sprint(edge, " ", id.GoString())
}

func drawID(t *rapid.T) value.Value {
	n := rapid.SampledFrom([]int64{0, 1, 2, 3, 5, 8, 100, 300, 40000, 1 << 40, -1, -7}).Draw(t, "number")
	all := append(forms(n), value.String(fmt.Sprint(n)), value.Double(float64(n)))
	return rapid.SampledFrom(all).Draw(t, "form")
}

func (m *idMachine) begin(t *rapid.T) {
	if m.tx == nil {
		tx, err := m.g.Begin(ctx, blueprints.TxOptions{})
		noError(t, err)
		m.tx, m.have = tx, map[string]value.Value{}
		for k, v := range m.saved {
			m.have[k] = v
		}
	}
}

func (m *idMachine) find(edge bool, id value.Value) (uint64, bool, error) {
	if edge {
		e, ok, err := m.tx.FindEdge(id)
		return uint64(e), ok, err
	}
	v, ok, err := m.tx.FindVertex(id)
	return uint64(v), ok, err
}

func (m *idMachine) add(edge bool, id value.Value) (value.Value, error) {
	if !edge {
		v, err := m.tx.AddVertex("v", id)
		if err != nil {
			return value.Null, err
		}
		return m.tx.VertexUserID(v)
	}
	hub, ok, err := m.tx.FindVertex(value.String("hub"))
	if err == nil && !ok {
		hub, err = m.tx.AddVertex("hub", value.String("hub"))
		m.have[identity(false, value.String("hub"))] = value.String("hub")
	}
	if err != nil {
		return value.Null, err
	}
	e, err := m.tx.AddEdge("e", hub, hub, id)
	if err != nil {
		return value.Null, err
	}
	return m.tx.EdgeUserID(e)
}

func (m *idMachine) Add(t *rapid.T) {
	m.begin(t)
	edge, id := rapid.Bool().Draw(t, "edge"), value.Null
	if !rapid.Bool().Draw(t, "generated") {
		id = drawID(t)
	}
	own, err := m.add(edge, id)
	if _, taken := m.have[identity(edge, id)]; taken && !id.IsNull() {
		var x *blueprints.Exception
		if !errors.As(err, &x) || !strings.Contains(x.Message, "with id already exists") {
			t.Fatalf("add %#v again: %v", id, err)
		}
		return
	}
	noError(t, err)
	if !id.IsNull() && !value.Identical(own, id) {
		t.Fatalf("%#v came back as %#v", id, own)
	}
	if _, taken := m.have[identity(edge, own)]; taken {
		t.Fatalf("generated %#v, which is taken", own)
	}
	m.have[identity(edge, own)] = own
}

func (m *idMachine) Drop(t *rapid.T) {
	m.begin(t)
	edge, id := rapid.Bool().Draw(t, "edge"), drawID(t)
	n, ok, err := m.find(edge, id)
	noError(t, err)
	if !ok {
		return
	}
	if edge {
		noError(t, m.tx.RemoveEdge(blueprints.EdgeID(n)))
	} else {
		noError(t, m.tx.RemoveVertex(blueprints.VertexID(n)))
	}
	delete(m.have, identity(edge, id))
}

func (m *idMachine) Commit(t *rapid.T) {
	if m.tx == nil {
		return
	}
	noError(t, m.tx.Commit(ctx))
	m.tx.Close()
	m.tx, m.saved = nil, m.have
}

func (m *idMachine) Rollback(t *rapid.T) {
	if m.tx == nil {
		return
	}
	m.tx.Close()
	m.tx = nil
}

// Find looks for ids in every form, those that are there and those that are not.
func (m *idMachine) Find(t *rapid.T) {
	m.begin(t)
	edge, id := rapid.Bool().Draw(t, "edge"), drawID(t)
	_, ok, err := m.find(edge, id)
	noError(t, err)
	if _, want := m.have[identity(edge, id)]; ok != want {
		t.Fatalf("edge %v, %#v: found %v, want %v", edge, id, ok, want)
	}
}

func (m *idMachine) Check(t *rapid.T) {
	if m.tx != nil {
		return
	}
	r, err := check.Run(ctx, m.g)
	noError(t, err)
	if !r.OK() || r.Noted > 0 {
		t.Fatalf("%v %v", r.Problems, r.Notes)
	}
	if int(r.Vertices+r.Edges) != len(m.saved) {
		t.Fatalf("%d vertices and %d edges, want %d", r.Vertices, r.Edges, len(m.saved))
	}
}

// TestIDsByValue_Property: whole numbers are equal by value as ids, in graphs with the
// feature and in those from before it, on every level, with a cache and without.
func TestIDsByValue_Property(t *testing.T) {
	for _, byValue := range []bool{true, false} {
		for _, isolation := range []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation} {
			for _, cache := range []int64{1 << 20, -1} {
				t.Run(fmt.Sprint(byValue, isolation, cache), func(t *testing.T) {
					rapid.Check(t, func(t *rapid.T) {
						s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true, CacheBytes: 1 << 20})
						noError(t, err)
						db, err := blueprints.Open(s, blueprints.DatabaseOptions{CacheBytes: cache})
						noError(t, err)
						defer db.Close()
						g, err := db.CreateGraph("g", blueprints.Options{IDsByValue: byValue, Isolation: isolation})
						noError(t, err)
						m := &idMachine{g: g, saved: map[string]value.Value{}}
						t.Repeat(map[string]func(*rapid.T){
							"add": m.Add, "drop": m.Drop, "commit": m.Commit, "rollback": m.Rollback, "find": m.Find, "": m.Check,
						})
						m.Rollback(t)
					})
				})
			}
		}
	}
}

// sinks are the ways of bringing records into a graph.
func sinks(g *blueprints.Graph) map[string]func(fn func(blueprints.RecordSink) error) error {
	return map[string]func(fn func(blueprints.RecordSink) error) error{
		"load": func(fn func(blueprints.RecordSink) error) error {
			_, err := load.Graph(ctx, g, load.Options{}, fn)
			return err
		},
		"transaction": func(fn func(blueprints.RecordSink) error) error {
			return g.Update(ctx, func(tx *blueprints.Tx) error { return fn(graphio.TxSink(tx, g.Options())) })
		},
	}
}

// TestIDsByValue_Records: records name vertices by ids of any width, and two of equal
// ids are refused, however they come in.
func TestIDsByValue_Records(t *testing.T) {
	for _, byValue := range []bool{true, false} {
		for _, name := range []string{"load", "transaction"} {
			for _, order := range [][]value.Value{forms(7), {value.Int(7), value.Long(7)}, {value.Short(7), value.BigInt(big.NewInt(7)), value.Byte(7)}} {
				g := newGraph(t, blueprints.Options{IDsByValue: byValue})
				fill := sinks(g)[name]
				err := fill(func(s blueprints.RecordSink) error {
					for _, r := range []blueprints.VertexRecord{{ID: order[0], Label: "v"}, {ID: value.String("7"), Label: "text"}, {ID: value.Long(1 << 40), Label: "v"}} {
						if err := s.Vertex(&r); err != nil {
							return err
						}
					}
					if err := s.Vertex(&blueprints.VertexRecord{ID: order[1], Label: "v"}); err == nil || !strings.Contains(err.Error(), "already exists") {
						t.Errorf("%s %v: %#v beside %#v: %v", name, byValue, order[1], order[0], err)
					}
					for i, id := range order {
						edge := blueprints.EdgeRecord{ID: value.Int(int32(i)), Label: "e", Out: id, In: value.BigInt(big.NewInt(1 << 40))}
						if err := s.Edge(&edge); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					t.Fatalf("%s, by value %v, %v: %v", name, byValue, order, err)
				}
				view(t, g, func(tx *blueprints.Tx) {
					v, found, err := tx.FindVertex(order[len(order)-1])
					if err != nil || !found {
						t.Fatalf("not found: %v", err)
					}
					if n := must[int64](t)(degreeOf(tx, v, blueprints.Out)); int(n) != len(order) {
						t.Errorf("%s, by value %v: %d edges", name, byValue, n)
					}
					if _, found, _ := tx.FindEdge(value.Short(1)); !found {
						t.Errorf("%s, by value %v: edge 1 is not found", name, byValue)
					}
				})
				if r, err := check.Run(ctx, g); err != nil || !r.OK() || r.Noted != 0 {
					t.Errorf("%v %v %v", err, r.Problems, r.Notes)
				}
				added := addNumbered(t, g, 10)
				wantNone(t, added, 0, 1, 7)
			}
		}
	}
	g := newGraph(t, blueprints.Options{})
	_, err := load.Graph(ctx, g, load.Options{}, func(s blueprints.RecordSink) error {
		_ = s.Vertex(&blueprints.VertexRecord{ID: value.Int(1), Label: "v"})
		for _, id := range []value.Value{value.Long(3), value.Int(3)} {
			if err := s.Edge(&blueprints.EdgeRecord{ID: id, Label: "e", Out: value.Int(1), In: value.Int(1)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "Edge with id already exists: 3") {
		t.Errorf("edges with equal ids: %v", err)
	}
}

// TestIDRows_Golden: a graph without the feature has the rows that the first programs
// wrote; with it all widths have the row of the Long.
func TestIDRows_Golden(t *testing.T) {
	old, byValue := blueprints.Options{VertexIDs: ids.Any}, blueprints.Options{VertexIDs: ids.Any, IDsByValue: true}
	for _, c := range []struct {
		id            value.Value
		want, withOne string
	}{
		{value.Long(1), "018000000000000001", "018000000000000001"},
		{value.Int(1), "028000000000000001", "018000000000000001"},
		{value.Int(-1), "027fffffffffffffff", "017fffffffffffffff"},
		{value.Short(1), "05d10001", "018000000000000001"},
		{value.Byte(1), "05d001", "018000000000000001"},
		{value.BigInt(big.NewInt(1)), "05", "018000000000000001"},
		{value.BigInt(new(big.Int).Lsh(big.NewInt(1), 63)), "05", "05"},
		{value.String("1"), "0331", "0331"},
		{value.Double(1), "05cb3ff0000000000000", "05cb3ff0000000000000"},
	} {
		a := must[[]byte](t)(old.AppendIDRow(nil, blueprints.VertexClass, c.id))
		b := must[[]byte](t)(byValue.AppendIDRow(nil, blueprints.VertexClass, c.id))
		if !strings.HasPrefix(fmt.Sprintf("%x", a), c.want) || !strings.HasPrefix(fmt.Sprintf("%x", b), c.withOne) {
			t.Errorf("%#v: %x and %x", c.id, a, b)
		}
	}
}
