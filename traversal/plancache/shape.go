package plancache

import (
	"encoding/binary"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Limits of a shape, in bytes, constants and nesting. Traversals beyond them are compiled
// each time.
const (
	shapeMax     = 2 << 10 // bytes
	ConstantsMax = 32
	DepthMax     = 16
)

// shape is what plans are kept by, and the constants that are left out of it.
type shape struct {
	key       []byte
	constants []value.Value
}

// of writes the shape of b; false when it has none.
func (s *shape) of(b *traversal.Bytecode) bool { return s.bytecode(b, 0) }

func (s *shape) bytecode(b *traversal.Bytecode, depth int) bool {
	if depth > DepthMax {
		return false
	}
	if !s.source(b.Source) {
		return false
	}
	s.number(uint64(len(b.Steps)))
	for i := range b.Steps {
		in := &b.Steps[i]
		s.text(in.Name)
		s.number(uint64(len(in.Args)))
		for k, a := range in.Args {
			if !s.value(a, ConstantsAt(in.Name, len(in.Args), k), depth) {
				return false
			}
		}
	}
	return len(s.key) <= shapeMax && len(s.constants) <= ConstantsMax
}

// source writes the instructions of a source, none of whose values is a constant. What
// with() says to somebody else than the graph is no part of a plan, nor of its shape.
func (s *shape) source(list []traversal.Instruction) bool {
	s.number(uint64(len(list)))
	for i := range list {
		in := &list[i]
		s.text(in.Name)
		if in.Name == "with" && len(in.Args) > 0 && !traversal.IsOption(in.Args[0].Str()) {
			s.number(0)
			continue
		}
		s.number(uint64(len(in.Args)))
		for _, a := range in.Args {
			ok := false
			if x, is := a.Object().(*traversal.StrategySpec); is {
				ok = s.strategy(x)
			} else {
				ok = s.value(a, Kept, 0)
			}
			if !ok {
				return false
			}
		}
	}
	return len(s.key) <= shapeMax
}

// strategy writes a strategy without a configuration, or the options of OptionsStrategy
// that are a plan's. Others have none: what they hold may be anything.
func (s *shape) strategy(x *traversal.StrategySpec) bool {
	s.key = append(s.key, markStrategy)
	s.text(x.Class)
	if x.Config == nil || x.Config.Len() == 0 {
		s.number(0)
		return true
	}
	if !x.IsOptions() {
		return false
	}
	for i := range x.Config.Len() {
		k, v := x.Config.Entry(i)
		if !traversal.IsOption(k.Str()) {
			continue
		}
		s.text(k.Str())
		if !s.value(v, Kept, 0) {
			return false
		}
	}
	s.number(0) // no option has an empty name
	return true
}

// The marks of values in a key; kinds are below them.
const (
	markConstant  = 0xff
	markBytecode  = 0xfe
	markPredicate = 0xfd
	markStrategy  = 0xfc
)

func (s *shape) value(v value.Value, at Constants, depth int) bool {
	k := v.Kind()
	switch {
	case at.LeavesOut(v):
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
		return s.predicate(x, at.Within(x.Text), depth)
	}
	return false
}

func (s *shape) predicate(p *traversal.P, inside Constants, depth int) bool {
	if depth > DepthMax {
		return false
	}
	s.key = append(s.key, markPredicate)
	if p.Text {
		s.key = append(s.key, markPredicate)
	}
	s.text(p.Name)
	s.number(uint64(len(p.Args)))
	for _, a := range p.Args {
		if !s.value(a, inside, depth+1) {
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
