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
// and reports how many rows that was and whether there may be more.
func Shorten(ctx context.Context, s storage.Store, graph uint32, horizon storage.Stamp) (rows int, more bool, err error) {
	tx, err := s.Begin(ctx, storage.TxOptions{})
	if err != nil {
		return 0, false, err
	}
	defer tx.Close()
	b, err := tx.Get(table.FloorKey(graph))
	if errors.Is(err, storage.ErrNotFound) {
		return 0, false, nil // history begins, or ends
	}
	if err == nil && len(b) != storage.StampSize {
		err = fmt.Errorf("the floor of the history of graph %d is no stamp: %w", graph, storage.ErrCorrupt)
	}
	if err != nil {
		return 0, false, err
	}
	floor := storage.Stamp(binary.BigEndian.Uint64(b))
	rows, more, err = forget(tx, graph, horizon)
	if err != nil || !tx.Pending() {
		return 0, false, err
	}
	if err := tx.Set(table.FloorKey(graph), storage.AppendStamp(nil, max(floor, horizon))); err != nil {
		return 0, false, err
	}
	_, err = tx.Commit(ctx)
	return rows, more, err
}

// forget removes commits up to a stamp, the oldest first, with what they overwrote.
func forget(tx storage.Tx, graph uint32, horizon storage.Stamp) (rows int, more bool, err error) {
	it := tx.Scan(storage.ScanOptions{From: table.AppendTable(nil, graph, table.Commits), To: table.AppendCommit(nil, graph, horizon+1)})
	defer it.Close()
	var cell, key []byte
	for it.Next() {
		if rows >= shortenRows {
			return rows, true, nil
		}
		_, at, err := table.DecodeCommit(it.Key())
		if err != nil {
			return rows, false, err
		}
		for c := table.DecodeChanged(it.Value()); ; rows++ {
			if !c.Next() {
				if c.Err() != nil {
					return rows, false, c.Err()
				}
				break
			}
			cell = append(table.AppendGraph(cell[:0], graph), c.Key()...)
			key = table.AppendPastRow(key[:0], cell, at)
			if err := tx.Delete(key); err != nil {
				return rows, false, err
			}
		}
		if err := tx.Delete(append(key[:0], it.Key()...)); err != nil {
			return rows, false, err
		}
	}
	return rows, false, it.Err()
}
