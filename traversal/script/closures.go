package script

import (
	"github.com/gremlind/gremlind/storage/value"
)

// closure reads {..}.
func (p *parser) closure() (operand, error) {
	at := p.tok.start
	done, err := p.nest()
	if err != nil {
		return operand{}, err
	}
	defer done()
	fn := &function{}
	p.scope.noteClosure()
	s := &scope{function: true}
	p.open(s)
	defer p.close()
	fn.scope = s
	restore := p.lines(true)
	explicit := p.arrowAhead()
	p.operand = false
	p.advance()
	if explicit {
		if err = p.params(fn, "->"); err == nil {
			err = p.expect("->")
		}
	} else {
		fn.implicit = true
		fn.params = []param{{ref: p.declare("it")}}
	}
	if err == nil {
		fn.body, err = p.statements("}")
	}
	restore()
	if err != nil {
		return operand{}, err
	}
	fn.text = p.text[at+1 : p.tok.start]
	if err := p.expect("}"); err != nil {
		return operand{}, err
	}
	return operand{at: at, eval: closureOf(fn)}, nil
}

func closureOf(fn *function) expression {
	return func(f *frame) (value.Value, error) {
		return (&closure{fn: fn, up: f, m: f.m}).value(), nil
	}
}

// arrowAhead reports whether parameters and an arrow follow the current { or (.
func (p *parser) arrowAhead() bool {
	m, err := p.mark(), p.err
	defer func() {
		p.reset(m)
		p.err = err
	}()
	paren := p.is("(")
	for range aheadMax {
		p.advance()
		switch {
		case p.is("->"):
			return !paren
		case paren && p.is(")"):
			return p.peek().text == "->"
		case p.tok.kind == tokenEnd:
			return false
		case p.tok.kind == tokenOperator:
			switch p.tok.text {
			case ",", "=", ".", "[", "]", "<", ">", "...":
			default:
				return false
			}
		}
	}
	return false
}

// lambda reads x -> body, (x, y) -> body, if it is one.
func (p *parser) lambda() (o operand, ok bool, err error) {
	at := p.tok.start
	named := p.tok.kind == tokenName && p.peek().text == "->"
	if !named && !(p.is("(") && p.arrowAhead()) {
		return o, false, nil
	}
	fn := &function{}
	p.scope.noteClosure()
	s := &scope{function: true}
	p.open(s)
	defer p.close()
	fn.scope = s
	if named {
		fn.params = []param{{ref: p.declare(p.tok.text)}}
		p.advance()
	} else {
		p.advance()
		if err := p.params(fn, ")"); err != nil {
			return o, true, err
		}
		if err := p.expect(")"); err != nil {
			return o, true, err
		}
	}
	if err := p.expect("->"); err != nil {
		return o, true, err
	}
	if p.is("{") {
		fn.body, err = p.block()
	} else {
		var e expression
		if e, err = p.expression(); err == nil {
			fn.body = asStatement(e)
		}
	}
	if err != nil {
		return o, true, err
	}
	fn.text = p.text[at:p.tok.start]
	return operand{at: at, eval: closureOf(fn)}, true, nil
}
