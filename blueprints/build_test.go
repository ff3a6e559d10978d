package blueprints_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/check"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// stoppable is a store that refuses commits after so many.
type stoppable struct {
	storage.Store
	left     atomic.Int64
	stopped  chan struct{}
	noTables bool // who commits tables loses a conflict
}

type stoppableTx struct {
	storage.Tx
	s *stoppable
}

func (s *stoppable) Begin(ctx context.Context, o storage.TxOptions) (storage.Tx, error) {
	tx, err := s.Store.Begin(ctx, o)
	if err != nil {
		return nil, err
	}
	return stoppableTx{tx, s}, nil
}

func (t stoppableTx) Commit(ctx context.Context) (uint64, error) {
	if err := t.count(); err != nil {
		return 0, err
	}
	return t.Tx.Commit(ctx)
}

func (t stoppableTx) CommitTablesBeside(ctx context.Context, b storage.Beside, sources ...storage.KeySource) (uint64, error) {
	if t.s.noTables {
		return 0, errors.Join(storage.ErrConflict, t.Tx.Close())
	}
	if err := t.count(); err != nil {
		return 0, err
	}
	return t.Tx.CommitTablesBeside(ctx, b, sources...)
}

// count is an error once there were enough commits.
func (t stoppableTx) count() error {
	n := t.s.left.Add(-1)
	if n >= 0 {
		return nil
	}
	if n == -1 {
		close(t.s.stopped)
	}
	return errors.Join(fmt.Errorf("stopped by the test: %w", storage.ErrUnavailable), t.Tx.Close())
}

// A build, and a removal, that a crash interrupts after k transactions go on when the
// graph is opened again.
func TestBuild_ResumesAfterACrash(t *testing.T) {
	for i, dropping := range []bool{false, true} {
		for k := range int64(5) {
			if raced.Skips(int(k), 5) || raced.Leaves(int(k)+i, 2) {
				continue
			}
			t.Run(fmt.Sprintf("dropping=%v/%d", dropping, k), func(t *testing.T) { crashInBuild(t, dropping, false, k) })
		}
	}
	for k := range int64(3) { // the tables, how far they go, that the index is complete
		if raced.Skips(int(k), 3) {
			continue
		}
		t.Run(fmt.Sprintf("tables/%d", k), func(t *testing.T) { crashInBuild(t, false, true, k) })
	}
}

