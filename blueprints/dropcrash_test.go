package blueprints_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/check"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/conformance/indexhost"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// A drop is one way to take an index away, with how to make it.
type drop struct {
	name       string
	make, take func(ctx context.Context, g *blueprints.Graph) error
	// state is where the index is in its life, "" when there is none.
	state func(d *keyindex.Definitions) keyindex.State
}

// drops are those of every kind of index.
func drops() (all []drop) {
	for _, s := range indexhost.EveryKind {
		all = append(all, drop{
			name: s.Name,
			make: func(ctx context.Context, g *blueprints.Graph) error {
				_, err := g.DeclareIndex(ctx, ctx, s)
				return err
			},
			take: func(ctx context.Context, g *blueprints.Graph) error { return g.DropIndex(ctx, s.Name) },
			state: func(d *keyindex.Definitions) keyindex.State {
				if def, ok := d.OfName(s.Name); ok {
					return def.State
				}
				return ""
			},
		})
	}
	return append(all, byHand, dropOfKey("vertex key", blueprints.VertexClass, "a"), dropOfKey("key", blueprints.EdgeClass, "w"))
}

func dropOfKey(name string, c blueprints.ElementClass, key string) drop {
	return drop{
		name: name,
		make: func(ctx context.Context, g *blueprints.Graph) error { return g.CreateKeyIndex(ctx, c, key) },
		take: func(ctx context.Context, g *blueprints.Graph) error { return g.DropKeyIndex(ctx, c, key) },
		state: func(d *keyindex.Definitions) keyindex.State {
			for _, def := range d.Keys(c) {
				if def.Name == key {
					return def.State
				}
			}
			return ""
		},
	}
}

// byHand is an index whose entries are put by hand: it is there with all of them or gone.
var byHand = drop{
	name: "hand",
	make: func(ctx context.Context, g *blueprints.Graph) error {
		if err := g.CreateIndex(ctx, "hand", blueprints.VertexClass); err != nil && !errors.As(err, new(*blueprints.Exception)) {
			return err
		}
		return g.Update(ctx, func(tx *blueprints.Tx) error {
			it := tx.Vertices()
			defer it.Close()
			vs := make([]blueprints.VertexID, 20)
			vs = vs[:it.Next(vs)]
			x, err := tx.Index("hand", 0)
			for i := 0; i < len(vs) && err == nil; i++ {
				err = x.Put("k", value.Int(1), uint64(vs[i]))
			}
			return err
		})
	},
	take: func(ctx context.Context, g *blueprints.Graph) error { return g.DropIndex(ctx, "hand") },
	state: func(d *keyindex.Definitions) keyindex.State {
		if def, ok := d.Named("hand"); ok {
			return def.State
		}
		return ""
	},
}

// handAgrees returns an error when the index of entries put by hand has a part of them.
func handAgrees(tx *blueprints.Tx) error {
	x, err := tx.Index("hand", 0)
	if x == nil || err != nil {
		return err
	}
	n, err := x.Count("k", value.Int(1))
	if err == nil && n != 0 && n != 20 {
		err = fmt.Errorf("%d of 20 entries that were put by hand", n)
	}
	return err
}

// TestDropIndex_CrashesAtEveryWrite: a crash in front of any commit of a drop, and of making
// the index again, leaves it whole, on its way or gone, nothing that check finds fault with, and
// answers that are a scan's; what was begun is ended when the graph is opened again.
func TestDropIndex_CrashesAtEveryWrite(t *testing.T) {
	base := filledForDrops(t)
	for i, d := range drops() {
		if raced.Leaves(i, 5) || raced.Skips(i, 18) {
			continue
		}
		seen := map[keyindex.State]int{}
		for k, ended := int64(0), false; !ended; k++ {
			t.Run(fmt.Sprintf("%s/%d", d.name, k), func(t *testing.T) {
				var state keyindex.State
				state, ended = crashInDrop(t, base, d, k)
				seen[state]++
			})
			if t.Failed() {
				return
			}
		}
		// Entries that stand among those of others are removed step by step, those put by hand at once.
		steps, ok := map[string]int{"out": 2, "both": 3, "key": 3, "hand": 0}[d.name]
		if !ok {
			steps = 1
		}
		if seen[keyindex.Active] < 2 || seen[keyindex.Dropping] < steps || seen[""] < 1 {
			t.Errorf("%s: the crashes left it %v", d.name, seen)
		}
	}
}

