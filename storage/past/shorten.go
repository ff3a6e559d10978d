package past

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// shortenRows is how many rows of the past one commit removes, about. Who writes meanwhile waits
// for that commit: with 4,000 rows one in a hundred writes took 2 to 6 times as long, with 1,000
// no longer than else. With 250 there are too many commits for 10^6 rows in ten seconds.
const shortenRows = 1000

// Place is how far Shorten got: some cells of a commit. The zero Place is the beginning.
type Place struct {
	at    storage.Stamp
	cells int
}

// Shorten forgets some of what was before horizon, as the floor of the graph says from then on,
// and reports how many rows that was, and where to go on, which is the zero Place when all is
// forgotten. from is what it reported before: what is forgotten already is not looked at again,
// which takes ever longer until the store has merged its tables. What commits before the floor
// changed nobody reads, so they are removed behind their rows, all at once.
func Shorten(ctx context.Context, s storage.Store, graph uint32, from Place, horizon storage.Stamp) (rows int, next Place, err error) {
	for most := shortenRows; ; most /= 2 {
		rows, next, err = shorten(ctx, s, graph, from, horizon, most)
		if most == 1 || !errors.Is(err, storage.ErrTooLarge) {
			return rows, next, err
		}
	}
}

func shorten(ctx context.Context, s storage.Store, graph uint32, from Place, horizon storage.Stamp, most int) (rows int, next Place, err error) {
	tx, err := s.Begin(ctx, storage.TxOptions{})
	if err != nil {
		return 0, next, err
	}
	defer tx.Close()
	b, err := tx.Get(table.FloorKey(graph))
	if errors.Is(err, storage.ErrNotFound) {
		return 0, next, nil // history begins, or ends
	}
	if err == nil && len(b) != storage.StampSize {
		err = fmt.Errorf("the floor of the history of graph %d is no stamp: %w", graph, storage.ErrCorrupt)
	}
	if err != nil {
		return 0, next, err
	}
	floor := storage.Stamp(binary.BigEndian.Uint64(b))
	if horizon, err = noLater(tx, horizon); err != nil {
		return 0, next, err
	}
	rows, next, err = forget(tx, graph, from, horizon, most)
	if err != nil || !tx.Pending() {
		return 0, Place{}, err
	}
	if err := tx.Set(table.FloorKey(graph), storage.AppendStamp(nil, max(floor, horizon))); err != nil {
		return 0, Place{}, err
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

// forget removes some of what commits up to a stamp overwrote, the oldest first, and with the last
// of it the commits.
func forget(tx storage.Tx, graph uint32, from Place, horizon storage.Stamp, most int) (rows int, next Place, err error) {
	to := table.AppendCommit(nil, graph, horizon+1)
	it := tx.Scan(storage.ScanOptions{From: table.AppendCommit(nil, graph, from.at), To: to})
	defer it.Close()
	found := from != Place{}
	for it.Next() {
		found = true
		_, at, err := table.DecodeCommit(it.Key())
		if err != nil {
			return rows, next, err
		}
		skip := 0
		if at == from.at {
			skip = from.cells
		}
		n, whole, err := forgetCells(tx, table.DecodeChanged(it.Value()), graph, at, skip, most-rows)
		if rows += n; err != nil || !whole {
			return rows, Place{at, skip + n}, err
		}
	}
	if it.Err() != nil || !found {
		return rows, next, it.Err()
	}
	return rows, next, tx.DeleteRange(table.AppendCommit(nil, graph, 0), to)
}

// forgetCells removes what cells were before a commit, but for the first ones, and at most so many;
// whole: these were all.
func forgetCells(tx storage.Tx, cells table.Changed, graph uint32, at storage.Stamp, skip, most int) (rows int, whole bool, err error) {
	var cell, key []byte
	for n := 0; cells.Next(); n++ {
		if n < skip {
			continue
		}
		if rows >= most {
			return rows, false, nil
		}
		cell = append(table.AppendGraph(cell[:0], graph), cells.Key()...)
		key = table.AppendPastRow(key[:0], cell, at)
		if err := tx.Delete(key); err != nil {
			return rows, false, err
		}
		rows++
	}
	return rows, true, cells.Err()
}
