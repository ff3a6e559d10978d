package traversal

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// ErrBudget is returned when a request keeps more memory than its limit.
var ErrBudget = errors.New("query memory limit")

// Budget bounds the bytes that requests keep. Budgets form a tree: process, session,
// request; a charge counts on every level. Safe for concurrent use.
type Budget struct {
	parent *Budget
	name   string // the setting to raise
	max    int64
	used   atomic.Int64
}

// NewBudget returns a budget of max bytes under parent, which may be nil. name is the
// setting that the error tells the user to raise.
func NewBudget(parent *Budget, name string, max int64) *Budget {
	b := &Budget{}
	b.Init(parent, name, max)
	return b
}

// Init makes b what NewBudget returns. Nothing may be charged.
func (b *Budget) Init(parent *Budget, name string, max int64) {
	b.parent, b.name, b.max = parent, name, max
}

// Charge adds bytes, or reports ErrBudget and leaves the budget as it was.
func (b *Budget) Charge(bytes int64) error {
	for level := b; level != nil; level = level.parent {
		if used := level.used.Add(bytes); used > level.max {
			for undo := b; undo != level.parent; undo = undo.parent {
				undo.used.Add(-bytes)
			}
			return fmt.Errorf("%w exceeded: %d bytes kept, %s is %d", ErrBudget, used, level.name, level.max)
		}
	}
	return nil
}

// Nested values are small in memory and may yet stand for more than anybody can write
// or compare: each project() of one value twice doubles it.
const (
	partBytes = 32  // what each part of a nested value counts for, against the whole budget
	levelsMax = 250 // levels of collections: what clients can read back, and a Value knows
)

// TooDeep is the error about a value whose levels are more than can be walked.
func TooDeep(format string, args ...any) error {
	return &blueprints.Exception{Class: "java.lang.StackOverflowError", Message: fmt.Sprintf(format, args...)}
}

// fits is an error when v stands for more than the budget's bytes, or is too deep.
func (b *Budget) fits(v value.Value) error {
	if d := v.Depth(); d > levelsMax {
		return TooDeep("a value is nested %d levels deep, %d are possible", d, levelsMax)
	}
	if b != nil && v.Parts() > b.max/partBytes {
		return fmt.Errorf("%w exceeded: a value stands for %d others or more, %s is %d", ErrBudget, v.Parts(), b.name, b.max)
	}
	return nil
}

// partsMax is the number of parts that fit.
func (b *Budget) partsMax() int {
	if b == nil {
		return math.MaxInt32
	}
	return int(min(b.max/partBytes, math.MaxInt32))
}

// Release gives back all that b was charged: at the end of its request.
func (b *Budget) Release() {
	used := b.used.Swap(0)
	if used == 0 {
		return // without a touch of what all requests share
	}
	for level := b.parent; level != nil; level = level.parent {
		level.used.Add(-used)
	}
}

// Used returns the bytes charged and not released.
func (b *Budget) Used() int64 { return b.used.Load() }
