package blueprints

import "sync/atomic"

// news wakes those who wait for the next commit that the history of a graph knows of. Where
// nobody waits a commit looks at one pointer.
type news struct {
	awaited atomic.Pointer[chan struct{}]
}

// next returns what closes with the next call of tell.
func (n *news) next() <-chan struct{} {
	for {
		if c := n.awaited.Load(); c != nil {
			return *c
		}
		c := make(chan struct{})
		if n.awaited.CompareAndSwap(nil, &c) {
			return c
		}
	}
}

// tell wakes who waits.
func (n *news) tell() {
	if n.awaited.Load() == nil {
		return
	}
	if c := n.awaited.Swap(nil); c != nil {
		close(*c)
	}
}

// News returns a channel that closes when a commit is shown that the history of the graph knows
// of, later than the call, or the graph is dropped. Who takes it, then finds no commit in a
// transaction that he begins, and then waits for it misses none.
func (g *Graph) News() <-chan struct{} { return g.news.next() }

// shown tells of the commits since the last time. It runs on the committer's goroutine.
func (w *cacheCommit) shown() {
	for _, g := range w.news {
		g.news.tell()
	}
	clear(w.news)
	w.news = w.news[:0]
}
