package blueprints_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

// iterators counts the iterators that are open at once.
type iterators struct {
	storage.Store
	open, most int
}

type iteratorsTx struct {
	storage.Tx
	c *iterators
}

type iteratorsSnapshot struct {
	storage.Snapshot
	c *iterators
}

type countedIterator struct {
	storage.Iterator
	c      *iterators
	closed bool
}

func (c *iterators) Begin(ctx context.Context, o storage.TxOptions) (storage.Tx, error) {
	tx, err := c.Store.Begin(ctx, o)
	return &iteratorsTx{tx, c}, err
}

func (t *iteratorsTx) Scan(o storage.ScanOptions) storage.Iterator { return t.c.count(t.Tx.Scan(o)) }

func (t *iteratorsTx) Snapshot() storage.Snapshot {
	return &iteratorsSnapshot{t.Tx.Snapshot(), t.c}
}

func (s *iteratorsSnapshot) Scan(o storage.ScanOptions) storage.Iterator {
	return s.c.count(s.Snapshot.Scan(o))
}

func (c *iterators) count(it storage.Iterator) storage.Iterator {
	c.open++
	c.most = max(c.most, c.open)
	return &countedIterator{Iterator: it, c: c}
}

func (it *countedIterator) Close() error {
	if !it.closed {
		it.closed = true
		it.c.open--
	}
	return it.Iterator.Close()
}

// manyLabels makes elements of n labels, in turn few and many of each, in a random order.
func manyLabels(t *testing.T, g *blueprints.Graph, n int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	var labels []int
	for l := range n {
		for range 1 + l%3*rng.IntN(12) {
			labels = append(labels, l)
		}
	}
	rng.Shuffle(len(labels), func(i, j int) { labels[i], labels[j] = labels[j], labels[i] })
	update(t, g, func(tx *blueprints.Tx) error {
		for _, l := range labels {
			v := addVertex(t, tx, labelName(l))
			if _, err := tx.AddEdge(labelName(l), v, v, value.Null); err != nil {
				return err
			}
		}
		return nil
	})
}

func labelName(i int) string { return fmt.Sprint("label-", i) }

// symbolsOf returns the labels of a share of n.
func symbolsOf(t *testing.T, tx *blueprints.Tx, n, share int) (labels []blueprints.Symbol) {
	t.Helper()
	for l := n - 1; l >= 0; l-- {
		if l%share == 0 {
			sym, ok := tx.Symbol(labelName(l))
			if !ok {
				t.Fatalf("no label %s", labelName(l))
			}
			labels = append(labels, sym, sym)
		}
	}
	return labels
}

func edges(t testing.TB, it blueprints.EdgeIterator) []blueprints.EdgeID {
	t.Helper()
	defer it.Close()
	var all []blueprints.EdgeID
	var buf [7]blueprints.EdgeID
	for n := it.Next(buf[:]); n > 0; n = it.Next(buf[:]) {
		all = append(all, buf[:n]...)
	}
	if err := it.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// wantScans compares scans with what the elements themselves say.
func wantScans(t *testing.T, tx *blueprints.Tx, n int, sizes ...int) {
	t.Helper()
	all := vertices(t, tx.Vertices())
	if count := must[int64](t)(tx.VertexCount()); len(all) != int(count) || !slices.IsSorted(all) {
		t.Fatalf("%d vertices, counted %d, sorted %v", len(all), count, slices.IsSorted(all))
	}
	allEdges := edges(t, tx.Edges())
	if count := must[int64](t)(tx.EdgeCount()); len(allEdges) != int(count) || !slices.IsSorted(allEdges) {
		t.Fatalf("%d edges, counted %d, sorted %v", len(allEdges), count, slices.IsSorted(allEdges))
	}
	for _, share := range sizes {
		labels := symbolsOf(t, tx, n, share)
		has := map[blueprints.Symbol]bool{}
		for _, l := range labels {
			has[l] = true
		}
		var want []blueprints.VertexID
		for _, v := range all {
			if has[must[blueprints.Symbol](t)(tx.VertexLabel(v))] {
				want = append(want, v)
			}
		}
		if got := vertices(t, tx.Vertices(labels...)); !slices.Equal(got, want) {
			t.Errorf("%d of %d labels: %d vertices, want %d in the order in which they were added", n/share, n, len(got), len(want))
		}
		var wantEdges []blueprints.EdgeID
		for _, e := range allEdges {
			if has[must[blueprints.EdgeHeader](t)(tx.Edge(e)).Label] {
				wantEdges = append(wantEdges, e)
			}
		}
		if got := edges(t, tx.Edges(labels...)); !slices.Equal(got, wantEdges) {
			t.Errorf("%d of %d labels: %d edges, want %d", n/share, n, len(got), len(wantEdges))
		}
	}
}

// TestScan_ManyLabels: scans of any number of labels give elements in the order in which they
// were added, with what the transaction has written before, and open few iterators.
func TestScan_ManyLabels(t *testing.T) {
	for _, n := range []int{200, 256, 257, 600} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			count := &iterators{}
			db := openOn(t, vfs.NewMem(), func(s storage.Store) storage.Store {
				count.Store = s
				return count
			})
			t.Cleanup(func() { _ = db.Close() })
			g := must[*blueprints.Graph](t)(db.CreateGraph("g", blueprints.Options{}))
			manyLabels(t, g, n)
			count.most = 0
			view(t, g, func(tx *blueprints.Tx) {
				wantScans(t, tx, n, 1, 2, 5, 100)
				wantScans(t, tx, n, 1, 2, 5, 100) // from the cache, where it is used
			})
			tx := begin(t, g)
			for i, v := range vertices(t, tx.Vertices()) {
				if i%7 == 0 {
					if err := tx.RemoveVertex(v); err != nil {
						t.Fatal(err)
					}
				}
			}
			for l := range n {
				addVertex(t, tx, labelName(l*3%n))
			}
			wantScans(t, tx, n, 1, 2, 5, 100)
			all := len(vertices(t, tx.Vertices()))
			scan := tx.Vertices()
			addVertex(t, tx, "new")
			addVertex(t, tx, labelName(n-1))
			if got := len(vertices(t, scan)); got != all {
				t.Errorf("a scan gives %d of %d vertices", got, all)
			}
			if count.most > 300 || count.most == 0 {
				t.Errorf("%d iterators were open at once for %d labels", count.most, n)
			}
		})
	}
}

