package blueprints_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/check"
	"github.com/gremlind/gremlind/blueprints/graphio"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// TestTime_Replay: after each of many random changes of all kinds the whole graph is written
// down; as of each of them it is read as that, from the store that it was written to, and from
// one that was opened anew.
func TestTime_Replay(t *testing.T) {
	seeds := raced.Part(6, 3)
	if raced.Detector() { // everything happens one behind the other
		seeds = 1
	}
	storagetest.Seeds(t, seeds, func(t *testing.T, seed uint64) {
		r := &replay{T: t, Rand: storagetest.Rand(seed), dir: t.TempDir(), clock: time.Now()}
		r.open()
		defer func() { r.must(r.db.Close()) }()
		o := blueprints.NewOptions()
		o.History = blueprints.Forever
		o.Isolation = storage.Isolation(r.IntN(3))
		o.DefaultCardinality = []string{"single", "list", "set"}[r.IntN(3)]
		o.Stamps, o.TTL = r.IntN(2) == 0, r.IntN(2) == 0
		r.g = must[*blueprints.Graph](t)(r.db.CreateGraph("g", o))
		for range 60 {
			r.step()
		}
		r.look(20)
		r.reopen()
		r.look(len(r.states))
		r.follow()
		r.sound()
		r.carry()
		r.look(len(r.states))
		r.sound()
	})
}

// carry brings the graph to another store, whose clock is behind, and goes on there.
func (r *replay) carry() {
	var archive bytes.Buffer
	r.must(r.g.Archive(ctx, &archive))
	r.must(r.db.Close())
	r.dir = r.TempDir()
	now := r.clock
	r.clock = now.Add(-24 * time.Hour)
	r.open()
	if err := r.db.RestoreGraph(ctx, "g", bytes.NewReader(archive.Bytes())); !errors.Is(err, storage.ErrClock) {
		r.Fatal(err)
	}
	r.clock = now.Add(time.Hour)
	r.must(r.db.RestoreGraph(ctx, "g", bytes.NewReader(archive.Bytes())))
	r.clock = now.Add(30 * time.Minute) // it is set back
	r.reopen()
	for range 5 {
		r.change()
		r.write()
	}
}

// replay is a graph and what it was.
type replay struct {
	*testing.T
	*rand.Rand
	dir    string
	db     *blueprints.Database
	g      *blueprints.Graph
	clock  time.Time
	states []written
}

// written is a graph as it was written down.
type written struct {
	at   storage.Stamp
	text string
}

func (r *replay) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

func (r *replay) open() {
	s := must[*pebble.Store](r)(pebble.Open(r.dir, pebble.Options{Layout: table.Layout, DiskReserve: -1, BallastBytes: -1, Now: func() time.Time { return r.clock }}))
	r.db = must[*blueprints.Database](r)(blueprints.Open(s, blueprints.DatabaseOptions{CacheBytes: 1 << 20}))
}

func (r *replay) reopen() {
	r.must(r.db.Close())
	r.open()
	r.g = must[*blueprints.Graph](r)(r.db.Graph("g"))
}

func (r *replay) sound() {
	report, err := check.Run(ctx, r.g)
	if err != nil || !report.OK() {
		r.Fatal(err, report)
	}
}

// step changes something, and writes down what there is.
func (r *replay) step() {
	r.clock = r.clock.Add(time.Duration(r.IntN(4000)-300) * time.Microsecond) // it may be set back
	switch n := r.IntN(40); {
	case n == 0:
		r.reopen()
	case n < 4:
		r.define()
	case n == 4:
		r.must(r.g.Truncate(ctx))
		r.states = nil // that nobody can ask for any more
	case n == 6:
		r.forget()
	case n < 12:
		r.undo()
	case n == 12:
		r.purge()
	case n == 5:
		r.must(r.g.KeepHistory(ctx, blueprints.NoHistory))
		r.change()
		r.must(r.g.KeepHistory(ctx, blueprints.Forever))
		r.states = nil
	default:
		r.change()
	}
	r.write()
	if r.IntN(4) == 0 {
		r.look(1)
	}
}

