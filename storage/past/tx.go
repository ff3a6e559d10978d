package past

import (
	"context"
	"fmt"

	"github.com/gremlind/gremlind/storage"
)

// Tx reads a graph as of a stamp. It embeds nothing: what is added to storage.Tx says here what
// it means of the past, or does not compile.
type Tx struct {
	reader
	tx   storage.Tx
	snap *snapshot
}

var _ storage.Tx = (*Tx)(nil)

// New returns a transaction that reads a graph as of a stamp through tx, which is read-only and
// ends with it. What tx reads has to hold all commits of that stamp and of lesser ones.
func New(tx storage.Tx, graph uint32, at storage.Stamp) *Tx {
	t := &Tx{tx: tx, reader: reader{now: tx, graph: graph, at: at}}
	t.snap = newSnapshot(tx.Snapshot(), &t.reader)
	return t
}

// Seq implements storage.Tx: it is the number of what the past is read from.
func (t *Tx) Seq() uint64 { return t.tx.Seq() }

// Snapshot implements storage.Tx.
func (t *Tx) Snapshot() storage.Snapshot { return t.snap }

// Refresh implements storage.Tx: the past stays.
func (t *Tx) Refresh(context.Context) error { return nil }

// SetContext implements storage.Tx.
func (t *Tx) SetContext(ctx context.Context) { t.tx.SetContext(ctx) }

// Observe implements storage.Tx: nobody changes the past.
func (t *Tx) Observe(from, to []byte) {}

// Guard implements storage.Tx.
func (t *Tx) Guard(key []byte) {}

var errPast = fmt.Errorf("the past cannot be changed: %w", storage.ErrReadOnly)

// Set implements storage.Tx.
func (t *Tx) Set(key, value []byte) error { return errPast }

// SetSame implements storage.Tx.
func (t *Tx) SetSame(key, value []byte) error { return errPast }

// SetNew implements storage.Tx.
func (t *Tx) SetNew(key, value []byte) error { return errPast }

// SetStamped implements storage.Tx.
func (t *Tx) SetStamped(key, value []byte, at int) error { return errPast }

// Delete implements storage.Tx.
func (t *Tx) Delete(key []byte) error { return errPast }

// DeleteRange implements storage.Tx.
func (t *Tx) DeleteRange(from, to []byte) error { return errPast }

// Merge implements storage.Tx.
func (t *Tx) Merge(key []byte, delta int64) error { return errPast }

// Admit implements storage.Tx.
func (t *Tx) Admit(fn func(storage.Commit) error) {}

// Wrote implements storage.Tx.
func (t *Tx) Wrote(from, to []byte) bool { return false }

// Pending implements storage.Tx.
func (t *Tx) Pending() bool { return false }

// Changes implements storage.Tx.
func (t *Tx) Changes(fn func(storage.Change) error) error { return nil }

// Commit implements storage.Tx.
func (t *Tx) Commit(ctx context.Context) (uint64, error) { return t.tx.Commit(ctx) }

// CommitAsync implements storage.Tx.
func (t *Tx) CommitAsync(ctx context.Context, done func(uint64, error)) { t.tx.CommitAsync(ctx, done) }

// CommitTables implements storage.Tx.
func (t *Tx) CommitTables(context.Context, ...storage.KeySource) (uint64, error) { return 0, errPast }

// CommitTablesBeside implements storage.Tx.
func (t *Tx) CommitTablesBeside(context.Context, storage.Beside, ...storage.KeySource) (uint64, error) {
	return 0, errPast
}

// Close implements storage.Tx.
func (t *Tx) Close() error { return t.tx.Close() }

// Recycle implements storage.Tx.
func (t *Tx) Recycle() { t.tx.Recycle() }

// snapshot is what a Tx reads, for other readers.
type snapshot struct {
	reader
	now storage.Snapshot
}

var _ storage.Snapshot = (*snapshot)(nil)

func newSnapshot(now storage.Snapshot, r *reader) *snapshot {
	return &snapshot{now: now, reader: reader{now: now, graph: r.graph, at: r.at}}
}

// Seq implements storage.Snapshot.
func (s *snapshot) Seq() uint64 { return s.now.Seq() }

// Fork implements storage.Snapshot.
func (s *snapshot) Fork() (storage.Snapshot, error) {
	now, err := s.now.Fork()
	if err != nil {
		return nil, err
	}
	return newSnapshot(now, &s.reader), nil
}

// Close implements storage.Snapshot.
func (s *snapshot) Close() error { return s.now.Close() }
