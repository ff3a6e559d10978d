package plancache

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Memory is the memory of plans that got their constants. A client mostly asks the same with
// other constants: the last plan is kept, and gets them where the ones before stood.
type Memory struct {
	plans  block[traversal.Plan]
	nodes  block[traversal.Node]
	lists  block[*traversal.Node]
	args   block[traversal.Arg]
	values block[value.Value]
	starts block[traversal.GraphStart]
	has    block[traversal.Has]
	tests  block[traversal.P]

	n    int    // plans in use
	of   *entry // what last was made of, when it is the only plan in the blocks
	last *traversal.Plan
	at   []place // of its constants
	made []made  // nodes that made something else of constants, in their order
	much bool    // there are more of these than are kept
}

// made is a node that was prepared again for its constants.
type made struct {
	node   *traversal.Node
	before traversal.Node // as it was before that
}

// place is where a constant stands.
type place struct {
	at       *value.Value
	constant int // its number
}

// placesMax is how many constants a plan may have that is kept, and nodes with such.
const placesMax = 64

// Release lets the memory be used again. Nobody may refer to the plans that had it.
func (r *Memory) Release() {
	r.n = 0
	if r.of == nil {
		r.clear()
		return
	}
	for _, p := range r.at {
		*p.at = value.Null // it may be large
	}
	for i := range r.made { // what was made of it as well
		r.made[i].node.Data = r.made[i].before.Data
	}
}

// clear makes all of it free.
func (r *Memory) clear() {
	r.plans.release()
	r.nodes.release()
	r.lists.release()
	r.args.release()
	r.values.release()
	r.starts.release()
	r.has.release()
	r.tests.release()
	clear(r.made)
	r.of, r.last, r.at, r.made, r.much = nil, nil, r.at[:0], r.made[:0], false
}

// again returns the last plan with other constants, nil when it was made of another entry, is
// in use, or has a node that refuses them.
func (r *Memory) again(e *entry, constants []value.Value) *traversal.Plan {
	if r.n > 0 || r.of != e {
		return nil
	}
	for _, p := range r.at {
		*p.at = constants[p.constant]
	}
	for i := range r.made {
		n := r.made[i].node
		*n = r.made[i].before
		if n.Spec.Prepare(n) != nil {
			r.clear() // who binds it anew is told why
			return nil
		}
	}
	r.n = 1
	return r.last
}

// begin makes room for another plan.
func (r *Memory) begin() {
	if r.n == 0 && r.of != nil {
		r.clear()
	}
	r.n++
	r.of, r.last = nil, nil
}

// stands notes where a constant stands.
func (r *Memory) stands(at *value.Value, constant int) {
	if len(r.at) == placesMax {
		r.much = true
		return
	}
	r.at = append(r.at, place{at, constant})
}

// prepare has a node make of its constants what it makes of them.
func (r *Memory) prepare(n *traversal.Node) error {
	if len(r.made) == placesMax {
		r.much = true
	} else {
		r.made = append(r.made, made{n, *n})
	}
	return n.Spec.Prepare(n)
}

// keep keeps a plan that is alone in the memory.
func (r *Memory) keep(e *entry, p *traversal.Plan) {
	if r.n == 1 && !r.much {
		r.of, r.last = e, p
	}
}

// block hands out parts of an array.
type block[T any] struct{ items []T }

// blockSize is how many items an array has.
const blockSize = 8

// take returns n items that are zero.
func (b *block[T]) take(n int) []T {
	from := len(b.items)
	if n > cap(b.items)-from {
		if n > blockSize {
			return make([]T, n)
		}
		b.items, from = make([]T, 0, blockSize), 0 // who has parts of the old one keeps it
	}
	b.items = b.items[:from+n]
	return b.items[from : from+n : from+n]
}

func (b *block[T]) copyOf(list []T) []T {
	out := b.take(len(list))
	copy(out, list)
	return out
}

func (b *block[T]) release() {
	clear(b.items)
	b.items = b.items[:0]
}
