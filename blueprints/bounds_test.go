package blueprints_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

func limit(t testing.TB, g *blueprints.Graph, l blueprints.Limits) {
	t.Helper()
	err := g.Database().ChangeOptions(ctx, g.Name(), func(o *blueprints.Options) error { o.Limits = l; return nil })
	if err != nil {
		t.Fatal(err)
	}
}

func addVertices(tx *blueprints.Tx, n int) error {
	for range n {
		if _, err := tx.AddVertex("person", value.Null); err != nil {
			return err
		}
	}
	return nil
}

func counts(t testing.TB, g *blueprints.Graph) (vertices, edges int64) {
	t.Helper()
	view(t, g, func(tx *blueprints.Tx) {
		vertices, edges = must[int64](t)(tx.VertexCount()), must[int64](t)(tx.EdgeCount())
	})
	return vertices, edges
}

// TestBounds_ExactBesideOthers: however many add and remove at once, and though the limit
// comes while they do, the graph never has more than it may, and is full at the end.
func TestBounds_ExactBesideOthers(t *testing.T) {
	for _, level := range []storage.Isolation{storage.StrictSerializable, storage.SnapshotIsolation, storage.CommittedIsolation} {
		for _, early := range []bool{true, false} {
			g := newGraph(t, blueprints.Options{Isolation: level})
			const max = 300
			if early {
				limit(t, g, blueprints.Limits{Vertices: max, Edges: max})
			}
			var all sync.WaitGroup
			var comes sync.Once
			come := make(chan struct{})
			for i := range 8 {
				all.Go(func() {
					r := rand.New(rand.NewPCG(1, uint64(i)))
					var own []blueprints.VertexID
					for {
						if !early && i == 0 && len(own) >= 20 {
							comes.Do(func() { limit(t, g, blueprints.Limits{Vertices: max, Edges: max}); close(come) })
						}
						if !early && i > 0 && len(own) >= 30 { // no more than there may be
							<-come
						}
						n, drop := 1+r.IntN(3), len(own) > 0 && r.IntN(3) == 0
						var added []blueprints.VertexID
						err := g.Update(ctx, func(tx *blueprints.Tx) error {
							added = added[:0]
							for range n {
								v, err := tx.AddVertex("person", value.Null)
								if err != nil {
									return err
								}
								if _, err := tx.AddEdge("self", v, v, value.Null); err != nil {
									return err
								}
								added = append(added, v)
							}
							if drop {
								return tx.RemoveVertex(own[0])
							}
							return nil
						})
						if full := (*blueprints.FullError)(nil); errors.As(err, &full) {
							if n == 1 && !drop {
								return
							}
							continue
						}
						if err != nil {
							t.Error(err)
							return
						}
						if drop {
							own = own[1:]
						}
						own = append(own, added...)
						if v, _ := counts(t, g); early && v > max {
							t.Errorf("%d vertices", v)
						}
					}
				})
			}
			all.Wait()
			if v, e := counts(t, g); v != max || e != max {
				t.Errorf("isolation %d, early %v: %d vertices, %d edges", level, early, v, e)
			}
			wantSound(t, g)
		}
	}
}

