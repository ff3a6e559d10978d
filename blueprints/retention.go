package blueprints

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gremlind/gremlind/storage"
)

// Retention is how long what commits overwrite is kept, in the history of a graph.
type Retention time.Duration

// What is no time.
const (
	NoHistory Retention = 0
	Forever   Retention = -1
)

// retentionUnits are those of ParseRetention, the greatest first.
var retentionUnits = []struct {
	name string
	unit time.Duration
}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"m", time.Minute}, {"s", time.Second}}

// ParseRetention reads none, forever, or a number of days, hours, minutes or seconds: 30d.
func ParseRetention(text string) (Retention, error) {
	switch text {
	case "none":
		return NoHistory, nil
	case "forever":
		return Forever, nil
	}
	for _, u := range retentionUnits {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		if n, err := strconv.ParseInt(number, 10, 64); err == nil && n > 0 && n <= int64(retentionMax/u.unit) {
			return Retention(time.Duration(n) * u.unit), nil
		}
	}
	return NoHistory, fmt.Errorf("%s: %q is not none, forever, or a number and d, h, m or s, such as 30d", OptionHistory, text)
}

const retentionMax = 200 * 365 * 24 * time.Hour

// String is what ParseRetention reads.
func (r Retention) String() string {
	switch r {
	case NoHistory:
		return "none"
	case Forever:
		return "forever"
	}
	for _, u := range retentionUnits {
		if time.Duration(r)%u.unit == 0 {
			return strconv.FormatInt(int64(time.Duration(r)/u.unit), 10) + u.name
		}
	}
	return time.Duration(r).String()
}

// KeepHistory has a graph keep what commits overwrite, for so long or no longer at all: then
// what was kept is gone.
func (g *Graph) KeepHistory(ctx context.Context, keep Retention) error {
	if g.scratch != nil {
		return errScratch
	}
	g.db.catalog.Lock()
	defer g.db.catalog.Unlock()
	switch {
	case g.db.isClosed():
		return storage.ErrClosed
	case g.dropped.Load():
		return fmt.Errorf("%w: %q", ErrGraphDropped, g.name)
	}
	return g.db.keepHistory(ctx, g, keep)
}

// keepHistory does so for who holds the catalog. The catalog says that there is history before
// there is any, and until there is none.
func (db *Database) keepHistory(ctx context.Context, g *Graph, keep Retention) error {
	o := g.Options()
	if o.History == keep {
		return nil
	}
	if g.loading.Load() {
		return ErrLoading
	}
	had := o.History != NoHistory
	if keep == NoHistory {
		if err := g.endHistory(ctx); err != nil {
			return err
		}
	}
	o.History, o.Gained = keep, o.Gained.with(History, keep != NoHistory)
	if err := db.writeEntry(g.name, newCatalogEntry(g.number, o)); err != nil {
		return fmt.Errorf("change the history of graph %q: %w", g.name, err)
	}
	g.nowGained(o.Gained)
	switch {
	case keep == NoHistory && !db.anyFeature():
		return db.store.LowerFormat(entryPlain)
	case keep == NoHistory:
		return nil
	case had:
		g.history.Store(&history{keep: keep})
		return nil
	}
	return g.beginHistory(ctx, keep)
}

func (g *Graph) loseHistory(ctx context.Context) error { return g.KeepHistory(ctx, NoHistory) }

// historyKept says what is lost without history.
func (g *Graph) historyKept(context.Context) (string, error) {
	snap, err := g.store.Snapshot()
	if err != nil {
		return "", err
	}
	defer snap.Close()
	floor, err := floorOf(snap, g.number)
	return fmt.Sprintf("what the graph was since %s: nobody can read or undo that any more", floor.Time().UTC().Format(time.RFC3339)), err
}
