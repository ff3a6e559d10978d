package syntax

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// closure reads {..}.
func (p *parser) closure() (operand, error) {
	at := p.tok.start
	done, err := p.nest()
	if err != nil {
		return operand{}, err
	}
	defer done()
	fn := &machine.Function{}
	p.scope.NoteClosure()
	s := &machine.Block{Function: true}
	p.open(s)
	defer p.close()
	fn.Scope = s
	restore := p.lines(true)
	explicit := p.arrowAhead()
	p.operand = false
	p.advance()
	if explicit {
		if err = p.params(fn, "->"); err == nil {
			err = p.expect("->")
		}
	} else {
		fn.Implicit = true
		fn.Params = []machine.Param{{Reference: p.declare("it")}}
	}
	if err == nil {
		fn.Body, err = p.statements("}")
	}
	restore()
	if err != nil {
		return operand{}, err
	}
	p.keep(at, p.tok.start)
	fn.Text = p.Text[at+1 : p.tok.start]
	if err := p.expect("}"); err != nil {
		return operand{}, err
	}
	return operand{at: at, eval: closureOf(fn)}, nil
}

func closureOf(fn *machine.Function) machine.Expression {
	return func(f *machine.Frame) (value.Value, error) {
		return machine.NewClosure(fn, f)
	}
}

// arrowAhead reports whether parameters and an arrow follow the current { or (.
func (p *parser) arrowAhead() bool {
	m, err := p.mark(), p.err
	defer func() {
		p.reset(m)
		p.err = err
	}()
	paren := p.Is("(")
	for range aheadMax {
		p.advance()
		switch {
		case p.Is("->"):
			return !paren
		case paren && p.Is(")"):
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
	if !named && !(p.Is("(") && p.arrowAhead()) {
		return o, false, nil
	}
	fn := &machine.Function{}
	p.scope.NoteClosure()
	s := &machine.Block{Function: true}
	p.open(s)
	defer p.close()
	fn.Scope = s
	if named {
		fn.Params = []machine.Param{{Reference: p.declare(p.tok.text)}}
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
	if p.Is("{") {
		fn.Body, err = p.block()
	} else {
		var e machine.Expression
		if e, err = p.expression(); err == nil {
			fn.Body = asStatement(e)
		}
	}
	if err != nil {
		return o, true, err
	}
	p.keep(at, p.tok.start)
	fn.Text = p.Text[at:p.tok.start]
	return operand{at: at, eval: closureOf(fn)}, true, nil
}
