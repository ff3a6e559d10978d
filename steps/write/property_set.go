package write

import (
	"errors"
	"fmt"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

func openProperty(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	c := n.Data.(*propertyCall)
	m, err := r.Write()
	if err != nil {
		return nil, err
	}
	ends, err := ttlsOf(n)
	if err != nil {
		return nil, err
	}
	s := traversal.MakeKeeping(r, (*propertySetter).keepRoom)
	s.r, s.m, s.cardinality, s.ttl = r, m, c.cardinality, ends.element
	if s.ops, err = step.AppendOperands(s.ops, n, r, c.key, c.val); err == nil {
		s.ops, err = step.AppendOperands(s.ops, n, r, c.meta...)
	}
	if err != nil {
		return nil, err
	}
	if s.setOne == nil {
		s.setOne = func(t *traversal.Traverser) (value.Value, bool, error) {
			v, err := s.set(t)
			return v, err == nil, err
		}
	}
	return r.Replace(up, s.setOne), nil
}

// propertySetter is a running property(): key, value, and meta pairs.
type propertySetter struct {
	r           *traversal.Run
	m           blueprints.Mutator
	cardinality string
	ops         []step.Operand
	ttl         time.Duration  // 0 for good
	setOne      traversal.Func // set; made once
}

// keepRoom makes s zero but for its memory.
func (s *propertySetter) keepRoom() {
	*s = propertySetter{ops: traversal.Kept(s.ops), setOne: s.setOne}
}

// set returns the object as it is afterwards: a vertex property carries its own
// properties with it, others are themselves.
func (s *propertySetter) set(t *traversal.Traverser) (value.Value, error) {
	k, err := s.ops[0].Get(t)
	if err != nil {
		return value.Null, err
	}
	if k.Kind() == value.KindT {
		return value.Null, fmt.Errorf("T.%s is immutable on existing elements", k.Str())
	}
	key, err := propertyKey(k)
	if err != nil {
		return value.Null, err
	}
	val, err := s.ops[1].Get(t)
	if err != nil {
		return value.Null, err
	}
	if s.cardinality != "" && t.Kind() != value.KindVertex && t.Kind().IsElement() {
		return value.Null, fmt.Errorf("Property cardinality can only be set for a Vertex but the traversal encountered %s for key: %s",
			elementClass(t.Value), key)
	}
	switch {
	case t.Kind() == value.KindVertexProperty && s.ttl != 0:
		return value.Null, step.IllegalArgument("ttl is for elements and their properties, not for a property of a property")
	case t.Kind() == value.KindVertexProperty:
		return setMeta(s.r, s.m, t.Value, key, val)
	case !t.Kind().IsElement():
		return value.Null, step.NotElement(t.Value)
	case !t.IsStored():
		return value.Null, errors.New("Property addition is not supported")
	case t.Kind() == value.KindEdge:
		e := blueprints.EdgeID(t.Ref())
		if err := s.m.SetEdgeProperty(e, key, val); err != nil {
			return value.Null, err
		}
		return t.Value, expireEdgeProperty(s.m, e, key, s.ttl)
	}
	return t.Value, s.vertex(t, key, val)
}

func (s *propertySetter) vertex(t *traversal.Traverser, key string, val value.Value) error {
	var meta []value.Property
	id := value.Null
	for i := 2; i+1 < len(s.ops); i += 2 {
		mk, err := s.ops[i].Get(t)
		if err != nil {
			return err
		}
		mv, err := s.ops[i+1].Get(t)
		if err != nil {
			return err
		}
		if mk.Kind() == value.KindT && mk.Str() == "id" {
			id = mv
			continue
		}
		mkey, err := propertyKey(mk)
		if err != nil {
			return err
		}
		if mv.IsNull() && !s.r.View.Options().AllowNull {
			continue
		}
		meta = append(meta, value.Property{Key: mkey, Value: mv})
	}
	v := blueprints.VertexID(t.Ref())
	p, err := s.m.SetVertexProperty(v, s.cardinality, key, val, id, meta)
	if err != nil {
		return err
	}
	return expireVertexProperty(s.m, v, p, s.ttl)
}

// setMeta sets a property of a vertex property and returns the latter as it is now.
func setMeta(r *traversal.Run, m blueprints.Mutator, v value.Value, key string, val value.Value) (value.Value, error) {
	vp := v.VertexProperty()
	if !vp.Vertex.IsStored() {
		return v, errors.New("Property addition is not supported")
	}
	vertex := blueprints.VertexID(vp.Vertex.Ref())
	e, err := storedProperty(r, vp)
	if err != nil {
		return v, err
	}
	if err := m.SetMetaProperty(vertex, e, key, val); err != nil {
		return v, err
	}
	if e, err = storedProperty(r, vp); err != nil {
		return v, err
	}
	return value.OfVertexProperty(r.VertexProperty(vp.Vertex, &e)), nil
}

// storedProperty finds the cell of a vertex property.
func storedProperty(r *traversal.Run, vp *value.VertexProperty) (blueprints.PropertyEntry, error) {
	key, ok := r.View.Symbol(vp.Key)
	if ok {
		es, err := r.View.VertexProperties(nil, blueprints.VertexID(vp.Vertex.Ref()), []blueprints.Symbol{key})
		if err != nil {
			return blueprints.PropertyEntry{}, err
		}
		for _, e := range es {
			if e.Ordinal == vp.Ordinal {
				return e, nil
			}
		}
	}
	return blueprints.PropertyEntry{}, errPropertyGone
}

var errPropertyGone = errors.New("The property does not exist as it has no key, value, or associated element")

// propertyKey checks what a key evaluated to; the graph checks its text.
func propertyKey(k value.Value) (string, error) {
	switch {
	case k.IsNull():
		return "", step.IllegalArgument("Property key can not be null")
	case k.Kind() != value.KindString:
		return "", fmt.Errorf("class %s cannot be cast to class java.lang.String", value.JavaClass(k))
	}
	return k.Str(), blueprints.ValidateKey(k.Str())
}

// elementClass is the class that the reference names in messages.
func elementClass(v value.Value) string {
	switch v.Kind() {
	case value.KindVertex:
		return "TinkerVertex"
	case value.KindEdge:
		return "TinkerEdge"
	}
	return "TinkerVertexProperty"
}
