// Package storage is the contract between the graph layer and an ordered,
// transactional key-value store. Keys and values are bytes; no type of any engine
// appears in a signature, so that a distributed store can stand beneath later.
//
// A Store hands out transactions. A Tx reads one snapshot, sees its own writes, and
// commits all of them or none. What was acknowledged is on disk; what any reader was
// shown is on disk too, because snapshots are shared only after the sync.
package storage

import (
	"context"
	"time"

	"github.com/gremlind/gremlind/storage/account"
)

// Isolation is what a transaction promises about the transactions beside it.
type Isolation uint8

const (
	// StrictSerializable validates everything that was read, as requested ranges.
	StrictSerializable Isolation = iota
	// SnapshotIsolation validates only written keys and guards.
	SnapshotIsolation
	// CommittedIsolation is SnapshotIsolation whose snapshot moves on: after each Refresh
	// a Tx reads the newest commit beneath its own writes.
	CommittedIsolation
)

// Reader reads one snapshot. It may be used by one goroutine at a time.
type Reader interface {
	// Get returns the value of key, or ErrNotFound. The slice is valid until the
	// next call on the Reader; copy what must last.
	Get(key []byte) ([]byte, error)
	// Scan iterates over [From, To). Close the Iterator before the Reader.
	Scan(o ScanOptions) Iterator
	// GetMany calls fn for each of the keys, in any order, with its place among them and
	// its value, nil when there is none: a store elsewhere is asked once for all. The
	// value is valid during the call; fn leaves the Reader alone. GetMany ends with the
	// first error, which it returns.
	GetMany(keys [][]byte, fn func(i int, value []byte) error) error
	// ScanMany calls fn for the keys of ranges, the i-th one's in its order, all of one
	// before those of another, the ranges in any order: a store elsewhere is asked once for
	// all, and once more for each further page. What fn gets is valid during the call; fn
	// leaves the Reader alone. false ends a range, an error ScanMany, which returns it.
	ScanMany(ranges []ScanOptions, fn func(i int, key, value []byte) (more bool, err error)) error
}

// ScanOptions bounds a scan.
type ScanOptions struct {
	From, To []byte // an empty To means to the end
	Reverse  bool   // from the last key before To down to From
	// Unobserved keeps the scan out of the read set; the caller has observed the
	// range already, or reads on purpose without isolation.
	Unobserved bool
	// Limit, when > 0, is how many keys the caller is about to read: no more, but a hint
	// of how long the first page should be.
	Limit int
}

// Iterator walks keys in order. Key and Value are valid until the next call of Next or Seek.
//
//	for it.Next() { use(it.Key(), it.Value()) }
//	err := it.Err()
type Iterator interface {
	Next() bool
	// Seek has Next go on with the first key at or behind key, which may lie behind or in
	// front of what was shown, within the bounds of the scan; one that is not Reverse. It
	// sees what it would have seen there all along. A scan that was moved has read all that
	// it was opened for.
	Seek(key []byte)
	Key() []byte
	Value() []byte
	Err() error
	// Close releases the iterator; it is idempotent and returns Err.
	Close() error
}

// Snapshot is a read-only view of everything up to one commit.
type Snapshot interface {
	Reader
	// Seq is the number of the last commit that the snapshot holds.
	Seq() uint64
	// Fork returns a second handle on the same state, which another goroutine may use while
	// this one is used. It is closed apart, and may outlive this one. Its reads end with the
	// context that those of this one end with now.
	Fork() (Snapshot, error)
	Close() error
}

