package blueprints

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/table"
)

// Bounds are the limits of a graph that has some, and what counts against them. What the
// graph holds is counted where commits are ordered, so that no two of them take the last
// place, and begins with the counters of the graph, which every commit keeps.
type Bounds struct {
	g   *Graph
	now atomic.Pointer[Limits]

	counts  [2]atomic.Int64 // of vertices and of edges; written by who orders commits
	disk    atomic.Int64    // bytes that were on disk when somebody looked last
	written atomic.Int64    // bytes that were committed since

	looking sync.Mutex // held by who looks at the disk
	looked  time.Time

	requests *rate.Limiter
	memory   *account.Account
	pace     account.Pace // of what is refused
	running  atomic.Int64
}

// lookEvery is how often a graph that seems full may ask what it takes on disk: the store
// writes out what only its log has for that.
const lookEvery = 10 * time.Second

// Bounds are the graph's limits, nil when it has none.
func (g *Graph) Bounds() *Bounds { return g.bounds.Load() }

func newBounds(g *Graph, l Limits) *Bounds {
	b := &Bounds{g: g, requests: rate.NewLimiter(rate.Inf, math.MaxInt)}
	b.memory = account.New(nil, OptionMemory+" of graph "+g.name, account.Unlimited)
	b.memory.SetPace(&b.pace)
	b.set(l)
	return b
}

// Graph returns the graph that is limited.
func (b *Bounds) Graph() *Graph { return b.g }

// set replaces the limits.
func (b *Bounds) set(l Limits) {
	b.now.Store(&l)
	if l.Requests > 0 {
		b.requests.SetLimit(rate.Limit(l.Requests))
		b.requests.SetBurst(int(l.Requests))
	} else {
		b.requests.SetLimit(rate.Inf)
		b.requests.SetBurst(math.MaxInt) // of which a limit to come has as many as it allows at once
	}
	b.memory.Resize(orUnlimited(l.Memory))
}

func orUnlimited(n int64) int64 {
	if n == 0 {
		return account.Unlimited
	}
	return n
}

// Limits are those that hold now.
func (b *Bounds) Limits() Limits { return *b.now.Load() }

// ReadOnly reports whether the graph takes no writes.
func (b *Bounds) ReadOnly() bool { return b.now.Load().ReadOnly }

// Memory is what all requests that run on the graph are charged to.
func (b *Bounds) Memory() *account.Account { return b.memory }

// TooManyError refuses a request because there are so many.
type TooManyError struct {
	Graph, Setting string
	Max            int64
	pace           *account.Pace
}

// Pace is that of the graph.
func (e *TooManyError) Pace() *account.Pace { return e.pace }

// Error names the setting.
func (e *TooManyError) Error() string {
	if e.Setting == OptionAtOnce {
		return fmt.Sprintf("graph %s evaluates %d requests already (%s)", e.Graph, e.Max, e.Setting)
	}
	return fmt.Sprintf("graph %s gets more than %d requests a second (%s)", e.Graph, e.Max, e.Setting)
}

// Enter counts a request in, or refuses it; Leave must follow. again is set for one that
// was counted before and runs anew.
func (b *Bounds) Enter(again bool) error {
	now := b.now.Load()
	if n := b.running.Add(1); now.AtOnce > 0 && n > now.AtOnce {
		b.running.Add(-1)
		return &TooManyError{b.g.name, OptionAtOnce, now.AtOnce, &b.pace}
	}
	if now.Requests > 0 && !again && !b.requests.Allow() {
		b.running.Add(-1)
		return &TooManyError{b.g.name, OptionRequests, now.Requests, &b.pace}
	}
	return nil
}

// Leave counts a request out.
func (b *Bounds) Leave() { b.running.Add(-1) }

// ErrGraphReadOnly is wrapped by the errors of writes to a graph that is read-only.
var ErrGraphReadOnly = errors.New("graph is read-only")

// Writable returns the error of writes to the graph when it is read-only.
func (g *Graph) Writable() error {
	if b := g.bounds.Load(); b != nil && b.ReadOnly() {
		return fmt.Errorf("%w: %s (%s)", ErrGraphReadOnly, g.name, OptionReadOnly)
	}
	return nil
}

// admit has the commit of t counted, or refused.
func (b *Bounds) admit(t *Tx) error {
	if err := t.g.Writable(); err != nil && t.tx.Pending() {
		return err
	}
	if now := b.now.Load(); now.Bytes > 0 && b.bytes() >= now.Bytes {
		b.look(false)
	}
	grown, by := t.grown, t.restriction()
	t.tx.Admit(func(c storage.Commit) error { return by.untold(b.take(grown, c)) })
	return nil
}

var countedThings = [2]struct{ setting, what string }{{OptionVertices, "vertices"}, {OptionEdges, "edges"}}

