package blueprints_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/conformance/indexhost"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// Seats are taken by vertices: each belongs to a group, by a text, a point and an edge from a
// hub, and has a number in it that no other of the group has.
const (
	seatGroups = 3
	groupSeats = 3
)

var groupNames = [seatGroups]string{"cable", "wagon", "track"}

func groupPoint(group int) value.Value {
	return value.List([]value.Value{value.Double(float64(10 * group)), value.Double(1)})
}

// finder is a way to find who may be of a group.
type finder struct {
	kind string
	find func(group int) ([]blueprints.VertexID, error)
}

// seats has members of groups come and go in the transaction.
type seats struct {
	tx   *blueprints.Tx
	hub  blueprints.VertexID
	r    *rand.Rand
	used *[4]atomic.Int64 // look-ups by keys, declared indexes of vertices and of edges, and scans
}

// finders are by all indexes that the transaction sees, and by a scan.
func (s *seats) finders() (all []finder) {
	for _, key := range s.tx.VertexIndexes() {
		all = append(all, finder{"key " + key, func(group int) (found []blueprints.VertexID, err error) {
			for _, v := range s.valuesOf(key, group) {
				s.used[0].Add(1)
				more, err := drained(s.tx.LookupVertices(key, blueprints.ValueRange{Min: v, Max: v, HasMin: true, HasMax: true}))
				if err != nil {
					return nil, err
				}
				found = append(found, more...)
			}
			return found, nil
		}})
	}
	for _, d := range s.tx.DeclaredIndexes(blueprints.VertexClass) {
		all = append(all, finder{d.Name, func(group int) ([]blueprints.VertexID, error) { s.used[1].Add(1); return s.byDeclared(d, group) }})
	}
	for _, d := range s.tx.DeclaredIndexes(blueprints.EdgeClass) {
		all = append(all, finder{d.Name, func(group int) ([]blueprints.VertexID, error) { s.used[2].Add(1); return s.byEdges(d, group) }})
	}
	for _, key := range s.tx.EdgeIndexes() {
		all = append(all, finder{"edge key " + key, func(group int) ([]blueprints.VertexID, error) {
			s.used[0].Add(1)
			v := value.Int(int32(group))
			return s.ends(s.tx.LookupEdges(key, blueprints.ValueRange{Min: v, Max: v, HasMin: true, HasMax: true}))
		}})
	}
	return append(all, finder{"scan", func(int) ([]blueprints.VertexID, error) { s.used[3].Add(1); return drained(s.tx.Vertices()) }})
}

// valuesOf are those that members of a group have.
func (s *seats) valuesOf(key string, group int) []value.Value {
	switch key {
	case "a":
		return []value.Value{value.String(groupNames[group])}
	case "b":
		return []value.Value{value.Int(int32(group))}
	}
	var all []value.Value
	for n := range groupSeats {
		all = append(all, value.Int(int32(10*group+n)))
	}
	return all
}

func drained(it blueprints.VertexIterator) (found []blueprints.VertexID, err error) {
	buf := make([]blueprints.VertexID, 8)
	for n := it.Next(buf); n > 0; n = it.Next(buf) {
		found = append(found, buf[:n]...)
	}
	return found, errors.Join(it.Err(), it.Close())
}

