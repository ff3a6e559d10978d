package syntax

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

func (p *parser) whileStatement() (machine.Statement, error) {
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
func (p *parser) doStatement() (machine.Statement, error) {
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
	return func(f *machine.Frame) (value.Value, machine.Signal, error) {
		v, sig, err := body(turn(f, s))
		switch {
		case err != nil || sig == machine.Returned:
			return v, sig, err
		case sig == machine.Broken:
			return value.Null, machine.Normal, nil
		}
		return rest(f)
	}, nil
}

// loop runs body while cond holds, and update behind each turn. The value is null.
func loop(cond, update machine.Expression, body machine.Statement, s *machine.Block) machine.Statement {
	return func(f *machine.Frame) (value.Value, machine.Signal, error) {
		for {
			if err := f.Machine.Step(); err != nil {
				return value.Null, machine.Normal, err
			}
			if cond != nil {
				c, err := cond(f)
				if err != nil || !f.Machine.Truth(c) {
					return value.Null, machine.Normal, err
				}
			}
			v, sig, err := body(turn(f, s))
			if err != nil || sig == machine.Returned {
				return v, sig, err
			}
			if sig == machine.Broken {
				return value.Null, machine.Normal, nil
			}
			if update != nil {
				if _, err := update(f); err != nil {
					return value.Null, machine.Normal, err
				}
			}
		}
	}
}

// turn is the frame of one turn of a loop.
func turn(f *machine.Frame, s *machine.Block) *machine.Frame {
	if s.Framed {
		return machine.NewFrame(f.Machine, f, s)
	}
	return f
}

func (p *parser) forStatement() (machine.Statement, error) {
	p.advance()
	if !p.Is("(") {
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
	if p.word("in") || p.Is(":") {
		p.advance()
		return name, typed, true
	}
	return "", "", false
}

func (p *parser) forEach(name, typed string) (machine.Statement, error) {
	restore := p.lines(false)
	over, err := p.expression()
	restore()
	if err != nil {
		return nil, err
	}
	if err := p.expect(")"); err != nil {
		return nil, err
	}
	p.open(&machine.Block{}) // one variable for all turns
	defer p.close()
	ref := p.declare(name)
	body, s, err := p.body(true)
	if err != nil {
		return nil, err
	}
	return func(f *machine.Frame) (value.Value, machine.Signal, error) {
		v, err := over(f)
		if err != nil {
			return value.Null, machine.Normal, err
		}
		var result value.Value
		var sig machine.Signal
		err = f.Machine.Each(v, func(item value.Value) (bool, error) {
			if typed != "" {
				if item, err = f.Machine.AssignTo(typed, item); err != nil {
					return false, err
				}
			}
			*f.Slot(ref) = item
			r, sg, err := body(turn(f, s))
			if sg == machine.Returned {
				result, sig = r, machine.Returned
			}
			return sg == machine.Normal || sg == machine.Continued, err
		})
		return result, sig, err
	}, nil
}

// forCount reads for (init; condition; update).
func (p *parser) forCount() (machine.Statement, error) {
	outer := &machine.Block{}
	p.open(outer)
	defer p.close()
	restore := p.lines(false)
	p.advance()
	var first machine.Statement
	var cond, update machine.Expression
	var err error
	if !p.Is(";") {
		if first, err = p.statement(); err != nil {
			return nil, err
		}
	}
	if err := p.expect(";"); err != nil {
		return nil, err
	}
	if !p.Is(";") {
		if cond, err = p.expression(); err != nil {
			return nil, err
		}
	}
	if err := p.expect(";"); err != nil {
		return nil, err
	}
	if !p.Is(")") {
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
	return func(f *machine.Frame) (value.Value, machine.Signal, error) {
		if first != nil {
			if _, _, err := first(f); err != nil {
				return value.Null, machine.Normal, err
			}
		}
		return turns(f)
	}, nil
}