// Tx reads one snapshot and buffers writes. A Tx belongs to one goroutine at a time.
// Get and Scan see the Tx's own writes; a Scan sees those written before it was
// opened. Reads join the read set under StrictSerializable.
type Tx interface {
	Reader
	// Seq is the number of the last commit that the snapshot holds.
	Seq() uint64
	// Snapshot reads beneath the own writes, without observing. It lives as long
	// as the Tx.
	Snapshot() Snapshot
	// Refresh has a Tx under CommittedIsolation read the newest commit from now on, on
	// other levels it does nothing. Scans that are open go on as they began. When a
	// written key or a guard has changed meanwhile, the Tx can still read, but no longer
	// write or commit: both return ErrConflict.
	Refresh(ctx context.Context) error
	// SetContext replaces the context that reads end with, which is Begin's at first: for a
	// Tx that outlives the request that began it. A read that is under way when the context
	// ends may go on to the end of its page.
	SetContext(ctx context.Context)
	// Observe adds [from, to) to the read set, as if scanned. Nil to means the
	// single key from.
	Observe(from, to []byte)
	// Guard makes the Tx conflict with concurrent writers of key though it only
	// reads it, on every isolation level. Guards do not conflict with each other.
	Guard(key []byte)
	Set(key, value []byte) error
	// SetSame is Set for a key that has one value for good, which everybody who writes it
	// knows, and writes with SetSame alone: such writes conflict with readers and with
	// the deletion of a range, not with each other.
	SetSame(key, value []byte) error
	// SetNew is Set for a key that is not in the snapshot, as the caller knows without a
	// look: nor need a store look that keeps what commits overwrite.
	SetNew(key, value []byte) error
	// SetStamped is Set for a key or a value that holds the Stamp of the commit, which the
	// committer fills in: at is the offset of its StampSize bytes in key and value, one
	// behind the other. Until then the Tx reads NoStamp there. A key that is written with
	// SetStamped is written so alone: such writes conflict with readers and with the
	// deletion of a range, not with each other, and the later commit's stays.
	SetStamped(key, value []byte, at int) error
	Delete(key []byte) error
	// DeleteRange removes [from, to), to the end when to is empty. It conflicts with
	// every concurrent write in it.
	DeleteRange(from, to []byte) error
	// Merge adds delta to the counter at key (8 bytes, big endian, two's complement).
	// Merges commute: they conflict with readers, not with each other.
	Merge(key []byte, delta int64) error
	// Admit has the commit wait for one more yes: when it is valid and has its place in the
	// order of commits, and nothing is written yet, fn is called, whose error refuses it. What
	// fn notes is so for the next commit. It is called at most once, on the goroutine of the
	// store that commits, which it must not hold up.
	Admit(fn func(Commit) error)
	// Wrote reports whether the Tx has pending writes in [from, to). Nil to means the
	// single key from.
	Wrote(from, to []byte) bool
	// Pending reports whether the Tx has any pending write.
	Pending() bool
	// Changes visits what the Tx would commit now: first each range, ascending, then each
	// key, ascending. fn leaves the Tx alone, whose error Changes returns; the keys and values
	// are valid until the Tx is over.
	Changes(fn func(Change) error) error
	// Commit validates, writes, syncs and publishes. It returns ErrConflict when a
	// range that was read, a guard or a written key changed since Begin;
	// ErrReadOnly, ErrUnavailable or ErrTooLarge when nothing was written;
	// ErrUndetermined when the outcome is unknown. The Tx is over either way.
	Commit(ctx context.Context) (seq uint64, err error)
	// CommitAsync is Commit without the wait: done gets what Commit would return, once,
	// before CommitAsync returns or on the goroutine of the store that commits, which
	// done must not hold up. The end of ctx does not stop a commit that has begun. A
	// store that fails, and with it the process, does not call done.
	CommitAsync(ctx context.Context, done func(seq uint64, err error))
	// CommitTables is Commit of a Tx that wrote nothing, with the keys of sources, whose keys
	// lie behind those of the source before: as whole tables, which bypass the log, in much
	// less time for many keys. Several sources may run at the same time. Others may have keys
	// between them; those that are there already are replaced. All that lies between the
	// first and the last key of a source counts as written, as by DeleteRange: whoever else
	// writes there meanwhile conflicts.
	CommitTables(ctx context.Context, sources ...KeySource) (seq uint64, err error)
	// CommitTablesBeside is CommitTables of keys that follow from what the Tx has read, as
	// entries of an index do, beside others who write them when they write that. Neither what
	// these write between the keys makes the Tx lose, nor the keys them; who has read between
	// them loses. What others have written meanwhile of what the Tx has read, other than
	// guards, does not make it lose either: keys that follow from it may be wrong then.
	CommitTablesBeside(ctx context.Context, b Beside, sources ...KeySource) (seq uint64, err error)
	// Close rolls back unless committed; it is idempotent.
	Close() error
	// Recycle gives the memory of a Tx that is over to later ones. The caller holds the
	// only reference to it, and none to what it returned.
	Recycle()
}

