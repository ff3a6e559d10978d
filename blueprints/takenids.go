package blueprints

import (
	"encoding/binary"
	"math"
	"sync"
	"sync/atomic"

	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// takenIDs bounds the numbers that users gave as ids: a number above the bound needs
// no look. Numbers noted since the graph was opened are noted before they commit, so
// that whoever begins after the commit knows them; older ones are in every snapshot.
type takenIDs struct {
	noted atomic.Int64 // greatest number given since the graph was opened
	// stored is one more than the greatest number in the tables of ids, 0 when nobody
	// has looked yet.
	stored atomic.Int64

	mu   sync.Mutex // held to set stored
	void uint64     // last commit that brought ids in ways that nobody noted; under mu
}

// note takes notice of an id that a user gave.
func (n *takenIDs) note(id value.Value) {
	to, whole := ids.WholeNumber(id)
	if !whole {
		return
	}
	for cur := n.noted.Load(); cur < to && !n.noted.CompareAndSwap(cur, to); cur = n.noted.Load() {
	}
}

// forget voids what readers before commit seq saw of the tables.
func (n *takenIDs) forget(seq uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.void = seq
	n.stored.Store(0)
}

// keep stores what a reader at seq found in the tables.
func (n *takenIDs) keep(bound int64, seq uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if seq >= n.void {
		n.stored.Store(bound)
	}
}

// surelyFree reports whether the id that m makes of n was never given by a user whom
// this transaction can see. That nobody commits it meanwhile is the caller's to observe.
func (t *Tx) surelyFree(m ids.Manager, n uint64) (bool, error) {
	limit := uint64(math.MaxInt64 - 1)
	if m == ids.Integer {
		limit = math.MaxInt32
	}
	if m == ids.String || n > limit {
		return false, nil
	}
	taken := &t.g.takenIDs
	stored := taken.stored.Load()
	if stored == 0 {
		var err error
		if stored, err = t.lookForTaken(); err != nil {
			return false, err
		}
	}
	return int64(n) >= stored && int64(n) > taken.noted.Load(), nil
}

// lookForTaken finds the bound in the tables of ids and keeps it.
func (t *Tx) lookForTaken() (int64, error) {
	bound := int64(1)
	for _, class := range [...]table.Class{table.VertexClass, table.EdgeClass} {
		for _, kind := range [...]byte{ids.TagLong, ids.TagInt} {
			n, err := t.greatestID(class, kind)
			if err != nil {
				return 0, err
			}
			bound = max(bound, min(n, math.MaxInt64-1)+1)
		}
		if f := t.g.idScheme(class); f.EqualNumbers && !f.OneRow {
			other, err := t.anyID(class, ids.TagOther)
			if err != nil {
				return 0, err
			}
			if other { // numbers may be among them, in an order of their own
				bound = math.MaxInt64
			}
		}
	}
	t.g.takenIDs.keep(bound, t.seq)
	return bound, nil
}

// anyID reports whether an id of a kind is stored.
func (t *Tx) anyID(class table.Class, kind byte) (bool, error) {
	from := table.AppendUserID(nil, t.g.number, class, []byte{kind})
	it := t.tx.Snapshot().Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from), Unobserved: true})
	defer it.Close()
	return it.Next(), it.Err()
}

// greatestID returns the greatest number among the stored ids of a kind, 0 for none.
func (t *Tx) greatestID(class table.Class, kind byte) (int64, error) {
	from := table.AppendUserID(nil, t.g.number, class, []byte{kind})
	it := t.tx.Snapshot().Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from), Reverse: true, Unobserved: true})
	defer it.Close()
	if !it.Next() {
		return 0, it.Err()
	}
	_, _, id, err := table.DecodeUserID(it.Key())
	if err != nil || len(id) != 9 {
		return 0, corrupt("user id", err)
	}
	return int64(binary.BigEndian.Uint64(id[1:]) ^ 1<<63), nil
}
