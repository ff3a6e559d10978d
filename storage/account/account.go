// Package account counts the bytes that clients make the server keep.
//
// Accounts form a tree: a request, its session, its connection, its user (before login
// its address), the server. What is charged to one counts on every level above it, so
// that each level bounds the sum of what is beneath. A charge comes before the memory is
// taken, and is given back when the memory is free: piece by piece with Release, or all
// that is left with Clear at the end of whatever the account stands for.
//
// An account takes from the one above it a little more than it was charged, so that
// many small charges mostly cost one atomic addition each. What the accounts above show
// as used is therefore rounded up, while anything is used at all.
package account

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// ErrLimit is what every error of a refused charge is, for errors.Is.
var ErrLimit = errors.New("memory limit exceeded")

// Unlimited is the max of an account that only the accounts above it bound.
const Unlimited = math.MaxInt64

// aheadMax is how much an account takes from the one above it beyond what it was
// charged, in bytes; one that was charged little takes an eighth more.
const aheadMax = 64 << 10

func ahead(used int64) int64 { return min(used/8, aheadMax) }

// Account bounds the bytes that something keeps. A nil *Account has no limit and counts
// nothing. It is safe for concurrent use, but for Init and Clear.
type Account struct {
	parent  *Account
	setting string
	max     int64
	used    atomic.Int64

	mu   sync.Mutex   // guards changes of held
	held atomic.Int64 // what parent was charged; max without a parent

	beside []*Account // charged what parent is; guarded by mu
	pace   *Pace      // of who has it as a quota, nil for most

	watch *watch // nil for most
}

// watch tells somebody of an account that moved.
type watch struct {
	step  int64
	told  atomic.Int64 // what was used when somebody was told last
	moved func()
}

// Watch has moved called when what is used has become about step bytes more or less
// than when it was called last, or than nothing. moved is called by whoever charges: it
// must neither block nor use accounts. Watch comes before the first account beneath a.
func (a *Account) Watch(step int64, moved func()) { a.watch = &watch{step: step, moved: moved} }

// look calls moved when it is time.
func (a *Account) look() {
	w := a.watch
	if w == nil {
		return
	}
	used, told := a.used.Load(), w.told.Load()
	if d := used - told; (d >= w.step || -d >= w.step) && w.told.CompareAndSwap(told, used) {
		w.moved()
	}
}

// LimitError says which account refused a charge.
type LimitError struct {
	Setting string // the setting to raise
	Kept    int64  // bytes, with those that were refused
	Max     int64  // bytes
	pace    *Pace
}

// Pace is that of the account.
func (e *LimitError) Pace() *Pace { return e.pace }

func (e *LimitError) Error() string {
	return fmt.Sprintf("%s: %d bytes kept, %s is %d", ErrLimit, e.Kept, e.Setting, e.Max)
}

// Is makes every LimitError an ErrLimit.
func (e *LimitError) Is(target error) bool { return target == ErrLimit }

// New returns an account of max bytes under parent, which may be nil. setting is what
// the error tells the user to raise.
func New(parent *Account, setting string, max int64) *Account {
	a := &Account{}
	a.Init(parent, setting, max)
	return a
}

// Init makes a what New returns. Nothing may be charged to it.
func (a *Account) Init(parent *Account, setting string, max int64) {
	a.parent, a.setting, a.max, a.beside = parent, setting, max, nil
	if parent == nil {
		a.held.Store(max)
	}
}

// SetPace makes the account the quota of somebody whose refusals have a pace. It comes before
// anything is charged.
func (a *Account) SetPace(p *Pace) { a.pace = p }

// Resize changes how much may be charged to an account without a parent. What is charged
// already stays.
func (a *Account) Resize(max int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.max = max
	a.held.Store(max)
}

// Charge adds bytes, or returns a *LimitError and leaves the account as it was.
func (a *Account) Charge(bytes int64) error {
	if a == nil || a.used.Add(bytes) <= a.held.Load() {
		return nil
	}
	return a.extend(bytes)
}