// TestBounds_Full: what is said of a full graph, and what makes room in it.
func TestBounds_Full(t *testing.T) {
	g := newGraph(t, blueprints.Options{Limits: blueprints.Limits{Vertices: 10}})
	update(t, g, func(tx *blueprints.Tx) error { return addVertices(tx, 8) })
	refused := func(n int, want string) {
		t.Helper()
		if err := g.Update(ctx, func(tx *blueprints.Tx) error { return addVertices(tx, n) }); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	refused(3, "graph g has 8 of 10 vertices (quota.vertices): there is no room for 3 more")
	update(t, g, func(tx *blueprints.Tx) error { return addVertices(tx, 2) })
	refused(1, "graph g is full: 10 of 10 vertices (quota.vertices)")
	before := begin(t, g) // of a time without the limit
	if err := addVertices(before, 1); err != nil {
		t.Fatal(err)
	}
	limit(t, g, blueprints.Limits{})
	limit(t, g, blueprints.Limits{Vertices: 5})
	if err := before.Commit(ctx); err == nil {
		t.Error("committed past the limit")
	}
	refused(1, "graph g is full: 10 of 5 vertices (quota.vertices)")
	update(t, g, func(tx *blueprints.Tx) error { // what only removes is never too much
		v, _, err := tx.FindVertex(value.Long(0))
		if err != nil {
			return err
		}
		return tx.RemoveVertex(v)
	})
	refused(1, "graph g is full: 9 of 5 vertices (quota.vertices)")
	if err := g.Truncate(ctx); err != nil {
		t.Fatal(err)
	}
	update(t, g, func(tx *blueprints.Tx) error { return addVertices(tx, 5) })
	refused(1, "graph g is full: 5 of 5 vertices (quota.vertices)")
	limit(t, g, blueprints.Limits{})
	if g.Bounds() != nil {
		t.Error("a graph without limits has bounds")
	}
	update(t, g, func(tx *blueprints.Tx) error { return addVertices(tx, 5) })
}

// TestBounds_Load: a load keeps to the limits, and counts.
func TestBounds_Load(t *testing.T) {
	records := func(n int) func(blueprints.RecordSink) error {
		return func(s blueprints.RecordSink) error {
			for i := range n {
				if err := s.Vertex(&blueprints.VertexRecord{ID: value.Long(int64(i)), Label: "person"}); err != nil {
					return err
				}
			}
			return nil
		}
	}
	for what, row := range map[string]struct {
		limits blueprints.Limits
		n      int
		want   string
	}{
		"too many":       {blueprints.Limits{Vertices: 10}, 11, "graph g is full: 10 of 10 vertices (quota.vertices)"},
		"all":            {blueprints.Limits{Vertices: 10}, 10, ""},
		"too many bytes": {blueprints.Limits{Bytes: 200}, 11, "of 200 bytes (quota.bytes)"},
		"read-only":      {blueprints.Limits{ReadOnly: true}, 1, "graph is read-only: g (readOnly)"},
	} {
		db := openDisk(t, t.TempDir())
		g := must[*blueprints.Graph](t)(db.CreateGraph("g", blueprints.Options{Limits: row.limits}))
		_, err := load.Graph(ctx, g, load.Options{}, records(row.n))
		if row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) || row.want == "" && err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if n, _ := counts(t, g); row.want != "" && n > 0 {
			t.Errorf("%s: %d vertices", what, n)
		}
		if row.want == "" {
			if err := g.Update(ctx, func(tx *blueprints.Tx) error { return addVertices(tx, 1) }); err == nil {
				t.Errorf("%s: one more", what)
			}
		}
	}
}

func openDisk(t *testing.T, dir string) *blueprints.Database {
	t.Helper()
	s := must[*pebble.Store](t)(pebble.Open(filepath.Join(dir, "data"), pebble.Options{Layout: table.Layout, DiskReserve: -1, BallastBytes: -1}))
	db := must[*blueprints.Database](t)(blueprints.Open(s, blueprints.DatabaseOptions{}))
	t.Cleanup(func() { db.Close() })
	return db
}

// TestBounds_Bytes: a graph takes no more than it may, and those who only remove still can, also
// where history keeps what they remove; the limits are there again behind a restart.
func TestBounds_Bytes(t *testing.T) {
	for _, keep := range []blueprints.Retention{blueprints.NoHistory, blueprints.Forever} {
		t.Run(keep.String(), func(t *testing.T) { boundedBytes(t, keep) })
	}
}