func (s *seats) byDeclared(d *blueprints.IndexDefinition, group int) (found []blueprints.VertexID, err error) {
	elements := func(_ blueprints.ElementClass, all []blueprints.FoundElement, release func(), err error) ([]blueprints.VertexID, error) {
		defer release()
		for _, f := range all {
			found = append(found, blueprints.VertexID(f.Element))
		}
		return found, err
	}
	switch {
	case d.Kind == keyindex.Geo:
		box, err := keyindex.Box(float64(10*group)-1, 0, float64(10*group)+1, 2)
		if err != nil {
			return nil, err
		}
		return elements(s.tx.SearchPoints(nil, d.Name, box))
	case d.Analyzer == keyindex.Words:
		return elements(s.tx.SearchWords(nil, d.Name, groupNames[group]))
	case d.Kind == keyindex.Text:
		return drained(s.tx.LookupVerticesBy(d, blueprints.IndexColumns{Texts: []string{groupNames[group]}}))
	}
	for _, v := range s.valuesOf(d.Keys[0], group) {
		more, err := drained(s.tx.LookupVerticesBy(d, blueprints.IndexColumns{Equal: []value.Value{v}}))
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// byEdges finds those that edges with the number of the group lead to.
func (s *seats) byEdges(d *blueprints.IndexDefinition, group int) (found []blueprints.VertexID, err error) {
	columns := blueprints.IndexColumns{Equal: []value.Value{value.Int(int32(group))}}
	if d.Kind == keyindex.EdgeCentric {
		var ends walkedEnds
		x := blueprints.Expansion{Dir: blueprints.Out, Want: blueprints.WantWalk, By: &blueprints.EdgeLookup{Index: d, Columns: columns}}
		err := s.tx.Expand([]blueprints.VertexID{s.hub}, x, &ends)
		return ends.found, err
	}
	return s.ends(s.tx.LookupEdgesBy(d, columns))
}

// ends are the vertices that edges lead to.
func (s *seats) ends(it blueprints.EdgeIterator) (found []blueprints.VertexID, err error) {
	defer it.Close()
	buf := make([]blueprints.EdgeID, 8)
	for n := it.Next(buf); n > 0; n = it.Next(buf) {
		for _, e := range buf[:n] {
			edge, err := s.tx.Edge(e)
			if err != nil {
				return nil, err
			}
			found = append(found, edge.In)
		}
	}
	return found, it.Err()
}

// walkedEnds takes the vertices that an edge-centric index finds.
type walkedEnds struct{ found []blueprints.VertexID }

func (w *walkedEnds) Take(int, blueprints.Expanded) error { return nil }

func (w *walkedEnds) TakeWalk(_ int, it blueprints.EdgeWalk) error {
	defer it.Close()
	buf := make([]blueprints.Adjacent, 8)
	for n := it.Next(buf); n > 0; n = it.Next(buf) {
		for _, e := range buf[:n] {
			w.found = append(w.found, e.Other)
		}
	}
	return it.Err()
}

// taken are the members of a group by their numbers: those of all that were found who are of it.
func (s *seats) taken(found []blueprints.VertexID, group int) (map[int]blueprints.VertexID, error) {
	by := map[int]blueprints.VertexID{}
	u, _ := s.tx.Symbol("u")
	for _, v := range found {
		val, ok, err := s.tx.VertexValue(v, u)
		if err != nil {
			return nil, err
		}
		if n := int(value.AsFloat64(val)) - 10*group; ok && n >= 0 && n < 10 {
			if other, ok := by[n]; ok && other != v {
				return nil, fmt.Errorf("number %d of group %d is of vertices %d and %d", n, group, v, other)
			}
			by[n] = v
		}
	}
	return by, nil
}

// change takes a free seat of a group, or leaves one when there is none.
func (s *seats) change() error {
	group, all := s.r.IntN(seatGroups), s.finders()
	f := all[s.r.IntN(len(all))]
	found, err := f.find(group)
	if err != nil {
		return fmt.Errorf("%s: %w", f.kind, err)
	}
	by, err := s.taken(found, group)
	if err != nil {
		return fmt.Errorf("%s: %w", f.kind, err)
	}
	for n := range groupSeats {
		if _, ok := by[n]; !ok {
			return s.sit(group, n)
		}
	}
	return s.tx.RemoveVertex(by[s.r.IntN(groupSeats)])
}

func (s *seats) sit(group, n int) error {
	v, err := s.tx.AddVertex("p", value.Null)
	for key, val := range map[string]value.Value{"a": value.String(groupNames[group]), "b": value.Int(int32(group)), "u": value.Int(int32(10*group + n)), "at": groupPoint(group)} {
		if err == nil {
			_, err = s.tx.SetVertexProperty(v, "single", key, val, value.Null, nil)
		}
	}
	for _, label := range []string{"e", "f"} {
		if err != nil {
			return err
		}
		var e blueprints.EdgeID
		if e, err = s.tx.AddEdge(label, s.hub, v, value.Null); err == nil {
			err = s.tx.SetEdgeProperty(e, "w", value.Int(int32(group)))
		}
	}
	return err
}

// TestIndex_Phantoms: of two who find the same by an index of any kind and then add to it, one
// loses, whatever number it takes.
func TestIndex_Phantoms(t *testing.T) {
	kinds := map[string]func(t *testing.T, g *blueprints.Graph){
		"key":      func(t *testing.T, g *blueprints.Graph) { createKeyIndex(t, g, blueprints.VertexClass, "a") },
		"edge key": func(t *testing.T, g *blueprints.Graph) { createKeyIndex(t, g, blueprints.EdgeClass, "w") },
		"scan":     func(*testing.T, *blueprints.Graph) {},
	}
	for _, x := range indexhost.EveryKind {
		if !x.Unique {
			kinds[x.Name] = func(t *testing.T, g *blueprints.Graph) { declareIndex(t, g, x) }
		}
	}
	for kind, index := range kinds {
		t.Run(kind, func(t *testing.T) {
			g := newGraph(t, blueprints.Options{Isolation: storage.StrictSerializable})
			var hub blueprints.VertexID
			update(t, g, func(tx *blueprints.Tx) error { hub = addVertex(t, tx, "hub"); return nil })
			index(t, g)
			for n := range groupSeats {
				var both [2]*seats
				for i := range both {
					s := &seats{tx: begin(t, g), hub: hub, used: new([4]atomic.Int64)}
					if found, err := s.finders()[0].find(0); err != nil || kind != "scan" && len(compacted(found)) != n {
						t.Fatal(n, found, err)
					}
					both[i] = s
				}
				for i, s := range both {
					if err := s.sit(0, n+4*i); err != nil {
						t.Fatal(err)
					}
				}
				if err := both[0].tx.Commit(ctx); err != nil {
					t.Fatal(err)
				}
				if err := both[1].tx.Commit(ctx); !errors.Is(err, storage.ErrConflict) {
					t.Fatalf("%d: both took what they had found free: %v", n, err)
				}
			}
		})
	}
}

func compacted(found []blueprints.VertexID) []blueprints.VertexID {
	slices.Sort(found)
	return slices.Compact(found)
}

// TestIndex_Serializable: who takes a seat that it has found free by whatever index there was, or
// by a scan, takes it alone, beside indexes of every kind that are made, hidden, shown and
// dropped meanwhile: what an index did not find counts as read.
func TestIndex_Serializable(t *testing.T) {
	g := newGraph(t, blueprints.Options{Isolation: storage.StrictSerializable})
	var hub blueprints.VertexID
	update(t, g, func(tx *blueprints.Tx) error { hub = addVertex(t, tx, "hub", "u", -1); return nil })
	done, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	var used [4]atomic.Int64
	var commits, losses atomic.Int64
	counts := []*atomic.Int64{&used[0], &used[1], &used[2], &used[3], &commits, &losses}
	for n := range 4 {
		r := rand.New(rand.NewPCG(uint64(n), 77))
		wg.Go(func() {
			for done.Err() == nil {
				tx, err := g.Begin(ctx, blueprints.TxOptions{})
				if err != nil {
					t.Error(err)
					return
				}
				s := &seats{tx: tx, hub: hub, r: r, used: &used}
				if err = s.change(); err == nil {
					err = tx.Commit(ctx)
				}
				_ = tx.Close()
				switch {
				case err == nil:
					commits.Add(1)
				case errors.Is(err, storage.ErrConflict):
					losses.Add(1)
				default:
					t.Error(err)
					return
				}
			}
		})
	}
	r := rand.New(rand.NewPCG(9, 77))
	began, least := time.Now(), time.Duration(raced.Part(2000, 3))*time.Millisecond
	few := func(n *atomic.Int64) bool { return n.Load() < 10 }
	for time.Since(began) < least || slices.ContainsFunc(counts, few) && time.Since(began) < time.Minute {
		toggle(t, g, r)
		view(t, g, func(tx *blueprints.Tx) {
			s := &seats{tx: tx, hub: hub, r: r, used: &used}
			all, err := drained(tx.Vertices())
			for group := 0; group < seatGroups && err == nil; group++ {
				_, err = s.taken(all, group)
			}
			if err := errors.Join(err, indexhost.Agree(tx)); err != nil {
				t.Error(err)
			}
		})
	}
	cancel()
	wg.Wait()
	for i, n := range counts {
		if few(n) {
			t.Errorf("%d: only %d", i, n.Load())
		}
	}
	wantSound(t, g)
}

// toggle makes an index, or hides, shows or drops it when there is one: each is there half of the
// time, so that the unique ones are not what keeps members apart.
func toggle(t *testing.T, g *blueprints.Graph, r *rand.Rand) {
	n := r.IntN(len(indexhost.EveryKind) + len(raceKeys))
	if n >= len(indexhost.EveryKind) {
		raceKey(t, g, r, raceKeys[n-len(indexhost.EveryKind)])
		return
	}
	x := indexhost.EveryKind[n]
	infos, err := g.DeclaredIndexes()
	there := slices.ContainsFunc(infos, func(i blueprints.IndexInfo) bool { return i.Name == x.Name && i.State != keyindex.Dropping })
	switch {
	case err != nil:
	case !there:
		_, err = g.DeclareIndex(ctx, ctx, x)
	case r.IntN(3) == 0:
		_, err = g.HideIndex(ctx, x.Name, r.IntN(2) == 0)
	default:
		err = g.DropIndex(ctx, x.Name)
	}
	if err != nil {
		t.Error(x.Name, err)
	}
}
