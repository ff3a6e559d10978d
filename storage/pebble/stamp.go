package pebble

import (
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/gremlind/gremlind/storage"
)

// stampAhead is how far the last stamp may lie ahead of the clock when the store opens.
// Clocks are set back by less; one that lies further ahead was wrong when the stamp was
// given, or is wrong now. To go on would give all commits until then the same time.
const stampAhead = time.Hour

// recoveredStamp returns the last stamp that the database holds, 0 when no commit had one.
func (s *Store) recoveredStamp() (storage.Stamp, error) {
	n, err := readCounter(s.db, s.opts.Layout.Stamp)
	if err != nil {
		if pebble.IsCorruptionError(err) {
			err = fmt.Errorf("%w: %w", storage.ErrCorrupt, err)
		}
		return 0, err
	}
	stamp := storage.Stamp(n)
	if last, now := stamp.Time(), s.opts.Now(); last.Sub(now) > stampAhead {
		return 0, fmt.Errorf("%w: its last commit is of %s, and the clock of this machine says %s: set the clock right; "+
			"if it is right, the other one was wrong: wait until an hour before that time, or restore a backup of before",
			storage.ErrClock, last.UTC().Format(time.RFC3339), now.UTC().Format(time.RFC3339))
	}
	return stamp, nil
}
