package traversal

// Batch is what steps hand to each other: traversers in order.
type Batch struct{ T []Traverser }

// Len returns the number of traversers.
func (b *Batch) Len() int { return len(b.T) }

// Add appends a traverser.
func (b *Batch) Add(t Traverser) { b.T = append(b.T, t) }

// Clear empties b and keeps its memory.
func (b *Batch) Clear() { b.T = b.T[:0] }

// Release empties b and forgets what was in it; its memory is kept when it has room for
// no more than max traversers.
func (b *Batch) Release(max int) {
	if cap(b.T) > max {
		b.T = nil
		return
	}
	clear(b.T[:cap(b.T)])
	b.T = b.T[:0]
}

// batchMax is the largest demand a step makes of the one before it.
const batchMax = 1024

// Source is a running step: it pulls from the one before it. One goroutine uses it.
type Source interface {
	// Next appends at least one and at most max (>= 1) traversers to b, or none when
	// the source is exhausted. With an error, the traversers appended before it are
	// good and come first. A source fed by Pipe.Add may produce again later.
	Next(b *Batch, max int) error
	// Reset forgets everything that belongs to earlier starts, here and upstream.
	// Side effects stay.
	Reset()
}

// Input buffers what a step has pulled and not used yet. An error found while
// pulling ahead is reported only when the traversers before it are used up, so how
// much was pulled at once is never observable.
type Input struct {
	Up  Source
	buf Batch
	pos int
	err error
	// room is buf at first: most inputs of small requests hold one traverser.
	room [1]Traverser
}

// Peek returns the next traverser, pulling at most want at once when none is
// buffered; nil at the end or on an error. The pointer is valid until the next Peek.
func (in *Input) Peek(want int) (*Traverser, error) {
	if in.pos < len(in.buf.T) {
		return &in.buf.T[in.pos], nil
	}
	if in.err != nil {
		err := in.err
		in.err = nil
		return nil, err
	}
	if in.buf.T == nil {
		in.buf.T = in.room[:0]
	}
	in.buf.Clear()
	in.pos = 0
	in.err = in.Up.Next(&in.buf, want)
	if len(in.buf.T) == 0 {
		err := in.err
		in.err = nil
		return nil, err
	}
	return &in.buf.T[0], nil
}

// Skip drops the traverser that Peek returned.
func (in *Input) Skip() { in.pos++ }

// Take returns the next traverser and moves on; ok is false at the end.
func (in *Input) Take(want int) (t Traverser, ok bool, err error) {
	p, err := in.Peek(want)
	if p == nil {
		return Traverser{}, false, err
	}
	t = *p
	in.pos++
	return t, true, nil
}

// Buffered returns the traversers pulled and not used yet.
func (in *Input) Buffered() []Traverser { return in.buf.T[in.pos:] }

// Idle reports whether nothing that was pulled is left, not even an error.
func (in *Input) Idle() bool { return in.pos == len(in.buf.T) && in.err == nil }

// Reset forgets the buffer and resets what lies upstream.
func (in *Input) Reset() {
	in.buf.Clear()
	in.pos, in.err = 0, nil
	if in.Up != nil {
		in.Up.Reset()
	}
}
