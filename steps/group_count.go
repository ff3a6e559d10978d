package steps

import (
	"fmt"
	"sync"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// groupCount() counts how often each object, or what by() makes of it, comes.
//
//	V().groupCount().by(label)  one map from label to Long
//	groupCount("m").by("name")  into a side effect; the traversers go on
//
// Identity counts: 1 and 1L are two keys.
var groupCountSpec = traversal.Spec{
	Name: "groupCount", Class: "GroupCountStep", Kind: traversal.ReduceStep, MaxBy: -1,
	EffectsOf: keyedEffects,
	Doc:       "Counts how often each object comes.",
	Prepare: func(n *traversal.Node) error {
		if err := prepareKeyed(n); err != nil {
			return err
		}
		return step.OneBy(n, "GroupCount")
	},
	Open: openGroupCount,
}

// sideKey is the Data of steps that may write into a side effect; "" means not.
type sideKey string

func prepareKeyed(n *traversal.Node) error {
	n.Data = sideKey("")
	if len(n.Args) == 0 {
		return nil
	}
	k, err := step.TextArg(n, 0)
	if err != nil || len(n.Args) > 1 {
		return fmt.Errorf("%s() takes the key of a side effect", n.Name())
	}
	n.Data = sideKey(k)
	return nil
}

// keyedEffects: with a key the step writes a side effect.
func keyedEffects(n *traversal.Node) traversal.Effects {
	if len(n.Args) > 0 {
		return traversal.WritesSideEffect
	}
	return 0
}

func openGroupCount(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	by, err := step.OpenBy(n, r)
	if err != nil {
		return nil, err
	}
	key := string(n.Data.(sideKey))
	if key == "" {
		c := groupCounter{r: r, by: by}
		if len(n.By) == 1 {
			c.column = r.ByBatch(n.By[0], by)
		}
		return r.Reduce(up, func() traversal.Reducer {
			one := c
			one.counts = value.NewBulkSet()
			return &one
		}), nil
	}
	e := r.SideEffects.Register(key, func() *traversal.SideEffect { return &traversal.SideEffect{} })
	if e.State == nil && (!e.Supplied || e.Value.Kind() == value.KindMap) {
		e.State = newCountState(e.Value, r)
	}
	state, ok := e.State.(*countState)
	if !ok {
		return othersSideEffect(n, r, up, key, e), nil
	}
	one := &step.Single{}
	return &gather{r: r, in: r.Input(up), set: r.NewSet(), max: 1 << 62, each: func(t *traversal.Traverser) error {
		k, ok, err := by(one.Of(t))
		if err == nil && !ok {
			err = step.IllegalArgument("The provided traverser does not map to a value: %s->%s", r.Text(t.Value), traversal.Brief(n.By[0]))
		}
		if err != nil {
			return err
		}
		if state.counts.Add(k, t.Bulk) {
			return r.ChargeText(k, step.KeyBytes)
		}
		return nil
	}}, nil
}

// recentBits says how many keys groupCount() remembers in front of its table: keys are
// few as a rule, and come again and again.
const recentBits = 8

// recentKey is a key of the table with what it was counted since it came there.
type recentKey struct {
	key   value.Value
	n     int64
	known bool
}

// groupCounter reduces to a map. A BulkSet is what it needs: keys in the order of
// their first coming, each with a number.
type groupCounter struct {
	r      *traversal.Run
	by     traversal.Func
	counts *value.BulkSet
	one    step.Single
	traversal.One

	column *traversal.ByBatch // nil when there is no by()
	front  *countFront        // of batches
}

// countFront is memory for counting batches, which runs hand on: the keys of one, and those
// that came last.
type countFront struct {
	keys   []value.Value
	recent [1 << recentBits]recentKey
}

// countKeysKept is how many keys there is memory for that is handed on.
const countKeysKept = 1 << 12

var countFronts = sync.Pool{New: func() any { return &countFront{} }}

// release gives the memory back.
func (s *groupCounter) release() {
	f := s.front
	if s.front = nil; f == nil || cap(f.keys) > countKeysKept {
		return
	}
	clear(f.keys[:cap(f.keys)])
	clear(f.recent[:])
	countFronts.Put(f)
	if s.column != nil {
		s.column.Release()
	}
}

func (s *groupCounter) Add(t *traversal.Traverser) error {
	k, ok, err := s.by(s.one.Of(t))
	if err != nil || !ok {
		return err
	}
	if s.counts.Add(k, t.Bulk) {
		return s.r.ChargeText(k, step.KeyBytes)
	}
	return nil
}

// AddBatch implements traversal.Reducer. Traversers that stand for several are counted one
// by one.
func (s *groupCounter) AddBatch(b *traversal.Batch) error {
	if !b.Singles() {
		return s.Each(s.r, b, s)
	}
	if s.front == nil {
		s.front = countFronts.Get().(*countFront)
	}
	if s.column == nil {
		return s.countAll(b.Objects)
	}
	var err error
	if s.front.keys, err = s.column.Of(s.front.keys[:0], b); err != nil {
		return err
	}
	return s.countAll(s.front.keys)
}

func (s *groupCounter) countAll(keys []value.Value) error {
	for _, k := range keys {
		r := &s.front.recent[uint64(k.Int64())*0x9e3779b97f4a7c15>>(64-recentBits)]
		if r.key == k && r.known {
			r.n++
			continue
		}
		s.settle(r)
		r.key, r.known = k, true
		if s.counts.Add(k, 1) {
			if err := s.r.ChargeText(k, step.KeyBytes); err != nil {
				return err
			}
		}
	}
	return nil
}

// settle brings what a key was counted into the table.
func (s *groupCounter) settle(r *recentKey) {
	if r.n > 0 {
		s.counts.Add(r.key, r.n)
	}
	r.n = 0
}

func (s *groupCounter) Result() (value.Value, bool, error) {
	if s.front != nil {
		for i := range s.front.recent {
			s.settle(&s.front.recent[i])
		}
		s.release()
	}
	return countMap(s.counts, s.r), true, nil
}

func countMap(s *value.BulkSet, r *traversal.Run) value.Value {
	m := value.NewMapSize(s.Len())
	keys := make([]value.Value, s.Len())
	for i := range keys {
		keys[i], _ = s.Entry(i)
	}
	order := value.JavaOrder(keys, r)
	for i := range keys {
		if order != nil {
			i = int(order[i])
		}
		k, n := s.Entry(i)
		m.Put(k, value.Long(n))
	}
	return m.Value()
}

// countState is the live form of a side effect of groupCount().
type countState struct {
	counts *value.BulkSet
	r      *traversal.Run
}

// newCountState continues from a map that withSideEffect() supplied.
func newCountState(v value.Value, r *traversal.Run) *countState {
	s := &countState{counts: value.NewBulkSet(), r: r}
	for i := range v.Map().Len() {
		k, n := v.Map().Entry(i)
		s.counts.Add(k, value.AsInt64(n))
	}
	return s
}

func (s *countState) Value() (value.Value, error) { return countMap(s.counts, s.r), nil }
