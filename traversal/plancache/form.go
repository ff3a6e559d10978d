package plancache

import (
	"sync/atomic"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Form is all bytecode of one shape. Who knows that a request has a form needs its
// constants alone; the bytecode is made when somebody wants to see it. It may be used
// by many goroutines.
type Form struct {
	key    []byte // of the shape
	sample *traversal.Bytecode
	entry  atomic.Pointer[entry] // has a plan; nil until one was found
}

// NewForm returns the form of b, which stays as it is, and b's constants in order; nil
// when b has no shape.
func NewForm(b *traversal.Bytecode) (*Form, []value.Value) {
	var s shape
	if !s.of(b) {
		return nil, nil
	}
	return &Form{key: s.key, sample: b}, s.constants
}

// Size is about what f takes of memory, without the plan that it finds, in bytes.
func (f *Form) Size() int {
	if f == nil {
		return 0
	}
	return len(f.key) + sizeOf(f.sample)
}

// Bytecode returns the bytecode of the form that has the constants.
func (f *Form) Bytecode(constants []value.Value) *traversal.Bytecode {
	return withConstants(f.sample, constants)
}

// OpenForm makes q, whatever it was, what Open returns for f with constants, which
// must not change while q is used.
func (q *Query) OpenForm(c *Cache, f *Form, constants []value.Value) error {
	q.cache, q.bytecode, q.form, q.plan = c, nil, f, nil
	q.shape = shape{key: f.key, constants: constants}
	if q.entry = f.entry.Load(); q.entry == nil {
		q.entry = c.shapes.Find(f.key)
		if q.entry != nil && q.entry.plan != nil {
			f.entry.Store(q.entry)
		}
	}
	return q.compile()
}

// code is the bytecode, made from the form when the query has one.
func (q *Query) code() *traversal.Bytecode {
	if q.bytecode == nil {
		q.bytecode = q.form.Bytecode(q.shape.constants)
	}
	return q.bytecode
}
