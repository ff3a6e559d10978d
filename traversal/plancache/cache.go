package plancache

import (
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// How many shapes are kept before the older half is forgotten, and how many bytes they
// take then.
const (
	shapesMax     = 512
	shapeBytesMax = 4 << 20
	planBytesMax  = shapeBytesMax / 4 // of one: larger plans are made each time
)

// Cache keeps plans by shape. It may be used by many goroutines.
type Cache struct {
	registry *traversal.Registry
	shapes   *Recent[entry]
}

// entry is what is known of a shape. It is immutable.
type entry struct {
	effects  traversal.Effects // before strategies
	standIns []value.Value
	plan     *traversal.Plan // nil: compile each time
	touched  []bool          // the nodes of the plan that stand-ins are in
	vertex   []string        // the indexes that the plan was made for
	edge     []string
	declared [2][]*blueprints.IndexDefinition
	version  *atomic.Pointer[keyindex.Definitions] // that was found to list these
	met      bool                                  // only seen so far
	// others are the same shape's plans for other indexes, the newest first: graphs that
	// have their own take turns.
	others []*entry
}

// othersMax is how many plans of one shape are kept beside the one that was made last.
const othersMax = 7

// New returns an empty Cache.
func New(r *traversal.Registry) *Cache {
	return &Cache{registry: r, shapes: NewRecent[entry](shapesMax, shapeBytesMax)}
}

// Query is one traversal on its way to a plan: what effects it has is known before a
// transaction is opened for it, and strategies apply within that.
type Query struct {
	// Memory, when not nil, is where plans get their constants; they are gone once it is
	// released.
	Memory *Memory

	// Meter bounds what compiling takes.
	Meter traversal.Meter

	cache    *Cache
	bytecode *traversal.Bytecode // nil while form stands in for it
	form     *Form               // nil when it was opened with bytecode
	shape    shape
	entry    *entry          // nil for none
	plan     *traversal.Plan // compiled, without strategies; nil when entry has one
	buf      [192]byte
	constant [4]value.Value
}

// Forget leaves nothing of what was asked.
func (q *Query) Forget() {
	q.Meter, q.shape = traversal.Meter{}, shape{}
	q.cache, q.bytecode, q.form, q.entry, q.plan = nil, nil, nil, nil, nil
	clear(q.constant[:])
}

// Open compiles b unless a plan of its shape is here.
func (c *Cache) Open(b *traversal.Bytecode) (*Query, error) {
	q := &Query{}
	return q, q.Open(c, b)
}

// Open makes q, whatever it was, what Cache.Open returns.
func (q *Query) Open(c *Cache, b *traversal.Bytecode) error {
	q.cache, q.bytecode, q.form, q.entry, q.plan = c, b, nil, nil, nil
	q.shape = shape{key: q.buf[:0], constants: q.constant[:0]}
	if q.shape.of(b) {
		q.entry = c.shapes.Find(q.shape.key)
	} else {
		q.shape.key = nil
	}
	return q.compile()
}

// compile makes the plan unless the entry has one.
func (q *Query) compile() (err error) {
	if q.entry == nil || q.entry.plan == nil {
		q.plan, err = traversal.Compile(&q.Meter, q.cache.registry, q.code())
	}
	return err
}

// Effects is what the traversal does before strategies change it.
func (q *Query) Effects() traversal.Effects {
	if q.plan == nil {
		return q.entry.effects
	}
	return q.plan.Effects()
}

// Compiled is the plan before strategies change it, or one that they have changed, of other
// constants: what is the same in both may be asked of it, such as options.
func (q *Query) Compiled() *traversal.Plan {
	if q.plan == nil {
		return q.entry.plan
	}
	return q.plan
}

// Elements returns the query's bytecode if there can be elements in it, nil otherwise:
// what has a shape has none.
func (q *Query) Elements() *traversal.Bytecode {
	if q.shape.key != nil {
		return nil
	}
	return q.bytecode
}

// Plan returns the plan that runs, with all strategies applied.
func (q *Query) Plan(g strategy.Indexes) (*traversal.Plan, error) {
	if q.plan == nil {
		if e := q.entry.forIndexes(g); e != nil {
			return q.bound(e)
		}
		var err error
		if q.plan, err = traversal.Compile(&q.Meter, q.cache.registry, q.code()); err != nil {
			return nil, err
		}
		q.entry = &entry{met: true, others: q.entry.withOthers()} // to be made again
		if q.form != nil {
			q.form.entry.Store(nil)
		}
	}
	q.learn(g)
	p, err := strategy.Apply(&q.Meter, q.cache.registry, q.plan, g)
	if err != nil {
		return nil, err
	}
	return p.Sealed(), nil
}

// forIndexes is the plan for the indexes that there are, nil when there is none.
func (e *entry) forIndexes(g strategy.Indexes) *entry {
	if e.madeFor(g) {
		return e
	}
	for _, o := range e.others {
		if o.madeFor(g) {
			return o
		}
	}
	return nil
}

// withOthers lists the plans to keep beside one that is made now.
func (e *entry) withOthers() []*entry {
	alone := *e
	alone.others = nil
	return append([]*entry{&alone}, e.others[:min(len(e.others), othersMax-1)]...)
}

// sameKeys reports whether two lists of keys are equal. They mostly are one list, and may be
// long.
func sameKeys(a, b []string) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || slices.Equal(a, b))
}

