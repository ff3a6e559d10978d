package blueprints_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/check"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// countedElement is what the model knows of an element: whether there is a counter, and of
// how much.
type countedElement struct {
	edge bool
	id   uint64
}

type countedState struct {
	has bool
	n   int64
}

type countedModel map[countedElement]countedState

// countedOp changes a model.
type countedOp struct {
	at   countedElement
	kind byte // + adds, = sets, - removes the counter, x the element
	n    int64
}

func (m countedModel) apply(o countedOp) {
	switch s := m[o.at]; o.kind {
	case '+':
		m[o.at] = countedState{true, s.n + o.n}
	case '=':
		m[o.at] = countedState{true, o.n}
	case '-':
		m[o.at] = countedState{}
	case 'x':
		delete(m, o.at)
	}
}

// countedTx is an open transaction: what it sees, what it did, and whether it can only lose
// to those who did more than add.
type countedTx struct {
	tx    *blueprints.Tx
	sees  countedModel
	ops   []countedOp
	adds  bool // and does nothing else
	since bool // others have done more than add
}

// countedMachine runs transactions side by side on a graph and on its model.
type countedMachine struct {
	fs    *vfs.MemFS
	level storage.Isolation
	db    *blueprints.Database
	g     *blueprints.Graph
	open  []*countedTx
	is    countedModel // what was committed
}

func (m *countedMachine) start(t *rapid.T) {
	s, err := pebble.Open("data", pebble.Options{Layout: table.Layout, FS: m.fs, DiskReserve: -1, BallastBytes: -1, CacheBytes: 1 << 20})
	noError(t, err)
	m.db, err = blueprints.Open(s, blueprints.DatabaseOptions{CacheBytes: rapid.SampledFrom([]int64{-1, 4 << 10, 1 << 20}).Draw(t, "cache")})
	noError(t, err)
	if m.g, err = m.db.Graph("g"); errors.Is(err, blueprints.ErrNoGraph) {
		m.g, err = m.db.CreateGraph("g", blueprints.Options{Isolation: m.level})
	}
	noError(t, err)
}

func (m *countedMachine) stop(t *rapid.T) {
	for _, x := range m.open {
		noError(t, x.tx.Close())
	}
	m.open = nil
	noError(t, m.db.Close())
}

// fill makes vertices of two labels and edges, and counters of a key of each of their labels.
func (m *countedMachine) fill(t *rapid.T) {
	m.is = countedModel{}
	noError(t, m.g.Update(ctx, func(tx *blueprints.Tx) error {
		var last blueprints.VertexID
		for i, label := range []string{"p", "p", "q"} {
			v, err := tx.AddVertex(label, value.Null)
			if err != nil {
				return err
			}
			m.is[countedElement{false, uint64(v)}] = countedState{}
			if i > 0 {
				e, err := tx.AddEdge("e", last, v, value.Null)
				if err != nil {
					return err
				}
				m.is[countedElement{true, uint64(e)}] = countedState{}
			}
			last = v
		}
		return errors.Join(tx.DeclareCounter(blueprints.VertexClass, "p", "c"), tx.DeclareCounter(blueprints.VertexClass, "q", "c"),
			tx.DeclareCounter(blueprints.EdgeClass, "e", "c"))
	}))
}

func (m *countedMachine) Begin(t *rapid.T) {
	if len(m.open) == 3 {
		t.Skip("enough")
	}
	tx, err := m.g.Begin(ctx, blueprints.TxOptions{})
	noError(t, err)
	m.open = append(m.open, &countedTx{tx: tx, sees: maps.Clone(m.is), adds: true})
}

// pick returns a transaction, and an element that it sees.
func (m *countedMachine) pick(t *rapid.T) (*countedTx, countedElement) {
	if len(m.open) == 0 {
		t.Skip("no transaction")
	}
	x := rapid.SampledFrom(m.open).Draw(t, "tx")
	all := slices.SortedFunc(maps.Keys(x.sees), func(a, b countedElement) int {
		return int(a.id) - int(b.id) + 100*(len(fmt.Sprint(a.edge))-len(fmt.Sprint(b.edge)))
	})
	if len(all) == 0 {
		t.Skip("no element")
	}
	return x, rapid.SampledFrom(all).Draw(t, "element")
}

func (x *countedTx) do(o countedOp) {
	x.sees.apply(o)
	x.ops = append(x.ops, o)
	x.adds = x.adds && o.kind == '+'
}

func (e countedElement) class() blueprints.ElementClass {
	if e.edge {
		return blueprints.EdgeClass
	}
	return blueprints.VertexClass
}

func (m *countedMachine) Increment(t *rapid.T) {
	x, at := m.pick(t)
	by := rapid.OneOf(rapid.Int64Range(-3, 9), rapid.Int64()).Draw(t, "by")
	noError(t, x.tx.Increment(at.class(), at.id, "c", by))
	x.do(countedOp{at, '+', by})
}

