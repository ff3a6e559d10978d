package blueprints_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/check"
	"github.com/gremlind/gremlind/blueprints/schema"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// TestSchema_Races: writers of what fits and of what does not, beside definitions that come
// and go: whatever schema a snapshot has, what is in it fits.
func TestSchema_Races(t *testing.T) {
	for name, level := range isolations {
		t.Run(name, func(t *testing.T) {
			g := newGraph(t, blueprints.Options{Isolation: level})
			update(t, g, func(tx *blueprints.Tx) error {
				for i := range 4 {
					if _, err := tx.AddVertex("hub", value.Int(int32(i))); err != nil {
						return err
					}
				}
				return nil
			})
			done, cancel := context.WithCancel(ctx)
			var writers sync.WaitGroup
			for n := range 4 {
				r := rand.New(rand.NewPCG(uint64(n), uint64(level)))
				writers.Go(func() {
					for done.Err() == nil {
						if err := g.Update(ctx, func(tx *blueprints.Tx) error { return raceStep(tx, r) }); err != nil &&
							!errors.As(err, new(*schema.Misfit)) && !errors.Is(err, storage.ErrConflict) {
							t.Error(err)
							return
						}
					}
				})
			}
			defer writers.Wait()
			defer cancel()
			if taken := raceDefinitions(t, g); taken < 4 {
				t.Errorf("%d definitions were taken", taken)
			}
		})
	}
}

// raceStep writes something that may not fit.
func raceStep(tx *blueprints.Tx, r *rand.Rand) error {
	hub := func() blueprints.VertexID {
		v, _, _ := tx.FindVertex(value.Int(int32(r.IntN(4))))
		return v
	}
	if r.IntN(2) == 0 {
		if _, err := tx.AddEdge("knows", hub(), hub(), value.Null); err != nil {
			return err
		}
	}
	if r.IntN(2) == 0 {
		_, err := tx.SetVertexProperty(hub(), "single", "age", one(r, value.Int(3), value.Int(4), value.String("old")), value.Null, nil)
		return err
	}
	sym, ok := tx.Symbol("age")
	if !ok {
		return nil
	}
	at := hub()
	props, err := tx.VertexProperties(nil, at, []blueprints.Symbol{sym})
	if err != nil || len(props) == 0 {
		return err
	}
	return tx.RemoveVertexProperty(at, props[0])
}

// raceDefinitions changes the schema until enough changes were taken, and looks each time
// whether the graph is sound.
func raceDefinitions(t *testing.T, g *blueprints.Graph) (taken int) {
	rules := []map[string]any{
		{"vertex": "hub", "keys": map[string]any{"age": map[string]any{"type": "Integer", "required": true}}},
		{"vertex": "hub", "keys": map[string]any{"age": map[string]any{"type": nil, "required": false}}},
		{"edge": "knows", "multiplicity": "MANY2ONE"},
		{"edge": "knows", "multiplicity": "SIMPLE"},
		{"edge": "knows", "multiplicity": "MULTI"},
	}
	for i := range 60 {
		if i%3 == 0 { // so that something can be tightened
			err := g.Update(ctx, func(tx *blueprints.Tx) error { return mend(tx) })
			if err != nil && !errors.As(err, new(*schema.Misfit)) {
				t.Fatal(err)
			}
		}
		switch _, err := g.ChangeSchema(ctx, rule(rules[i%len(rules)])); {
		case err == nil:
			taken++
		case !errors.As(err, new(*schema.Misfit)):
			t.Fatal(err)
		}
		if report, err := check.Run(ctx, g); err != nil || !report.OK() {
			t.Fatalf("after change %d: %v %v", i, err, report.Problems)
		}
	}
	return taken
}