// extend takes from the parent what the last charge needs, and a little more.
func (a *Account) extend(bytes int64) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	used, held := a.used.Load(), a.held.Load()
	if used <= held {
		return nil // another charge took enough for this one
	}
	if used > a.max {
		a.used.Add(-bytes)
		return &LimitError{Setting: a.setting, Kept: used, Max: a.max, pace: a.pace}
	}
	want := min(used+ahead(used), a.max)
	err := a.chargeAbove(want - held)
	if err != nil && want > used {
		want = used
		err = a.chargeAbove(want - held)
	}
	if err != nil {
		a.used.Add(-bytes)
		return err
	}
	a.held.Store(want)
	a.parent.look()
	return nil
}

// chargeAbove charges all that bounds a.
func (a *Account) chargeAbove(bytes int64) error {
	err := a.parent.Charge(bytes)
	if err != nil || a.beside == nil {
		return err
	}
	for i, b := range a.beside {
		if err := b.Charge(bytes); err != nil {
			for _, charged := range a.beside[:i] {
				charged.Release(bytes)
			}
			a.parent.Release(bytes)
			return err
		}
	}
	return nil
}

func (a *Account) releaseAbove(bytes int64) {
	a.parent.Release(bytes)
	for _, b := range a.beside {
		b.Release(bytes)
	}
}

// Join has what is charged to a, which has a parent, count on b too, until a is clear or
// made anew. It may be called more than once.
func (a *Account) Join(b *Account) error {
	if a == nil || a.parent == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if slices.Contains(a.beside, b) {
		return nil
	}
	if err := b.Charge(a.held.Load()); err != nil {
		return err
	}
	a.beside = append(a.beside, b)
	return nil
}

// Move has what is charged to a count on another account in place of its parent and of those
// that it joined. Where that one refuses, a is clear, for what it stood for has to go. Nobody
// else may use a meanwhile.
func (a *Account) Move(to *Account) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	held := a.held.Load()
	a.releaseAbove(held)
	a.parent.look()
	a.parent, a.beside = to, nil
	err := to.Charge(held)
	if err != nil {
		a.used.Store(0)
		a.held.Store(0)
	}
	return err
}

// Lower bounds a, which its caller alone charges, by less than now, if max is less.
func (a *Account) Lower(setting string, max int64) error {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if max >= a.max {
		return nil
	}
	if used := a.used.Load(); used > max {
		return &LimitError{Setting: setting, Kept: used, Max: max}
	}
	a.setting, a.max = setting, max
	if held := a.held.Load(); held > max {
		a.held.Store(max)
		a.releaseAbove(held - max)
	}
	return nil
}

// Release gives back a part of what was charged.
func (a *Account) Release(bytes int64) {
	if a == nil {
		return
	}
	used := a.used.Add(-bytes)
	if a.parent != nil && a.held.Load()-used > 2*ahead(used) {
		a.shrink()
	}
}

// shrink gives back to the parent what is held for nothing.
func (a *Account) shrink() {
	a.mu.Lock()
	defer a.mu.Unlock()
	held, used := a.held.Load(), a.used.Load()
	keep := used + ahead(used)
	if keep >= held {
		return
	}
	a.held.Store(keep)
	// A charge that came before that may rely on what was held then.
	if used = a.used.Load(); used > keep {
		keep = min(used, held)
		a.held.Store(keep)
	}
	a.releaseAbove(held - keep)
	a.parent.look()
}

// Clear gives back all that was charged. Accounts beneath must be clear already.
func (a *Account) Clear() {
	if a == nil || a.used.Load() == 0 && (a.parent == nil || a.held.Load() == 0) {
		return // without a touch of what all requests share
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.used.Store(0)
	if a.parent != nil {
		a.releaseAbove(a.held.Swap(0))
		a.parent.look()
		a.beside = nil
	}
}

// Used returns the bytes charged and not released.
func (a *Account) Used() int64 {
	if a == nil {
		return 0
	}
	return a.used.Load()
}

// Max returns the bytes that may be charged, Unlimited for a nil account.
func (a *Account) Max() int64 {
	if a == nil {
		return Unlimited
	}
	return a.max
}

// Setting returns the name of the setting that raises Max.
func (a *Account) Setting() string {
	if a == nil {
		return ""
	}
	return a.setting
}
