package blueprints

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/past"
	"github.com/gremlind/gremlind/storage/table"
)

// A transaction that reads the past is a Tx like any other, over a transaction of the store
// that reads the past (storage/past): whatever is read through that is of the time. It has no
// cache, which knows only what is now. What a Tx knows otherwise it asks here: which indexes
// were complete, how many elements there were, and that counters have no past.

// beginPast begins a transaction that reads the graph as of a stamp.
func (g *Graph) beginPast(ctx context.Context, o TxOptions) (*Tx, error) {
	if !o.ReadOnly {
		return nil, fmt.Errorf("the past cannot be changed: %w", storage.ErrReadOnly)
	}
	if g.history.Load() == nil {
		return nil, g.withoutPast()
	}
	tx := txs.Get().(*Tx)
	t, err := g.passed(ctx, o.AsOf, storage.TxOptions{ReadOnly: true, Account: o.Account, Relief: tx})
	if err != nil {
		txs.Put(tx)
		return nil, err
	}
	if err := g.inHistory(t, o.AsOf); err != nil {
		err = errors.Join(err, t.Close())
		txs.Put(tx)
		return nil, err
	}
	tx.ownPaid.Account = o.Account
	tx.ctx, tx.g, tx.tx, tx.options, tx.seq, tx.asOf = ctx, g, past.New(t, g.number, o.AsOf), o, t.Seq(), o.AsOf
	tx.learn()
	return tx, nil
}

func (g *Graph) withoutPast() error {
	return illegalArgument("graph %s keeps no history (setting: %s)", g.name, OptionHistory)
}

// passed begins a transaction of the store that holds all commits of a stamp and of lesser ones.
// Where the last commit has a greater one there can be no more, nor for whoever begins later.
func (g *Graph) passed(ctx context.Context, at storage.Stamp, so storage.TxOptions) (storage.Tx, error) {
	known := storage.Stamp(g.shown.Load()) >= at
	t, err := g.store.Begin(ctx, so)
	if err != nil || known {
		return t, err
	}
	b, err := t.Get(table.Layout.Stamp)
	if errors.Is(err, storage.ErrNotFound) {
		err = nil
	}
	if last, _ := storage.Count(b); err == nil && storage.Stamp(last) >= at {
		g.shows(storage.Stamp(last))
		return t, nil
	}
	if cerr := t.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, err
	}
	if err := g.store.PassStamp(ctx, at); errors.Is(err, storage.ErrFuture) {
		return nil, illegalArgument("asOf %s lies in the future: the clock of the server says %s", TimeText(at), timeText(time.Now()))
	} else if err != nil {
		return nil, err
	}
	g.shows(at)
	return g.store.Begin(ctx, so)
}

// shows takes note that whoever begins from now on sees all commits of a stamp.
func (g *Graph) shows(s storage.Stamp) {
	for {
		was := g.shown.Load()
		if was >= uint64(s) || g.shown.CompareAndSwap(was, uint64(s)) {
			return
		}
	}
}

// inHistory returns the error of a time before the history.
func (g *Graph) inHistory(r storage.Reader, at storage.Stamp) error {
	floor, err := floorOf(r, g.number)
	switch {
	case err != nil:
		return err
	case floor == 0:
		return g.withoutPast()
	case at < floor:
		return illegalArgument("asOf %s is before the history of graph %s, which begins at %s, version %d (setting: %s)",
			TimeText(at), g.name, timeText(floor.Time()), floor, OptionHistory)
	}
	return nil
}

// TimeText is a stamp as a person reads it: a time, if it is the last of its millisecond, or a
// version.
func TimeText(s storage.Stamp) string {
	if s == storage.LastOf(s.Time()) {
		return timeText(s.Time())
	}
	return fmt.Sprintf("version %d", s)
}

func timeText(t time.Time) string {
	t = t.UTC()
	if t.Nanosecond() == 0 && t.Second() == 0 {
		return t.Format("2006-01-02T15:04Z") // as java.time prints it
	}
	return t.Format("2006-01-02T15:04:05.999Z")
}

// AsOf is the stamp of what the transaction reads, 0 when that is what is now.
func (t *Tx) AsOf() storage.Stamp { return t.asOf }

// LastVersion is the stamp of the last commit of a graph with history that the transaction sees,
// without its own: as of it the graph is what it reads. Before the first it is where the history
// begins.
func (t *Tx) LastVersion() (storage.Stamp, error) {
	floor, err := floorOf(t.tx.Snapshot(), t.g.number)
	switch {
	case err != nil:
		return 0, err
	case floor == 0:
		return 0, t.g.withoutPast()
	}
	o := storage.ScanOptions{From: table.AppendTable(nil, t.g.number, table.Commits), To: table.AppendTable(nil, t.g.number, table.Commits+1),
		Reverse: true, Unobserved: true, Limit: 1}
	if t.asOf != 0 {
		o.To = table.AppendCommit(nil, t.g.number, t.asOf+1)
	}
	it := t.tx.Snapshot().Scan(o)
	defer it.Close()
	if !it.Next() {
		return floor, it.Err()
	}
	_, last, err := table.DecodeCommit(it.Key())
	return max(floor, last), err
}

// countPast counts elements of labels, one by one: counters are not kept.
func (t *Tx) countPast(kind table.CounterKind, labels []Symbol) (n int64, err error) {
	class := table.VertexClass
	if kind == table.EdgeCount {
		class = table.EdgeClass
	}
	from := table.AppendTable(nil, t.g.number, labelTable(class))
	prefixes := [][]byte{from}
	if len(labels) > 0 {
		prefixes = nil
		for _, l := range t.sorted(labels) {
			prefixes = append(prefixes, table.AppendLabelElements(nil, t.g.number, class, uint32(l)))
		}
	}
	for _, p := range prefixes {
		it := t.tx.Scan(storage.ScanOptions{From: p, To: table.PrefixEnd(nil, p)})
		for it.Next() {
			n++
		}
		if err := it.Close(); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// noPastCounter is the error of who reads a counter in the past.
func (t *Tx) noPastCounter(key Symbol) error {
	return illegalArgument("%s is a counter, of which no history is kept: ask for other keys by their names", t.Name(key))
}
