package find

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Test is one compiled traversal.Has. It belongs to one run: it keeps the symbol
// of its key and a buffer for the properties it reads.
type Test struct {
	has  traversal.Has
	test traversal.Test
	// text is set when ids are compared as strings, because the predicate's are.
	text bool
	sym  [1]blueprints.Symbol
	// known is set when sym is the key's symbol: symbols never change.
	known bool
	buf   []blueprints.PropertyEntry
	ids   knownIDs
}

// Compile makes filters ready for one run.
func Compile(r *traversal.Run, list []traversal.Has) ([]Test, error) {
	tests := make([]Test, len(list))
	for i, h := range list {
		t, err := h.P.Compile(r)
		if err != nil {
			return nil, err
		}
		tests[i] = Test{has: h, test: t, text: h.Token.Str() == "id" && textual(h.P)}
	}
	return tests, nil
}

// textual reports whether all values of a predicate are strings: such ids match by
// their text, so that hasId("1") finds 1.
func textual(p *traversal.P) bool {
	found := false
	for _, a := range p.Args {
		all := true
		traversal.Each(a, func(v value.Value, _ int64) {
			found = found || v.Kind() == value.KindString
			all = all && (v.Kind() == value.KindString || v.IsNull())
		})
		if !all {
			return false
		}
	}
	return found
}

// Passes reports whether v satisfies all tests. A property passes when one of its
// values does.
func Passes(r *traversal.Run, tests []Test, v value.Value) (bool, error) {
	for i := range tests {
		ok, err := tests[i].passes(r, v)
		if err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

func (h *Test) passes(r *traversal.Run, v value.Value) (bool, error) {
	switch {
	case v.Kind() == value.KindProperty || v.Kind() == value.KindVertexProperty && h.ofProperty():
		return h.property(r, v)
	case !v.Kind().IsElement():
		return false, step.NotElement(v)
	case !h.has.Token.IsNull():
		return h.token(r, v)
	case v.IsStored():
		return h.stored(r, v)
	}
	return h.detached(r, v)
}

func (h *Test) ofProperty() bool {
	return h.has.Token.Str() == "key" || h.has.Token.Str() == "value"
}

// property tests key or value of a property; anything else about one is not there.
func (h *Test) property(r *traversal.Run, v value.Value) (bool, error) {
	if !h.ofProperty() {
		return false, nil
	}
	x, err := r.Token(v, h.has.Token.Str())
	if err != nil {
		return false, err
	}
	return h.test(x)
}

func (h *Test) token(r *traversal.Run, v value.Value) (bool, error) {
	if h.ofProperty() {
		return false, nil // hasKey() and hasValue() find no such property on elements
	}
	if passes, ok, err := h.ids.has(r, h, v); ok || err != nil {
		return passes, err
	}
	x, err := r.Token(v, h.has.Token.Str())
	if err != nil {
		return false, err
	}
	return h.testToken(r, x)
}

// testToken tests an id or a label.
func (h *Test) testToken(r *traversal.Run, x value.Value) (bool, error) {
	if h.text {
		s, err := r.JavaString(x)
		if err != nil {
			return false, err
		}
		x = value.String(s)
	}
	return h.test(x)
}

// stored reads the values of a stored element's property into a buffer that is used
// again, so that a filter over many elements allocates nothing for each.
func (h *Test) stored(r *traversal.Run, v value.Value) (bool, error) {
	if !h.known {
		if h.sym[0], h.known = r.View.Symbol(h.has.Key); !h.known {
			return false, nil
		}
	}
	if v.Kind() == value.KindEdge {
		x, ok, err := r.View.EdgeValue(blueprints.EdgeID(v.Ref()), h.sym[0])
		if !ok || err != nil {
			return false, err
		}
		return h.test(x)
	}
	var err error
	h.buf, err = r.View.VertexProperties(h.buf[:0], blueprints.VertexID(v.Ref()), h.sym[:])
	if err != nil {
		return false, err
	}
	for i := range h.buf {
		if ok, err := h.test(h.buf[i].Value); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

func (h *Test) detached(r *traversal.Run, v value.Value) (bool, error) {
	props, err := r.Properties(nil, v, []string{h.has.Key})
	if err != nil {
		return false, err
	}
	for _, p := range props {
		x, err := r.Token(p, "value")
		if err != nil {
			return false, err
		}
		if ok, err := h.test(x); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}
