package blueprints_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/load"
	"github.com/gremlind/gremlind/conformance/bench/cputime"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/value"
)

var isolations = map[string]storage.Isolation{
	"strict": storage.StrictSerializable, "snapshot": storage.SnapshotIsolation, "committed": storage.CommittedIsolation,
}

// addNamed adds a vertex whose label is new or nearly so, and whose one property has a
// key of the same name and the name as its value.
func addNamed(tx *blueprints.Tx, name string) error {
	v, err := tx.AddVertex(name, value.Null)
	if err == nil {
		_, err = tx.SetVertexProperty(v, "single", "key of "+name, value.String(name), value.Null, nil)
	}
	return err
}

// namesOf returns how many vertices have each label; each must have the property that
// addNamed gave it, so that no number of a name stands for another.
func namesOf(t *testing.T, g *blueprints.Graph) map[string]int {
	t.Helper()
	found := map[string]int{}
	view(t, g, func(tx *blueprints.Tx) {
		it := tx.Vertices()
		defer it.Close()
		buf := make([]blueprints.VertexID, 256)
		for n := it.Next(buf); n > 0; n = it.Next(buf) {
			for _, v := range buf[:n] {
				label, err := tx.VertexLabel(v)
				if err != nil {
					t.Fatal(err)
				}
				props, err := tx.VertexProperties(nil, v, nil)
				if err != nil {
					t.Fatal(err)
				}
				name := tx.Name(label)
				if name == "" || len(props) != 1 || tx.Name(props[0].Key) != "key of "+name || props[0].Value.Str() != name {
					t.Fatalf("vertex %d has the label %q and the properties %v", v, name, props)
				}
				found[name]++
			}
		}
		if err := it.Err(); err != nil {
			t.Fatal(err)
		}
	})
	return found
}

// TestNames_Crash crashes writers of new names, several of which want the same ones at the
// same time. What was acknowledged is there under its names, and names made behind the
// crash do not take the numbers of earlier ones.
func TestNames_Crash(t *testing.T) {
	for level, isolation := range isolations {
		t.Run(level, func(t *testing.T) {
			storagetest.Seeds(t, raced.Part(2, 2), func(t *testing.T, seed uint64) { crashNames(t, isolation, seed) })
		})
	}
}

func crashNames(t *testing.T, isolation storage.Isolation, seed uint64) {
	fs := vfs.NewCrashableMem()
	rng := storagetest.Rand(seed)
	names := &nameLedger{acked: map[string]bool{}, asked: map[string]bool{}, commits: make(chan struct{})}
	for life := range 4 {
		db := openOn(t, fs, func(s storage.Store) storage.Store { return s })
		g, err := db.Graph("g")
		if err != nil {
			g, err = db.CreateGraph("g", blueprints.Options{Isolation: isolation})
		}
		if err != nil {
			t.Fatal(err)
		}
		names.compare(t, g)
		wantSound(t, g)
		stop, cancel := context.WithCancel(t.Context())
		var writers sync.WaitGroup
		for w := range 6 {
			writers.Go(func() {
				defer cancel()
				names.write(stop, t, g, life, w)
			})
		}
		for range 20 + rng.IntN(60) {
			select {
			case <-names.commits:
			case <-stop.Done():
			}
		}
		// Both before the copy: what comes later need not be in it.
		acked := names.known()
		left := fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: rng.IntN(3) * 50, RNG: rand.New(rand.NewPCG(seed, uint64(life)))})
		cancel()
		writers.Wait()
		names.acked = acked
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		fs = left
	}
	if len(names.acked) < 10 {
		t.Errorf("only %d names were acknowledged", len(names.acked))
	}
}

// nameLedger is what the writers know.
type nameLedger struct {
	mu           sync.Mutex
	acked, asked map[string]bool
	commits      chan struct{} // something for each, as long as anybody waits
}

func (l *nameLedger) known() map[string]bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	acked := map[string]bool{}
	for name := range l.acked {
		acked[name] = true
	}
	return acked
}

