package script

import (
	"github.com/gremlind/gremlind/storage/value"
)

func (p *parser) whileStatement() (statement, error) {
	p.advance()
	cond, err := p.condition()
	if err != nil {
		return nil, err
	}
	body, s, err := p.body(true)
	if err != nil {
		return nil, err
	}
	return loop(cond, nil, body, s), nil
}

// doStatement reads do { .. } while (condition).
func (p *parser) doStatement() (statement, error) {
	p.advance()
	body, s, err := p.body(true)
	if err != nil {
		return nil, err
	}
	if !p.word("while") {
		return nil, p.unexpected()
	}
	p.advance()
	cond, err := p.condition()
	if err != nil {
		return nil, err
	}
	rest := loop(cond, nil, body, s)
	return func(f *frame) (value.Value, signal, error) {
		v, sig, err := body(turn(f, s))
		switch {
		case err != nil || sig == returned:
			return v, sig, err
		case sig == broken:
			return value.Null, normal, nil
		}
		return rest(f)
	}, nil
}

// loop runs body while cond holds, and update behind each turn. The value is null.
func loop(cond, update expression, body statement, s *scope) statement {
	return func(f *frame) (value.Value, signal, error) {
		for {
			if err := f.m.step(); err != nil {
				return value.Null, normal, err
			}
			if cond != nil {
				c, err := cond(f)
				if err != nil || !f.m.truth(c) {
					return value.Null, normal, err
				}
			}
			v, sig, err := body(turn(f, s))
			if err != nil || sig == returned {
				return v, sig, err
			}
			if sig == broken {
				return value.Null, normal, nil
			}
			if update != nil {
				if _, err := update(f); err != nil {
					return value.Null, normal, err
				}
			}
		}
	}
}

// turn is the frame of one turn of a loop.
func turn(f *frame, s *scope) *frame {
	if s.framed {
		return newFrame(f.m, f, s)
	}
	return f
}

func (p *parser) forStatement() (statement, error) {
	p.advance()
	if !p.is("(") {
		return nil, p.unexpected()
	}
	m := p.mark()
	if name, typed, ok := p.forIn(); ok {
		return p.forEach(name, typed)
	}
	p.reset(m)
	return p.forCount()
}

// forIn reads ( [def or type] name in, and reports whether it was there.
func (p *parser) forIn() (name, typed string, ok bool) {
	p.advance()
	if p.word("final") || p.word("def") {
		p.advance()
	}
	if p.tok.kind != tokenName {
		return "", "", false
	}
	name = p.tok.text
	p.advance()
	if p.tok.kind == tokenName && p.tok.text != "in" {
		typed, name = name, p.tok.text
		p.advance()
	}
	if p.word("in") || p.is(":") {
		p.advance()
		return name, typed, true
	}
	return "", "", false
}

func (p *parser) forEach(name, typed string) (statement, error) {
	restore := p.lines(false)
	over, err := p.expression()
	restore()
	if err != nil {
		return nil, err
	}
	if err := p.expect(")"); err != nil {
		return nil, err
	}
	p.open(&scope{}) // one variable for all turns
	defer p.close()
	ref := p.declare(name)
	body, s, err := p.body(true)
	if err != nil {
		return nil, err
	}
	return func(f *frame) (value.Value, signal, error) {
		v, err := over(f)
		if err != nil {
			return value.Null, normal, err
		}
		var result value.Value
		var sig signal
		err = f.m.each(v, func(item value.Value) (bool, error) {
			if typed != "" {
				if item, err = f.m.assignTo(typed, item); err != nil {
					return false, err
				}
			}
			*f.slot(ref) = item
			r, sg, err := body(turn(f, s))
			if sg == returned {
				result, sig = r, returned
			}
			return sg == normal || sg == continued, err
		})
		return result, sig, err
	}, nil
}

// forCount reads for (init; condition; update).
func (p *parser) forCount() (statement, error) {
	outer := &scope{}
	p.open(outer)
	defer p.close()
	restore := p.lines(false)
	p.advance()
	var first statement
	var cond, update expression
	var err error
	if !p.is(";") {
		if first, err = p.statement(); err != nil {
			return nil, err
		}
	}
	if err := p.expect(";"); err != nil {
		return nil, err
	}
	if !p.is(";") {
		if cond, err = p.expression(); err != nil {
			return nil, err
		}
	}
	if err := p.expect(";"); err != nil {
		return nil, err
	}
	if !p.is(")") {
		if update, err = p.expression(); err != nil {
			return nil, err
		}
	}
	restore()
	if err := p.expect(")"); err != nil {
		return nil, err
	}
	body, s, err := p.body(true)
	if err != nil {
		return nil, err
	}
	turns := loop(cond, update, body, s)
	return func(f *frame) (value.Value, signal, error) {
		if first != nil {
			if _, _, err := first(f); err != nil {
				return value.Null, normal, err
			}
		}
		return turns(f)
	}, nil
}
