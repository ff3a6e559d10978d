package occ

// aside is a merge of two large neighbours by a goroutine of its own, which nobody waits for:
// meanwhile both stay what transactions are compared with.
type aside struct {
	a, b   *stretch
	merged chan *stretch
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
		m := &aside{a: c.stretches[i], b: c.stretches[i+1], merged: make(chan *stretch, 1)}
		c.aside = m
		go func() {
			into := &stretch{first: m.a.first, last: m.b.last, keys: make([]recentKey, 0, len(m.a.keys)+len(m.b.keys))}
			m.merged <- into.join(m.a, m.b, oldest)
		}()
	}
}

// takeAside puts what was merged in place of the two that it was merged of, unless they are
// forgotten by now.
func (c *recent) takeAside(m *stretch) {
	was := c.aside
	c.aside = nil
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
		if a <= 2*b && (best < 0 || a+b < least) {
			best, least = i, a+b
		}
	}
	return best
}

// rest waits until nothing is merged aside any more.
func (c *recent) rest() {
	if c.aside != nil {
		c.takeAside(<-c.aside.merged)
	}
}
