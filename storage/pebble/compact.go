package pebble

import (
	"context"
	"errors"
	"time"

	"github.com/gremlind/gremlind/storage"
)

// Compact implements storage.Compacter.
func (s *Store) Compact(ctx context.Context, from, to []byte) error {
	if !s.enter() {
		return storage.ErrClosed
	}
	defer s.leave()
	if err := errors.Join(ctx.Err(), s.engine.Writable()); err != nil {
		return err
	}
	if err := s.readError(s.db.Compact(ctx, from, to, true)); err != nil {
		return err
	}
	return s.settle(ctx)
}

// settleMax is how long settle waits beside others who write, settleLook how often it looks.
const (
	settleMax  = 10 * time.Second
	settleLook = 2 * time.Millisecond
)

// settle waits until Pebble merges nothing any more. A merge that began by itself before somebody
// asked for one keeps what snapshots read that were open then, such as that of the transaction
// which has just removed it, and takes it out in one more merge behind it.
func (s *Store) settle(ctx context.Context) error {
	tick := time.NewTicker(settleLook)
	defer tick.Stop()
	late := time.NewTimer(settleMax)
	defer late.Stop()
	for idle := 0; idle < 2; idle++ { // between two merges there may be none for a moment
		if m := s.db.Metrics(); m.Compact.NumInProgress > 0 || m.Table.PendingStatsCollectionCount > 0 {
			idle = -1
		}
		select {
		case <-tick.C:
		case <-late.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
