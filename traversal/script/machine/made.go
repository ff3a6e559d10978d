package machine

import "github.com/gremlind/gremlind/storage/value"

const (
	// ObjectBytes is what an object is charged, beside what it holds.
	ObjectBytes = 4 * ValueBytes
	// CallableBytes is what a callable is charged, beside the values that it holds.
	CallableBytes = 3 * ObjectBytes

	textBytes = 16 // what a text is charged beside its length
)

// Made charges for what a built-in made of self: for the object alone, since what it holds
// was charged before. A loop that keeps many small objects keeps nothing else.
func (m *Machine) Made(v, self value.Value) error {
	switch k := v.Kind(); {
	case k.IsNumber():
		return m.madeNumber(v)
	case k == value.KindForeign:
		if self.Kind() == k && v.Object() == self.Object() {
			return nil
		}
	case k == value.KindMap:
		if self.Kind() == k && v.Map() == self.Map() {
			return nil
		}
	case k == value.KindList && len(v.Elems()) == 0 || k < value.KindList || k == value.KindBinary:
		return nil
	}
	return m.Charge(ObjectBytes)
}

// madeNumber charges for a number, of those that are objects.
func (m *Machine) madeNumber(v value.Value) error {
	switch v.Kind() {
	case value.KindBigInteger:
		return m.Charge(ObjectBytes + value.AsBigInt(v).BitLen()/8)
	case value.KindBigDecimal:
		return m.Charge(ObjectBytes + v.Decimal().Unscaled.BitLen()/8)
	}
	return nil
}

// NewClosure makes a closure of a function in a frame. It keeps the frames around it, which
// would be free after their call: each is charged once.
func NewClosure(fn *Function, f *Frame) (value.Value, error) {
	n := ObjectBytes
	for up := f; up != nil && !up.kept; up = up.up {
		up.kept = true
		n += ObjectBytes + ValueBytes*len(up.vars)
	}
	c := &Closure{Function: fn, Up: f, Machine: f.Machine}
	return c.Value(), f.Machine.Charge(n)
}
