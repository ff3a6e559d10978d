package traversal

import (
	"context"

	"github.com/gremlind/gremlind/storage/account"
)

// Meter bounds what a request takes before its first traverser moves: the time to read,
// compile and rewrite it, and the memory of the plan. A nil Meter bounds nothing. One
// goroutine uses it.
type Meter struct {
	Ctx     context.Context  // nil never ends
	Account *account.Account // nil has no limit

	work  int
	owing int // bytes not charged yet
}

const (
	meterEvery   = 1024     // units of work between two looks at the context
	chargeAtOnce = 64 << 10 // bytes that are gathered before an account is charged
	nodeBytes    = 256      // what a node of a plan takes, its arguments left out
	argBytes     = 40
)

// Work counts n units, each of which takes about as long as looking at one step, and
// returns ErrTimeout soon after the context has ended.
func (m *Meter) Work(n int) error {
	if m == nil {
		return nil
	}
	if m.work += n; m.work < meterEvery {
		return nil
	}
	m.work = 0
	if m.Ctx != nil && m.Ctx.Err() != nil {
		return ErrTimeout
	}
	return nil
}

// Keep charges for bytes that last as long as the request. Small requests are not
// charged at all.
func (m *Meter) Keep(bytes int) error {
	if m == nil || m.Account == nil {
		return nil
	}
	if m.owing += bytes; m.owing < chargeAtOnce {
		return nil
	}
	owed := m.owing
	m.owing = 0
	return m.Account.Charge(int64(owed))
}

// Grown counts nodes that a plan has more than before.
func (m *Meter) Grown(nodes int) error {
	if err := m.Work(nodes); err != nil {
		return err
	}
	return m.Keep(nodes * nodeBytes)
}
