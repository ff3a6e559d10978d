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

// forgetEvery is how often somebody looks for history that is older than its graph keeps it.
const forgetEvery = 10 * time.Second

// forgetter forgets history in the background, graph by graph and in small commits, between
// which it rests as long as the last one took: writers get at least half of the time.
type forgetter struct {
	stop context.CancelFunc
	done sync.WaitGroup
}

// startForgetting begins that for all graphs that are open, until close.
func (db *Database) startForgetting() {
	ctx, stop := context.WithCancel(context.Background())
	db.forgetter.stop = stop
	db.forgetter.done.Go(func() {
		tick := time.NewTicker(forgetEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case now := <-tick.C:
				db.forgetOld(ctx, now)
			}
		}
	})
}

func (f *forgetter) close() {
	if f.stop != nil {
		f.stop()
		f.done.Wait()
	}
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
	for next := storage.Stamp(0); ; {
		began := time.Now()
		var n int
		n, next, err = past.Shorten(ctx, g.store, g.number, next, horizon)
		rows += n
		switch {
		case errors.Is(err, storage.ErrConflict): // somebody has begun anew
			return rows, nil
		case err != nil || next == 0:
			return rows, err
		}
		select {
		case <-ctx.Done():
			return rows, ctx.Err()
		case <-time.After(time.Since(began)):
		}
	}
}
