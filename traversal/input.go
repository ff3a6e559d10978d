package traversal

import "github.com/gremlind/gremlind/storage/value"

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
	Run *Run // whose graph hears of the elements that were pulled; nil: none
	buf Batch
	pos int
	err error
	cur Traverser
	// room is buf at first: most inputs of small requests hold one traverser.
	room [1]value.Value
}

// Input returns the input of a step of the run.
func (r *Run) Input(up Source) Input { return Input{Run: r, Up: up} }

// Peek returns the next traverser, pulling at most want at once when none is
// buffered; nil at the end or on an error. The pointer is valid until the next Peek.
func (in *Input) Peek(want int) (*Traverser, error) {
	if in.pos >= len(in.buf.Objects) {
		if ok, err := in.Pull(want); !ok {
			return nil, err
		}
	}
	in.cur = in.buf.At(in.pos)
	return &in.cur, nil
}

// Pull makes sure that something is buffered, pulling at most want at once; false at the
// end or on an error.
func (in *Input) Pull(want int) (bool, error) {
	if in.pos < len(in.buf.Objects) {
		return true, nil
	}
	if in.err == nil {
		if in.buf.Objects == nil {
			in.buf.Objects = in.room[:0]
		}
		in.buf.Clear()
		in.pos = 0
		in.err = in.Up.Next(&in.buf, want)
		if len(in.buf.Objects) > 0 {
			in.Run.ReadsNext(in.buf.Objects)
			return true, nil
		}
	}
	err := in.err
	in.err = nil
	return false, err
}

// Skip drops the traverser that Peek returned.
func (in *Input) Skip() { in.pos++ }

// SkipMany drops the next n traversers, which are buffered.
func (in *Input) SkipMany(n int) { in.pos += n }

// Take returns the next traverser and moves on; ok is false at the end.
func (in *Input) Take(want int) (t Traverser, ok bool, err error) {
	if ok, err := in.Pull(want); !ok {
		return Traverser{}, false, err
	}
	t = in.buf.At(in.pos)
	in.pos++
	return t, true, nil
}

// Buffered returns how many traversers were pulled and not used yet.
func (in *Input) Buffered() int { return len(in.buf.Objects) - in.pos }

// Objects returns the objects of the buffered traversers.
func (in *Input) Objects() []value.Value { return in.buf.Objects[in.pos:] }

// At returns the buffered traverser that comes i places behind the next.
func (in *Input) At(i int) Traverser { return in.buf.At(in.pos + i) }

// Plain is Batch.Plain for what is buffered.
func (in *Input) Plain() bool { return in.buf.Plain() }

// Reset forgets the buffer and resets what lies upstream.
func (in *Input) Reset() {
	in.buf.Clear()
	in.pos, in.err = 0, nil
	if in.Up != nil {
		in.Up.Reset()
	}
}
