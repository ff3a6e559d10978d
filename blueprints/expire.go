package blueprints

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// Dropping what is due: one goroutine looks through the open graphs, and drops in transactions
// as any other, which history, the feed and whoever listens to commits see. Between two of them it
// rests as long as the last one took.

const (
	// expireEvery is how often somebody looks for what is due.
	expireEvery = 500 * time.Millisecond
	// expirePiece is how much is dropped in one transaction.
	expirePiece = 512
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
// properties that were. A graph that is read-only or being loaded is left alone. It is for one
// goroutine at a time.
func (g *Graph) DropExpired(ctx context.Context, now time.Time) (n int, err error) {
	var failed []error
	for from := (table.Expiry{}); !g.loading.Load() && g.Writable() == nil; {
		began := time.Now()
		due, err := g.due(from, now)
		if err != nil || len(due) == 0 {
			return n, errors.Join(append(failed, err)...)
		}
		dropped, err := g.dropDue(ctx, due)
		n += dropped
		switch {
		case ctx.Err() != nil:
			return n, ctx.Err()
		case err != nil: // it stays where it is, and what is behind it is looked at
			failed = append(failed, err)
		}
		from = due[len(due)-1]
		select {
		case <-ctx.Done():
			return n, ctx.Err()
		case <-time.After(time.Since(began)):
		}
		if len(failed) > expirePiece {
			break
		}
	}
	return n, errors.Join(failed...)
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

// dropDue drops a piece in one transaction; where that fails, one by one.
func (g *Graph) dropDue(ctx context.Context, due []table.Expiry) (n int, err error) {
	err = g.UpdateBy(ctx, expiryAuthor, func(tx *Tx) error {
		for _, e := range due {
			if err := tx.dropExpired(e); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		return len(due), nil
	}
	if len(due) == 1 || ctx.Err() != nil || g.dropped.Load() {
		return 0, err
	}
	var failed error
	half := len(due) / 2
	for _, part := range [][]table.Expiry{due[:half], due[half:]} {
		dropped, err := g.dropDue(ctx, part)
		n += dropped
		failed = errors.Join(failed, err)
	}
	return n, failed
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
