package blueprints

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// Dropping what is due: one goroutine looks through the open graphs, and drops in transactions
// as any other, which history, the feed and whoever listens to commits see. Between two of them it
// rests as long as the last one took at least.

const (
	// expireEvery is how often somebody looks for what is due.
	expireEvery = 500 * time.Millisecond
	// expirePiece is how much is dropped in one transaction, unless it is one vertex. Who writes meanwhile waits for its
	// commit: with 512 one in a hundred writes took 4 to 18 times as long, with 32 2 to 3 times.
	expirePiece = 32
	// expirePace is how often there is a piece at most, and expireLate how late what is due may become
	// for that. One in a hundred of 16 writers who take half of what there is waits 4 to 8 times as long
	// where a piece comes as often as it can, which is every 2 ms.
	expirePace = 5 * time.Millisecond
	expireLate = 10 * time.Second
	// expireAgain is when what could not be dropped is tried again.
	expireAgain = time.Minute
)

// expiryAuthor is who history says made such commits.
var expiryAuthor = &Author{By: "expiry"}

// expireDue goes over the graphs once.
func (db *Database) expireDue(ctx context.Context, now time.Time) {
	for _, g := range db.openGraphs((*Graph).expiring) {
		if _, err := g.DropExpired(ctx, now); err != nil && ctx.Err() == nil && !g.dropped.Load() && time.Since(g.expiryTold) > expireAgain {
			g.expiryTold = time.Now()
			slog.Default().Warn("drop what has expired", "graph", g.Name(), "err", err)
		}
	}
}

// DropExpired drops what is due at a time of the clock, and returns how many elements and
// properties that were. A graph that is read-only or being loaded is left alone. One call waits
// for the other.
func (g *Graph) DropExpired(ctx context.Context, now time.Time) (n int, err error) {
	g.stuck.mu.Lock()
	defer g.stuck.mu.Unlock()
	d := &dropping{ctx: ctx, g: g, now: now, began: time.Now()}
	for from := g.stuck.passed(now); !g.loading.Load() && g.Writable() == nil; {
		due, err := g.due(from, now)
		if err != nil || len(due) == 0 {
			return d.dropped, errors.Join(d.err(), err)
		}
		if err := d.drop(due); err != nil {
			return d.dropped, errors.Join(d.err(), err)
		}
		if from = due[len(due)-1]; d.left > 0 {
			g.stuck.note(from, now)
		}
	}
	return d.dropped, d.err()
}

// stuck is up to where there is something that is due and did not go: until a time one begins
// behind it. Who is due later waits for nobody.
type stuck struct {
	mu    sync.Mutex // held by who looks through what is due
	at    table.Expiry
	until time.Time
}

// passed returns behind what to begin. Where the clock was set back it is the beginning: there may
// be new ends in front.
func (s *stuck) passed(now time.Time) table.Expiry {
	if now.After(s.until) || uint64(max(now.UnixMilli(), 0)) < s.at.At {
		s.at, s.until = table.Expiry{}, time.Time{}
	}
	return s.at
}

func (s *stuck) note(at table.Expiry, now time.Time) {
	if s.at = at; s.until.IsZero() {
		s.until = now.Add(expireAgain)
	}
}

// dropping is one look through what is due.
type dropping struct {
	ctx     context.Context
	g       *Graph
	now     time.Time // of the clock, when it began
	began   time.Time
	dropped int
	left    int   // what did not go
	why     error // of the first of it
}

// err tells what did not go.
func (d *dropping) err() error {
	if d.left == 0 {
		return nil
	}
	return fmt.Errorf("%d of what is due did not go, for the first of it: %w", d.left, d.why)
}

