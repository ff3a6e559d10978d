package blueprints_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// crashes copies a disk, as a crash would leave it, in front of each operation that changes it.
type crashes struct {
	mu     sync.Mutex
	fs     *vfs.MemFS
	rng    *rand.Rand
	taking bool
	disks  []*vfs.MemFS
}

func (c *crashes) String() string { return "crashes" }

// MaybeError implements errorfs.Injector.
func (c *crashes) MaybeError(op errorfs.Op) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.taking && (op.Kind == errorfs.OpFileWrite || op.Kind == errorfs.OpFileSync || op.Kind == errorfs.OpFileSyncData) {
		c.disks = append(c.disks, c.fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50 * c.rng.IntN(3), RNG: c.rng}))
	}
	return nil
}

// during returns the disks that crashes would leave while fn runs, and the one behind it.
func (c *crashes) during(fn func()) []*vfs.MemFS {
	c.mu.Lock()
	c.taking = true
	c.mu.Unlock()
	fn()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.taking = false
	return append(c.disks, c.fs.CrashClone(vfs.CrashCloneCfg{}))
}

// timed is a graph of which much can be taken back, and what to take back.
type timed struct {
	*replay
	v0, dropped storage.Stamp // filled; the commit that dropped a vertex
	due         time.Time     // when a part of it expires
}

const crashSecret = "verysecret"

// openTimed opens a store whose commits are small, so that much takes several.
func openTimed(t *testing.T, fs vfs.FS, seed uint64) *timed {
	t.Helper()
	x, _ := openTimedWith(t, fs, seed, pebble.Options{DiskReserve: -1, BallastBytes: -1})
	return x
}

func openTimedWith(t *testing.T, fs vfs.FS, seed uint64, o pebble.Options) (*timed, *pebble.Store) {
	t.Helper()
	o.Layout, o.FS, o.Limits = table.Layout, fs, pebble.Limits{WriteSetBytes: 1 << 17}
	s := must[*pebble.Store](t)(pebble.Open("data", o))
	db := must[*blueprints.Database](t)(blueprints.Open(s, blueprints.DatabaseOptions{}))
	return &timed{replay: &replay{T: t, Rand: storagetest.Rand(seed), db: db}}, s
}

func (x *timed) fill() {
	x.g = must[*blueprints.Graph](x.T)(x.db.CreateGraph("g", blueprints.Options{History: blueprints.Forever, TTL: true, Stamps: true}))
	declareIndex(x.T, x.g, blueprints.IndexSpec{Name: "n", Class: blueprints.VertexClass, Keys: []string{"name"}, Unique: true})
	x.must(x.g.CreateKeyIndex(ctx, blueprints.EdgeClass, "text"))
	x.due = time.Now().Add(time.Hour)
	v := hub(x.T, x.g, 500, 30)
	update(x.T, x.g, func(tx *blueprints.Tx) error {
		var err error
		for i := range 40 {
			w, werr := tx.AddVertex("person", value.Long(int64(5000+i)))
			if werr != nil {
				return werr
			}
			setProperty(x.T, tx, w, "name", fmt.Sprint(crashSecret, i))
			if i < 20 {
				err = errors.Join(err, tx.Expire(blueprints.VertexClass, uint64(w), x.due))
			}
			_, eerr := tx.AddEdge("knows", w, v, value.Null)
			err = errors.Join(err, eerr)
		}
		return errors.Join(err, tx.Expire(blueprints.VertexClass, uint64(v), x.due))
	})
	x.write()
	x.v0 = x.states[0].at
	update(x.T, x.g, func(tx *blueprints.Tx) error {
		w, _, err := tx.FindVertex(value.Long(5030))
		return errors.Join(err, tx.RemoveVertex(w))
	})
	x.write()
	x.dropped = x.states[1].at
}

// text is the graph as of a stamp, 0 for now.
func (x *timed) textAt(at storage.Stamp) (text string) {
	x.Helper()
	x.must(x.g.ViewAsOf(ctx, at, func(tx *blueprints.Tx) error {
		text = x.text(tx)
		return nil
	}))
	return text
}