// take notes what a commit adds, unless that is too much. Commits that only remove are
// never refused, though history keeps what they remove: a full graph could not get less
// else, nor let anything expire. It is called by who orders commits alone.
func (b *Bounds) take(grown [2]int64, c storage.Commit) error {
	now := b.now.Load()
	if now.ReadOnly { // since a moment ago
		return b.g.Writable()
	}
	for i, max := range [2]int64{now.Vertices, now.Edges} {
		if has := b.counts[i].Load(); max > 0 && grown[i] > 0 && has+grown[i] > max {
			return &FullError{Graph: b.g.name, Setting: countedThings[i].setting, What: countedThings[i].what, Has: has, Max: max, More: grown[i], pace: &b.pace}
		}
	}
	if now.Bytes > 0 {
		var size int64
		adds := false
		c.Each(func(x storage.Change) {
			size += int64(len(x.Key) + len(x.Value))
			adds = adds || x.To == nil && !x.Deleted && x.Value != nil && !table.OfHistory(x.Key)
		})
		if has := b.bytes(); adds && has+size > now.Bytes {
			return &FullError{Graph: b.g.name, Setting: OptionBytes, What: "bytes", Has: has, Max: now.Bytes, More: size, pace: &b.pace}
		}
		b.written.Add(size)
	}
	for i, n := range grown {
		b.counts[i].Add(n)
	}
	return nil
}

func (b *Bounds) bytes() int64 { return b.disk.Load() + b.written.Load() }

// look asks what the graph takes on disk. Unless it must be now, that is done seldom: in
// between what was written counts, which is more than what comes to the disk.
func (b *Bounds) look(now bool) {
	b.looking.Lock()
	defer b.looking.Unlock()
	if !now && time.Since(b.looked) < lookEvery {
		return
	}
	before := b.written.Load() // what comes from now on may be counted twice
	if b.g.store.Flush() != nil {
		return // who writes next will hear of it
	}
	n, err := b.g.DiskBytes()
	if err != nil {
		return
	}
	b.disk.Store(n)
	b.written.Add(-before)
	b.looked = time.Now()
}

// counted is what a reader sees of a total.
func (g *Graph) counted(r storage.Reader, kind table.CounterKind) (int64, error) {
	v, err := r.Get(g.totalKey(kind))
	if errors.Is(err, storage.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	n, ok := storage.Count(v)
	if !ok {
		return 0, corrupt("counter", nil)
	}
	return n, nil
}

func (g *Graph) totalKey(kind table.CounterKind) []byte {
	return table.AppendCounter(nil, table.Counter{Graph: g.number, Kind: kind})
}

var totals = [2]table.CounterKind{table.VertexCount, table.EdgeCount}

// bound begins with limits in a graph that nobody has a transaction on yet.
func (g *Graph) bound(l Limits, r storage.Reader) error {
	b := newBounds(g, l)
	for i, kind := range totals {
		n, err := g.counted(r, kind)
		if err != nil {
			return err
		}
		b.counts[i].Store(n)
	}
	if l.Bytes > 0 {
		n, err := g.DiskBytes()
		if err != nil {
			return err
		}
		b.disk.Store(n)
	}
	g.bounds.Store(b)
	return nil
}

// setLimits replaces the graph's limits. Where there were none, counting begins with a
// commit that writes the totals as they are: whoever adds or removes elements beside it,
// and has begun before anybody counts, conflicts with it.
func (g *Graph) setLimits(ctx context.Context, l Limits) error {
	switch b := g.bounds.Load(); {
	case l == (Limits{}):
		g.bounds.Store(nil)
		return nil
	case b != nil:
		counting := l.Bytes > 0 && b.Limits().Bytes == 0
		b.set(l)
		if counting {
			b.look(true)
		}
		return nil
	case g.loading.Load():
		return ErrLoading
	}
	b := newBounds(g, l)
	err := g.small(ctx, func(tx storage.Tx) error {
		var counts [2]int64
		for i, kind := range totals {
			n, err := g.counted(tx, kind)
			if err != nil {
				return err
			}
			key := g.totalKey(kind)
			if counts[i] = n; n == 0 {
				err = tx.Delete(key)
			} else {
				err = tx.Set(key, storage.AppendCount(nil, n))
			}
			if err != nil {
				return err
			}
		}
		tx.Admit(func(storage.Commit) error {
			for i, n := range counts {
				b.counts[i].Store(n)
			}
			g.bounds.Store(b)
			return nil
		})
		return nil
	})
	if err == nil && l.Bytes > 0 {
		b.look(true)
	}
	return err
}

// emptied has a commit that removes all elements take the counts back.
func (b *Bounds) emptied(tx storage.Tx) {
	tx.Admit(func(storage.Commit) error {
		if b.ReadOnly() {
			return b.g.Writable()
		}
		for i := range b.counts {
			b.counts[i].Store(0)
		}
		b.disk.Store(0)
		b.written.Store(0)
		return nil
	})
}

// loaded begins to count with what a load put into the graph, beside which nobody writes.
func (b *Bounds) loaded(vertices, edges int64) {
	b.counts[0].Store(vertices)
	b.counts[1].Store(edges)
	if b.now.Load().Bytes > 0 {
		b.look(true)
	}
}

// weighed are the keys of a load, which end with an error where there are too many bytes.
func (b *Bounds) weighed(sources []storage.KeySource) []storage.KeySource {
	max := b.now.Load().Bytes
	if max == 0 {
		return sources
	}
	var size atomic.Int64
	all := make([]storage.KeySource, len(sources))
	for i, s := range sources {
		all[i] = func(add func(key, value []byte) error) error {
			return s(func(key, value []byte) error {
				if n := size.Add(int64(len(key) + len(value))); n > max {
					return &FullError{Graph: b.g.name, Setting: OptionBytes, What: "bytes", Has: n, Max: max}
				}
				return add(key, value)
			})
		}
	}
	return all
}