// write adds vertices of names that two other writers use at about the same time.
func (l *nameLedger) write(ctx context.Context, t *testing.T, g *blueprints.Graph, life, writer int) {
	for i := 0; ctx.Err() == nil; i++ {
		batch := make([]string, 1+i%30)
		for j := range batch {
			batch[j] = fmt.Sprintf("name %d of transaction %d of group %d in life %d", j, i, writer/3, life)
		}
		l.mu.Lock()
		for _, name := range batch {
			l.asked[name] = true
		}
		l.mu.Unlock()
		err := g.Update(context.Background(), func(tx *blueprints.Tx) error {
			for _, name := range batch {
				if err := addNamed(tx, name); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Errorf("add %d names: %v", len(batch), err)
			return
		}
		l.mu.Lock()
		for _, name := range batch {
			l.acked[name] = true
		}
		l.mu.Unlock()
		select {
		case l.commits <- struct{}{}:
		default:
		}
	}
}

// compare requires that what was acknowledged is there, and nothing that nobody asked for.
func (l *nameLedger) compare(t *testing.T, g *blueprints.Graph) {
	t.Helper()
	found := namesOf(t, g)
	for name := range l.acked {
		if found[name] == 0 {
			t.Fatalf("%q is lost", name)
		}
	}
	for name := range found {
		if !l.asked[name] {
			t.Fatalf("nobody asked for %q", name)
		}
	}
}

// TestNames_TogetherWithoutConflict: many transactions that store the same new names all
// win at once, whatever else holds their commits together.
func TestNames_TogetherWithoutConflict(t *testing.T) {
	for level, isolation := range isolations {
		t.Run(level, func(t *testing.T) {
			g := newGraph(t, blueprints.Options{Isolation: isolation})
			var together sync.WaitGroup
			for range 8 {
				together.Go(func() {
					for i := range 100 {
						tx, err := g.Begin(ctx, blueprints.TxOptions{})
						if err == nil {
							err = addNamed(tx, fmt.Sprint("n", i))
						}
						if err == nil {
							err = tx.Commit(ctx)
						}
						if err != nil {
							t.Errorf("name %d: %v", i, err)
							return
						}
					}
				})
			}
			together.Wait()
			for name, n := range namesOf(t, g) {
				if n != 8 {
					t.Errorf("%d vertices %s", n, name)
				}
			}
			wantSound(t, g)
		})
	}
}

// TestNames_Forgotten: the names of a transaction that is rolled back, or loses, are not
// stored, and have the same numbers when somebody stores them later.
func TestNames_Forgotten(t *testing.T) {
	fs := vfs.NewCrashableMem()
	db := openOn(t, fs, func(s storage.Store) storage.Store { return s })
	g, err := db.CreateGraph("g", blueprints.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tx, err := g.Begin(ctx, blueprints.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		if err := addNamed(tx, fmt.Sprint("lost", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	update(t, g, func(tx *blueprints.Tx) error { return addNamed(tx, "lost7") })
	update(t, g, func(tx *blueprints.Tx) error { return addNamed(tx, "kept") })
	wantSound(t, g)
	left := fs.CrashClone(vfs.CrashCloneCfg{})
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = openOn(t, left, func(s storage.Store) storage.Store { return s })
	defer func() { _ = db.Close() }()
	if g, err = db.Graph("g"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"lost1", "new", "lost7"} {
		update(t, g, func(tx *blueprints.Tx) error { return addNamed(tx, name) })
	}
	wantSound(t, g)
	want := map[string]int{"lost7": 2, "kept": 1, "lost1": 1, "new": 1}
	if found := namesOf(t, g); fmt.Sprint(found) != fmt.Sprint(want) {
		t.Errorf("found %v, want %v", found, want)
	}
}

// lateStore tells its user about the outcome of a commit long after everybody else can
// see it.
type lateStore struct {
	storage.Store
	late               atomic.Bool
	published, release chan struct{}
}

type lateTx struct {
	storage.Tx
	s *lateStore
}

func (s *lateStore) Begin(ctx context.Context, o storage.TxOptions) (storage.Tx, error) {
	tx, err := s.Store.Begin(ctx, o)
	return lateTx{tx, s}, err
}

func (t lateTx) Commit(ctx context.Context) (uint64, error) {
	seq, err := t.Tx.Commit(ctx)
	if t.s.late.Load() {
		close(t.s.published)
		<-t.s.release
	}
	return seq, err
}

// TestNames_SeenAtOnce: who sees an element with a new label finds it by the label, though
// the writer has not been told of its commit.
func TestNames_SeenAtOnce(t *testing.T) {
	late := &lateStore{published: make(chan struct{}), release: make(chan struct{})}
	s, err := pebble.Open("", pebble.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	late.Store = s
	db, err := blueprints.Open(late, blueprints.DatabaseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	g, err := db.CreateGraph("g", blueprints.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tx, err := g.Begin(ctx, blueprints.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		if err := addNamed(tx, fmt.Sprint("new", i)); err != nil {
			t.Fatal(err)
		}
	}
	late.late.Store(true)
	committed := make(chan error, 1)
	go func() { committed <- tx.Commit(ctx) }()
	<-late.published
	late.late.Store(false)
	view(t, g, func(tx *blueprints.Tx) {
		if n, err := tx.VertexCount(); err != nil || n != 20 {
			t.Errorf("%d vertices, %v", n, err)
		}
		if sym, ok := tx.Symbol("new19"); !ok || tx.Name(sym) != "new19" {
			t.Error("the label of the last vertex is unknown")
		}
	})
	close(late.release)
	if err := <-committed; err != nil {
		t.Error(err)
	}
}

// BenchmarkNewNames makes 100,000 labels: of the vertices of one transaction, of those of a
// load, and one for each transaction of one of 16 writers. The same with one label is
// what they cost beside.
func BenchmarkNewNames(b *testing.B) {
	const labels = 100_000
	each := func(name func(i int) string, add func(name string) error) error {
		for i := range labels {
			if err := add(name(i)); err != nil {
				return err
			}
		}
		return nil
	}
	fill := map[string]func(g *blueprints.Graph, name func(i int) string) error{
		"Transaction": func(g *blueprints.Graph, name func(int) string) error {
			return g.Update(b.Context(), func(tx *blueprints.Tx) error {
				return each(name, func(name string) error { _, err := tx.AddVertex(name, value.Null); return err })
			})
		},
		"Load": func(g *blueprints.Graph, name func(int) string) error {
			_, err := load.Graph(b.Context(), g, load.Options{}, func(s blueprints.RecordSink) error {
				return each(name, func(name string) error { return s.Vertex(&blueprints.VertexRecord{Label: name}) })
			})
			return err
		},
		"16Writers": func(g *blueprints.Graph, name func(int) string) error {
			var next atomic.Int64
			var writers sync.WaitGroup
			for range 16 {
				writers.Go(func() {
					for i := next.Add(1); i <= labels && !b.Failed(); i = next.Add(1) {
						err := g.Update(b.Context(), func(tx *blueprints.Tx) error { _, err := tx.AddVertex(name(int(i-1)), value.Null); return err })
						if err != nil {
							b.Error(err)
						}
					}
				})
			}
			writers.Wait()
			return nil
		},
	}
	names := map[string]func(i int) string{
		"New": func(i int) string { return fmt.Sprint("label-", i) },
		"One": func(int) string { return "label" },
	}
	for _, way := range []string{"Transaction", "Load", "16Writers"} {
		for _, kind := range []string{"New", "One"} {
			b.Run(way+"/"+kind, func(b *testing.B) {
				cpu := time.Duration(0)
				for range b.N {
					b.StopTimer()
					s, err := pebble.Open(b.TempDir(), pebble.Options{BallastBytes: -1, DiskReserve: -1})
					if err != nil {
						b.Fatal(err)
					}
					db, err := blueprints.Open(s, blueprints.DatabaseOptions{})
					if err != nil {
						b.Fatal(err)
					}
					g, err := db.CreateGraph("g", blueprints.Options{})
					if err != nil {
						b.Fatal(err)
					}
					began := cputime.Own()
					b.StartTimer()
					if err := fill[way](g, names[kind]); err != nil {
						b.Fatal(err)
					}
					b.StopTimer()
					cpu += cputime.Own() - began
					if err := db.Close(); err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
				}
				b.ReportMetric(cpu.Seconds()/float64(b.N), "cpu-s/op")
			})
		}
	}
}
