package account

import (
	"sync/atomic"
	"time"
)

// Pace spreads the refusals of one quota's owner, a graph or a user, over time. Who is at his
// quota costs little as long as he does not ask again as fast as he is answered: then he has
// the processors of those who are not. The zero Pace is that of who was refused nothing yet.
type Pace struct {
	next atomic.Int64 // the place behind the last that was taken, in nanoseconds
}

const (
	// refusalEvery is how far places are from each other, refusalsAtOnce how many are taken
	// together behind a rest.
	refusalEvery   = 10 * time.Millisecond
	refusalsAtOnce = 10
	// refusedWithin bounds how far away a place is, however many are taken before it.
	refusedWithin = time.Second
)

// Place takes the next place for a refusal, and returns how far away it is.
func (p *Pace) Place(now time.Time) time.Duration {
	from := now.UnixNano()
	for {
		next := p.next.Load()
		place := max(next, from-int64((refusalsAtOnce-1)*refusalEvery))
		away := max(time.Duration(place-from), 0)
		if away > refusedWithin {
			return refusedWithin
		}
		if p.next.CompareAndSwap(next, place+int64(refusalEvery)) {
			return away
		}
	}
}

// Paced is an error by which a quota refuses something.
type Paced interface {
	error
	// Pace is that of the quota's owner, nil where the limit is nobody's.
	Pace() *Pace
}
