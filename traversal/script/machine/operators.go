package machine

import (
	"math"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// Binary applies an operator.
func (m *Machine) Binary(op string, a, b value.Value) (value.Value, error) {
	if !a.Kind().IsNumber() || !b.Kind().IsNumber() {
		if err := m.LooksAt(a, b); err != nil {
			return value.Null, err
		}
	}
	switch op {
	case "==", "===":
		return value.Bool(m.Equal(a, b)), m.Surface()
	case "!=", "!==":
		return value.Bool(!m.Equal(a, b)), m.Surface()
	case "<", "<=", ">", ">=", "<=>":
		return m.ordered(op, a, b)
	case "in", "!in":
		ok, err := m.IsCase(b, a)
		return value.Bool(ok == (op == "in")), err
	case "=~", "==~":
		return m.Matches(a, b, op == "==~")
	case "..", "..<":
		return m.MakeRange(a, b, op == "..<")
	}
	if x, y := CodeOf(a), CodeOf(b); x.Kind().IsNumber() && y.Kind().IsNumber() {
		if large(x) || large(y) {
			if err := m.Charge(Extent(x) + Extent(y)); err != nil {
				return value.Null, err
			}
		}
		return m.arithmetic(op, x, y)
	}
	if name := operatorMethods[op]; name != "" {
		if IsCallable(a) {
			if v, ok, err := closureMethod(m, a, name, []value.Value{b}); ok || err != nil {
				return v, err
			}
		}
		if IsTime(a.Kind()) && (op == "+" || op == "-") {
			return m.Invoke(a, name, []value.Value{b})
		}
		if o, ok := Foreign(a).(appendable); ok && op == "<<" {
			return a, o.Grow(m, m.String(b))
		}
		if a.Kind() == value.KindMap && b.Kind() == value.KindMap && op == "-" {
			v, _, err := m.Tables().Maps.Try(m, a, name, []value.Value{b})
			return v, err
		}
	}
	switch op {
	case "+":
		return m.Plus(a, b)
	case "-":
		return m.minus(a, b)
	case "*":
		return m.Times(a, b)
	case "<<":
		return m.LeftShift(a, b)
	case "&", "|", "^":
		if a.Kind() == value.KindBool && b.Kind() == value.KindBool {
			return logic(op, a.Bool(), b.Bool()), nil
		}
		return m.setOperation(op, a, b)
	}
	return value.Null, m.noOperator(op, a, b)
}

func large(v value.Value) bool { return v.Kind() == value.KindBigInteger }

// CodeOf is the number of a character, for arithmetic.
func CodeOf(v value.Value) value.Value {
	if v.Kind() == value.KindChar {
		return value.Int(int32(v.Int64()))
	}
	return v
}

func logic(op string, a, b bool) value.Value {
	switch op {
	case "&":
		return value.Bool(a && b)
	case "|":
		return value.Bool(a || b)
	}
	return value.Bool(a != b)
}

// operatorMethods are the methods that the operators stand for, for errors.
var operatorMethods = map[string]string{
	"+": "plus", "-": "minus", "*": "multiply", "/": "div", "%": "mod", "**": "power",
	"<<": "leftShift", ">>": "rightShift", ">>>": "rightShiftUnsigned", "&": "and", "|": "or", "^": "xor",
}

func (m *Machine) noOperator(op string, a, b value.Value) error {
	name := operatorMethods[op]
	if a.IsNull() {
		return Fail(nullPointer, "Cannot invoke method %s() on null object", name)
	}
	return m.NoMethod(a, name, []value.Value{b})
}

func (m *Machine) ordered(op string, a, b value.Value) (value.Value, error) {
	c, err := m.compareNaturally(a, b)
	if err != nil {
		return value.Null, err
	}
	if op != "<=>" && (IsNaN(a) || IsNaN(b)) {
		return value.Bool(false), nil
	}
	switch op {
	case "<":
		return value.Bool(c < 0), nil
	case "<=":
		return value.Bool(c <= 0), nil
	case ">":
		return value.Bool(c > 0), nil
	case ">=":
		return value.Bool(c >= 0), nil
	}
	return value.Int(int32(c)), nil
}

// compareNaturally is Compare for those whose Java class has an order. Collections, maps,
// elements and their parts have none: one is as large as itself, and as nothing else. What
// sorts them all the same is Compare.
func (m *Machine) compareNaturally(a, b value.Value) (int, error) {
	if a.IsNull() || b.IsNull() || !unordered(a) {
		return m.Compare(a, b)
	}
	if a.Kind() == value.KindMap && b.Kind() == value.KindMap && a.Map() == b.Map() {
		return 0, nil
	}
	if o := Foreign(a); o != nil && o == Foreign(b) {
		return 0, nil
	}
	return 0, m.incomparable(a, b)
}

func unordered(v value.Value) bool {
	switch v.Kind() {
	case value.KindList, value.KindSet, value.KindMap, value.KindMapEntry, value.KindBulkSet, value.KindTree, value.KindPath,
		value.KindVertex, value.KindEdge, value.KindVertexProperty, value.KindProperty:
		return true
	}
	_, list := Foreign(v).(*List)
	return list
}

// IsNaN reports whether v is the number that is none.
func IsNaN(v value.Value) bool {
	return (v.Kind() == value.KindDouble || v.Kind() == value.KindFloat) && math.IsNaN(v.Float64())
}

// MakeRange is a..b: a list, for ranges of scripts are short.
func (m *Machine) MakeRange(a, b value.Value, exclusive bool) (value.Value, error) {
	var v value.Value
	var err error
	limit := m.State.Options.Limits.Items
	memory := &traversal.Meter{Ctx: m.Context, Account: m.State.Options.Account}
	switch {
	case a.Kind().IsNumber() && b.Kind().IsNumber() && (!isInt(a) || !isInt(b)):
		return m.numberRange(a, b, exclusive)
	case a.Kind().IsNumber() && b.Kind().IsNumber():
		x, y := value.AsInt64(a), value.AsInt64(b)
		if x != int64(int32(x)) || y != int64(int32(y)) {
			return v, Fail(ArgumentException, "a range of integers ends at %d", math.MaxInt32)
		}
		v, err = lang.IntegerRange(memory, int32(x), int32(y), limit)
	case a.Kind() == value.KindString && b.Kind() == value.KindString:
		v, err = lang.StringRange(memory, a.Str(), b.Str(), limit)
	default:
		return v, Fail(ArgumentException, "a range needs two numbers or two strings, not %s and %s", m.ClassOf(a), m.ClassOf(b))
	}
	switch {
	case err != nil && !Catchable(err):
		return v, m.Stop(err)
	case err != nil:
		return v, Fail(ArgumentException, "%v", err)
	}
	elems := v.Elems()
	if exclusive {
		if m.Equal(a, b) {
			elems = nil
		} else {
			elems = elems[:len(elems)-1]
		}
	}
	l := &List{Elems: elems}
	if a.Kind().IsNumber() {
		l.Span = &span{from: value.AsInt64(a), to: value.AsInt64(b), exclusive: exclusive}
	}
	return Wrap(l), m.Charge(ValueBytes * (len(elems) + 2))
}

// Plus is a + b of what are no numbers.
func (m *Machine) Plus(a, b value.Value) (value.Value, error) {
	if a.Kind() == value.KindMap && b.Kind() == value.KindMap {
		sum := value.NewMap()
		err := m.PutAll(sum, a.Map())
		if err == nil {
			err = m.PutAll(sum, b.Map())
		}
		return sum.Value(), err
	}
	if x, ok := Collection(a); ok {
		y, ok := Collection(b)
		if !ok {
			y = []value.Value{b}
		}
		if err := m.Charge(ValueBytes * (len(x) + len(y) + 2)); err != nil {
			return value.Null, err
		}
		elems := append(append(make([]value.Value, 0, len(x)+len(y)), x...), y...)
		if a.Kind() == value.KindSet {
			return m.NewSet(elems)
		}
		return NewList(elems), nil
	}
	if a.Kind() == value.KindString || b.Kind() == value.KindString || a.Kind() == value.KindChar {
		return m.JoinedTexts(m.String(a), m.String(b))
	}
	return value.Null, m.noOperator("+", a, b)
}

func (m *Machine) minus(a, b value.Value) (value.Value, error) {
	if a.Kind() == value.KindString {
		if err := m.NewText(len(a.Str())); err != nil {
			return value.Null, err
		}
		return value.String(strings.Replace(a.Str(), m.String(b), "", 1)), nil
	}
	x, ok := Collection(a)
	if !ok {
		return value.Null, m.noOperator("-", a, b)
	}
	y, ok := Collection(b)
	if !ok {
		y = []value.Value{b}
	}
	var left []value.Value
	others := NewList(y)
	for _, e := range x {
		if err := m.Step(); err != nil {
			return value.Null, err
		}
		in, err := m.IsCase(others, e)
		if err == nil && !in {
			left, err = append(left, e), m.Charge(ValueBytes)
		}
		if err != nil {
			return value.Null, err
		}
	}
	if a.Kind() == value.KindSet {
		return m.NewSet(left)
	}
	return NewList(left), nil
}

// Times is text * n and list * n.
func (m *Machine) Times(a, b value.Value) (value.Value, error) {
	elems, isList := ListElems(a)
	if !b.Kind().IsNumber() || a.Kind() != value.KindString && !isList {
		return value.Null, m.noOperator("*", a, b)
	}
	n := int(max(min(value.AsInt64(b), math.MaxInt32), -1))
	if n < 0 {
		return value.Null, Fail(ArgumentException, "multiply() should be called with a number of 0 or greater not: %s", m.String(b))
	}
	if !isList {
		if err := m.NewText(len(a.Str()) * n); err != nil {
			return value.Null, err
		}
		return value.String(strings.Repeat(a.Str(), n)), nil
	}
	if err := m.Charge(ValueBytes * len(elems) * n); err != nil {
		return value.Null, err
	}
	out := make([]value.Value, 0, len(elems)*n)
	for range n {
		out = append(out, elems...)
	}
	return NewList(out), nil
}

// LeftShift adds to a list, set or map, or appends to text.
func (m *Machine) LeftShift(a, b value.Value) (value.Value, error) {
	if err := m.Charge(EntryBytes); err != nil {
		return value.Null, err
	}
	if l, ok := Foreign(a).(*List); ok {
		l.Elems, l.Span = append(l.Elems, b), nil
		return a, nil
	}
	switch a.Kind() {
	case value.KindSet:
		a.Set().Add(m.Key(b))
		return a, m.Surface()
	case value.KindMap:
		if b.Kind() == value.KindMap {
			return a, m.putEach(a.Map(), b.Map())
		}
	case value.KindString:
		return m.JoinedTexts(a.Str(), m.String(b))
	}
	return value.Null, m.noOperator("<<", a, b)
}

// setOperation is & and | of collections.
func (m *Machine) setOperation(op string, a, b value.Value) (value.Value, error) {
	x, ok := Collection(a)
	y, ok2 := Collection(b)
	if !ok || !ok2 || op == "^" {
		return value.Null, m.noOperator(op, a, b)
	}
	if op == "|" {
		return m.Plus(a, b)
	}
	other, err := m.NewSet(y)
	if err == nil {
		err = m.Charge(ValueBytes * len(x))
	}
	if err != nil {
		return value.Null, err
	}
	var both []value.Value
	for _, e := range x {
		if err := m.Work(ItemWork + Extent(e)); err != nil {
			return value.Null, err
		}
		if other.Set().Has(e) {
			both = append(both, e)
		}
	}
	return NewList(both), nil
}