// TxOptions says what kind of transaction Begin opens.
type TxOptions struct {
	// ReadOnly transactions keep no read set, never validate and never abort.
	ReadOnly  bool
	Isolation Isolation
	// Alone makes the commit exclusive: no other writes a key with the prefix Within
	// between this Tx's Begin and its Commit, so it cannot lose a conflict there. For
	// reruns. Begin waits for its turn, as long as its context allows. The store bounds
	// the time: a Tx that takes longer is validated as any other.
	Alone bool
	// Within is the prefix of the keys that Alone is about; empty means all.
	Within []byte
	// Patience is how long the commit waits for one of others, whose sync it shares then:
	// who commits much in the background does not make them wait for syncs of its own.
	Patience time.Duration
	// Account is charged for what the Tx keeps to be written, until it is over, and for
	// its scans while they are open. It may be nil.
	Account *account.Account
	// Relief, unless nil, is asked to close scans of the Tx before one is refused for want
	// of room in the account.
	Relief Relief
}

// Relief makes room where it can.
type Relief interface {
	// Relieve closes scans that nobody needs any more, and returns whether it found any.
	Relieve() bool
}

// Touched is a key that others have written or deleted, or, when To is not empty, the keys from
// From up to To, which they have deleted.
type Touched struct{ From, To []byte }

// Beside is how CommitTablesBeside gets on with others.
type Beside struct {
	// Late is told, in no order, what others have written of what the Tx has read, while nobody else
	// commits and nothing is there yet. It returns keys that are set along, apart from those of the
	// sources, or an error with which the Tx ends, and keeps nothing of what it was told.
	Late func(touched []Touched) (along KeySource, err error)
	// Over are ranges, ascending and with gaps between them, that count as written, as by DeleteRange:
	// whoever writes there and began before conflicts.
	Over []Range
}

// Range is the keys from From up to To.
type Range struct{ From, To []byte }

// KeySource hands ascending keys to add, which copies them. It runs once, on one
// goroutine, and returns at once what add returns.
type KeySource func(add func(key, value []byte) error) error

// Store holds ordered keys durably.
type Store interface {
	// Begin opens a transaction, whose reads end with ctx: one context for all of them, since
	// they are of one request, and one that a caller cannot forget.
	Begin(ctx context.Context, o TxOptions) (Tx, error)
	// Snapshot returns the latest published snapshot.
	Snapshot() (Snapshot, error)
	// Ingest writes sorted keys as whole tables, bypassing the log; all or nothing.
	// Several sources may run at the same time; the keys of each lie behind those of
	// the source before it. The key range [from, to) must be empty and unused by others.
	Ingest(ctx context.Context, from, to []byte, sources ...KeySource) error
	// OnCommit registers fn, called by the committer in commit order after the
	// sync and before the commit is published. It must not block.
	OnCommit(fn func(Commit))
	// OnShown registers fn, called by the committer when commits are published that the
	// listeners of OnCommit heard of: who begins from then on reads them. It must not block.
	OnShown(fn func())
	// Seq is the number of the last published commit.
	Seq() uint64
	// Format is the version of the layout that the store says it has, from 1.
	Format() int
	// RaiseFormat makes programs that know only older layouts than version refuse the
	// store. When it returns that is durable, so call it before the commit that needs
	// it. One that this program does not know is ErrFormat.
	RaiseFormat(version int) error

	// LowerFormat lets programs that know no more than version open the store again: call
	// it once nothing is left that they would misread, and nobody writes such.
	LowerFormat(version int) error
	// DiskBytes returns about how many bytes the keys in [from, to) take on disk, without
	// what only the log has yet; 0 for a store that keeps nothing there.
	DiskBytes(from, to []byte) (int64, error)
	// Flush writes what only the log has to where DiskBytes counts it.
	Flush() error
	// PassStamp returns when s is of the past for good: the store shows all commits that have
	// s or a lesser Stamp, and each that is to come has a greater one. It is ErrFuture when s
	// lies behind the clock, or behind the last commit if that does.
	PassStamp(ctx context.Context, s Stamp) error
	Close() error
}

// Commit describes one durable commit to OnCommit listeners. It is valid during the call.
type Commit struct {
	Seq uint64
	// Each visits what was written: first each range, ascending, then each key,
	// ascending.
	Each func(fn func(Change))
}

// Change is one key that a commit wrote, or a range [Key, To) that it deleted or
// ingested.
type Change struct {
	Key     []byte
	To      []byte // nil for a key; of a range empty, not nil, when it has no end
	Value   []byte // what was set; nil for a counter's delta
	Deleted bool
	New     bool // nothing was at the key, see Tx.SetNew
}