func openOn(t *testing.T, fs vfs.FS, wrap func(storage.Store) storage.Store) *blueprints.Database {
	t.Helper()
	s, err := pebble.Open("data", pebble.Options{Layout: table.Layout, FS: fs, DiskReserve: -1, BallastBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	db, err := blueprints.Open(wrap(s), blueprints.DatabaseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// stoppableGraph makes a graph on a file system that can crash, in a store that stops when
// it is told to.
func stoppableGraph(t *testing.T) (*vfs.MemFS, *stoppable, *blueprints.Database, *blueprints.Graph) {
	t.Helper()
	fs := vfs.NewCrashableMem()
	s := &stoppable{stopped: make(chan struct{})}
	s.left.Store(1 << 40)
	db := openOn(t, fs, func(inner storage.Store) storage.Store { s.Store = inner; return s })
	g, err := db.CreateGraph("g", blueprints.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return fs, s, db, g
}

func crashInBuild(t *testing.T, dropping, tables bool, k int64) {
	n := 4_000 * int(k+1) // more than the worker takes in k steps, else it ends before it is stopped
	if tables {
		n = 18_000
	}
	fs, s, db, g := stoppableGraph(t)
	s.noTables = !tables
	update(t, g, func(tx *blueprints.Tx) error {
		for i := range n {
			addVertex(t, tx, fmt.Sprint("l", i%2), "k", i)
		}
		return nil
	})
	if dropping {
		createKeyIndex(t, g, blueprints.VertexClass, "k")
	}
	s.left.Store(k + 1) // the definition, and k steps of the worker
	if dropping {
		if err := g.DropKeyIndex(ctx, blueprints.VertexClass, "k"); err != nil {
			t.Fatal(err)
		}
	} else {
		stop, cancel := context.WithCancel(ctx)
		go func() { <-s.stopped; cancel() }()
		if err := g.CreateKeyIndex(stop, blueprints.VertexClass, "k"); !errors.Is(err, context.Canceled) {
			t.Fatalf("the build ended: %v", err)
		}
	}
	<-s.stopped
	left := fs.CrashClone(vfs.CrashCloneCfg{})
	s.left.Store(1 << 40)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	halfDone(t, left, dropping)

	db = openOn(t, left, func(s storage.Store) storage.Store { return s })
	defer db.Close()
	g, err := db.Graph("g")
	if err != nil {
		t.Fatal(err)
	}
	if dropping {
		createKeyIndex(t, g, blueprints.VertexClass, "k") // waits for the removal
	}
	createKeyIndex(t, g, blueprints.VertexClass, "k")
	r := wantSound(t, g)
	if r.Entries != int64(n) {
		t.Errorf("%d entries, want %d", r.Entries, n)
	}
	view(t, g, func(tx *blueprints.Tx) {
		if got := lookup(t, tx, "k", eq(n-1)); len(got) != 1 {
			t.Errorf("look-up: %v", got)
		}
	})
}

// halfDone makes sure that the crash left work, and a graph without contradictions.
func halfDone(t *testing.T, fs vfs.FS, dropping bool) {
	t.Helper()
	s, err := pebble.Open("data", pebble.Options{Layout: table.Layout, FS: fs, DiskReserve: -1, BallastBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	snap, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	d, err := keyindex.Load(snap, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := keyindex.Building
	if dropping {
		want = keyindex.Dropping
	}
	if left := d.Unfinished(); len(left) != 1 || left[0].State != want {
		t.Fatalf("the crash left %v, want %s", left, want)
	}
	if len(d.Active(blueprints.VertexClass)) != 0 {
		t.Error("a half-built index is used")
	}
	r, err := check.RunSnapshot(ctx, snap, "g", 1, blueprints.Options{})
	if err != nil || !r.OK() {
		t.Fatalf("after the crash: %v %v", err, r.Problems)
	}
}

// A transaction that was open when an index was defined, or dropped, cannot commit
// past it: it does not know what to maintain.
func TestDefinition_ConflictsWithOpenWriters(t *testing.T) {
	for _, level := range []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation} {
		g := newGraph(t, blueprints.Options{Isolation: level})
		update(t, g, func(tx *blueprints.Tx) error { addVertex(t, tx, "a", "k", 1); return nil })
		changes := []func() error{
			func() error { return g.CreateKeyIndex(ctx, blueprints.VertexClass, "k") },
			func() error { return g.DropKeyIndex(ctx, blueprints.VertexClass, "k") },
		}
		for i, change := range changes {
			tx := begin(t, g)
			addVertex(t, tx, "a", "k", 2)
			if err := change(); err != nil {
				t.Fatal(err)
			}
			if err := tx.Commit(ctx); !errors.Is(err, storage.ErrConflict) {
				t.Errorf("isolation %d, change %d: commit past it: %v", level, i, err)
			}
		}
		wantSound(t, g)
	}
}

// Edges and removals of their vertices exclude each other on every level.
func TestEdge_NeverDangles(t *testing.T) {
	for _, level := range []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation} {
		for _, removeFirst := range []bool{true, false} {
			g := newGraph(t, blueprints.Options{Isolation: level})
			var a, b blueprints.VertexID
			update(t, g, func(tx *blueprints.Tx) error {
				a, b = addVertex(t, tx, "a"), addVertex(t, tx, "a")
				return nil
			})
			adds, drops := begin(t, g), begin(t, g)
			must[blueprints.EdgeID](t)(adds.AddEdge("e", a, b, value.Null))
			if err := drops.RemoveVertex(b); err != nil {
				t.Fatal(err)
			}
			first, second := adds, drops
			if removeFirst {
				first, second = drops, adds
			}
			if err := first.Commit(ctx); err != nil {
				t.Fatal(err)
			}
			if err := second.Commit(ctx); !errors.Is(err, storage.ErrConflict) {
				t.Errorf("isolation %d, removal first %v: both committed: %v", level, removeFirst, err)
			}
			wantSound(t, g)
		}
	}
}

// Edge adds to one vertex commute, and so do counts.
func TestEdge_AddsCommute(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	var hub blueprints.VertexID
	update(t, g, func(tx *blueprints.Tx) error { hub = addVertex(t, tx, "a"); return nil })
	var open []*blueprints.Tx
	for range 5 {
		tx := begin(t, g)
		v := addVertex(t, tx, "a")
		must[blueprints.EdgeID](t)(tx.AddEdge("e", hub, v, value.Null))
		open = append(open, tx)
	}
	for _, tx := range open {
		if err := tx.Commit(ctx); err != nil {
			t.Fatal(err)
		}
	}
	view(t, g, func(tx *blueprints.Tx) {
		if n := must[int64](t)(degreeOf(tx, hub, blueprints.Out)); n != 5 {
			t.Errorf("degree %d", n)
		}
		if n := must[int64](t)(tx.EdgeCount()); n != 5 {
			t.Errorf("%d edges", n)
		}
	})
	wantSound(t, g)
}

// What decided a write is validated, also when it was not there: labels, values, ids,
// counts and the first use of a name.
func TestPhantoms(t *testing.T) {
	reads := map[string]func(tx *blueprints.Tx) bool{
		"scan by label": func(tx *blueprints.Tx) bool {
			sym, ok := tx.Symbol("new")
			if !ok {
				return false
			}
			return len(vertices(t, tx.Vertices(sym))) > 0
		},
		"count by label": func(tx *blueprints.Tx) bool {
			sym, _ := tx.Symbol("new")
			return must[int64](t)(tx.VertexCount(sym)) > 0
		},
		"count":     func(tx *blueprints.Tx) bool { return must[int64](t)(tx.VertexCount()) > 0 },
		"full scan": func(tx *blueprints.Tx) bool { return len(vertices(t, tx.Vertices())) > 0 },
		"index":     func(tx *blueprints.Tx) bool { return len(vertices(t, tx.LookupVertices("k", eq("x")))) > 0 },
		"id": func(tx *blueprints.Tx) bool {
			_, ok, err := tx.FindVertex(value.String("me"))
			return ok || err != nil
		},
	}
	for name, seen := range reads {
		g := newGraph(t, blueprints.Options{})
		createKeyIndex(t, g, blueprints.VertexClass, "k")
		open := []*blueprints.Tx{begin(t, g), begin(t, g)}
		for _, tx := range open { // both look before either makes the name
			if seen(tx) {
				t.Fatalf("%s: the graph is not empty", name)
			}
		}
		for i, tx := range open {
			id := []value.Value{value.String("me"), value.String("other")}[i]
			v := must[blueprints.VertexID](t)(tx.AddVertex("new", id))
			setProperty(t, tx, v, "k", "x")
		}
		if err := open[0].Commit(ctx); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := open[1].Commit(ctx); !errors.Is(err, storage.ErrConflict) {
			t.Errorf("%s: both made what neither saw: %v", name, err)
		}
	}
}

// A transaction that runs alone makes names, ids and numbers within itself.
func TestUpdate_RunsAloneAfterTwoLosses(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	var v blueprints.VertexID
	update(t, g, func(tx *blueprints.Tx) error { v = addVertex(t, tx, "a", "k", 0); return nil })
	runs := 0
	update(t, g, func(tx *blueprints.Tx) error {
		runs++
		sym, _ := tx.Symbol("k")
		if _, _, err := tx.VertexValue(v, sym); err != nil {
			return err
		}
		if runs <= 2 { // somebody else is faster
			update(t, g, func(tx *blueprints.Tx) error { setProperty(t, tx, v, "k", runs); return nil })
		}
		for i := range 300 {
			addVertex(t, tx, fmt.Sprint("alone", i%7), fmt.Sprint("key", runs, i%5), i)
		}
		setProperty(t, tx, v, "k", 10)
		return nil
	})
	if runs != 3 {
		t.Errorf("%d runs, want 3", runs)
	}
	update(t, g, func(tx *blueprints.Tx) error { addVertex(t, tx, "after", "key31", 1); return nil })
	if r := wantSound(t, g); r.Vertices != 302 {
		t.Errorf("%d vertices", r.Vertices)
	}
}
