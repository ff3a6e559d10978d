package plancache

import (
	"encoding/binary"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Limits of a shape. Traversals beyond them are compiled each time.
const (
	shapeMax     = 2 << 10 // bytes
	constantsMax = 32
	depthMax     = 16
)

// shape is what plans are kept by, and the constants that are left out of it.
type shape struct {
	key       []byte
	constants []value.Value
}

// of writes the shape of b; false when it has none.
func (s *shape) of(b *traversal.Bytecode) bool { return s.bytecode(b, 0) }

func (s *shape) bytecode(b *traversal.Bytecode, depth int) bool {
	if depth > depthMax {
		return false
	}
	for _, list := range [2][]traversal.Instruction{b.Source, b.Steps} {
		s.number(uint64(len(list)))
		for i := range list {
			in := &list[i]
			s.text(in.Name)
			s.number(uint64(len(in.Args)))
			for k, a := range in.Args {
				if !s.value(a, Replaceable(in.Name, len(in.Args), k), depth) {
					return false
				}
			}
		}
	}
	return len(s.key) <= shapeMax && len(s.constants) <= constantsMax
}

// Replaceable reports whether an argument of a step says which element or value is
// meant: ids, what has() compares with, and the value of property().
func Replaceable(step string, args, arg int) bool {
	switch step {
	case "V", "E":
		return true
	case "has":
		return arg > 0 && arg == args-1
	case "property":
		return arg > 0 && arg == args-1 && args <= 3
	}
	return false
}

// Constant reports whether a value can be left out: scalars whose kind alone decides
// what strategies make of them.
func Constant(v value.Value) bool {
	switch v.Kind() {
	case value.KindInt, value.KindLong, value.KindString, value.KindUUID:
		return true
	case value.KindDouble:
		return v.Float64() == v.Float64()
	}
	return false
}

// The marks of values in a key; kinds are below them.
const (
	markConstant  = 0xff
	markBytecode  = 0xfe
	markPredicate = 0xfd
)

func (s *shape) value(v value.Value, leaveOut bool, depth int) bool {
	k := v.Kind()
	switch {
	case leaveOut && Constant(v):
		s.key = append(s.key, markConstant, byte(k))
		s.constants = append(s.constants, v)
		return true
	case k == value.KindNull:
		s.key = append(s.key, byte(k))
		return true
	case k == value.KindBool || k == value.KindByte || k == value.KindShort || k == value.KindInt || k == value.KindLong:
		s.key = append(s.key, byte(k))
		s.key = binary.LittleEndian.AppendUint64(s.key, uint64(v.Int64()))
		return true
	case k == value.KindString || k.IsEnum():
		s.key = append(s.key, byte(k))
		s.text(v.Str())
		return len(s.key) <= shapeMax
	}
	switch x := v.Object().(type) {
	case *traversal.Bytecode:
		s.key = append(s.key, markBytecode)
		return s.bytecode(x, depth+1)
	case *traversal.P:
		return s.predicate(x, leaveOut, depth)
	}
	return false
}

func (s *shape) predicate(p *traversal.P, leaveOut bool, depth int) bool {
	if depth > depthMax {
		return false
	}
	s.key = append(s.key, markPredicate)
	if p.Text {
		s.key = append(s.key, markPredicate)
	}
	s.text(p.Name)
	s.number(uint64(len(p.Args)))
	for _, a := range p.Args {
		if !s.value(a, leaveOut && !p.Text, depth+1) {
			return false
		}
	}
	return true
}

func (s *shape) text(t string) {
	s.number(uint64(len(t)))
	s.key = append(s.key, t...)
}

func (s *shape) number(n uint64) { s.key = binary.AppendUvarint(s.key, n) }