// TestScan_ManyLabelsDropped: what is dropped while it is scanned is no longer shown.
func TestScan_ManyLabelsDropped(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	manyLabels(t, g, 400)
	tx := begin(t, g)
	all := vertices(t, tx.Vertices())
	it := tx.Vertices()
	defer it.Close()
	var buf [1]blueprints.VertexID
	seen := 0
	for it.Next(buf[:]) > 0 {
		at, _ := slices.BinarySearch(all, buf[0])
		if at%2 == 1 {
			t.Fatal("a vertex that was dropped is shown")
		}
		if at+1 < len(all) {
			if err := tx.RemoveVertex(all[at+1]); err != nil {
				t.Fatal(err)
			}
		}
		seen++
	}
	if it.Err() != nil || seen != (len(all)+1)/2 {
		t.Errorf("%d of %d vertices: %v", seen, len(all), it.Err())
	}
}

// TestScan_ManyLabelsAccount: what a scan keeps for each label is charged while it is open.
func TestScan_ManyLabelsAccount(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	manyLabels(t, g, 1000)
	scan := func(max int64) (*account.Account, error) {
		a := account.New(nil, "queryMemory", max)
		tx := must[*blueprints.Tx](t)(g.Begin(ctx, blueprints.TxOptions{ReadOnly: true, Account: a}))
		defer tx.Close()
		it := tx.Vertices()
		var buf [64]blueprints.VertexID
		for it.Next(buf[:]) > 0 {
		}
		if used := a.Used(); it.Err() == nil && (used < 1000*24 || used > 1000*512) {
			t.Errorf("%d bytes are charged for 1000 labels", used)
		}
		err := it.Err()
		it.Close()
		if a.Used() != 0 {
			t.Errorf("%d bytes stay charged", a.Used())
		}
		return a, err
	}
	if _, err := scan(1 << 20); err != nil {
		t.Error(err)
	}
	if _, err := scan(20_000); !errors.Is(err, account.ErrLimit) {
		t.Errorf("a scan beyond its account: %v", err)
	}
}

// TestScan_ManyLabelsConflict: a scan of many labels has read these, and no others.
func TestScan_ManyLabelsConflict(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	manyLabels(t, g, 700)
	for name, c := range map[string]struct {
		share int // of the labels are scanned, all for 0
		added int
		want  error
	}{
		"all":         {0, 699, storage.ErrConflict},
		"one of them": {2, 698, storage.ErrConflict},
		"another":     {2, 699, nil},
	} {
		t.Run(name, func(t *testing.T) {
			tx := begin(t, g)
			var labels []blueprints.Symbol
			if c.share > 0 {
				labels = symbolsOf(t, tx, 700, c.share)
			}
			vertices(t, tx.Vertices(labels...))
			must[blueprints.VertexID](t)(tx.AddVertex(labelName(0), value.Null))
			update(t, g, func(tx *blueprints.Tx) error {
				_, err := tx.AddVertex(labelName(c.added), value.Null)
				return err
			})
			if err := tx.Commit(ctx); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}
