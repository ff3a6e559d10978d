package traversal

import "github.com/gremlind/gremlind/storage/value"

// The bases from which most running steps are made. They pull in batches, poll the
// context, and keep errors behind the good traversers before them.

// Filter keeps the traversers for which test is true.
func (r *Run) Filter(up Source, test func(t *Traverser) (bool, error)) Source {
	f := Make[filter](r)
	f.r, f.in.Run, f.in.Up, f.test = r, r, up, test
	return f
}

type filter struct {
	r    *Run
	in   Input
	test func(t *Traverser) (bool, error)
}

func (f *filter) Next(b *Batch, max int) error {
	got := 0
	want := max
	for got < max {
		t, err := f.in.Peek(f.r.Demand(want))
		if t == nil {
			return err
		}
		if err := f.r.Poll(); err != nil {
			return err
		}
		f.in.Skip()
		ok, err := f.test(t)
		if err != nil {
			return err
		}
		if ok {
			b.Add(*t)
			got++
		}
		if f.in.Buffered() == 0 {
			if got > 0 {
				return nil
			}
			want = min(want*4, batchMax)
		}
	}
	return nil
}

func (f *filter) Reset() { f.in.Reset() }

// Map replaces each object by what fn makes of it; false drops the traverser. The
// path grows.
func (r *Run) Map(up Source, fn Func) Source {
	m := Make[mapper](r)
	m.r, m.in.Run, m.in.Up, m.fn, m.split = r, r, up, fn, true
	return m
}

// Replace is Map without a trace in the path.
func (r *Run) Replace(up Source, fn Func) Source {
	m := Make[mapper](r)
	m.r, m.in.Run, m.in.Up, m.fn = r, r, up, fn
	return m
}

type mapper struct {
	r     *Run
	in    Input
	fn    Func
	split bool
}

func (m *mapper) Next(b *Batch, max int) error {
	got := 0
	for got < max {
		t, err := m.in.Peek(m.r.Demand(max - got))
		if t == nil {
			return err
		}
		if got == 0 {
			b.Grow(min(max, m.in.Buffered()))
		}
		if err := m.r.Poll(); err != nil {
			return err
		}
		m.in.Skip()
		v, ok, err := m.fn(t)
		if err != nil {
			return err
		}
		if ok {
			if err := m.r.Fits(v); err != nil {
				return err
			}
			if m.split {
				b.Add(m.r.Split(t, v))
			} else {
				b.Add(t.At(v))
			}
			got++
		}
		if got > 0 && m.in.Buffered() == 0 {
			return nil
		}
	}
	return nil
}

func (m *mapper) Reset() { m.in.Reset() }

// SideEffect calls fn for each traverser and lets it through unchanged.
func (r *Run) SideEffect(up Source, fn func(t *Traverser) error) Source {
	return r.Filter(up, func(t *Traverser) (bool, error) { return true, fn(t) })
}

// Transform lets fn replace the whole traverser; false drops it.
func (r *Run) Transform(up Source, fn func(t *Traverser) (Traverser, bool, error)) Source {
	return &transformer{r: r, in: r.Input(up), fn: fn}
}

type transformer struct {
	r  *Run
	in Input
	fn func(t *Traverser) (Traverser, bool, error)
}

func (m *transformer) Next(b *Batch, max int) error {
	got := 0
	for got < max {
		t, err := m.in.Peek(m.r.Demand(max - got))
		if t == nil {
			return err
		}
		if err := m.r.Poll(); err != nil {
			return err
		}
		m.in.Skip()
		u, ok, err := m.fn(t)
		if err != nil {
			return err
		}
		if ok {
			b.Add(u)
			got++
		}
		if got > 0 && m.in.Buffered() == 0 {
			return nil
		}
	}
	return nil
}

func (m *transformer) Reset() { m.in.Reset() }

// Cursor hands out the objects that one traverser expands to, in pieces.
type Cursor interface {
	// Next appends up to max objects to dst; none means the end.
	Next(dst []value.Value, max int) ([]value.Value, error)
	Close()
}

// Expander opens the cursor of a traverser; a nil Cursor means no objects. The cursor
// before has been closed.
type Expander interface {
	Expand(t *Traverser) (Cursor, error)
}

type expanderFunc func(t *Traverser) (Cursor, error)

func (f expanderFunc) Expand(t *Traverser) (Cursor, error) { return f(t) }

// FlatMap expands each traverser with the objects of its cursor; a nil Cursor means
// none. Cursors are read only as far as results are asked for.
func (r *Run) FlatMap(up Source, open func(t *Traverser) (Cursor, error)) Source {
	return r.Expand(up, expanderFunc(open))
}

// Expand is FlatMap with an Expander.
func (r *Run) Expand(up Source, e Expander) Source {
	f := Make[flatMap](r)
	f.r, f.in.Run, f.in.Up, f.expander = r, r, up, e
	return f
}

type flatMap struct {
	r        *Run
	in       Input
	expander Expander
	cursor   Cursor
	cur      Traverser
}

func (f *flatMap) Next(b *Batch, max int) error {
	got := 0
	for got < max {
		if f.cursor == nil {
			if got > 0 && f.in.Buffered() == 0 {
				return nil
			}
			t, ok, err := f.in.Take(f.r.Demand(max - got))
			if !ok {
				return err
			}
			if err := f.r.Poll(); err != nil {
				return err
			}
			f.cur = t // Expand gets f.cur: the address of t would put every traverser on the heap
			if f.cursor, err = f.expander.Expand(&f.cur); err != nil {
				return err
			}
			continue
		}
		n, err := f.pull(b, f.r.Demand(max-got))
		got += n
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *flatMap) pull(b *Batch, max int) (int, error) {
	if err := f.r.Poll(); err != nil {
		return 0, err
	}
	from := len(b.Objects)
	var err error
	b.Objects, err = f.cursor.Next(b.Objects, max)
	n := len(b.Objects) - from
	f.r.SplitMany(b, from, &f.cur)
	if n == 0 {
		f.cursor.Close()
		f.cursor = nil
	}
	return n, err
}

func (f *flatMap) Reset() {
	if f.cursor != nil {
		f.cursor.Close()
		f.cursor = nil
	}
	f.in.Reset()
}

// Values is a Cursor over a slice.
func Values(vs []value.Value) Cursor { return &sliceCursor{vs} }

type sliceCursor struct{ rest []value.Value }

func (c *sliceCursor) Next(dst []value.Value, max int) ([]value.Value, error) {
	n := min(max, len(c.rest))
	dst = append(dst, c.rest[:n]...)
	c.rest = c.rest[n:]
	return dst, nil
}

func (c *sliceCursor) Close() {}