// deeds are what takes back, drops and forgets.
func (x *timed) deeds() map[string]func(y *timed) error {
	return map[string]func(y *timed) error{
		"undo": func(y *timed) error {
			return y.g.Update(ctx, func(tx *blueprints.Tx) error { _, err := tx.Undo(x.dropped, false); return err })
		},
		"restore": func(y *timed) error {
			return y.g.Update(ctx, func(tx *blueprints.Tx) error {
				_, err := tx.Restore(blueprints.VertexClass, value.Long(5030))
				return err
			})
		},
		"purge": func(y *timed) error {
			return y.g.Update(ctx, func(tx *blueprints.Tx) error {
				_, err := tx.Purge(blueprints.VertexClass, value.Long(5031))
				return err
			})
		},
		"expiry": func(y *timed) error { _, err := y.g.DropExpired(ctx, x.due.Add(time.Second)); return err },
		"forget": func(y *timed) error {
			return errors.Join(y.g.KeepHistory(ctx, blueprints.Retention(time.Second)), y.forgetAll())
		},
	}
}

// deed is one of those on the disk of a graph that is filled for them.
type deed struct {
	what       string
	do         func(y *timed) error
	base       *vfs.MemFS
	x          *timed
	before, v0 string // the graph as it is, and as of x.v0
}

func eachDeed(t *testing.T, test func(t *testing.T, d *deed, seed uint64)) {
	base := vfs.NewCrashableMem()
	x := openTimed(t, base, 1)
	x.fill()
	before, v0 := x.textAt(0), x.textAt(x.v0)
	x.must(x.db.Close())
	for what, do := range x.deeds() {
		t.Run(what, func(t *testing.T) {
			storagetest.Seeds(t, 1, func(t *testing.T, seed uint64) {
				test(t, &deed{what: what, do: do, base: base, x: x, before: before, v0: v0}, seed)
			})
		})
	}
}

// TestTime_Crashes: a crash at any write within an undo, a restore, a purge, an expiry and the
// forgetting of history leaves all of each commit or nothing, and what was before as it was; what
// takes several goes on behind it. What was acknowledged is done.
func TestTime_Crashes(t *testing.T) {
	eachDeed(t, func(t *testing.T, d *deed, seed uint64) {
		fs := d.base.CrashClone(vfs.CrashCloneCfg{})
		c := &crashes{fs: fs, rng: storagetest.Rand(seed)}
		y := openTimed(t, errorfs.Wrap(fs, c), seed)
		y.g = must[*blueprints.Graph](t)(y.db.Graph("g"))
		disks := c.during(func() { y.must(d.do(y)) })
		after := y.textAt(0)
		y.must(y.db.Close())
		crashed := map[bool]int{}
		for _, i := range some(len(disks)) {
			z := openTimed(t, disks[i], seed)
			z.g = must[*blueprints.Graph](t)(z.db.Graph("g"))
			wantSound(t, z.g)
			is := z.textAt(0)
			if i == len(disks)-1 && is != after {
				t.Errorf("%s: what was acknowledged is not done", d.what)
			}
			crashed[is == after]++
			z.look(d.what, is, d.before, after, d.v0, d.x, d.do)
			z.must(z.db.Close())
		}
		if crashed[true] == 0 || crashed[false] == 0 && d.what != "forget" {
			t.Errorf("%s: of %d disks %v have all", d.what, len(disks), crashed)
		}
	})
}

// forgetAll forgets what there is of history.
func (x *timed) forgetAll() error {
	_, err := x.g.ForgetHistory(ctx, time.Now().Add(time.Hour))
	return err
}

// some are numbers below n, with the last.
func some(n int) (all []int) {
	most := raced.Times(raced.Part(30, 3), 10)
	for i := n - 1; i >= 0; i -= 1 + n/most {
		all = append(all, i)
	}
	return all
}

// look compares what a crash has left with what there was, and ends what was begun.
func (z *timed) look(what, is, before, after, v0 string, x *timed, do func(*timed) error) {
	z.Helper()
	whole := is == after
	switch what {
	case "expiry":
		if z.must(do(z)); z.textAt(0) != after {
			z.Errorf("%s does not go on behind a crash", what)
		}
	case "forget":
		if z.must(do(z)); z.textAt(0) != before {
			z.Errorf("%s has changed the graph", what)
		}
		if _, err := z.g.Begin(ctx, blueprints.TxOptions{ReadOnly: true, AsOf: x.v0}); err == nil || !strings.Contains(err.Error(), "is before the history") {
			z.Errorf("%s: %v", what, err)
		}
		return
	default:
		if !whole && is != before {
			z.Errorf("%s is there by half", what)
		}
	}
	if what != "purge" {
		if z.textAt(x.v0) != v0 {
			z.Errorf("%s has changed what was", what)
		}
	} else if held := held(z.T, z.g, fmt.Sprint(crashSecret, 31)); whole != (held == "") {
		z.Errorf("%s: it is done: %v, and held is %s", what, whole, held)
	}
	if what == "undo" && whole && is != v0 {
		z.Errorf("undone it is\n%s\nnot\n%s", is, v0)
	}
}
