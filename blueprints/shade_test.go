package blueprints

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

// TestShade: it has the vertices that were put in, on each side of its pages' edges, and is paid for.
func TestShade(t *testing.T) {
	in := []VertexID{1, 63, 64, shadePage - 1, 3 * shadePage, 9*shadePage + 65}
	limit := account.New(nil, "queryMemory", 1<<20)
	s := &shade{paid: account.Ledger{Account: limit}}
	if err := s.add(in); err != nil {
		t.Fatal(err)
	}
	for v := range VertexID(12 * shadePage) {
		if s.has(v) != slices.Contains(in, v) {
			t.Fatalf("%d: %t", v, s.has(v))
		}
	}
	if n := s.count([]uint32{1, 2, 64, 63, 63, 62, 5, 3 * shadePage}); n != 2 {
		t.Errorf("%d other ends, want 2", n)
	}
	if err := s.add([]VertexID{1 << 30}); !errors.Is(err, account.ErrLimit) {
		t.Errorf("a page at 2^30 gave %v", err)
	}
	if s.paid.Clear(); limit.Used() != 0 {
		t.Errorf("%d bytes are charged for nothing", limit.Used())
	}
}

// TestRestricted_Shade: who has looked at many vertices' labels sees no more and no less than
// before, also of what the transaction, or another one, adds then.
func TestRestricted_Shade(t *testing.T) {
	db, _ := openCached(t, 1<<20)
	g := ok[*Graph](t)(db.CreateGraph("committed", Options{Isolation: storage.CommittedIsolation}))
	const people = 2 * shadeFrom
	var hub VertexID
	commit(t, g, func(tx *Tx) error {
		hub = ok[VertexID](t)(tx.AddVertex("person", value.Null))
		for i := range people {
			v := ok[VertexID](t)(tx.AddVertex([]string{"person", "spy"}[i%4/3], value.Null))
			ok[EdgeID](t)(tx.AddEdge("knows", hub, v, value.Null))
			ok[EdgeID](t)(tx.AddEdge([]string{"knows", "pays"}[i%2], v, hub, value.Null))
		}
		return nil
	})
	tx := ok[*Tx](t)(g.Begin(t.Context(), TxOptions{}))
	defer tx.Close()
	r := tx.Restrict(&Restriction{Denied: Denied{EdgeLabels: []string{"pays"}, VertexLabels: []string{"spy"}}})
	look := func(want int64) {
		t.Helper()
		var counted, ends int64
		err := errors.Join(r.Expand([]VertexID{hub}, Expansion{Dir: Both, Want: WantCount}, SinkFunc(func(_ int, e Expanded) error {
			counted += e.Count
			return nil
		})), r.Expand([]VertexID{hub}, Expansion{Dir: Both, Want: WantEnds}, SinkFunc(func(_ int, e Expanded) error {
			ends += int64(len(e.Edges) + len(e.Pairs)/2)
			return nil
		})))
		if all := ok[int64](t)(r.EdgeCount()); err != nil || counted != want || ends != want || all != want {
			t.Errorf("%d counted, %d ends, %d edges, want %d: %v", counted, ends, all, want, err)
		}
	}
	want := int64(people*3/4 + people/2) // of the even ones that come to the hub none is a spy
	for range 3 {
		look(want)
	}
	if tx.shade == nil {
		t.Fatal("labels are still looked at")
	}
	for _, label := range []string{"spy", "person"} {
		v := ok[VertexID](t)(tx.AddVertex(label, value.Null))
		ok[EdgeID](t)(tx.AddEdge("knows", hub, v, value.Null))
	}
	look(want + 1)
	commit(t, g, func(other *Tx) error {
		for _, label := range []string{"spy", "person"} {
			v := ok[VertexID](t)(other.AddVertex(label, value.Null))
			ok[EdgeID](t)(other.AddEdge("knows", v, v, value.Null))
		}
		return nil
	})
	if err := tx.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := ok[int64](t)(r.EdgeCount()); n != want+2 {
		t.Errorf("%d edges behind another's commit, want %d", n, want+2)
	}
}

// TestRestricted_ManyLabels scans more labels than have a cursor each, without two of them.
func TestRestricted_ManyLabels(t *testing.T) {
	for _, cache := range []int64{0, 1 << 20} {
		_, g := openCached(t, cache)
		const labels, rounds = labelCursorsMax + 10, 3
		commit(t, g, func(tx *Tx) error {
			for i := range labels * rounds {
				v := ok[VertexID](t)(tx.AddVertex(fmt.Sprint("v", i%labels), value.Null))
				ok[EdgeID](t)(tx.AddEdge(fmt.Sprint("e", i%labels), v, v, value.Null))
			}
			return nil
		})
		tx := reader(t, g)
		for _, d := range []Denied{{EdgeLabels: []string{"e0", "e200"}}, {VertexLabels: []string{"v7", "v265"}}, {EdgeLabels: []string{"e3"}, VertexLabels: []string{"v9"}}} {
			r := tx.Restrict(&Restriction{Denied: d})
			hides := func(kind string, all []string, i int) bool { return slices.Contains(all, fmt.Sprint(kind, i%labels)) }
			var wantV, wantE []uint64
			for i := range labels * rounds {
				if hides("v", d.VertexLabels, i) {
					continue
				}
				wantV = append(wantV, uint64(i+1))
				if !hides("e", d.EdgeLabels, i) {
					wantE = append(wantE, uint64(i+1))
				}
			}
			if got := allOf(t, r.Vertices()); !slices.Equal(got, wantV) {
				t.Errorf("%+v: vertices %v", d, got)
			}
			if got := allOf(t, r.Edges()); !slices.Equal(got, wantE) {
				t.Errorf("%+v: edges %v", d, got)
			}
			if n := ok[int64](t)(r.EdgeCount()); n != int64(len(wantE)) {
				t.Errorf("%+v: %d edges, want %d", d, n, len(wantE))
			}
		}
	}
}

func allOf[ID ~uint64](t *testing.T, it iterator[ID]) (all []uint64) {
	t.Helper()
	buf := make([]ID, 7)
	for n := it.Next(buf); n > 0; n = it.Next(buf) {
		for _, id := range buf[:n] {
			all = append(all, uint64(id))
		}
	}
	if err := errors.Join(it.Err(), it.Close()); err != nil {
		t.Fatal(err)
	}
	return all
}
