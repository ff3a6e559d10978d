package past

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// Adopt has a store go on behind the history of a graph that was brought from another one: no
// commit to come has a stamp that the history has, whenever the store stops. ErrClock says that
// the history is from later than the clock.
func Adopt(ctx context.Context, s storage.Store, graph uint32) error {
	last, err := lastOf(s, graph)
	if err != nil || last == 0 {
		return err
	}
	if err := s.PassStamp(ctx, last); errors.Is(err, storage.ErrFuture) {
		return fmt.Errorf("%w: its history goes to %s: set the clock of this machine right, or wait until then",
			storage.ErrClock, last.Time().UTC().Format(time.RFC3339))
	} else if err != nil {
		return err
	}
	tx, err := s.Begin(ctx, storage.TxOptions{})
	if err != nil {
		return err
	}
	defer tx.Close()
	key := table.AppendCommit(nil, graph, storage.NoStamp) // of a commit that changed nothing, which makes the stamp durable
	if err := tx.SetStamped(key, table.AppendNote(nil, nil), len(key)-storage.StampSize); err != nil {
		return err
	}
	_, err = tx.Commit(ctx)
	return err
}

// lastOf is the last stamp in the history of a graph, 0 without one.
func lastOf(s storage.Store, graph uint32) (last storage.Stamp, err error) {
	snap, err := s.Snapshot()
	if err != nil {
		return 0, err
	}
	defer snap.Close()
	b, err := snap.Get(table.FloorKey(graph))
	if errors.Is(err, storage.ErrNotFound) {
		return 0, nil
	}
	if err == nil && len(b) != storage.StampSize {
		err = fmt.Errorf("the floor of the history of graph %d is no stamp: %w", graph, storage.ErrCorrupt)
	}
	if err != nil {
		return 0, err
	}
	last = storage.Stamp(binary.BigEndian.Uint64(b))
	from := table.AppendTable(nil, graph, table.Commits)
	it := snap.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from), Reverse: true, Limit: 1})
	defer it.Close()
	if it.Next() {
		_, at, err := table.DecodeCommit(it.Key())
		return max(last, at), err
	}
	return last, it.Err()
}
