package connection

import "runtime"

const (
	// manyBusy is how many connections for each processor must have asked lately, so that one
	// which was just answered lets the others go first.
	manyBusy = 3
	// oneByOne is how often in a row it must have asked for one thing.
	oneByOne = 8
	// keepsOneOf is of how many turns it keeps one. Who gives way goes before those whose requests the
	// system has and Go does not know of yet: they are looked for when nobody else is ready. So each
	// waits for the system now and then, and a hundredth waits no longer than otherwise.
	keepsOneOf = 4
)

// pace tells a client that waits for each answer from one that sends several requests at once.
type pace struct {
	evals   uint64 // Conn.evals when answers were last sent
	singles int    // how often it was one answer since it was more
}

// single is told Conn.evals whenever answers are sent. It is true for a client that has waited for
// each of its last answers, but for each fourth time.
func (p *pace) single(evals uint64) bool {
	if p.singles++; evals-p.evals > 2 {
		p.singles = 0
	}
	p.evals = evals
	return p.singles >= oneByOne && p.singles%keepsOneOf != 0
}

// giveWay lets other connections go first when this one has sent its answer. Its client is as
// likely as not about to ask again: the next read then finds the request there, and neither fails
// first, nor is parked and woken. Who sends several requests at once has been read ahead already,
// and where a processor is free a turn of others would only wake it.
func (c *Conn) giveWay() {
	if c.pace.single(c.evals.Load()) && c.all.watch.busy.Load() >= c.all.many {
		runtime.Gosched()
	}
}
