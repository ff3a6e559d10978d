package match

import (
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// matcher is a running match(). It goes depth first: a pattern's pipe is in use by one
// frame at most, because no traverser tries a pattern twice.
type matcher struct {
	r       *traversal.Run
	m       *matchArgs
	in      traversal.Input
	tries   []*try // all patterns, the most promising first
	all     uint64 // one bit for each pattern
	stack   []frame
	results int64 // of patterns, for sorting now and then
}

// try is a pattern with its pipe and what became of its traversers.
type try struct {
	*pattern
	bit          uint64
	pipe         *traversal.Pipe
	probe        *probe // nil for a pattern that cannot be probed
	starts, ends float64
	multiplicity float64         // results per start, as of the last result
	buf          traversal.Batch // results that were pulled and not used yet
	pos, want    int
	err          error // behind buf
}

// frame is a pattern that may still have results for one traverser.
type frame struct {
	try  *try
	done uint64 // patterns behind the traverser, this one included
	from traversal.Traverser
}

func openMatch(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	s, err := openMatcher(n, r, up)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func openMatcher(n *traversal.Node, r *traversal.Run, up traversal.Source) (*matcher, error) {
	m, ok := n.Data.(*matchArgs)
	if !ok {
		return nil, fmt.Errorf("match() with infix and() or or() needs ConnectiveStrategy")
	}
	s := &matcher{r: r, m: m, in: r.Input(up)}
	for i, p := range m.patterns {
		pipe, err := r.OpenChild(p.body)
		if err != nil {
			return nil, err
		}
		s.tries = append(s.tries, &try{pattern: p, bit: 1 << i, pipe: pipe, probe: newProbe(r, p)})
		s.all |= 1 << i
	}
	return s, nil
}

func (s *matcher) Next(b *traversal.Batch, max int) error {
	for got := 0; got < max; {
		if len(s.stack) > 0 {
			t, done, err := s.step()
			if err != nil {
				return err
			}
			if t != nil {
				if got, err = s.advance(b, got, t, done); err != nil {
					return err
				}
			}
			continue
		}
		if got > 0 && s.in.Buffered() == 0 {
			return nil
		}
		t, ok, err := s.in.Take(s.r.Demand(max - got))
		if !ok || err != nil {
			return err
		}
		from, err := s.begin(&t)
		if err != nil {
			return err
		}
		if got, err = s.advance(b, got, from, 0); err != nil {
			return err
		}
	}
	return nil
}

// begin labels the object of a traverser that has no start label yet. Where and() or
// or() inside comes behind other patterns it has none: the object is wherever these ended.
func (s *matcher) begin(t *traversal.Traverser) (*traversal.Traverser, error) {
	if onPath(t, s.m.starts) {
		return t, nil
	}
	if o := s.m.outer; o != nil && (onPath(t, o.starts) || onPath(t, o.ends)) {
		return nil, s.unsolvable()
	}
	if s.m.first != "" {
		*t = s.r.Labelled(t, []string{s.m.first})
	}
	return t, nil
}

// onPath reports whether the path of t has one of the labels.
func onPath(t *traversal.Traverser, labels []string) bool {
	for p := t.History(); p != nil; p = p.Parent {
		for _, l := range p.Labels {
			if slices.Contains(labels, l) {
				return true
			}
		}
	}
	return false
}

func (s *matcher) unsolvable() error {
	return fmt.Errorf("The provided match pattern is unsolvable: %s", traversal.Brief(s.m))
}

// advance gives a match, or sends the traverser into its next pattern.
func (s *matcher) advance(b *traversal.Batch, got int, t *traversal.Traverser, done uint64) (int, error) {
	if err := s.r.Poll(); err != nil {
		return got, err
	}
	if done == s.all || s.m.or && done != 0 {
		b.Add(s.r.Split(t, s.m.bindings(t)))
		return got + 1, nil
	}
	if s.m.or {
		for i := len(s.m.patterns) - 1; i >= 0; i-- {
			for _, y := range s.tries {
				if y.pattern == s.m.patterns[i] {
					if err := s.push(y, t, y.bit); err != nil {
						return got, err
					}
				}
			}
		}
		return got, nil
	}
	for {
		y := s.choose(t, done)
		if y == nil {
			return got, s.unsolvable()
		}
		u, known, err := s.known(y, t)
		if err != nil {
			return got, err
		}
		if !known {
			return got, s.push(y, t, done|y.bit)
		}
		if u == nil {
			return got, nil
		}
		if t, done = u, done|y.bit; done == s.all {
			b.Add(s.r.Split(t, s.m.bindings(t)))
			return got + 1, nil
		}
	}
}

// known answers a pattern without running it: nil when it does not hold. The last
// result is false when it must run.
func (s *matcher) known(y *try, t *traversal.Traverser) (*traversal.Traverser, bool, error) {
	if y.probe == nil {
		return nil, false, nil
	}
	end, isBound := t.History().Last(y.end)
	if !isBound {
		return nil, false, nil
	}
	from, _ := t.History().Last(y.key)
	n, ok, err := y.probe.between(from, end)
	if !ok || err != nil {
		return nil, false, err
	}
	y.starts++
	if n == 0 {
		return nil, true, nil
	}
	u := s.r.Split(t, from)
	u = s.r.Split(&u, end)
	u = s.r.Labelled(&u, []string{y.end})
	u.Bulk *= n
	s.ended(y)
	return &u, true, nil
}

// push sends t into a pattern. One of or() is tried whether its start is bound or not.
func (s *matcher) push(y *try, t *traversal.Traverser, done uint64) error {
	if y.inner == nil {
		y.starts++ // the reference does not count these for and() and or()
	}
	from := *t
	if y.key != "" {
		v, isBound := t.History().Last(y.key)
		if !isBound {
			return fmt.Errorf("The step with label %s does not exist", y.key)
		}
		from = s.r.Split(t, v)
	}
	bulk := from.Bulk
	if y.local {
		bulk = 1
	}
	step.Feed(y.pipe, &from, bulk)
	y.buf.Clear()
	y.pos, y.want, y.err = 0, 1, nil
	s.stack = append(s.stack, frame{try: y, done: done, from: from})
	return nil
}

// step takes the next result of the innermost pattern; nil when it has none left or
// the result is not where the pattern must end.
func (s *matcher) step() (*traversal.Traverser, uint64, error) {
	f := &s.stack[len(s.stack)-1]
	y := f.try
	if y.pos == y.buf.Len() {
		y.buf.Clear()
		y.pos = 0
		if y.err == nil {
			y.err = y.pipe.Next(&y.buf, s.r.Demand(y.want))
		}
		y.want = min(4*y.want, matchPull)
	}
	if y.pos == y.buf.Len() {
		if y.err != nil {
			return nil, 0, y.err
		}
		s.stack = s.stack[:len(s.stack)-1]
		return nil, 0, nil
	}
	u := y.buf.At(y.pos)
	y.pos++
	if y.local {
		bulk := u.Bulk * f.from.Bulk
		u = s.r.Split(&f.from, u.Value)
		u.Bulk = bulk
	}
	if y.end != "" {
		v, isBound := u.History().Last(y.end)
		if isBound && !value.Identical(v, u.Value) {
			return nil, 0, nil
		}
		u = s.r.Labelled(&u, []string{y.end})
	}
	s.ended(y)
	return &u, f.done, nil
}

const matchPull = 256 // results taken from a pattern at once

func (s *matcher) Reset() {
	for _, y := range s.tries {
		y.pipe.Reset()
	}
	s.stack = s.stack[:0]
	s.in.Reset()
}
