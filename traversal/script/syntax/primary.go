package syntax

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

func constantOf(v value.Value) machine.Expression {
	return func(*machine.Frame) (value.Value, error) { return v, nil }
}

// primary reads a literal, a name, a list, a closure or parentheses.
func (p *parser) primary() (operand, error) {
	at := p.tok.start
	switch p.tok.kind {
	case tokenInteger, tokenDecimal:
		return p.numberLiteral()
	case tokenString:
		e := p.literal(value.String(p.tok.content))
		p.advance()
		return operand{eval: e, at: at}, nil
	case tokenGString:
		return p.interpolated()
	case tokenName:
		return p.nameOrKeyword()
	case tokenOperator:
		switch p.tok.text {
		case "(":
			return p.parenthesised()
		case "[":
			return p.listOrMap()
		case "{":
			return p.closure()
		}
	}
	return operand{}, p.unexpected()
}

func (p *parser) numberLiteral() (operand, error) {
	at := p.tok.start
	var v value.Value
	var err error
	if p.tok.kind == tokenInteger {
		v, err = lang.Integer(p.tok.text)
	} else {
		v, err = lang.Float(p.tok.text, true)
	}
	if err != nil {
		return operand{}, p.Syntax(at, "%v", err)
	}
	e := p.literal(v)
	p.advance()
	return operand{eval: e, at: at}, nil
}

// interpolated reads a GString, which becomes a String when it is evaluated.
func (p *parser) interpolated() (operand, error) {
	t := p.tok
	pieces := make([]machine.Expression, len(t.parts))
	for i, part := range t.parts {
		if part.to == 0 {
			pieces[i] = constantOf(value.String(part.text))
			continue
		}
		e, err := p.embedded(part)
		if err != nil {
			return operand{}, err
		}
		pieces[i] = e
	}
	p.advance()
	return operand{at: t.start, eval: func(f *machine.Frame) (value.Value, error) {
		var text []byte
		for _, e := range pieces {
			v, err := e(f)
			if err != nil {
				return v, err
			}
			s := f.Machine.String(v)
			if err := f.Machine.NewText(len(text) + len(s)); err != nil {
				return v, err
			}
			text = append(text, s...)
		}
		return value.String(string(text)), nil
	}}, nil
}

// embedded reads the expression of a part of a GString.
func (p *parser) embedded(part part) (machine.Expression, error) {
	before, limit := p.mark(), p.limit
	restore := p.lines(false)
	defer func() {
		restore()
		p.limit = limit
		p.reset(before)
	}()
	p.pos, p.limit, p.operand = part.from, part.to, false
	p.advance()
	if p.tok.kind == tokenEnd && p.err == nil {
		return constantOf(value.String("")), nil
	}
	e, err := p.expression()
	if err == nil && p.tok.kind != tokenEnd {
		err = p.unexpected()
	}
	return e, err
}

func (p *parser) parenthesised() (operand, error) {
	at := p.tok.start
	if fn, ok, err := p.lambda(); ok || err != nil {
		return fn, err
	}
	if p.multipleAhead() {
		return p.multipleAssignment()
	}
	restore := p.lines(false)
	p.advance()
	e, err := p.expression()
	restore()
	if err != nil {
		return operand{}, err
	}
	return operand{eval: e, at: at}, p.expect(")")
}

// multipleAhead reports whether (a, b) = is next.
func (p *parser) multipleAhead() bool {
	m, err := p.mark(), p.err
	defer func() {
		p.reset(m)
		p.err = err
	}()
	for n := 0; n < aheadMax; n++ {
		p.advance()
		if p.tok.kind != tokenName {
			return false
		}
		p.advance()
		switch {
		case p.Is(","):
		case p.Is(")"):
			return n > 0 && p.peek().text == "="
		default:
			return false
		}
	}
	return false
}