// mend has the hubs fit all rules.
func mend(tx *blueprints.Tx) error {
	es := tx.Edges()
	defer es.Close()
	buf := make([]blueprints.EdgeID, 1<<12)
	for n := es.Next(buf); n > 0; n = es.Next(buf) {
		for _, e := range buf[:n] {
			if err := tx.RemoveEdge(e); err != nil {
				return err
			}
		}
	}
	for i := range 4 {
		v, _, err := tx.FindVertex(value.Int(int32(i)))
		if err == nil {
			_, err = tx.SetVertexProperty(v, "single", "age", value.Int(1), value.Null, nil)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// TestSchema_ConflictsWithOpenWriters: a transaction that was open when a rule came cannot
// commit past it, whatever it wrote.
func TestSchema_ConflictsWithOpenWriters(t *testing.T) {
	for name, level := range isolations {
		g := newGraph(t, blueprints.Options{Isolation: level})
		update(t, g, func(tx *blueprints.Tx) error { _, err := tx.AddVertex("a", value.Int(1)); return err })
		for i, write := range []func(tx *blueprints.Tx) error{
			func(tx *blueprints.Tx) error { _, err := tx.AddVertex("a", value.Null); return err },
			func(tx *blueprints.Tx) error {
				v, _, err := tx.FindVertex(value.Int(1))
				if err == nil {
					_, err = tx.SetVertexProperty(v, "single", "k", value.Int(1), value.Null, nil)
				}
				return err
			},
			func(tx *blueprints.Tx) error {
				v, _, err := tx.FindVertex(value.Int(1))
				if err == nil {
					_, err = tx.AddEdge("e", v, v, value.Null)
				}
				return err
			},
		} {
			tx := begin(t, g)
			if err := write(tx); err != nil {
				t.Fatal(err)
			}
			rule := rule(map[string]any{"vertex": "a", "keys": map[string]any{"l": map[string]any{"min": i}}})
			if _, err := g.ChangeSchema(ctx, rule); err != nil {
				t.Fatal(err)
			}
			if err := tx.Commit(ctx); !errors.Is(err, storage.ErrConflict) {
				t.Errorf("%s, write %d: commit past it: %v", name, i, err)
			}
		}
		wantSound(t, g)
	}
}

// TestSchema_Crash: a crash in front of any commit of a change leaves the old schema or the
// new one, which holds for whoever writes then, and nothing that keeps the change from being
// made again; the same when rules are made tighter over what is there, and when the feature is
// turned off.
func TestSchema_Crash(t *testing.T) {
	for name, c := range schemaCrashes {
		for k, ended := int64(0), false; !ended; k++ {
			t.Run(fmt.Sprintf("%s/%d", name, k), func(t *testing.T) { ended = crashInSchema(t, c, k) })
			if t.Failed() || k > 20 {
				t.Fatal("no end")
			}
		}
	}
}

// schemaCrash is a change to crash in: the rules before and behind it, nil for none.
type schemaCrash struct{ before, after map[string]any }

var (
	looseRule     = map[string]any{"vertex": "a", "keys": map[string]any{"l": "Integer"}}
	tightRule     = map[string]any{"vertex": "a", "open": false, "keys": map[string]any{"k": map[string]any{"type": "Integer", "required": true, "min": 0}}}
	schemaCrashes = map[string]schemaCrash{"new": {nil, tightRule}, "tightened": {looseRule, tightRule}, "turned off": {tightRule, nil}}
)

func (c schemaCrash) change(g *blueprints.Graph) error {
	if c.after == nil {
		return g.Lose(ctx, blueprints.SchemaFeature)
	}
	_, err := g.ChangeSchema(ctx, rule(c.after))
	return err
}

// versions are those of the schema before the change and behind it.
func (c schemaCrash) versions() (before, after int64) {
	if c.before != nil {
		before = 1
	}
	if c.after != nil {
		after = before + 1
	}
	return before, after
}

func crashInSchema(t *testing.T, c schemaCrash, k int64) (ended bool) {
	fs, s, db, g := stoppableGraph(t)
	update(t, g, func(tx *blueprints.Tx) error {
		for i := range 3000 {
			addVertex(t, tx, "a", "k", i)
		}
		return nil
	})
	if c.before != nil {
		if _, err := g.ChangeSchema(ctx, rule(c.before)); err != nil {
			t.Fatal(err)
		}
	}
	s.left.Store(k)
	err := c.change(g)
	ended = err == nil
	left := fs.CrashClone(vfs.CrashCloneCfg{})
	s.left.Store(1 << 40)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = openOn(t, left, func(s storage.Store) storage.Store { return s })
	defer db.Close()
	if g, err = db.Graph("g"); err != nil {
		t.Fatal(err)
	}
	wantSound(t, g)
	before, after := c.versions()
	now, err := g.Schema(ctx)
	if err != nil || now.Version > 0 && !g.Uses(blueprints.SchemaFeature) || ended && now.Version != after || now.Version != before && now.Version != after {
		t.Fatalf("version %d, features %v, %v", now.Version, g.Options().Features(), err)
	}
	wantRefused(t, g, now.Version > 0 && (c.before == nil || c.after == nil || now.Version == after))
	if err := c.change(g); err != nil {
		t.Fatal(err)
	}
	if now, err = g.Schema(ctx); err != nil || now.Version != after || g.Uses(blueprints.SchemaFeature) != (after > 0) {
		t.Fatalf("again: version %d, features %v, %v", now.Version, g.Options().Features(), err)
	}
	wantRefused(t, g, after > 0)
	want := 2
	if after == 0 {
		want = 1
	}
	if f := db.Store().Format(); f != want {
		t.Errorf("the format is %d", f)
	}
	wantSound(t, g)
	return ended
}

// wantRefused looks whether what breaks tightRule alone is refused; it keeps nothing of it.
func wantRefused(t *testing.T, g *blueprints.Graph, refused bool) {
	t.Helper()
	err := g.Update(ctx, func(tx *blueprints.Tx) error {
		addVertex(t, tx, "a", "k", -1)
		return nil
	})
	if errors.As(err, new(*schema.Misfit)) != refused || err != nil && !refused {
		t.Fatalf("refused %v, want %v: %v", err, refused, err)
	}
	if refused {
		return
	}
	update(t, g, func(tx *blueprints.Tx) error {
		it := tx.Vertices()
		defer it.Close()
		buf := make([]blueprints.VertexID, 1<<12)
		n := it.Next(buf)
		return errors.Join(it.Err(), tx.RemoveVertex(buf[n-1]))
	})
}
