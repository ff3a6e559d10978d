package merge

import (
	"errors"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// mergeKind is what vertices and edges do each in their own way.
type mergeKind struct {
	// resolve makes a map one that names no elements but by their ids.
	resolve func(s *mergeRun, t *traversal.Traverser, m *value.Map) (*value.Map, error)
	find    func(r *traversal.Run, m *value.Map) (traversal.Cursor, error)
	create  func(s *mergeRun, m *value.Map) (value.Value, error)
	set     func(s *mergeRun, element value.Value, key string, v value.Value) error
}

// mergeRun is a running mergeV or mergeE.
type mergeRun struct {
	r    *traversal.Run
	m    blueprints.Mutator
	p    *mergePlan
	kind mergeKind

	merge, onCreate, onMatch, out, in step.Operand
}

// open makes the running step of a kind.
func (k mergeKind) open(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	s, err := newMergeRun(n, r, k)
	if err != nil {
		return nil, err
	}
	if up == nil {
		up = step.Once(r, value.Null)
	}
	return r.FlatMap(up, s.elements), nil
}

func newMergeRun(n *traversal.Node, r *traversal.Run, kind mergeKind) (*mergeRun, error) {
	m, err := r.Write()
	if err != nil {
		return nil, err
	}
	p := n.Data.(*mergePlan)
	s := &mergeRun{r: r, m: m, p: p, kind: kind}
	for _, o := range []struct {
		op  *step.Operand
		arg mapArg
	}{{&s.merge, p.merge}, {&s.onCreate, p.onCreate}, {&s.onMatch, p.onMatch}, {&s.out, p.out}, {&s.in, p.in}} {
		if *o.op, err = step.NewOperand(n, r, o.arg.arg); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// elements gives those found, each with onMatch applied as it is asked for, or the new
// one.
func (s *mergeRun) elements(t *traversal.Traverser) (traversal.Cursor, error) {
	c, err := s.merged(t)
	if errors.Is(err, errNoVertex) {
		return traversal.Values(nil), nil
	}
	return c, err
}

func (s *mergeRun) merged(t *traversal.Traverser) (traversal.Cursor, error) {
	given, err := s.mergeMap(t)
	if err != nil {
		return nil, err
	}
	m, err := s.kind.resolve(s, t, given)
	if err != nil {
		return nil, err
	}
	if err := s.checkOnMatch(); err != nil {
		return nil, err
	}
	c := &matches{s: s, t: *t}
	if c.found, err = s.kind.find(s.r, m); err != nil {
		return nil, err
	}
	if ok, err := c.begin(); ok || err != nil {
		return c, err
	}
	create, err := s.createMap(t, given)
	if err != nil {
		return nil, err
	}
	if m, err = s.kind.resolve(s, t, combined(create, m)); err != nil {
		return nil, err
	}
	v, err := s.kind.create(s, m)
	return traversal.Values([]value.Value{v}), err
}

// checkOnMatch finds mistakes in a constant map even when nothing matches.
func (s *mergeRun) checkOnMatch() error {
	if !s.p.onMatch.given || s.p.onMatch.arg.Child != nil {
		return nil
	}
	return validateOnMatch(s.p.onMatch.arg.Value.Map())
}

// mergeMap returns the map to look for, checked.
func (s *mergeRun) mergeMap(t *traversal.Traverser) (*value.Map, error) {
	v := t.Value
	if !s.p.own {
		var err error
		if v, err = s.merge.Get(t); err != nil {
			return nil, err
		}
	}
	m, err := s.asMap(v)
	if err != nil {
		return nil, err
	}
	return m, validateMerge(s.p.name, m)
}

// asMap takes null for an empty map and adds the extra entries.
func (s *mergeRun) asMap(v value.Value) (*value.Map, error) {
	m := v.Map()
	if m == nil {
		if !v.IsNull() {
			return nil, step.CastError(v, "java.util.Map")
		}
		m = value.NewMap()
	}
	if len(s.p.extra) > 0 {
		m = m.Clone()
		for i := 0; i+1 < len(s.p.extra); i += 2 {
			m.Put(s.p.extra[i].Value, s.p.extra[i+1].Value)
		}
	}
	return m, nil
}

// createMap returns the onCreate map, nil when the merge map alone makes the element.
func (s *mergeRun) createMap(t *traversal.Traverser, merge *value.Map) (*value.Map, error) {
	if !s.p.onCreate.given {
		return nil, nil
	}
	v, err := s.onCreate.Get(t)
	if err != nil {
		return nil, err
	}
	m, err := s.asMap(v)
	if err != nil || m.Len() == 0 {
		return nil, err
	}
	if err := validateMerge(s.p.name, m); err != nil {
		return nil, err
	}
	return m, noOverrides(merge, m)
}

// match sets on an element that was found what onMatch says.
func (s *mergeRun) match(t *traversal.Traverser, element value.Value) error {
	at := t.At(element)
	x, err := s.onMatch.Get(&at)
	if err != nil {
		return err
	}
	m, err := s.asMap(x)
	if err != nil {
		return err
	}
	if err := validateOnMatch(m); err != nil {
		return err
	}
	for i := 0; i < m.Len(); i++ {
		k, v := m.Entry(i)
		if err := s.kind.set(s, element, k.Str(), v); err != nil {
			return err
		}
	}
	return nil
}

// described returns what a map says of a new element: its label, its id, null when it
// has none, and its properties, keys and values in turn.
func described(m *value.Map, label string) (string, value.Value, []value.Value) {
	id := value.Null
	var props []value.Value
	for i := 0; i < m.Len(); i++ {
		k, v := m.Entry(i)
		switch {
		case k.Kind() == value.KindT && k.Str() == "label":
			label = v.Str()
		case k.Kind() == value.KindT:
			id = v
		case k.Kind() == value.KindString:
			props = append(props, k, v)
		}
	}
	return label, id, props
}

// matches hands out the elements found, applying onMatch to each on its way.
type matches struct {
	s     *mergeRun
	t     traversal.Traverser
	found traversal.Cursor // nil when nothing can match
	buf   []value.Value
}

// begin finds the first match; false when there is none.
func (c *matches) begin() (bool, error) {
	if c.found == nil {
		return false, nil
	}
	var err error
	if c.buf, err = c.next(c.buf[:0]); err != nil || len(c.buf) == 0 {
		c.found.Close()
		return false, err
	}
	return true, nil
}

func (c *matches) next(dst []value.Value) ([]value.Value, error) {
	dst, err := c.found.Next(dst, 1)
	if err != nil || len(dst) == 0 || !c.s.p.onMatch.given {
		return dst, err
	}
	return dst, c.s.match(&c.t, dst[0])
}

func (c *matches) Next(dst []value.Value, _ int) ([]value.Value, error) {
	if len(c.buf) == 0 {
		var err error
		if c.buf, err = c.next(c.buf); err != nil {
			return dst, err
		}
	}
	dst = append(dst, c.buf...)
	c.buf = c.buf[:0]
	return dst, nil
}

func (c *matches) Close() { c.found.Close() }