// madeFor reports whether the plan was made for the indexes that there are.
func (e *entry) madeFor(g strategy.Indexes) bool {
	version := g.IndexVersion()
	if version != nil && e.version != nil && version == e.version.Load() {
		return true
	}
	same := sameKeys(e.vertex, g.VertexIndexes()) && sameKeys(e.edge, g.EdgeIndexes()) &&
		slices.Equal(e.declared[0], g.DeclaredIndexes(blueprints.VertexClass)) &&
		slices.Equal(e.declared[1], g.DeclaredIndexes(blueprints.EdgeClass))
	if same && version != nil && e.version != nil {
		e.version.Store(version)
	}
	return same
}

// bound is the plan of an entry with the query's constants.
func (q *Query) bound(e *entry) (*traversal.Plan, error) {
	memory := q.Memory
	if memory == nil {
		memory = &Memory{}
	}
	if p := memory.again(e, q.shape.constants); p != nil {
		return p, nil
	}
	memory.begin()
	b := newBinder(e.standIns, q.shape.constants, memory)
	p, err := b.root(e.plan, e.touched)
	if err == nil {
		memory.keep(e, p)
	}
	return p, err
}

// learn takes note of the shape, the second time with a plan.
func (q *Query) learn(g strategy.Indexes) {
	switch {
	case q.shape.key == nil:
	case q.entry == nil:
		q.cache.shapes.Keep(q.shape.key, &entry{met: true}, metBytes)
	case q.entry.met:
		e := q.cache.template(q.code(), q.shape.constants, g)
		e.others = q.entry.others
		size := sizeOf(e)
		if size > planBytesMax && e.others != nil {
			e.others = nil
			size = sizeOf(e)
		}
		if size > planBytesMax {
			e, size = &entry{}, metBytes
		}
		q.cache.shapes.Keep(q.shape.key, e, size)
	}
}

const metBytes = int(unsafe.Sizeof(entry{}))

// template makes the plan of a shape, or finds out that there can be none.
func (c *Cache) template(b *traversal.Bytecode, constants []value.Value, g strategy.Indexes) *entry {
	e := &entry{standIns: ascending(constants), vertex: g.VertexIndexes(), edge: g.EdgeIndexes()}
	e.declared = [...][]*blueprints.IndexDefinition{g.DeclaredIndexes(blueprints.VertexClass), g.DeclaredIndexes(blueprints.EdgeClass)}
	e.version = new(atomic.Pointer[keyindex.Definitions])
	others := descending(constants)
	plan, effects, err := c.compile(ownWithConstants(b, e.standIns), g)
	if err != nil {
		return &entry{}
	}
	other, _, err := c.compile(withConstants(b, others), g)
	if err != nil {
		return &entry{}
	}
	bind := newBinder(e.standIns, others, &Memory{})
	bound, err := bind.plan(plan)
	if err != nil || !samePlan(bound, other) {
		return &entry{}
	}
	for i, n := range bound.Nodes {
		e.touched = append(e.touched, n != plan.Nodes[i])
	}
	e.plan, e.effects = plan, effects
	return e
}

func (c *Cache) compile(b *traversal.Bytecode, g strategy.Indexes) (*traversal.Plan, traversal.Effects, error) {
	p, err := traversal.Compile(nil, c.registry, b)
	if err != nil {
		return nil, 0, err
	}
	effects := p.Effects()
	if p, err = strategy.Apply(nil, c.registry, p, g); err != nil {
		return nil, 0, err
	}
	return p.Sealed(), effects, nil
}
