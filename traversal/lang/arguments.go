package lang

import (
	"math/bits"

	"github.com/gremlind/gremlind/storage/value"
)

// arguments reads the parenthesised arguments of m and picks the first signature that
// they fit. The current token is the opening parenthesis.
func (p *parser) arguments(m *method) ([]value.Value, error) {
	if err := p.expect('(', " behind "+m.name); err != nil {
		return nil, err
	}
	base := len(p.args)
	candidates := uint16(1)<<len(m.signatures) - 1
	var n int
	for !p.tok.is(')') {
		accept := m.accepts(candidates, n)
		if accept == 0 {
			return nil, p.errorAt(p.tok.start, "%s() takes %s", m.name, arity(m))
		}
		at := p.tok.start
		v, c, err := p.argument(accept, m.name)
		if err != nil {
			return nil, err
		}
		if candidates = m.narrow(candidates, n, c); candidates == 0 {
			return nil, p.errorAt(at, "argument %d of %s() must be %s", n+1, m.name, accept)
		}
		p.args = append(p.args, v)
		n++
		if p.tok.is(',') {
			p.advance()
			if p.tok.is(')') {
				return nil, p.unexpected("an argument behind the comma in " + m.name + "()")
			}
		} else if !p.tok.is(')') {
			return nil, p.unexpected("',' or ')' in " + m.name + "()")
		}
	}
	if candidates = m.withArity(candidates, n); candidates == 0 {
		return nil, p.errorAt(p.tok.start, "%s() takes %s", m.name, arity(m))
	}
	if err := p.convert(m, &m.signatures[bits.TrailingZeros16(candidates)], p.args[base:]); err != nil {
		return nil, err
	}
	p.advance()
	return p.takeArgs(base), nil
}

// narrow keeps the signatures that take class c in place i.
func (m *method) narrow(candidates uint16, i int, c class) uint16 {
	for k := range m.signatures {
		if candidates&(1<<k) == 0 {
			continue
		}
		if q, ok := m.signatures[k].at(i); !ok || q.accept&c == 0 {
			candidates &^= 1 << k
		}
	}
	return candidates
}

func (m *method) withArity(candidates uint16, n int) uint16 {
	for k := range m.signatures {
		if !m.signatures[k].takes(n) {
			candidates &^= 1 << k
		}
	}
	return candidates
}

// convert brings the arguments to the types of the signature's parameters.
func (p *parser) convert(m *method, s *signature, args []value.Value) error {
	for i := range args {
		q, _ := s.at(i)
		if q.convert == asIs {
			continue
		}
		v, ok := converted(q, args[i])
		if !ok {
			return p.errorAt(p.tok.start, "argument %d of %s() is %s of type %s, which does not fit", i+1, m.name,
				abbreviated(args[i].JavaString()), args[i].Kind())
		}
		args[i] = v
	}
	return nil
}

func converted(q parameter, v value.Value) (value.Value, bool) {
	k := v.Kind()
	switch q.convert {
	case toInt:
		n := value.AsInt64(v)
		return value.Int(int32(n)), n == int64(int32(n)) && k != value.KindBigInteger
	case toLong:
		return value.Long(value.AsInt64(v)), k >= value.KindByte && k <= value.KindLong
	case toDouble:
		return value.Double(value.AsFloat64(v)), true
	case toString:
		return v, k == value.KindString || k == value.KindNull && q.accept&classNull != 0
	case toMap:
		return v, k == value.KindMap || k == value.KindNull && q.accept&classNull != 0
	}
	return v, true
}

// arity says how many arguments m takes.
func arity(m *method) string {
	least, most := 1<<30, 0
	for i := range m.signatures {
		s := &m.signatures[i]
		n := len(s.params)
		if s.repeat {
			n, most = n-1, 1<<30
		}
		least, most = min(least, n), max(most, n)
	}
	switch {
	case most == 0:
		return "no arguments"
	case most == 1<<30:
		return "at least " + count(least)
	case least == most:
		return count(least)
	}
	return digit(least) + " to " + count(most)
}

func count(n int) string {
	if n == 1 {
		return "1 argument"
	}
	return digit(n) + " arguments"
}

func digit(n int) string { return string(rune('0' + n)) }
