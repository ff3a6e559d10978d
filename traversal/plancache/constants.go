package plancache

import (
	"strings"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// replacement puts values in place of others, one for one.
type replacement struct {
	from, to []value.Value
	next     int // where the search begins: most come in the order of from
	memory   *Memory
}

// value returns what stands in place of v, which constant that is, if it is one, and whether
// it is something else.
func (r *replacement) value(v value.Value) (w value.Value, constant int, changed bool) {
	switch k := v.Kind(); k {
	case value.KindInt, value.KindLong, value.KindDouble, value.KindString, value.KindUUID:
		for range r.from {
			if r.next == len(r.from) {
				r.next = 0
			}
			i := r.next
			r.next++
			if r.from[i].Kind() == k && value.Identical(r.from[i], v) {
				return r.to[i], i, true
			}
		}
	case value.KindP:
		p := v.Object().(*traversal.P)
		if q := r.predicate(p); q != p {
			return q.Value(), -1, true
		}
	}
	return v, -1, false
}

func (r *replacement) predicate(p *traversal.P) *traversal.P {
	args, changed := r.values(p.Args)
	if !changed {
		return p
	}
	q := &r.memory.tests.take(1)[0]
	q.Name, q.Args, q.Text = p.Name, args, p.Text
	return q
}

func (r *replacement) values(list []value.Value) ([]value.Value, bool) {
	var out []value.Value
	for i, v := range list {
		w, constant, changed := r.value(v)
		if changed && out == nil {
			out = r.memory.values.copyOf(list)
		}
		if changed {
			out[i] = w
			r.stands(&out[i], constant)
		}
	}
	if out == nil {
		return list, false
	}
	return out, true
}

// stands notes where a constant stands, if it is one.
func (r *replacement) stands(at *value.Value, constant int) {
	if constant >= 0 {
		r.memory.stands(at, constant)
	}
}

// Two families of stand-ins. What strategies could ask of constants comes out
// differently in them: the one ascends, the other descends, past zero.
func ascending(constants []value.Value) []value.Value {
	return standIns(constants, func(i int) int64 { return 1_592_598_001 + int64(i) }, "gremlind stands in ")
}

func descending(constants []value.Value) []value.Value {
	return standIns(constants, func(i int) int64 { return 3 - 11*int64(i) }, "Zzz other than ")
}

func standIns(constants []value.Value, number func(i int) int64, text string) []value.Value {
	out := make([]value.Value, len(constants))
	for i, c := range constants {
		n := number(i)
		switch c.Kind() {
		case value.KindInt:
			out[i] = value.Int(int32(n))
		case value.KindLong:
			out[i] = value.Long(n)
		case value.KindDouble:
			out[i] = value.Double(float64(n) + 0.25)
		case value.KindString:
			out[i] = value.String(text + value.Long(n).JavaString())
		case value.KindUUID:
			u := uuid.NewSHA1(uuid.NameSpaceOID, []byte(text+value.Long(n).JavaString()))
			out[i] = value.UUID(u)
		}
	}
	return out
}

// withConstants returns b with other constants, which come in the order of its shape.
func withConstants(b *traversal.Bytecode, constants []value.Value) *traversal.Bytecode {
	c := &filling{left: constants}
	return c.bytecode(b)
}

// ownWithConstants returns the same with texts of its own: those of b may be parts of a
// request, which would stay in memory with them.
func ownWithConstants(b *traversal.Bytecode, constants []value.Value) *traversal.Bytecode {
	c := &filling{left: constants, own: true}
	return c.bytecode(b)
}

type filling struct {
	left []value.Value
	own  bool
}

func (c *filling) text(s string) string {
	if c.own {
		return strings.Clone(s)
	}
	return s
}

func (c *filling) bytecode(b *traversal.Bytecode) *traversal.Bytecode {
	return &traversal.Bytecode{Source: c.instructions(b.Source, false), Steps: c.instructions(b.Steps, true)}
}

func (c *filling) instructions(list []traversal.Instruction, steps bool) []traversal.Instruction {
	out := make([]traversal.Instruction, len(list))
	for i := range list {
		in := &list[i]
		out[i] = traversal.Instruction{Name: c.text(in.Name), Args: make([]value.Value, len(in.Args))}
		for k, a := range in.Args {
			at := Kept
			if steps {
				at = ConstantsAt(in.Name, len(in.Args), k)
			}
			out[i].Args[k] = c.value(a, at)
		}
	}
	return out
}

func (c *filling) value(v value.Value, at Constants) value.Value {
	if at.LeavesOut(v) {
		v, c.left = c.left[0], c.left[1:]
		return v
	}
	if v.Kind() == value.KindString {
		return value.String(c.text(v.Str()))
	}
	switch x := v.Object().(type) {
	case *traversal.Bytecode:
		return c.bytecode(x).Value()
	case *traversal.StrategySpec:
		if c.own {
			return value.Object(value.KindStrategy, c.strategy(x))
		}
	case *traversal.P:
		p := &traversal.P{Name: c.text(x.Name), Text: x.Text, Args: make([]value.Value, len(x.Args))}
		for i, a := range x.Args {
			p.Args[i] = c.value(a, at.Within(x.Text))
		}
		return p.Value()
	}
	return v
}

// strategy copies a strategy that a shape has, without the options that are no plan's.
func (c *filling) strategy(x *traversal.StrategySpec) *traversal.StrategySpec {
	out := &traversal.StrategySpec{Class: c.text(x.Class)}
	if x.Config == nil {
		return out
	}
	out.Config = value.NewMap()
	for i := range x.Config.Len() {
		if k, v := x.Config.Entry(i); traversal.IsOption(k.Str()) {
			out.Config.Put(c.value(k, Kept), c.value(v, Kept))
		}
	}
	return out
}