// forget has the graph forget what was before one of the states, of which it then says so.
func (r *replay) forget() {
	if len(r.states) < 2 {
		return
	}
	r.must(r.g.KeepHistory(ctx, blueprints.Retention(time.Hour)))
	i := r.IntN(len(r.states))
	horizon := r.states[i].at.Time()
	if _, err := r.g.ForgetHistory(ctx, horizon.Add(time.Hour)); err != nil {
		r.Fatal(err)
	}
	last := storage.LastOf(horizon)
	for len(r.states) > 0 && r.states[0].at < last {
		if r.IntN(4) == 0 && r.forgot(last) {
			if _, err := r.g.Begin(ctx, blueprints.TxOptions{ReadOnly: true, AsOf: r.states[0].at}); err == nil || !strings.Contains(err.Error(), "is before the history of graph g") {
				r.Fatal(err)
			}
		}
		r.states = r.states[1:]
	}
}

// forgot reports whether the history begins at a stamp.
func (r *replay) forgot(floor storage.Stamp) bool {
	snap := must[storage.Snapshot](r)(r.g.Store().Snapshot())
	defer snap.Close()
	b, err := snap.Get(table.FloorKey(r.g.Number()))
	r.must(err)
	n, _ := storage.Count(b)
	return storage.Stamp(n) == floor
}

var replayKeys = []string{"name", "age", "tags"}

// define makes or drops an index.
func (r *replay) define() {
	key, class := replayKeys[r.IntN(3)], blueprints.VertexClass
	if r.IntN(3) == 0 {
		class = blueprints.EdgeClass
	}
	switch r.IntN(5) {
	case 0:
		r.must(r.g.DropKeyIndex(ctx, class, key))
	case 1:
		_, err := r.g.DeclareIndex(ctx, ctx, blueprints.IndexSpec{Name: "c" + key, Class: class, Keys: []string{key, "age"}[:1+r.IntN(2)]})
		if err != nil && !strings.Contains(err.Error(), "twice") && !strings.Contains(err.Error(), "another") {
			r.Log(err)
		}
	case 2:
		if err := r.g.DropIndex(ctx, "c"+key); err != nil {
			r.Log(err)
		}
	default:
		r.must(r.g.CreateKeyIndex(ctx, class, key))
	}
}

// change runs a transaction.
func (r *replay) change() {
	r.must(r.g.Update(ctx, func(tx *blueprints.Tx) error {
		for range 1 + r.IntN(8) {
			if err := r.write1(tx); err != nil {
				return err
			}
		}
		return nil
	}))
}

func (r *replay) id() value.Value {
	return []value.Value{value.Long(int64(r.IntN(12))), value.Int(int32(r.IntN(12))), value.String(fmt.Sprint("u", r.IntN(4)))}[r.IntN(3)]
}

func (r *replay) value() value.Value {
	switch r.IntN(4) {
	case 0:
		return value.Int(int32(r.IntN(5)))
	case 1:
		return value.Double(float64(r.IntN(3)) / 2)
	case 2:
		return value.String(strings.Repeat("x", r.IntN(300)))
	}
	return value.String(fmt.Sprint("v", r.IntN(6)))
}