func (m *countedMachine) Set(t *rapid.T) {
	x, at := m.pick(t)
	n := rapid.Int64().Draw(t, "n")
	if at.edge {
		noError(t, x.tx.SetEdgeProperty(blueprints.EdgeID(at.id), "c", value.Long(n)))
	} else {
		_, err := x.tx.SetVertexProperty(blueprints.VertexID(at.id), "single", "c", value.Long(n), value.Null, nil)
		noError(t, err)
	}
	x.do(countedOp{at, '=', n})
}

func (m *countedMachine) Remove(t *rapid.T) {
	x, at := m.pick(t)
	if at.edge {
		noError(t, x.tx.RemoveEdgeProperty(blueprints.EdgeID(at.id), "c"))
	} else {
		c, _ := x.tx.Symbol("c")
		ps, err := x.tx.VertexProperties(nil, blueprints.VertexID(at.id), []blueprints.Symbol{c})
		noError(t, err)
		for _, p := range ps {
			noError(t, x.tx.RemoveVertexProperty(blueprints.VertexID(at.id), p))
		}
	}
	x.adds = false
	if x.sees[at].has { // else there is nothing to remove, and to conflict over under snapshot isolation
		x.do(countedOp{at, '-', 0})
	}
}

func (m *countedMachine) Drop(t *rapid.T) {
	x, at := m.pick(t)
	if !at.edge || rapid.IntRange(0, 3).Draw(t, "rarely") > 0 {
		t.Skip("kept")
	}
	noError(t, x.tx.RemoveEdge(blueprints.EdgeID(at.id)))
	x.do(countedOp{at, 'x', 0})
}

// Read compares what a transaction sees of an element, in several ways.
func (m *countedMachine) Read(t *rapid.T) {
	x, at := m.pick(t)
	x.adds = false
	m.sees(t, x.tx, x.sees, at)
}

func (m *countedMachine) sees(t *rapid.T, tx *blueprints.Tx, sees countedModel, at countedElement) {
	t.Helper()
	c, _ := tx.Symbol("c")
	var val value.Value
	var has bool
	var ps []blueprints.PropertyEntry
	var err, perr error
	if at.edge {
		val, has, err = tx.EdgeValue(blueprints.EdgeID(at.id), c)
		ps, perr = tx.EdgeProperties(nil, blueprints.EdgeID(at.id), nil)
	} else {
		val, has, err = tx.VertexValue(blueprints.VertexID(at.id), c)
		ps, perr = tx.VertexProperties(nil, blueprints.VertexID(at.id), nil)
		many, ends, err := tx.VertexValues(nil, nil, []blueprints.VertexID{blueprints.VertexID(at.id)}, c)
		if noError(t, err); (len(many) == 1) != sees[at].has || ends[0] != len(many) || len(many) == 1 && many[0].Int64() != sees[at].n {
			t.Fatalf("%v has %v", at, many)
		}
	}
	noError(t, errors.Join(err, perr))
	if want := sees[at]; has != want.has || has && val.Int64() != want.n || len(ps) > 0 != has {
		t.Fatalf("%v has %v (%v), %d properties, want %+v", at, val, has, len(ps), want)
	}
}

func (m *countedMachine) Commit(t *rapid.T) {
	x, _ := m.pick(t)
	m.open = slices.DeleteFunc(m.open, func(y *countedTx) bool { return x == y })
	err := x.tx.Commit(ctx)
	noError(t, x.tx.Close())
	if errors.Is(err, storage.ErrConflict) {
		if x.adds && !x.since {
			t.Fatalf("increments conflict with increments: %v", err)
		}
		return
	}
	noError(t, err)
	for _, o := range x.ops {
		m.is.apply(o)
	}
	for _, y := range m.open {
		y.since = y.since || slices.ContainsFunc(x.ops, func(o countedOp) bool { return o.kind != '+' })
	}
}

func (m *countedMachine) Rollback(t *rapid.T) {
	x, _ := m.pick(t)
	m.open = slices.DeleteFunc(m.open, func(y *countedTx) bool { return x == y })
	noError(t, x.tx.Close())
}

func (m *countedMachine) Reopen(t *rapid.T) {
	if rapid.IntRange(0, 4).Draw(t, "rarely") > 0 {
		t.Skip("open")
	}
	m.stop(t)
	m.start(t)
}

// Check compares what was committed.
func (m *countedMachine) Check(t *rapid.T) {
	noError(t, m.g.View(ctx, func(tx *blueprints.Tx) error {
		for at := range m.is {
			m.sees(t, tx, m.is, at)
		}
		return nil
	}))
}

// TestCounters_Random: counters are what the transactions that committed made of them, one
// after the other, whatever ran side by side; each sees its own.
func TestCounters_Random(t *testing.T) {
	for _, level := range levels {
		t.Run(fmt.Sprint(level), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				m := &countedMachine{fs: vfs.NewMem(), level: level}
				m.start(t)
				m.fill(t)
				t.Repeat(rapid.StateMachineActions(m))
				m.Check(t)
				r, err := check.Run(ctx, m.g)
				if noError(t, err); !r.OK() {
					t.Fatal(r.Problems)
				}
				m.stop(t)
			})
		})
	}
}
