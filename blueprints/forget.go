package blueprints

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/past"
)

const (
	// forgetEvery is how often somebody looks for history that is older than its graph keeps it.
	forgetEvery = 10 * time.Second
	// forgetPace is how often a piece is forgotten at most: 125,000 rows a second.
	forgetPace = 8 * time.Millisecond
)

// chore is what is done for all graphs that are open in the background, graph by graph and in
// small commits, between which it rests as long as the last one took at least: writers get half
// of the time.
type chore struct {
	stop context.CancelFunc
	done sync.WaitGroup
}

// start does it again and again, until close.
func (c *chore) start(every time.Duration, do func(ctx context.Context, now time.Time)) {
	ctx, stop := context.WithCancel(context.Background())
	c.stop = stop
	c.done.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				do(ctx, time.Now())
			}
		}
	})
}

func (c *chore) close() {
	if c.stop != nil {
		c.stop()
		c.done.Wait()
	}
}

// restAsLong waits for as long as it has been since a time.
func restAsLong(ctx context.Context, began time.Time) error {
	return pause(ctx, time.Since(began))
}

// restOf is how long to rest behind a piece, that there is one in a pace and half of the time is rest.
func restOf(took, pace time.Duration) time.Duration { return max(took, pace-took) }

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// rest ends what is done in the background.
func (db *Database) rest() {
	db.forgetter.close()
	db.expirer.close()
}

// forgetOld goes over the graphs once.
func (db *Database) forgetOld(ctx context.Context, now time.Time) {
	for _, g := range db.OpenGraphs() {
		if _, err := g.ForgetHistory(ctx, now); err != nil && ctx.Err() == nil {
			slog.Default().Warn("forget old history", "graph", g.Name(), "err", err)
		}
	}
}

// ForgetHistory forgets what the graph keeps no longer at a time of the clock, and returns how
// many rows that was. A graph that is read-only or being loaded is left alone.
func (g *Graph) ForgetHistory(ctx context.Context, now time.Time) (rows int, err error) {
	h := g.history.Load()
	if h == nil || h.keep == Forever || g.loading.Load() || g.Writable() != nil {
		return 0, nil
	}
	horizon := storage.LastOf(now.Add(-time.Duration(h.keep)))
	for next := (past.Place{}); ; {
		began := time.Now()
		var n int
		n, next, err = past.Shorten(ctx, g.store, g.number, next, horizon)
		rows += n
		switch {
		case errors.Is(err, storage.ErrConflict): // somebody has begun anew
			return rows, nil
		case err != nil || next == past.Place{}:
			return rows, err
		}
		took := time.Since(began)
		if err := pause(ctx, restOf(took, forgetPace)); err != nil {
			return rows, err
		}
	}
}
