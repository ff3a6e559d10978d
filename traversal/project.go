package traversal

import (
	"fmt"
	"slices"
	"sync"

	"github.com/gremlind/gremlind/blueprints"
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

// ByBatch is a by() modulator for the traversers of a batch, each of bulk 1: Of appends
// what it gives for each of them that it is productive for, and ends where that ends.
type ByBatch struct {
	r        *Run
	each     Func
	vertices vertexColumn // of the kind of by(), like each: nil where an object tells it all
	scratch  *columnScratch
	at       Traverser
}

// vertexColumn projects the vertices of a scratch at once, and appends to ends, where somebody
// asks for them.
type vertexColumn func(dst []value.Value, s *columnScratch, ends *[]int) ([]value.Value, error)

// columnScratch is memory for a batch, which runs hand on.
type columnScratch struct {
	ids  []blueprints.VertexID
	syms []blueprints.Symbol
	ends []int
}

// columnKept is for how many traversers there is memory that is handed on.
const columnKept = 1 << 12

var columnScratches = sync.Pool{New: func() any { return &columnScratch{} }}

// Release gives memory back. The batches to come, if there are any, take other.
func (c *ByBatch) Release() {
	if s := c.scratch; s != nil && cap(s.ids) <= columnKept {
		columnScratches.Put(s)
	}
	c.scratch = nil
}

// ByBatch returns a modulator as a ByBatch. f is what ByFunc returned for it.
func (r *Run) ByBatch(m *Modulator, f Func) *ByBatch {
	c := &ByBatch{r: r, each: f}
	switch {
	case m.Productive:
	case m.Kind == ByKey:
		c.vertices = r.keyColumn(m.Key)
	case m.Kind == ByToken && m.Token.Str() == "label":
		c.vertices = r.labelColumn()
	}
	return c
}

// Columnar reports whether vertices are projected at once. What is given depends on the
// objects alone then, whatever their bulks.
func (c *ByBatch) Columnar() bool { return c.vertices != nil }

// Of projects a batch.
func (c *ByBatch) Of(dst []value.Value, b *Batch) ([]value.Value, error) {
	return c.project(dst, b, nil)
}

// Each projects a batch, and appends to ends, for each traverser, where in dst that ends which
// is given for it: nothing, or one value.
func (c *ByBatch) Each(dst []value.Value, ends []int, b *Batch) ([]value.Value, []int, error) {
	dst, err := c.project(dst, b, &ends)
	return dst, ends, err
}

func (c *ByBatch) project(dst []value.Value, b *Batch, ends *[]int) ([]value.Value, error) {
	if c.vertices != nil && c.scratch == nil {
		c.scratch = columnScratches.Get().(*columnScratch)
	}
	for i := 0; i < b.Len(); {
		if s := c.scratch; s != nil {
			if s.ids = VertexIDs(s.ids[:0], b.Objects[i:]); len(s.ids) > 0 {
				var err error
				if dst, err = c.vertices(dst, s, ends); err != nil {
					return dst, err
				}
				i += len(s.ids)
				continue
			}
		}
		if err := c.r.Poll(); err != nil {
			return dst, err
		}
		c.at = b.At(i)
		k, ok, err := c.each(&c.at)
		if err != nil {
			return dst, err
		}
		if ok {
			dst = append(dst, k)
		}
		if ends != nil {
			*ends = append(*ends, len(dst))
		}
		i++
	}
	return dst, nil
}

func (r *Run) keyColumn(key string) vertexColumn {
	return func(dst []value.Value, c *columnScratch, ends *[]int) ([]value.Value, error) {
		s, ok := r.View.Symbol(key)
		from := len(dst)
		if !ok {
			if ends != nil {
				*ends = append(*ends, slices.Repeat([]int{from}, len(c.ids))...)
			}
			return dst, nil
		}
		var err error
		dst, c.ends, err = r.View.VertexValues(dst, c.ends[:0], c.ids, s)
		for _, end := range c.ends {
			if end > from+1 {
				return dst, severalProperties(key)
			}
			from = end
		}
		if ends != nil {
			*ends = append(*ends, c.ends...)
		}
		return dst, err
	}
}

func (r *Run) labelColumn() vertexColumn {
	var name value.Value
	var last blueprints.Symbol
	return func(dst []value.Value, c *columnScratch, ends *[]int) ([]value.Value, error) {
		var err error
		c.syms, err = r.View.VertexLabels(c.syms[:0], c.ids)
		dst = slices.Grow(dst, len(c.syms))
		for _, s := range c.syms {
			if s != last || name.IsNull() {
				last, name = s, value.String(r.View.Name(s))
			}
			dst = append(dst, name)
			if ends != nil {
				*ends = append(*ends, len(dst))
			}
		}
		return dst, err
	}
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
				v, _ = t.mapToken(key)
			}
			return v, true, nil // a missing key is null, as in Java
		case value.KindTree:
			v, _ := t.Tree().Get(value.String(key))
			return v, true, nil
		case value.KindNull:
			return value.Null, false, NullClass("o")
		}
		return value.Null, false, illegalState("The by(\"%s\") modulator can only be applied to a traverser that is an Element or a Map - it is being applied to [%s] a %s class instead",
			value.Brief(key), r.Text(t.Value), t.Kind().SimpleClass())
	}
}

// mapToken finds an entry keyed by a T constant (elementMap()) by its name.
func (t *Traverser) mapToken(key string) (value.Value, bool) {
	return t.Map().Get(value.Enum(value.KindT, key))
}

// TokenFunc projects T.id, T.label, T.key or T.value of an element.
func (r *Run) TokenFunc(token string) Func {
	return func(t *Traverser) (value.Value, bool, error) {
		if !hasToken(t.Kind(), token) {
			return value.Null, false, noToken(t.Kind(), token)
		}
		v, err := r.Token(t.Value, token)
		return v, err == nil, err
	}
}

// hasToken reports whether TokenFunc projects objects of a kind.
func hasToken(k value.Kind, token string) bool {
	switch k {
	case value.KindVertex, value.KindEdge, value.KindVertexProperty:
		return true
	case value.KindProperty:
		return token == "key" || token == "value"
	}
	return false
}

func noToken(k value.Kind, token string) error {
	class := k.JavaClass()
	switch k {
	case value.KindNull:
		return NullClass("s")
	case value.KindProperty:
		class = k.String()
	}
	return illegalState("TokenTraversal support of %s does not allow selection by %s", class, token)
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
		return func(a, b value.Value) (value.Value, error) { return r.Operate(name, a, b) }, nil
	}
	c, err := r.compileClosure(op)
	if err != nil {
		return nil, err
	}
	return func(a, b value.Value) (value.Value, error) { return c.Call(r.Ctx, a, b) }, nil
}

// initialSack evaluates withSack's initial value, which may be a closure. As in
// splitWithSack, an error is kept and ends the run.
func (r *Run) initialSack() value.Value {
	v, err := r.supplied(r.Plan.Options.Sack.Initial)
	if err != nil {
		if r.failed == nil {
			r.failed = err
		}
		return value.Null
	}
	return v
}

// supplied is an initial value of the source: what a closure returns, or the value itself.
func (r *Run) supplied(initial value.Value) (value.Value, error) {
	if k := initial.Kind(); k != value.KindLambda && k != value.KindForeign {
		return initial, nil
	}
	c, err := r.compileClosure(initial)
	if err != nil {
		return value.Null, err
	}
	return c.Call(r.Ctx)
}
