package occ

import (
	"bytes"
	"slices"
	"sort"
	"time"
)

// holder is a transaction that is alone within a prefix of the keys (see
// storage.TxOptions.Alone): what others want to commit there is held back until it ends,
// or limit fires. Those who want to be alone where somebody is already wait until
// they may; those whose prefixes do not meet are alone side by side.
type holder struct {
	tx    *Tx
	limit *time.Timer // ends the privilege of one that takes long
}

// mustWait reports whether r writes where another transaction is alone.
func (c *committer) mustWait(r *request) bool {
	for _, h := range c.alone {
		if h.tx != r.tx && r.writesWithin(h.tx.opts.Within) {
			return true
		}
	}
	return false
}

// writesWithin reports whether r writes a key with the prefix.
func (r *request) writesWithin(prefix []byte) bool {
	i := sort.Search(len(r.Writes), func(i int) bool { return bytes.Compare(r.Writes[i].Key, prefix) >= 0 })
	if i < len(r.Writes) && bytes.HasPrefix(r.Writes[i].Key, prefix) {
		return true
	}
	return slices.ContainsFunc(r.Ranges, func(s Span) bool {
		return bytes.HasPrefix(s.From, prefix) || bytes.Compare(s.From, prefix) < 0 && before(prefix, s.To)
	})
}

// nextTurns lets those be alone, in the order of their coming, whose keys nobody else
// has for himself.
func (c *committer) nextTurns() {
	var left []*request
	for _, r := range c.turns {
		switch {
		case c.taken(r.tx.opts.Within, left):
			left = append(left, r)
		case r.state.CompareAndSwap(waiting, taken):
			c.beginAlone(r.tx)
			r.answer()
		}
	}
	c.turns = left
}

// taken reports whether keys with the prefix belong to one that is alone, or to one of
// those that wait.
func (c *committer) taken(prefix []byte, turns []*request) bool {
	meet := func(other *Tx) bool {
		return bytes.HasPrefix(other.opts.Within, prefix) || bytes.HasPrefix(prefix, other.opts.Within)
	}
	return slices.ContainsFunc(c.alone, func(h holder) bool { return meet(h.tx) }) ||
		slices.ContainsFunc(turns, func(r *request) bool { return meet(r.tx) })
}

func (c *committer) beginAlone(t *Tx) {
	c.alone = append(c.alone, holder{tx: t, limit: time.AfterFunc(c.store.opts.AloneMax, func() {
		c.queue.add(newRequest(releaseAlone, t)) // nobody waits for the answer
	})})
}

// endAlone lets the commits go on that t held up, and then the next be alone.
func (c *committer) endAlone(t *Tx) {
	i := slices.IndexFunc(c.alone, func(h holder) bool { return h.tx == t })
	if i < 0 {
		return // its time was up
	}
	c.alone[i].limit.Stop()
	c.alone = slices.Delete(c.alone, i, i+1)
	held := c.held
	c.held = nil
	var commits []*request
	for _, r := range held {
		if r.kind == commitBy {
			c.commitBy(r)
		} else {
			commits = append(commits, r)
		}
	}
	c.commit(commits)
	c.nextTurns()
}
