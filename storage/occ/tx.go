package occ

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
)

// Tx is a transaction: a shared snapshot, an overlay of writes on top, and what it
// read, for the committer to validate.
type Tx struct {
	store    *Store
	base     *snapshot // own
	own      snapshot
	olds     []*snapshot // that Refresh left and scans still read
	fresh    *shared     // handed out by the committer, see Refresh
	opts     storage.TxOptions
	over     *overlay
	reads    *readSet // nil in one that is read-only, or over
	guards   [][]byte
	sum      [8]byte
	paid     account.Ledger // of the writes, and of what their commit takes
	room     int64          // of what was paid, that is left for writes at least
	admit    func(storage.Commit) error
	failed   error // why it can no longer commit
	left     bool  // the committer may look at what it asked for, see request.leave
	finished bool  // committed or closed
}

var _ storage.Tx = (*Tx)(nil)

func (t *Tx) strict() bool {
	return t.reads != nil && t.opts.Isolation == storage.StrictSerializable
}

func (t *Tx) usable() error {
	if t.finished {
		return fmt.Errorf("transaction is over: %w", storage.ErrClosed)
	}
	return t.store.Alive()
}

// Seq implements storage.Tx.
func (t *Tx) Seq() uint64 { return t.base.Seq() }

// Snapshot implements storage.Tx.
func (t *Tx) Snapshot() storage.Snapshot { return t.base }

// Get implements storage.Reader.
func (t *Tx) Get(key []byte) ([]byte, error) {
	if err := t.usable(); err != nil {
		return nil, err
	}
	v, own := t.over.get(key)
	if own && v.kind == written {
		return v.value, nil
	}
	if own && v.kind == deleted {
		return nil, storage.ErrNotFound
	}
	if t.strict() {
		t.reads.addKey(key)
	}
	b, err := t.base.Get(key)
	if !own {
		return b, err
	}
	if err != nil && err != storage.ErrNotFound {
		return nil, err
	}
	base, err := counter(b)
	if err != nil {
		return nil, fmt.Errorf("read counter %x: %w", key, err)
	}
	binary.BigEndian.PutUint64(t.sum[:], uint64(base+v.delta))
	return t.sum[:], nil
}

// Scan implements storage.Reader.
func (t *Tx) Scan(o storage.ScanOptions) storage.Iterator {
	it := &iterator{snap: t.base, from: o.From, to: o.To, reverse: o.Reverse}
	if !t.over.empty() {
		it.over, it.seq = t.over, t.over.seq
		t.over.opened = t.over.seq
	}
	if t.strict() && !o.Unobserved {
		it.observer = t
	}
	it.start(t.usable())
	return it
}

// Observe implements storage.Tx.
func (t *Tx) Observe(from, to []byte) {
	switch {
	case !t.strict():
	case to == nil:
		t.reads.addKey(from)
	case len(to) > 0:
		t.reads.add(from, to)
	}
}

// Guard implements storage.Tx.
func (t *Tx) Guard(key []byte) {
	if t.reads == nil || t.reads.full {
		return
	}
	if n := len(t.guards); n > 0 && bytes.Equal(t.guards[n-1], key) {
		return
	}
	t.guards = append(t.guards, t.reads.guard(key))
}

// writable reports whether one more write of n bytes may be buffered.
func (t *Tx) writable(n int) error {
	if err := t.usable(); err != nil {
		return err
	}
	if t.opts.ReadOnly {
		return fmt.Errorf("transaction is read-only: %w", storage.ErrReadOnly)
	}
	if t.failed != nil {
		return t.failed
	}
	if t.over == nil {
		t.over = overlays.Get().(*overlay)
	}
	limits := &t.store.opts.Limits
	if t.over.size+int64(n) > limits.WriteSetBytes {
		t.failed = fmt.Errorf("%w: its writes exceed %d bytes (transactionBytes): commit now and then", storage.ErrTooLarge, limits.WriteSetBytes)
	} else if t.reads.full {
		t.failed = t.readSetError()
	} else if t.room -= keptOf(int64(n), 1) + deltaBytes; t.room < 0 {
		t.failed = t.pay(int64(n))
	}
	return t.failed
}

// pay charges for the write set, and for a write of n bytes more.
func (t *Tx) pay(n int64) error {
	kept := t.over.kept() + keptOf(n, 1) + deltaBytes
	if err := t.paid.Cover(kept); err != nil {
		return fmt.Errorf("write set: %w", err)
	}
	t.room = t.paid.Bytes() - kept
	return nil
}

func (t *Tx) writableKey(key []byte, n int) error {
	if err := checkKey(key); err != nil {
		return err
	}
	return t.writable(len(key) + n)
}

func (t *Tx) readSetError() error {
	if err := t.reads.refused; err != nil {
		return fmt.Errorf("read set: %w", err)
	}
	return fmt.Errorf("%w: what it read is more than %d ranges (transactionReads); a graph of isolation snapshot keeps none", storage.ErrTooLarge, t.reads.max)
}

// Set implements storage.Tx.
func (t *Tx) Set(key, value []byte) error {
	if err := t.writableKey(key, len(value)); err != nil {
		return err
	}
	t.over.set(key, value)
	return nil
}

// SetSame implements storage.Tx.
func (t *Tx) SetSame(key, value []byte) error {
	if err := t.writableKey(key, len(value)); err != nil {
		return err
	}
	t.over.setSame(key, value)
	return nil
}