// write1 changes one thing, or nothing where there is nothing to change.
func (r *replay) write1(tx *blueprints.Tx) error {
	v, hasV := r.vertex(tx)
	e, hasE := r.edge(tx)
	key := replayKeys[r.IntN(3)]
	switch n := r.IntN(14); {
	case n < 3 || !hasV:
		id := r.id()
		if r.IntN(3) == 0 {
			id = value.Null
		} else if _, there, err := tx.FindVertex(id); err != nil || there {
			return err
		}
		_, err := tx.AddVertex([]string{"person", "thing", "animal"}[r.IntN(3)], id)
		return err
	case n < 5:
		w, _ := r.vertex(tx)
		id := r.id()
		if _, there, err := tx.FindEdge(id); err != nil || there {
			return err
		}
		_, err := tx.AddEdge([]string{"knows", "likes"}[r.IntN(2)], v, w, id)
		return err
	case n < 9:
		var meta []value.Property
		if r.IntN(3) == 0 {
			meta = []value.Property{{Key: "since", Value: r.value()}}
		}
		_, err := tx.SetVertexProperty(v, []string{"", "single", "list", "set"}[r.IntN(4)], key, r.value(), value.Null, meta)
		return err
	case n == 9 && hasE:
		return tx.SetEdgeProperty(e, key, r.value())
	case n == 10 && hasE:
		return errors.Join(tx.RemoveEdgeProperty(e, key), tx.RemoveEdge(e))
	case n == 11:
		return tx.RemoveVertex(v)
	case n == 12:
		ps, err := tx.VertexProperties(nil, v, nil)
		if err != nil || len(ps) == 0 {
			return err
		}
		p := ps[r.IntN(len(ps))]
		if r.IntN(2) == 0 {
			return tx.SetMetaProperty(v, p, "note", r.value())
		}
		return tx.RemoveVertexProperty(v, p)
	}
	return nil
}

func (r *replay) vertex(tx *blueprints.Tx) (v blueprints.VertexID, ok bool) {
	all := vertexList(r, tx)
	if len(all) == 0 {
		return 0, false
	}
	return all[r.IntN(len(all))], true
}

func (r *replay) edge(tx *blueprints.Tx) (e blueprints.EdgeID, ok bool) {
	all := edgeList(r, tx)
	if len(all) == 0 {
		return 0, false
	}
	return all[r.IntN(len(all))], true
}

