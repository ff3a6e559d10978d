package blueprints

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// A graph with history keeps what commits overwrite (storage/past), and is read as it was at a
// time. It begins with a commit that writes the floor: the stamp before which nothing is known.
// That commit changes the version of the definitions, which every transaction that commits
// depends on: none that began before, and keeps nothing, commits behind it.

// history is what a graph with history has in memory.
type history struct {
	keep Retention
}

// floorOf reads since when there is history, 0 when there is none, or none that is whole.
func floorOf(r storage.Reader, graph uint32) (storage.Stamp, error) {
	return stampOf(r, table.FloorKey(graph), "floor of the history")
}

// stampOf reads a cell that is a stamp, 0 for none. what names it in errors.
func stampOf(r storage.Reader, key []byte, what string) (storage.Stamp, error) {
	b, err := r.Get(key)
	switch {
	case errors.Is(err, storage.ErrNotFound):
		return 0, nil
	case err != nil:
		return 0, err
	case len(b) != storage.StampSize:
		return 0, corrupt(what, nil)
	}
	return storage.Stamp(binary.BigEndian.Uint64(b)), nil
}

// setFloor has the history begin with the commit of tx.
func (g *Graph) setFloor(tx storage.Tx) error {
	if err := g.changesVersion(tx); err != nil {
		return err
	}
	if err := setLineage(tx, g.number); err != nil {
		return err
	}
	key := table.FloorKey(g.number)
	return tx.SetStamped(key, make([]byte, storage.StampSize), len(key))
}

// beginHistory has the graph keep what is overwritten from now on. What another time has left
// is forgotten.
func (g *Graph) beginHistory(ctx context.Context, keep Retention) error {
	g.history.Store(&history{keep: keep}) // before the commit: whoever begins behind it knows
	err := g.small(ctx, func(tx storage.Tx) error {
		if err := g.forgetHistory(tx); err != nil {
			return err
		}
		return g.setFloor(tx)
	})
	if err != nil {
		g.history.Store(nil)
		return fmt.Errorf("begin the history of graph %q: %w", g.name, err)
	}
	g.news.tell() // who follows is to hear that he has to begin anew
	return nil
}

// endHistory forgets all that was kept. Transactions that are under way and keep something may
// commit between the two commits, and no later.
func (g *Graph) endHistory(ctx context.Context) error {
	end := func(tx storage.Tx) error {
		if err := g.forgetHistory(tx); err != nil {
			return err
		}
		for _, key := range [][]byte{table.FloorKey(g.number), table.LineageKey(g.number)} {
			if err := tx.Delete(key); err != nil {
				return err
			}
		}
		return g.changesVersion(tx)
	}
	if err := g.alone(ctx, end); err != nil {
		return fmt.Errorf("end the history of graph %q: %w", g.name, err)
	}
	g.history.Store(nil)
	err := g.alone(context.WithoutCancel(ctx), end)
	g.news.tell()
	return err
}

// finishHistory begins anew what a crash interrupted, in a graph that nobody uses yet.
func (g *Graph) finishHistory() error {
	if !g.Uses(History) {
		return nil
	}
	snap, err := g.store.Snapshot()
	if err != nil {
		return err
	}
	floor, err := floorOf(snap, g.number)
	if cerr := snap.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	if floor == 0 {
		return g.beginHistory(context.Background(), g.options.History)
	}
	g.history.Store(&history{keep: g.options.History})
	return nil
}

// withoutHistory calls fn, which changes elements past transactions: history begins anew behind
// it, unless it fails.
func (g *Graph) withoutHistory(ctx context.Context, fn func() error) error {
	h := g.history.Load()
	if h == nil {
		return fn()
	}
	var was []byte
	err := g.small(ctx, func(tx storage.Tx) (err error) {
		if was, err = tx.Get(table.FloorKey(g.number)); err != nil {
			return err
		}
		was = bytes.Clone(was)
		return tx.Delete(table.FloorKey(g.number))
	})
	if err != nil {
		return err
	}
	if err := fn(); err != nil {
		return errors.Join(err, g.small(context.WithoutCancel(ctx), func(tx storage.Tx) error { return tx.Set(table.FloorKey(g.number), was) }))
	}
	return g.beginHistory(context.WithoutCancel(ctx), h.keep)
}

// changesVersion has all who have begun to write, and depend on the definitions, conflict.
func (g *Graph) changesVersion(tx storage.Tx) error {
	return tx.Set(keyindex.VersionKey(g.number), storage.AppendCount(nil, int64(tx.Seq())))
}

// forgetHistory removes all of it but the floor.
func (g *Graph) forgetHistory(tx storage.Tx) error {
	for _, c := range [...]table.Code{table.History, table.Commits} {
		from := table.AppendTable(nil, g.number, c)
		if err := tx.DeleteRange(from, table.PrefixEnd(nil, from)); err != nil {
			return err
		}
	}
	return nil
}
