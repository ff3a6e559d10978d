package traversal

import (
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
)

// ByFunc returns a by() modulator as a function; false means unproductive. A nil
// modulator is by().
func (r *Run) ByFunc(m *Modulator) (Func, error) {
	if m == nil {
		return identity, nil
	}
	f, err := r.byFunc(m)
	if err != nil || !m.Productive {
		return f, err
	}
	return func(t *Traverser) (value.Value, bool, error) {
		v, _, err := f(t)
		return v, true, err
	}, nil
}

func (r *Run) byFunc(m *Modulator) (Func, error) {
	switch m.Kind {
	case ByKey:
		return r.keyFunc(m.Key), nil
	case ByToken:
		return r.TokenFunc(m.Token.Str()), nil
	case ByColumn:
		col := m.Token.Str()
		return func(t *Traverser) (value.Value, bool, error) {
			v, err := r.Column(t.Value, col)
			return v, true, err
		}, nil
	case ByChild:
		return r.ChildFunc(m.Child)
	case ByLambda:
		return r.ValueFunc(m.Lambda)
	}
	return identity, nil
}

// ByFuncs opens all by() modulators of a node.
func (r *Run) ByFuncs(n *Node) ([]Func, error) {
	fs := make([]Func, len(n.By))
	for i, m := range n.By {
		f, err := r.ByFunc(m)
		if err != nil {
			return nil, err
		}
		fs[i] = f
	}
	return fs, nil
}

func identity(t *Traverser) (value.Value, bool, error) { return t.Value, true, nil }

// keyFunc projects by("key"): the only property value of an element, or the entry of a
// map.
func (r *Run) keyFunc(key string) Func {
	var scratch PropertyScratch
	return func(t *Traverser) (value.Value, bool, error) {
		switch t.Kind() {
		case value.KindVertex, value.KindEdge, value.KindVertexProperty:
			return r.SoleProperty(t.Value, key, &scratch)
		case value.KindMap:
			v, ok := t.Map().Get(value.String(key))
			if !ok {
				v, ok = t.mapToken(key)
			}
			return v, ok, nil
		case value.KindNull:
			return value.Null, false, nil
		}
		return value.Null, false, fmt.Errorf("The by(\"%s\") modulator can only be applied to a traverser that is an Element or a Map - it is being applied to [%s] a %s class instead",
			key, r.Text(t.Value), t.Kind().JavaClass())
	}
}

// mapToken finds an entry keyed by a T constant (elementMap()) by its name.
func (t *Traverser) mapToken(key string) (value.Value, bool) {
	return t.Map().Get(value.Enum(value.KindT, key))
}

// TokenFunc projects T.id, T.label, T.key or T.value of an element.
func (r *Run) TokenFunc(token string) Func {
	return func(t *Traverser) (value.Value, bool, error) {
		v, err := r.Token(t.Value, token)
		return v, err == nil, err
	}
}

// LambdaFunc compiles a closure that takes the traverser as `it`.
func (r *Run) LambdaFunc(l value.Value) (Func, error) {
	c, err := r.compileClosure(l)
	if err != nil {
		return nil, err
	}
	return func(t *Traverser) (value.Value, bool, error) {
		v, err := c.Call(r.Ctx, r.Closures.Wrap(r, t))
		return v, err == nil, err
	}, nil
}

// ValueFunc compiles a closure that takes the object itself, as by(closure) does.
func (r *Run) ValueFunc(l value.Value) (Func, error) {
	c, err := r.compileClosure(l)
	if err != nil {
		return nil, err
	}
	return func(t *Traverser) (value.Value, bool, error) {
		v, err := c.Call(r.Ctx, t.Value)
		return v, err == nil, err
	}, nil
}

func (r *Run) compileClosure(l value.Value) (Closure, error) {
	if r.Closures == nil {
		return nil, fmt.Errorf("closures are switched off on this server")
	}
	return r.Closures.Compile(l)
}

// BinaryFunc returns an Operator constant or a closure of two arguments as a function.
func (r *Run) BinaryFunc(op value.Value) (func(a, b value.Value) (value.Value, error), error) {
	if op.Kind() == value.KindOperator {
		name := op.Str()
		return func(a, b value.Value) (value.Value, error) { return Operate(name, a, b) }, nil
	}
	c, err := r.compileClosure(op)
	if err != nil {
		return nil, err
	}
	return func(a, b value.Value) (value.Value, error) { return c.Call(r.Ctx, a, b) }, nil
}

// initialSack evaluates withSack's initial value, which may be a closure.
func (r *Run) initialSack() value.Value {
	s := r.Plan.Options.Sack
	if k := s.Initial.Kind(); k != value.KindLambda && k != value.KindForeign {
		return s.Initial
	}
	c, err := r.compileClosure(s.Initial)
	if err != nil {
		return value.Null
	}
	v, err := c.Call(r.Ctx)
	if err != nil {
		return value.Null
	}
	return v
}
