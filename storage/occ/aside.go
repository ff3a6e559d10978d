package occ

import (
	"bytes"
	"sync/atomic"
	"time"
)

// aside is a merge of two large neighbours by a goroutine of its own, which nobody waits for:
// meanwhile both stay what transactions are compared with. A million keys are half a second of work,
// in which writers would miss a processor: it rests again and again.
type aside struct {
	a, b   *stretch
	merged chan *stretch
	hurry  chan struct{} // closed when somebody does wait
	gone   atomic.Bool   // one of the two is forgotten, nobody asks for what becomes of them
	rests  func(time.Duration) <-chan time.Time
}

// After so many keys, some half a millisecond, a merge aside rests three times as long as they took.
const (
	asideStep    = 1 << 11
	asideRest    = 3
	asideRestMax = 10 * time.Millisecond
)

// Of so many keys that are looked at one in asideAlike is to be in both.
const (
	asideSample = 256
	asideAlike  = 8
)

func newAside(a, b *stretch) *aside {
	return &aside{a: a, b: b, merged: make(chan *stretch, 1), hurry: make(chan struct{}), rests: time.After}
}

// merge joins the two, and rests in between; nil: they have too little in common.
func (m *aside) merge(oldest uint64) {
	if !m.alike() {
		m.merged <- nil
		return
	}
	into := &stretch{first: m.a.first, last: m.b.last, keys: make([]recentKey, 0, len(m.a.keys)+len(m.b.keys))}
	begun, keys := time.Now(), 0
	m.merged <- into.join(m.a, m.b, oldest, func() bool {
		if keys++; keys < asideStep {
			return true
		}
		m.breathe(time.Since(begun))
		begun, keys = time.Now(), 0
		return !m.gone.Load()
	})
}

// alike reports whether so many keys are in both that it is worth while to merge them: new elements,
// say, are written once. It looks at some only.
func (m *aside) alike() bool {
	n := min(asideSample, len(m.b.keys))
	both := 0
	for i := range n {
		key := m.b.key(i * len(m.b.keys) / n)
		if at := m.a.search(key); at < len(m.a.keys) && bytes.Equal(m.a.key(at), key) {
			both++
		}
	}
	return both*asideAlike >= n
}

// breathe rests behind so much work, unless somebody waits.
func (m *aside) breathe(worked time.Duration) {
	select {
	case <-m.hurry:
	case <-m.rests(min(asideRest*worked, asideRestMax)):
	}
}

// has reports whether r is being merged.
func (m *aside) has(r *stretch) bool { return m != nil && (m.a == r || m.b == r) }

// mergeAside takes what was merged aside, and begins the next merge where that is worth while.
func (c *recent) mergeAside(oldest uint64) {
	if c.aside != nil {
		select {
		case m := <-c.aside.merged:
			c.takeAside(m)
		default:
			return
		}
	}
	if !c.crowded() {
		return
	}
	if i := c.unmerged(); i >= 0 {
		c.aside = newAside(c.stretches[i], c.stretches[i+1])
		go c.aside.merge(oldest)
	}
}

// takeAside puts what was merged in place of the two that it was merged of, unless they are
// forgotten by now, or stay apart.
func (c *recent) takeAside(m *stretch) {
	was := c.aside
	c.aside = nil
	if m == nil {
		was.a.apart = true
		return
	}
	for i := range len(c.stretches) - 1 {
		if c.stretches[i] == was.a && c.stretches[i+1] == was.b {
			c.replace(i, m)
			return
		}
	}
}

// unmerged returns the place of the two neighbours of similar size that are merged soonest,
// negative when there are none. The newest stretch grows still.
func (c *recent) unmerged() int {
	best, least := -1, 0
	for i := 0; i+2 < len(c.stretches); i++ {
		a, b := c.stretches[i].size(), c.stretches[i+1].size()
		if !c.stretches[i].apart && a <= 2*b && (best < 0 || a+b < least) {
			best, least = i, a+b
		}
	}
	return best
}

// rest waits until nothing is merged aside any more.
func (c *recent) rest() {
	if c.aside != nil {
		close(c.aside.hurry)
		c.takeAside(<-c.aside.merged)
	}
}
