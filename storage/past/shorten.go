package past

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// shortenRows is how many rows of the past one commit removes, about: few enough that it holds up
// nobody.
const shortenRows = 2000

// Shorten forgets some of what was before horizon, as the floor of the graph says from then on,
// and reports how many rows that was, and from where on there may be more, 0 when there is not.
// from is what it reported before, else 0: what is forgotten already is not looked at again, which
// takes ever longer until the store has merged its tables.
func Shorten(ctx context.Context, s storage.Store, graph uint32, from, horizon storage.Stamp) (rows int, next storage.Stamp, err error) {
	tx, err := s.Begin(ctx, storage.TxOptions{})
	if err != nil {
		return 0, 0, err
	}
	defer tx.Close()
	b, err := tx.Get(table.FloorKey(graph))
	if errors.Is(err, storage.ErrNotFound) {
		return 0, 0, nil // history begins, or ends
	}
	if err == nil && len(b) != storage.StampSize {
		err = fmt.Errorf("the floor of the history of graph %d is no stamp: %w", graph, storage.ErrCorrupt)
	}
	if err != nil {
		return 0, 0, err
	}
	floor := storage.Stamp(binary.BigEndian.Uint64(b))
	if horizon, err = noLater(tx, horizon); err != nil {
		return 0, 0, err
	}
	rows, next, err = forget(tx, graph, from, horizon)
	if err != nil || !tx.Pending() {
		return 0, 0, err
	}
	if err := tx.Set(table.FloorKey(graph), storage.AppendStamp(nil, max(floor, horizon))); err != nil {
		return 0, 0, err
	}
	_, err = tx.Commit(ctx)
	return rows, next, err
}

// noLater is the horizon, or the last stamp of all if that is before it: of what comes none may be
// before the floor, though the clock is set back behind the horizon.
func noLater(tx storage.Tx, horizon storage.Stamp) (storage.Stamp, error) {
	b, err := tx.Snapshot().Get(table.Layout.Stamp)
	if errors.Is(err, storage.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	last, ok := storage.Count(b)
	if !ok {
		return 0, fmt.Errorf("the last stamp is none: %w", storage.ErrCorrupt)
	}
	return min(horizon, storage.Stamp(last)), nil
}

// forget removes commits between two stamps, the oldest first, with what they overwrote.
func forget(tx storage.Tx, graph uint32, from, horizon storage.Stamp) (rows int, next storage.Stamp, err error) {
	it := tx.Scan(storage.ScanOptions{From: table.AppendCommit(nil, graph, from), To: table.AppendCommit(nil, graph, horizon+1)})
	defer it.Close()
	var cell, key []byte
	for it.Next() {
		_, at, err := table.DecodeCommit(it.Key())
		if err != nil || rows >= shortenRows {
			return rows, at, err
		}
		for c := table.DecodeChanged(it.Value()); ; rows++ {
			if !c.Next() {
				if c.Err() != nil {
					return rows, 0, c.Err()
				}
				break
			}
			cell = append(table.AppendGraph(cell[:0], graph), c.Key()...)
			key = table.AppendPastRow(key[:0], cell, at)
			if err := tx.Delete(key); err != nil {
				return rows, 0, err
			}
		}
		if err := tx.Delete(append(key[:0], it.Key()...)); err != nil {
			return rows, 0, err
		}
	}
	return rows, 0, it.Err()
}
