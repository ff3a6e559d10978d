package blueprints_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/bench/heap"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

// changes are what a transaction may do often; each has the i-th one of two thousand and
// more vertices, each with an edge.
var changes = map[string]func(tx *blueprints.Tx, vs []blueprints.VertexID, i int) error{
	"vertices": func(tx *blueprints.Tx, _ []blueprints.VertexID, _ int) error {
		_, err := tx.AddVertex("person", value.Null)
		return err
	},
	"edges": func(tx *blueprints.Tx, vs []blueprints.VertexID, i int) error {
		_, err := tx.AddEdge("knows", vs[i%len(vs)], vs[(i+1)%len(vs)], value.Null)
		return err
	},
	"labels": func(tx *blueprints.Tx, _ []blueprints.VertexID, i int) error {
		_, err := tx.AddVertex(fmt.Sprint("label ", i), value.Null)
		return err
	},
	"properties": func(tx *blueprints.Tx, vs []blueprints.VertexID, i int) error {
		text := value.String(strings.Repeat("x", 100))
		_, err := tx.SetVertexProperty(vs[i/10%len(vs)], "single", fmt.Sprint("p", i%10), text, value.Null, nil)
		return err
	},
	"a list": func(tx *blueprints.Tx, vs []blueprints.VertexID, i int) error {
		_, err := tx.SetVertexProperty(vs[0], "list", "all", value.Long(int64(i)), value.Null, nil)
		return err
	},
	"drops": func(tx *blueprints.Tx, vs []blueprints.VertexID, i int) error {
		return tx.RemoveVertex(vs[i%len(vs)])
	},
	"reads": func(tx *blueprints.Tx, vs []blueprints.VertexID, i int) error {
		_, err := tx.VertexProperties(nil, vs[i%len(vs)], nil)
		return err
	},
}

// TestTx_Account: what a transaction keeps, of what it reads and writes, is charged, and given
// back at its end, however it ends.
func TestTx_Account(t *testing.T) {
	const vertices = 20_000
	shared, vs := likers(t, vertices)
	for i, name := range slices.Sorted(maps.Keys(changes)) {
		if raced.Skips(i, 12) {
			continue
		}
		for _, max := range []int64{account.Unlimited, 1 << 20} {
			for _, commit := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s of %d commit=%v", name, max, commit), func(t *testing.T) {
					g, vs := shared, vs
					if commit && max == account.Unlimited { // nothing else changes the graph
						g, vs = likers(t, vertices)
					}
					testAccount(t, g, vs, max, commit, name)
				})
			}
		}
	}
}

// likers are vertices with an edge each, which the cache knows: what it keeps is the server's.
func likers(t *testing.T, n int) (*blueprints.Graph, []blueprints.VertexID) {
	t.Helper()
	g := newGraph(t, blueprints.Options{})
	vs := make([]blueprints.VertexID, n)
	update(t, g, func(tx *blueprints.Tx) error {
		for i := range vs {
			vs[i] = must[blueprints.VertexID](t)(tx.AddVertex("person", value.Null))
			must[blueprints.EdgeID](t)(tx.AddEdge("likes", vs[i], vs[i/2], value.Null))
		}
		return nil
	})
	view(t, g, func(tx *blueprints.Tx) {
		for i := range vs {
			must[[]blueprints.PropertyEntry](t)(tx.VertexProperties(nil, vs[i], nil))
		}
	})
	return g, vs
}

func testAccount(t *testing.T, g *blueprints.Graph, vs []blueprints.VertexID, max int64, commit bool, name string) {
	const times = 20_000
	a := account.New(nil, "queryMemory", max)
	before := heap.InUse()
	tx := must[*blueprints.Tx](t)(g.Begin(ctx, blueprints.TxOptions{Account: a}))
	var err error
	for i := 0; i < times && err == nil; i++ {
		err = changes[name](tx, vs, i)
	}
	if grown := heap.InUse() - before; max == account.Unlimited && grown > a.Used()+256<<10 {
		t.Errorf("%d bytes more are in use, %d are charged", grown, a.Used())
	}
	if max != account.Unlimited && name != "reads" && (!errors.Is(err, account.ErrLimit) || !strings.Contains(err.Error(), "queryMemory is")) {
		t.Errorf("beyond the account: %v", err)
	}
	if commit && err == nil {
		err = tx.Commit(ctx)
	}
	if err != nil && !errors.Is(err, account.ErrLimit) {
		t.Error(err)
	}
	if err := tx.Close(); err != nil {
		t.Error(err)
	}
	if a.Used() != 0 {
		t.Errorf("%d bytes stay charged", a.Used())
	}
}

// TestLookup_Account: what a look-up keeps, to give no element twice, is charged while it is
// open.
func TestLookup_Account(t *testing.T) {
	const vertices = 2000
	g := newGraph(t, blueprints.Options{})
	update(t, g, func(tx *blueprints.Tx) error {
		for i := range vertices {
			v := must[blueprints.VertexID](t)(tx.AddVertex("person", value.Null))
			for _, n := range []int{i, i + 1} {
				must[blueprints.PropertyEntry](t)(tx.SetVertexProperty(v, "list", "n", value.Of(n), value.Null, nil))
			}
		}
		return nil
	})
	createKeyIndex(t, g, blueprints.VertexClass, "n")
	for _, max := range []int64{1 << 20, 100} {
		a := account.New(nil, "queryMemory", max)
		tx := must[*blueprints.Tx](t)(g.Begin(ctx, blueprints.TxOptions{ReadOnly: true, Account: a}))
		it := tx.LookupVertices("n", blueprints.ValueRange{Min: value.Int(1), HasMin: true})
		var buf [64]blueprints.VertexID
		n := 0
		for k := it.Next(buf[:]); k > 0; k = it.Next(buf[:]) {
			n += k
		}
		if err := it.Err(); max > 100 && (err != nil || n != vertices || a.Used() < vertices/8) || max == 100 && !errors.Is(err, account.ErrLimit) {
			t.Errorf("of %d bytes: %d vertices, %d are charged, %v", max, n, a.Used(), err)
		}
		if err := it.Close(); max > 100 && err != nil || a.Used() != 0 {
			t.Errorf("%v, %d bytes stay charged", err, a.Used())
		}
		if err := tx.Close(); err != nil {
			t.Error(err)
		}
	}
}