// SetNew implements storage.Tx.
func (t *Tx) SetNew(key, value []byte) error {
	if err := t.writableKey(key, len(value)); err != nil {
		return err
	}
	if invariants {
		_, err := t.base.Get(key)
		mustHold(err != nil, "key %x, written as new, is there", key)
	}
	t.over.put(key, version{kind: written, isNew: true, value: t.over.valMem.copy(value)})
	return nil
}

// SetStamped implements storage.Tx.
func (t *Tx) SetStamped(key, value []byte, at int) error {
	if err := t.writableKey(key, len(value)); err != nil {
		return err
	}
	if end := at + storage.StampSize; at < 0 || end > len(key)+len(value) || at < len(key) && end > len(key) {
		return fmt.Errorf("no room for a stamp at %d of a key of %d and a value of %d bytes", at, len(key), len(value))
	}
	t.over.setStamped(key, value, at)
	return nil
}

// Delete implements storage.Tx.
func (t *Tx) Delete(key []byte) error {
	if err := t.writableKey(key, 0); err != nil {
		return err
	}
	t.over.delete(key)
	return nil
}

// DeleteRange implements storage.Tx. A nil to means to the end.
func (t *Tx) DeleteRange(from, to []byte) error {
	if err := t.writable(len(from) + len(to)); err != nil {
		return err
	}
	if before(from, to) {
		t.over.deleteRange(from, to)
		t.room = 0 // it may have cut many others
	}
	return nil
}

// Merge implements storage.Tx.
func (t *Tx) Merge(key []byte, delta int64) error {
	if err := t.writableKey(key, 8); err != nil {
		return err
	}
	return t.over.merge(key, delta)
}

// Admit implements storage.Tx.
func (t *Tx) Admit(fn func(storage.Commit) error) { t.admit = fn }

// Wrote implements storage.Tx.
func (t *Tx) Wrote(from, to []byte) bool {
	if to == nil {
		_, own := t.over.get(from)
		return own
	}
	return bytes.Compare(from, to) < 0 && t.over.wrote(from, to)
}

// Pending implements storage.Tx.
func (t *Tx) Pending() bool { return !t.over.empty() }

// Close implements storage.Tx.
func (t *Tx) Close() error {
	if t.finished {
		return nil
	}
	return t.finish()
}

// guardsKept bounds the guards that a recycled transaction has room for.
const guardsKept = 64

// txs are ones that were recycled.
var txs = sync.Pool{New: func() any { return &Tx{} }}

// Recycle implements storage.Tx. The committer may know one that it did not answer, or that
// was alone, for longer than its user.
func (t *Tx) Recycle() {
	if t.finished && !t.left && !t.opts.Alone {
		*t = Tx{finished: true, guards: t.guards}
		txs.Put(t)
	}
}

// finish gives up everything that the transaction holds.
func (t *Tx) finish() error {
	t.finished = true
	err := t.base.close()
	for _, s := range t.olds {
		if cerr := s.close(); err == nil {
			err = cerr
		}
	}
	t.store.txDone(t)
	if t.left && t.reads != nil {
		t.reads.paid.Clear()
		t.over, t.reads, t.guards = nil, nil, nil
	}
	t.over.recycle()
	t.reads.recycle()
	clear(t.guards)
	if t.guards = t.guards[:0]; cap(t.guards) > guardsKept {
		t.guards = nil
	}
	t.over, t.reads, t.olds = nil, nil, nil
	t.paid.Clear()
	return err
}

// Commit implements storage.Tx.
func (t *Tx) Commit(ctx context.Context) (uint64, error) {
	if err := t.usable(); err != nil {
		return 0, err
	}
	r, err := t.ready(ctx)
	if r == nil {
		return t.ended(t.Seq(), err)
	}
	return t.ended(t.store.committer.submit(ctx, r))
}

// CommitAsync implements storage.Tx.
func (t *Tx) CommitAsync(ctx context.Context, done func(uint64, error)) {
	if err := t.usable(); err != nil {
		done(0, err)
		return
	}
	if t.opts.Alone {
		go func() { done(t.Commit(ctx)) }() // its end waits for the committer
		return
	}
	r, err := t.ready(ctx)
	if r == nil {
		done(t.ended(t.Seq(), err))
		return
	}
	r.then = done
	if !t.store.committer.queue.add(r) {
		done(t.ended(0, storage.ErrClosed))
	}
}

// ended finishes a transaction whose commit has come to its end, and returns that.
func (t *Tx) ended(seq uint64, err error) (uint64, error) {
	if err != nil {
		seq = 0
	}
	if ferr := t.finish(); ferr != nil {
		t.store.log.Error("release snapshot", "err", ferr)
	}
	return seq, err
}

// closeScans ends the scans that are open: what they have shown counts as read.
func (t *Tx) closeScans() {
	for t.base.open != nil {
		_ = t.base.open.Close()
	}
}

// ready makes the request to commit, nil when there is an error or nothing to commit.
func (t *Tx) ready(ctx context.Context) (*request, error) {
	t.closeScans()
	if t.failed != nil {
		return nil, t.failed
	}
	if t.over.empty() {
		return nil, nil
	}
	if t.reads.full {
		return nil, t.readSetError()
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("commit not started: %w", err)
	}
	if err := t.store.base.Writable(); err != nil {
		return nil, err
	}
	r, err := t.request()
	if err != nil {
		return nil, err
	}
	if err := t.base.dropPoint(); err != nil { // there are no more reads
		return nil, err
	}
	return r, nil
}