// filledForDrops is the disk of a graph with elements and every kind of index.
func filledForDrops(t *testing.T) *vfs.MemFS {
	t.Helper()
	fs := vfs.NewCrashableMem()
	db := openOn(t, fs, func(s storage.Store) storage.Store { return s })
	g, err := db.CreateGraph("g", blueprints.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sample := indexhost.SampleValues
	update(t, g, func(tx *blueprints.Tx) error {
		var vs []blueprints.VertexID
		for i := range 20 {
			at := value.List([]value.Value{value.Double(float64(8*i - 80)), value.Int(1)})
			vs = append(vs, addVertex(t, tx, "p", "u", i))
			for key, val := range map[string]value.Value{"a": sample[i%len(sample)], "b": sample[i%7], "at": at} {
				if _, err := tx.SetVertexProperty(vs[i], "single", key, val, value.Null, nil); err != nil {
					return err
				}
			}
		}
		for i := range 2100 {
			e, err := tx.AddEdge([]string{"e", "f"}[i%2], vs[i%20], vs[i*7%20], value.Null)
			if err == nil {
				err = tx.SetEdgeProperty(e, "w", sample[i%len(sample)])
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	for _, d := range drops() {
		if err := d.make(ctx, g); err != nil {
			t.Fatal(d.name, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return fs.CrashClone(vfs.CrashCloneCfg{})
}

// crashInDrop crashes in front of commit k, and says where the index was then and whether all
// was done.
func crashInDrop(t *testing.T, base *vfs.MemFS, d drop, k int64) (state keyindex.State, ended bool) {
	fs := base.CrashClone(vfs.CrashCloneCfg{})
	s := &stoppable{stopped: make(chan struct{})}
	s.left.Store(1 << 40)
	db := openOn(t, fs, func(inner storage.Store) storage.Store { s.Store = inner; return s })
	g, err := db.Graph("g")
	if err != nil {
		t.Fatal(err)
	}
	stop, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-s.stopped:
			cancel()
		case <-stop.Done():
		}
	}()
	s.left.Store(k)
	if err = d.take(stop, g); err == nil {
		err = d.make(stop, g)
	}
	ended = err == nil && stop.Err() == nil
	left := fs.CrashClone(vfs.CrashCloneCfg{})
	s.left.Store(1 << 40)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	state = stateOnDisk(t, left, d)
	if whole := k == 0 || ended; whole && state != keyindex.Active {
		t.Fatalf("the crash left it %q, ended %v: %v", state, ended, err)
	}

	db = openOn(t, left, func(s storage.Store) storage.Store { return s })
	defer db.Close()
	if g, err = db.Graph("g"); err != nil {
		t.Fatal(err)
	}
	view(t, g, func(tx *blueprints.Tx) {
		if err := errors.Join(indexhost.Agree(tx), handAgrees(tx)); err != nil {
			t.Fatal(err)
		}
	})
	if err := d.make(ctx, g); err != nil { // waits until the old one is gone, or the new one whole
		t.Fatal(err)
	}
	view(t, g, func(tx *blueprints.Tx) {
		if err := errors.Join(indexhost.Agree(tx), handAgrees(tx)); err != nil {
			t.Fatal(err)
		}
	})
	wantSound(t, g)
	return state, ended
}

// stateOnDisk says where an index is, in a store that nobody works on, and has the store
// checked.
func stateOnDisk(t *testing.T, fs vfs.FS, d drop) keyindex.State {
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
	defs, err := keyindex.Load(snap, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := check.RunSnapshot(ctx, snap, "g", 1, blueprints.Options{})
	if err != nil || !r.OK() {
		t.Fatalf("after the crash: %v %v", err, r.Problems)
	}
	return d.state(defs)
}