// drop drops what is due in transactions of a piece; where one fails, halves. The error is one
// that has nothing to do with what is dropped.
func (d *dropping) drop(due []table.Expiry) error {
	for len(due) > 0 {
		began, n := time.Now(), 0
		err := d.commit(func(tx *Tx) (err error) {
			n, err = tx.dropFirst(due)
			return err
		})
		if err := d.rest(began, due[0]); err != nil {
			return err
		}
		if len(due) == 1 && errors.Is(err, storage.ErrTooLarge) && !due[0].Property {
			n, err = 1, d.inParts(due[0])
		}
		switch {
		case err == nil:
			d.dropped += n
		case d.ctx.Err() != nil || ofStore(err):
			return err
		case len(due) == 1:
			if n, d.left = 1, d.left+1; d.why == nil {
				d.why = err
			}
		default:
			n = len(due) / 2
			if err := d.drop(due[:n]); err != nil {
				return err
			}
		}
		due = due[n:]
	}
	return nil
}

// rest waits behind a piece that began at a time, for longer while what was due is not late.
func (d *dropping) rest(began time.Time, due table.Expiry) error {
	late := d.now.Add(time.Since(d.began)).Sub(time.UnixMilli(int64(due.At)))
	return pause(d.ctx, restBehind(time.Since(began), late))
}

func restBehind(took, late time.Duration) time.Duration {
	if late < expireLate {
		return restOf(took, expirePace)
	}
	return took
}

// dropFirst drops the first of what is due, until it is a piece with the edges that went along,
// and returns how many these were.
func (t *Tx) dropFirst(due []table.Expiry) (n int, err error) {
	for n < len(due) && max(n, len(t.goneEdges)) < expirePiece {
		if err := t.dropExpired(due[n]); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func (d *dropping) commit(fn func(tx *Tx) error) error { return d.g.UpdateBy(d.ctx, expiryAuthor, fn) }

// ofStore reports whether an error is one that everything else would meet, too.
func ofStore(err error) bool {
	for _, all := range []error{storage.ErrReadOnly, storage.ErrUnavailable, storage.ErrUndetermined, storage.ErrClosed, ErrGraphReadOnly, ErrGraphDropped, ErrLoading} {
		if errors.Is(err, all) {
			return true
		}
	}
	return false
}

// due lists what is due behind another end, a piece at most.
func (g *Graph) due(behind table.Expiry, now time.Time) (due []table.Expiry, err error) {
	snap, err := g.store.Snapshot()
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	from := table.AppendTable(nil, g.number, table.Expiries)
	if behind.At != 0 {
		from = append(table.AppendExpiry(nil, behind), 0)
	}
	to := table.AppendExpiriesTo(nil, g.number, uint64(max(now.UnixMilli(), 0))+1)
	it := snap.Scan(storage.ScanOptions{From: from, To: to, Limit: expirePiece})
	defer it.Close()
	for len(due) < expirePiece && it.Next() {
		e, err := table.DecodeExpiry(it.Key())
		if err != nil {
			return nil, corrupt("expiry", err)
		}
		due = append(due, e)
	}
	return due, it.Err()
}

// dropExpired drops what ends at a time, if it still does.
func (t *Tx) dropExpired(e table.Expiry) error {
	if !e.Property {
		at, err := t.elementEnd(e.Class, e.Element)
		switch {
		case err != nil || at != e.At:
			return err
		case e.Class == table.EdgeClass:
			return t.RemoveEdge(EdgeID(e.Element))
		}
		return t.RemoveVertex(VertexID(e.Element))
	}
	key := Symbol(e.Key)
	if e.Class == table.EdgeClass {
		c, ok, err := t.edgePropertyCell(EdgeID(e.Element), key)
		if err != nil || !ok || c.Expires != e.At {
			return err
		}
		return t.RemoveEdgeProperty(EdgeID(e.Element), t.Name(key))
	}
	p := PropertyEntry{Key: key, Ordinal: e.Ordinal}
	c, ok, err := t.propertyCell(VertexID(e.Element), p)
	if err != nil || !ok || c.Expires != e.At {
		return err
	}
	return t.RemoveVertexProperty(VertexID(e.Element), p)
}