func vertexList(t testing.TB, tx blueprints.View) (all []blueprints.VertexID) {
	it := tx.Vertices()
	defer it.Close()
	var buf [16]blueprints.VertexID
	for n := it.Next(buf[:]); n > 0; n = it.Next(buf[:]) {
		all = append(all, buf[:n]...)
	}
	if err := it.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func edgeList(t testing.TB, tx blueprints.View) (all []blueprints.EdgeID) {
	it := tx.Edges()
	defer it.Close()
	var buf [16]blueprints.EdgeID
	for n := it.Next(buf[:]); n > 0; n = it.Next(buf[:]) {
		all = append(all, buf[:n]...)
	}
	if err := it.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// write writes down what there is.
func (r *replay) write() {
	view(r, r.g, func(tx *blueprints.Tx) {
		snap := must[storage.Snapshot](r)(r.g.Store().Snapshot())
		defer snap.Close()
		at := storage.Stamp(0)
		for _, key := range [][]byte{table.Layout.Stamp, table.FloorKey(r.g.Number())} {
			b, err := snap.Get(key)
			r.must(err)
			n, _ := storage.Count(b)
			at = max(at, storage.Stamp(n))
		}
		w := written{at, r.text(tx)}
		if last := len(r.states) - 1; last >= 0 && r.states[last].at == w.at {
			if r.states[last].text != w.text {
				r.Fatalf("version %d was\n%s\nand is\n%s", w.at, r.states[last].text, w.text)
			}
			return
		}
		r.states = append(r.states, w)
	})
}

// look reads some of what was written down.
func (r *replay) look(n int) {
	for _, i := range r.Perm(len(r.states))[:min(n, len(r.states))] {
		w := r.states[i]
		tx, err := r.g.Begin(ctx, blueprints.TxOptions{ReadOnly: true, AsOf: w.at})
		r.must(err)
		if got := r.text(tx); got != w.text {
			r.Fatalf("as of version %d, %d of %d, it was\n%s\nand is read as\n%s", w.at, i, len(r.states), w.text, got)
		}
		r.must(tx.Close())
	}
}

// text is all that can be seen of a graph. What indexes say is compared with that.
func (r *replay) text(tx *blueprints.Tx) string {
	r.Helper()
	var b strings.Builder
	r.must(graphio.Write(ctx, graphio.GraphSON, &b, graphio.ViewSource(tx)))
	vs, es := vertexList(r, tx), edgeList(r, tx)
	for _, d := range []blueprints.Direction{blueprints.Out, blueprints.In, blueprints.Both} {
		fmt.Fprint(&b, "\n", d, ": ")
		r.must(tx.Expand(vs, blueprints.Expansion{Dir: d}, blueprints.SinkFunc(func(i int, e blueprints.Expanded) error {
			for _, a := range e.Edges {
				fmt.Fprint(&b, vs[i], " -", tx.Name(a.Label), " ", a.Edge, "> ", a.Other, "; ")
			}
			return nil
		})))
	}
	nv, err := tx.VertexCount()
	r.must(err)
	ne, err := tx.EdgeCount()
	r.must(err)
	if int(nv) != len(vs) || int(ne) != len(es) {
		r.Fatalf("%d vertices and %d edges are counted as %d and %d", len(vs), len(es), nv, ne)
	}
	for _, label := range []string{"person", "thing", "animal"} {
		if s, ok := tx.Symbol(label); ok {
			n, err := tx.VertexCount(s)
			if r.must(err); n == 0 {
				continue
			}
			fmt.Fprint(&b, label, " ", n, " ")
		}
	}
	for i := range 12 {
		for _, id := range []value.Value{value.Long(int64(i)), value.String(fmt.Sprint("u", i))} {
			v, ok, err := tx.FindVertex(id)
			r.must(err)
			e, okE, err := tx.FindEdge(id)
			r.must(err)
			fmt.Fprint(&b, id, ":", v, ok, e, okE, " ")
		}
	}
	r.indexes(tx, vs, es)
	return b.String()
}

// indexes compares what they find with what elements have.
func (r *replay) indexes(tx *blueprints.Tx, vs []blueprints.VertexID, es []blueprints.EdgeID) {
	r.Helper()
	with := func(key string) (v map[blueprints.VertexID]bool, e map[blueprints.EdgeID]bool) {
		v, e = map[blueprints.VertexID]bool{}, map[blueprints.EdgeID]bool{}
		s, ok := tx.Symbol(key)
		if !ok {
			return v, e
		}
		for _, x := range vs {
			if _, has, err := tx.VertexValue(x, s); has {
				r.must(err)
				v[x] = true
			}
		}
		for _, x := range es {
			if _, has, err := tx.EdgeValue(x, s); has {
				r.must(err)
				e[x] = true
			}
		}
		return v, e
	}
	for _, key := range tx.VertexIndexes() {
		v, _ := with(key)
		found(r, "vertices by "+key, tx.LookupVertices(key, blueprints.ValueRange{}), v)
		found(r, "vertices backwards by "+key, tx.LookupVertices(key, blueprints.ValueRange{Reverse: true}), v)
	}
	for _, key := range tx.EdgeIndexes() {
		_, e := with(key)
		found(r, "edges by "+key, tx.LookupEdges(key, blueprints.ValueRange{}), e)
	}
	for _, d := range tx.DeclaredIndexes(blueprints.VertexClass) {
		v, _ := with(d.Keys[0])
		found(r, fmt.Sprint("vertices by ", d.Name, d.Keys, " since ", d.Since, " as of ", tx.AsOf()), tx.LookupVerticesBy(d, blueprints.IndexColumns{}), v)
	}
}

// found compares what a look-up gives with what there was.
func found[ID blueprints.VertexID | blueprints.EdgeID](r *replay, what string, it interface {
	Next([]ID) int
	Err() error
	Close() error
}, want map[ID]bool) {
	r.Helper()
	defer it.Close()
	got := map[ID]bool{}
	var buf [16]ID
	for n := it.Next(buf[:]); n > 0; n = it.Next(buf[:]) {
		for _, v := range buf[:n] {
			got[v] = true
		}
	}
	r.must(it.Err())
	if !maps.Equal(got, want) {
		r.Fatalf("%s: %v, want %v", what, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}
