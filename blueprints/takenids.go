package blueprints

import (
	"encoding/binary"
	"math"
	"sync"
	"sync/atomic"

	"github.com/gremlind/gremlind/blueprints/ids"
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
	w := &wanted{}
	for _, class := range [...]table.Class{table.VertexClass, table.EdgeClass} {
		f := t.g.idScheme(class)
		for _, kind := range [...]byte{ids.TagLong, ids.TagInt, ids.TagOther} {
			if kind == ids.TagOther && (!f.EqualNumbers || f.OneRow) {
				continue
			}
			prefix := func(b []byte) []byte { return table.AppendUserID(b, t.g.number, class, []byte{kind}) }
			o := w.add(prefix, prefix)
			o.Reverse, o.Unobserved, o.Limit = true, true, 1
		}
	}
	err := t.tx.Snapshot().ScanMany(w.ranges, func(_ int, key, _ []byte) (bool, error) {
		_, _, id, err := table.DecodeUserID(key)
		switch {
		case err != nil:
			return false, corrupt("user id", err)
		case id[0] == ids.TagOther: // numbers may be among them, in an order of their own
			bound = math.MaxInt64
		case len(id) != 9:
			return false, corrupt("user id", nil)
		default:
			n := int64(binary.BigEndian.Uint64(id[1:]) ^ 1<<63)
			bound = max(bound, min(n, math.MaxInt64-1)+1)
		}
		return false, nil
	})
	if err != nil {
		return 0, err
	}
	t.g.takenIDs.keep(bound, t.seq)
	return bound, nil
}
