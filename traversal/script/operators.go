package script

import (
	"math"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// binary applies an operator.
func (m *machine) binary(op string, a, b value.Value) (value.Value, error) {
	if !a.Kind().IsNumber() || !b.Kind().IsNumber() {
		if err := m.looksAt(a, b); err != nil {
			return value.Null, err
		}
	}
	switch op {
	case "==", "===":
		return value.Bool(m.equal(a, b)), m.surface()
	case "!=", "!==":
		return value.Bool(!m.equal(a, b)), m.surface()
	case "<", "<=", ">", ">=", "<=>":
		return m.ordered(op, a, b)
	case "in", "!in":
		ok, err := m.isCase(b, a)
		return value.Bool(ok == (op == "in")), err
	case "=~", "==~":
		return m.matches(a, b, op == "==~")
	case "..", "..<":
		return m.makeRange(a, b, op == "..<")
	}
	if x, y := codeOf(a), codeOf(b); x.Kind().IsNumber() && y.Kind().IsNumber() {
		if large(x) || large(y) {
			if err := m.charge(extent(x) + extent(y)); err != nil {
				return value.Null, err
			}
		}
		return m.arithmetic(op, x, y)
	}
	if name := operatorMethods[op]; name != "" {
		if isCallable(a) {
			if v, ok, err := closureMethod(m, a, name, []value.Value{b}); ok || err != nil {
				return v, err
			}
		}
		if isTime(a.Kind()) && (op == "+" || op == "-") {
			return m.invoke(a, name, []value.Value{b})
		}
		if o, ok := foreign(a).(appendable); ok && op == "<<" {
			return a, o.grow(m, m.string(b))
		}
		if a.Kind() == value.KindMap && b.Kind() == value.KindMap && op == "-" {
			v, _, err := m.tables().maps.try(m, a, name, []value.Value{b})
			return v, err
		}
	}
	switch op {
	case "+":
		return m.plus(a, b)
	case "-":
		return m.minus(a, b)
	case "*":
		return m.times(a, b)
	case "<<":
		return m.leftShift(a, b)
	case "&", "|", "^":
		if a.Kind() == value.KindBool && b.Kind() == value.KindBool {
			return logic(op, a.Bool(), b.Bool()), nil
		}
		return m.setOperation(op, a, b)
	}
	return value.Null, m.noOperator(op, a, b)
}

func large(v value.Value) bool { return v.Kind() == value.KindBigInteger }

// codeOf is the number of a character, for arithmetic.
func codeOf(v value.Value) value.Value {
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

func (m *machine) noOperator(op string, a, b value.Value) error {
	name := operatorMethods[op]
	if a.IsNull() {
		return fail(nullPointer, "Cannot invoke method %s() on null object", name)
	}
	return m.noMethod(a, name, []value.Value{b})
}

func (m *machine) ordered(op string, a, b value.Value) (value.Value, error) {
	c, err := m.compare(a, b)
	if err != nil {
		return value.Null, err
	}
	if op != "<=>" && (isNaN(a) || isNaN(b)) {
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

func isNaN(v value.Value) bool {
	return (v.Kind() == value.KindDouble || v.Kind() == value.KindFloat) && math.IsNaN(v.Float64())
}

// makeRange is a..b: a list, for ranges of scripts are short.
func (m *machine) makeRange(a, b value.Value, exclusive bool) (value.Value, error) {
	var v value.Value
	var err error
	limit := m.s.o.Limits.Items
	memory := &traversal.Meter{Ctx: m.ctx, Account: m.s.o.Account}
	switch {
	case a.Kind().IsNumber() && b.Kind().IsNumber():
		x, y := value.AsInt64(a), value.AsInt64(b)
		if x != int64(int32(x)) || y != int64(int32(y)) {
			return v, fail(argumentException, "a range of integers ends at %d", math.MaxInt32)
		}
		v, err = lang.IntegerRange(memory, int32(x), int32(y), limit)
	case a.Kind() == value.KindString && b.Kind() == value.KindString:
		v, err = lang.StringRange(memory, a.Str(), b.Str(), limit)
	default:
		return v, fail(argumentException, "a range needs two numbers or two strings, not %s and %s", m.classOf(a), m.classOf(b))
	}
	switch {
	case err != nil && !catchable(err):
		return v, m.stop(err)
	case err != nil:
		return v, fail(argumentException, "%v", err)
	}
	elems := v.Elems()
	if exclusive {
		if m.equal(a, b) {
			elems = nil
		} else {
			elems = elems[:len(elems)-1]
		}
	}
	l := &list{elems: elems}
	if a.Kind().IsNumber() {
		l.span = &span{value.AsInt64(a), value.AsInt64(b), exclusive}
	}
	return wrap(l), m.charge(valueBytes * (len(elems) + 2))
}

func (m *machine) plus(a, b value.Value) (value.Value, error) {
	if a.Kind() == value.KindMap && b.Kind() == value.KindMap {
		sum := value.NewMap()
		err := m.putAll(sum, a.Map())
		if err == nil {
			err = m.putAll(sum, b.Map())
		}
		return sum.Value(), err
	}
	if x, ok := collection(a); ok {
		y, ok := collection(b)
		if !ok {
			y = []value.Value{b}
		}
		if err := m.charge(valueBytes * (len(x) + len(y) + 2)); err != nil {
			return value.Null, err
		}
		elems := append(append(make([]value.Value, 0, len(x)+len(y)), x...), y...)
		if a.Kind() == value.KindSet {
			return m.newSet(elems)
		}
		return newList(elems), nil
	}
	if a.Kind() == value.KindString || b.Kind() == value.KindString || a.Kind() == value.KindChar {
		return m.joinedTexts(m.string(a), m.string(b))
	}
	return value.Null, m.noOperator("+", a, b)
}

func (m *machine) minus(a, b value.Value) (value.Value, error) {
	if a.Kind() == value.KindString {
		if err := m.newText(len(a.Str())); err != nil {
			return value.Null, err
		}
		return value.String(strings.Replace(a.Str(), m.string(b), "", 1)), nil
	}
	x, ok := collection(a)
	if !ok {
		return value.Null, m.noOperator("-", a, b)
	}
	y, ok := collection(b)
	if !ok {
		y = []value.Value{b}
	}
	var left []value.Value
	others := newList(y)
	for _, e := range x {
		if err := m.step(); err != nil {
			return value.Null, err
		}
		in, err := m.isCase(others, e)
		if err == nil && !in {
			left, err = append(left, e), m.charge(valueBytes)
		}
		if err != nil {
			return value.Null, err
		}
	}
	if a.Kind() == value.KindSet {
		return m.newSet(left)
	}
	return newList(left), nil
}

// times is text * n and list * n.
func (m *machine) times(a, b value.Value) (value.Value, error) {
	elems, isList := listElems(a)
	if !b.Kind().IsNumber() || a.Kind() != value.KindString && !isList {
		return value.Null, m.noOperator("*", a, b)
	}
	n := int(max(min(value.AsInt64(b), math.MaxInt32), -1))
	if n < 0 {
		return value.Null, fail(argumentException, "multiply() should be called with a number of 0 or greater not: %s", m.string(b))
	}
	if !isList {
		if err := m.newText(len(a.Str()) * n); err != nil {
			return value.Null, err
		}
		return value.String(strings.Repeat(a.Str(), n)), nil
	}
	if err := m.charge(valueBytes * len(elems) * n); err != nil {
		return value.Null, err
	}
	out := make([]value.Value, 0, len(elems)*n)
	for range n {
		out = append(out, elems...)
	}
	return newList(out), nil
}

// leftShift adds to a list, set or map, or appends to text.
func (m *machine) leftShift(a, b value.Value) (value.Value, error) {
	if err := m.charge(entryBytes); err != nil {
		return value.Null, err
	}
	if l, ok := foreign(a).(*list); ok {
		l.elems, l.span = append(l.elems, b), nil
		return a, nil
	}
	switch a.Kind() {
	case value.KindSet:
		a.Set().Add(m.key(b))
		return a, m.surface()
	case value.KindMap:
		if b.Kind() == value.KindMap {
			return a, m.putEach(a.Map(), b.Map())
		}
	case value.KindString:
		return m.joinedTexts(a.Str(), m.string(b))
	}
	return value.Null, m.noOperator("<<", a, b)
}

// setOperation is & and | of collections.
func (m *machine) setOperation(op string, a, b value.Value) (value.Value, error) {
	x, ok := collection(a)
	y, ok2 := collection(b)
	if !ok || !ok2 || op == "^" {
		return value.Null, m.noOperator(op, a, b)
	}
	if op == "|" {
		return m.plus(a, b)
	}
	other, err := m.newSet(y)
	if err == nil {
		err = m.charge(valueBytes * len(x))
	}
	if err != nil {
		return value.Null, err
	}
	var both []value.Value
	for _, e := range x {
		if err := m.Work(itemWork + extent(e)); err != nil {
			return value.Null, err
		}
		if other.Set().Has(e) {
			both = append(both, e)
		}
	}
	return newList(both), nil
}
