package traversal

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

// Nested values are small in memory and may yet stand for more than anybody can write
// or compare: each project() of one value twice doubles it.
const (
	partBytes = 32  // what each part of a nested value counts for, against the whole account
	levelsMax = 250 // levels of collections: what clients can read back, and a Value knows
)

// TooDeep is the error about a value whose levels are more than can be walked.
func TooDeep(format string, args ...any) error {
	return &blueprints.Exception{Class: "java.lang.StackOverflowError", Message: fmt.Sprintf(format, args...)}
}

// Charge accounts for bytes that a step keeps. They are given back with the request's
// account as a whole, or before with Release.
func (r *Run) Charge(bytes int) error { return r.Account.Charge(int64(bytes)) }

// ChargeCopies accounts for n copies of something, however many they are.
func (r *Run) ChargeCopies(n int64, bytes int) error {
	return r.Account.Charge(min(n, math.MaxInt64/4/int64(bytes)) * int64(bytes))
}

const valueBytes = 24

// ChargeText accounts for bytes that a step keeps, and for v, which it keeps besides: for a
// text, or for the objects that steps make for each traverser.
func (r *Run) ChargeText(v value.Value, bytes int) error {
	return r.Account.Charge(int64(bytes) + madeBytes(v))
}

// What is kept of a value beside itself. A map, a path, a set is mostly the traverser's own
// while it is small, and nobody was charged for it; a large one was charged to whoever
// gathered it, and many may share it. So was every list.
const (
	madeMax   = 64 // parts of a collection that count
	objectMin = 64 // bytes of an object
)

func madeBytes(v value.Value) int64 {
	switch v.Kind() {
	case value.KindString:
		return int64(len(v.Str()))
	case value.KindMap, value.KindSet, value.KindPath, value.KindTree:
		return 2*objectMin + partBytes*min(v.Parts(), madeMax)
	case value.KindVertexProperty, value.KindProperty:
		return 2 * objectMin
	case value.KindMapEntry, value.KindBigInteger, value.KindBigDecimal:
		return objectMin
	}
	return 0
}

// TraverserBytes is what a traverser holds beside itself, of which others have no part: what
// it is at, the newest object of its path, its sack.
func (r *Run) TraverserBytes(t *Traverser) int64 {
	n := madeBytes(t.Value)
	if t.X != nil {
		n += extraBytes
		if r.paths == fullPath {
			n += pathBytes
		}
		if r.hasSack {
			n += madeBytes(t.X.Sack)
		}
	}
	return n
}

const (
	extraBytes = int64(unsafe.Sizeof(Extra{}))
	pathBytes  = int64(unsafe.Sizeof(PathNode{}))
)

// ChargeTraverser accounts for a traverser that a step keeps, whose room it has charged.
func (r *Run) ChargeTraverser(t *Traverser) error { return r.Account.Charge(r.TraverserBytes(t)) }

// Release gives back bytes that a step no longer keeps.
func (r *Run) Release(bytes int) { r.Account.Release(int64(bytes)) }

// Fits is an error when a step has made a value that stands for too much. What holds no
// collection is accounted for by whoever made it.
func (r *Run) Fits(v value.Value) error {
	d := v.Depth()
	if d < 2 {
		return nil
	}
	if d > levelsMax {
		return TooDeep("a value is nested %d levels deep, %d are possible", d, levelsMax)
	}
	if v.Parts() > r.Account.Max()/partBytes {
		return fmt.Errorf("%w: a value stands for %d others or more, %s is %d", account.ErrLimit, v.Parts(), r.Account.Setting(), r.Account.Max())
	}
	return nil
}

// Holds reports whether s is v or inside of it, or v too large to know.
func (r *Run) Holds(v value.Value, s *value.BulkSet) bool { return v.Holds(s, r.partsMax()) }

// partsMax is the number of parts that a value may have.
func (r *Run) partsMax() int { return int(min(r.Account.Max()/partBytes, math.MaxInt32)) }