// multipleAssignment reads (a, b) = list.
func (p *parser) multipleAssignment() (operand, error) {
	at := p.tok.start
	var to []operand
	for p.advance(); ; p.advance() {
		o, err := p.nameOrKeyword()
		if err != nil {
			return o, err
		}
		if o.assign == nil {
			return o, p.Syntax(o.at, "this cannot be assigned to")
		}
		to = append(to, o)
		if !p.Is(",") {
			break
		}
	}
	p.operand = true
	if err := p.expect(")"); err != nil {
		return operand{}, err
	}
	if err := p.expect("="); err != nil {
		return operand{}, err
	}
	from, err := p.expression()
	return operand{at: at, eval: func(f *machine.Frame) (value.Value, error) {
		v, err := from(f)
		if err != nil {
			return v, err
		}
		items, err := f.Machine.Items(v)
		if err != nil {
			return v, err
		}
		for i, o := range to {
			item := value.Null
			if i < len(items) {
				item = items[i]
			}
			if err := o.assign(f, item); err != nil {
				return v, err
			}
		}
		return v, nil
	}}, err
}

// listOrMap reads [..], [k: v] or [:].
func (p *parser) listOrMap() (operand, error) {
	at := p.tok.start
	restore := p.lines(false)
	p.advance()
	var items []argument
	isMap := false
	if p.Is(":") && p.peek().text == "]" {
		p.advance()
		isMap = true
	}
	for !p.Is("]") {
		a, err := p.entry()
		if err != nil {
			restore()
			return operand{}, err
		}
		items = append(items, a)
		if !p.accept(",") {
			break
		}
	}
	restore()
	if err := p.expect("]"); err != nil {
		return operand{}, err
	}
	for _, a := range items {
		isMap = isMap || a.name != "" || a.key != nil
	}
	if isMap {
		return operand{eval: mapLiteral(items), at: at}, nil
	}
	return operand{eval: listLiteral(items), at: at}, nil
}

// entry reads an element of a list or an entry of a map.
func (p *parser) entry() (argument, error) {
	if !p.keyAhead() {
		return p.argument()
	}
	key, err := p.primary()
	if err != nil {
		return argument{}, err
	}
	if err := p.expect(":"); err != nil {
		return argument{}, err
	}
	v, err := p.expression()
	return argument{key: key.eval, eval: v}, err
}

const aheadMax = 500 // tokens that are looked at ahead

// keyAhead reports whether a number, a GString or parentheses and a colon are next.
func (p *parser) keyAhead() bool {
	switch p.tok.kind {
	case tokenInteger, tokenDecimal, tokenGString:
		return p.peek().text == ":"
	}
	if !p.Is("(") {
		return false
	}
	m, err := p.mark(), p.err
	defer func() {
		p.reset(m)
		p.err = err
	}()
	for n, depth := 0, 0; p.tok.kind != tokenEnd && n < aheadMax; p.advance() {
		n++
		switch {
		case p.Is("(") || p.Is("[") || p.Is("{"):
			depth++
		case p.Is(")") || p.Is("]") || p.Is("}"):
			if depth--; depth == 0 {
				return p.peek().text == ":"
			}
		}
	}
	return false
}

func listLiteral(items []argument) machine.Expression {
	return func(f *machine.Frame) (value.Value, error) {
		elems, err := evaluate(f, items)
		if err != nil {
			return value.Null, err
		}
		return machine.NewList(elems), f.Machine.Charge(machine.ValueBytes * (len(elems) + 2))
	}
}

func mapLiteral(items []argument) machine.Expression {
	return func(f *machine.Frame) (value.Value, error) {
		if err := f.Machine.Charge(machine.EntryBytes * (len(items) + 1)); err != nil {
			return value.Null, err
		}
		m := value.NewMapSize(len(items))
		for i := range items {
			a := &items[i]
			v, err := a.eval(f)
			if err != nil {
				return value.Null, err
			}
			switch {
			case a.spread:
				if err := f.Machine.PutAll(m, v.Map()); err != nil {
					return value.Null, err
				}
				continue
			case a.key == nil && a.name == "":
				return value.Null, machine.Fail(machine.ArgumentException, "a map literal mixes entries with and without keys")
			}
			k := value.String(a.name)
			if a.key != nil {
				if k, err = a.key(f); err != nil {
					return value.Null, err
				}
			}
			m.Put(f.Machine.Key(k), v)
		}
		return m.Value(), nil
	}
}
