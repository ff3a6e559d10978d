package traversal

import (
	"sync"

	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

// Barrier takes all traversers before it gives any: fill receives them all and
// returns what leaves the barrier, in order. fill is not called without input unless
// always is set.
func (r *Run) Barrier(up Source, always bool, fill func(all []Traverser) ([]Traverser, error)) Source {
	return &barrier{r: r, up: up, always: always, fill: fill}
}

type barrier struct {
	r      *Run
	up     Source
	always bool
	fill   func(all []Traverser) ([]Traverser, error)
	out    []Traverser
	pos    int
	filled bool
}

func (s *barrier) Next(b *Batch, max int) error {
	if s.pos >= len(s.out) {
		if err := s.load(); err != nil {
			return err
		}
	}
	n := min(max, len(s.out)-s.pos)
	b.Append(s.out[s.pos : s.pos+n])
	s.pos += n
	return nil
}

// load drains upstream; a barrier fed again later fills again.
func (s *barrier) load() error {
	s.out, s.pos = nil, 0
	var came account.Pile[Traverser]
	err := s.r.Drain(s.up, func(t *Traverser) error {
		if err := came.Add(s.r.Account, *t); err != nil {
			return err
		}
		return s.r.ChargeTraverser(t)
	})
	if err != nil {
		return err
	}
	in, err := came.List(s.r.Account)
	if err != nil {
		return err
	}
	if len(in) == 0 && (!s.always || s.filled) {
		return nil
	}
	s.filled = true
	s.out, err = s.fill(in)
	return err
}

func (s *barrier) Reset() {
	s.out, s.pos, s.filled = nil, 0, false
	s.up.Reset()
}

// Drain pulls everything from up and calls fn for each traverser.
func (r *Run) Drain(up Source, fn func(t *Traverser) error) error {
	return r.drain(&Batch{}, up, fn)
}

func (r *Run) drain(b *Batch, up Source, fn func(t *Traverser) error) error {
	var t Traverser
	return r.drainBatches(b, up, func(b *Batch) error {
		for i := range b.Len() {
			if err := r.Poll(); err != nil {
				return err
			}
			t = b.At(i)
			if err := fn(&t); err != nil {
				return err
			}
		}
		return nil
	})
}

// DrainBatches calls fn for each batch that comes, which is lent.
func (r *Run) DrainBatches(up Source, fn func(b *Batch) error) error {
	return r.drainBatches(&Batch{}, up, fn)
}

func (r *Run) drainBatches(b *Batch, up Source, fn func(b *Batch) error) error {
	for {
		b.Clear()
		err := up.Next(b, r.Demand(batchMax))
		r.ReadsNext(b.Objects)
		if b.Len() > 0 {
			if ferr := fn(b); ferr != nil {
				return ferr
			}
		}
		if err != nil || b.Len() == 0 {
			return err
		}
	}
}

// Reducer folds traversers into one value.
type Reducer interface {
	// AddBatch takes what comes, as many as come at once.
	AddBatch(b *Batch) error
	// Result is false when nothing is to be given (sum() of nothing).
	Result() (value.Value, bool, error)
}

// One hands on the traversers of batches one after the other: it is part of a Reducer that
// looks at each.
type One struct{ at Traverser }

// Each calls to.Add for each traverser of b, which is lent.
func (o *One) Each(r *Run, b *Batch, to interface{ Add(t *Traverser) error }) error {
	r.ReadsNext(b.Objects)
	for i := range b.Len() {
		if err := r.Poll(); err != nil {
			return err
		}
		o.at = b.At(i)
		if err := to.Add(&o.at); err != nil {
			return err
		}
	}
	return nil
}

// Reduce drains upstream into a new Reducer and gives its result once. It gives a
// result for no input too, if the Reducer does.
func (r *Run) Reduce(up Source, make func() Reducer) Source {
	s := Make[reduce](r)
	s.r, s.up, s.make = r, up, make
	return s
}

// ReduceInto is Reduce with one Reducer, which begins anew with Restart.
func (r *Run) ReduceInto(up Source, red RestartedReducer) Source {
	s := Make[reduce](r)
	s.r, s.up, s.own = r, up, red
	return s
}

// RestartedReducer is a Reducer that can be used more than once.
type RestartedReducer interface {
	Reducer
	// Restart forgets what was added.
	Restart()
}

type reduce struct {
	r     *Run
	up    Source
	make  func() Reducer // nil when own is set
	own   RestartedReducer
	batch Batch
	room  [1]value.Value
	done  bool
}

// wideFrom is how many traversers a read gives for the next one to use the memory that
// runs hand on: growing by itself, a batch takes as much again on its way.
const wideFrom = 8

// wideRooms is memory for the objects of a batch.
var wideRooms = sync.Pool{New: func() any { return new([batchMax]value.Value) }}

// begin returns a Reducer without anything added.
func (s *reduce) begin() Reducer {
	if s.own == nil {
		return s.make()
	}
	s.own.Restart()
	return s.own
}

// Next drains what is there. After the first result it gives another one only if
// more starts came in since, as a child of union() or repeat() may see.
func (s *reduce) Next(b *Batch, _ int) error {
	red := s.begin()
	added, err := s.drain(red)
	if err != nil || s.done && added == 0 {
		return err
	}
	s.done = true
	v, ok, err := red.Result()
	if err != nil || !ok {
		return err
	}
	if err := s.r.Fits(v); err != nil {
		return err
	}
	b.Add(s.r.Generate(v))
	return nil
}

// drain adds everything there is.
func (s *reduce) drain(red Reducer) (added int, err error) {
	if s.batch.Objects == nil {
		s.batch.Objects = s.room[:0]
	}
	var wide *[batchMax]value.Value
	defer func() {
		if wide != nil {
			clear(wide[:])
			wideRooms.Put(wide)
			s.batch.Objects = nil
		}
	}()
	for {
		s.batch.Clear()
		err := s.up.Next(&s.batch, s.r.Demand(batchMax))
		n := s.batch.Len()
		if added += n; n > 0 {
			if perr := s.poll(n); perr != nil {
				return added, perr
			}
			if aerr := red.AddBatch(&s.batch); aerr != nil {
				return added, aerr
			}
		}
		if n == 0 || err != nil {
			return added, err
		}
		if n >= wideFrom && wide == nil && cap(s.batch.Objects) < batchMax {
			wide = wideRooms.Get().(*[batchMax]value.Value)
			s.batch.Objects = wide[:0]
		}
	}
}

// poll looks at the context for so many traversers.
func (s *reduce) poll(n int) error {
	if n == 1 {
		return s.r.Poll()
	}
	return s.r.PollNow()
}

func (s *reduce) Reset() {
	s.done = false
	s.up.Reset()
}