func boundedBytes(t *testing.T, keep blueprints.Retention) {
	dir := t.TempDir()
	db := openDisk(t, dir)
	const max = 1 << 20
	g := must[*blueprints.Graph](t)(db.CreateGraph("g", blueprints.Options{Limits: blueprints.Limits{Bytes: max}, History: keep}))
	r := rand.New(rand.NewPCG(1, 2))
	text := func() value.Value {
		b := make([]byte, 1<<10)
		for i := range b {
			b[i] = 'a' + byte(r.IntN(26))
		}
		return value.String(string(b))
	}
	fill := func(g *blueprints.Graph, n int) (err error) {
		for i := 0; i < n && err == nil; i++ {
			err = g.Update(ctx, func(tx *blueprints.Tx) error {
				v, err := tx.AddVertex("person", value.Null)
				if err == nil {
					_, err = tx.SetVertexProperty(v, "", "text", text(), value.Null, nil)
				}
				return err
			})
		}
		return err
	}
	full := (*blueprints.FullError)(nil)
	if err := fill(g, 4*max>>10); !errors.As(err, &full) || !strings.Contains(err.Error(), "of 1048576 bytes (quota.bytes)") {
		t.Fatal(err)
	}
	if n := must[int64](t)(g.DiskBytes()); n > max {
		t.Errorf("%d bytes on disk", n)
	}
	update(t, g, func(tx *blueprints.Tx) error { return tx.RemoveVertex(1) })
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = openDisk(t, dir)
	g = must[*blueprints.Graph](t)(db.Graph("g"))
	if err := fill(g, 4*max>>10); !errors.As(err, &full) {
		t.Error("behind a restart:", err)
	}
	if err := g.Truncate(ctx); err != nil {
		t.Fatal(err)
	}
	if err := fill(g, 10); err != nil {
		t.Error("behind the truncation:", err)
	}
}

// TestBounds_ReadOnly: nothing can change a graph that is read-only, not even transactions
// that are open.
func TestBounds_ReadOnly(t *testing.T) {
	db := openDatabase(t)
	g := must[*blueprints.Graph](t)(db.CreateGraph("g", blueprints.Options{}))
	open := begin(t, g)
	if err := addVertices(open, 1); err != nil {
		t.Fatal(err)
	}
	limit(t, g, blueprints.Limits{ReadOnly: true})
	for what, err := range map[string]error{
		"open":     open.Commit(ctx),
		"new":      g.Update(ctx, func(tx *blueprints.Tx) error { return addVertices(tx, 1) }),
		"truncate": g.Truncate(ctx),
		"index":    g.CreateKeyIndex(ctx, blueprints.VertexClass, "name"),
		"drop":     db.DropGraph("g"),
	} {
		if !errors.Is(err, blueprints.ErrGraphReadOnly) && !(what == "open" && errors.Is(err, storage.ErrConflict)) {
			t.Errorf("%s: %v", what, err)
		}
	}
	update(t, g, func(tx *blueprints.Tx) error { return nil })
	limit(t, g, blueprints.Limits{})
	update(t, g, func(tx *blueprints.Tx) error { return addVertices(tx, 1) })
}

// TestBounds_Change says what can be changed.
func TestBounds_Change(t *testing.T) {
	db := openDatabase(t)
	g := must[*blueprints.Graph](t)(db.CreateGraph("g", blueprints.NewOptions()))
	for _, row := range []struct{ key, text, want string }{
		{"quota.vertices", "10", ""},
		{"quota.vertices", "-1", "is not a whole number from 0"},
		{"quota.vertices", "many", "is not a whole number from 0"},
		{"limit.evaluationTimeout", "9999999999", "is more than 2147483647"},
		{"readOnly", "perhaps", "is not true or false"},
		{"vertexIdManager", "LONG", "the other options stay as the graph was made"},
		{"transactional", "false", ""},
		{"quota.vertices", "0", ""},
	} {
		err := db.ChangeOptions(ctx, "g", func(o *blueprints.Options) error { return o.Set(row.key, row.text) })
		if row.want == "" && err != nil || row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
			t.Errorf("%s=%s: %v", row.key, row.text, err)
		}
		o := g.Options()
		if row.want == "" && o.Get(row.key) != row.text {
			t.Errorf("%s=%s", row.key, o.Get(row.key))
		}
	}
	memory := openDatabase(t)
	if _, err := memory.CreateGraph("m", blueprints.Options{InMemory: true, Limits: blueprints.Limits{Bytes: 1}}); err == nil {
		t.Error("bytes on disk of a graph in memory")
	}
	if fmt.Sprint(g.Options().Features()) != fmt.Sprint([]blueprints.Feature{blueprints.IDsByValue}) {
		t.Error("a limit is no feature:", g.Options().Features())
	}
}
