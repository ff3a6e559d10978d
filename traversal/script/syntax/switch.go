package syntax

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// label is one case of a switch; a nil test is default.
type label struct {
	test machine.Expression
	from int // its first statement
}

func (p *parser) switchStatement() (machine.Statement, error) {
	p.advance()
	on, err := p.condition()
	if err != nil {
		return nil, err
	}
	restore := p.lines(true)
	defer restore()
	if err := p.expect("{"); err != nil {
		return nil, err
	}
	p.open(&machine.Block{})
	defer p.close()
	var labels []label
	var body []machine.Statement
	for !p.Is("}") {
		for p.accept(";") {
		}
		switch {
		case p.word("case") || p.word("default"):
			l, err := p.caseLabel()
			if err != nil {
				return nil, err
			}
			l.from = len(body)
			labels = append(labels, l)
		case p.Is("}"):
		default:
			s, err := p.statement()
			if err != nil {
				return nil, err
			}
			if s != nil {
				body = append(body, s)
			}
			if !p.ended() && !p.word("case") && !p.word("default") {
				return nil, p.unexpected()
			}
		}
	}
	p.advance()
	return choose(on, labels, body), nil
}

func (p *parser) caseLabel() (label, error) {
	isDefault := p.word("default")
	p.advance()
	if isDefault {
		return label{}, p.expect(":")
	}
	test, err := p.expression()
	if err != nil {
		return label{}, err
	}
	return label{test: test}, p.expect(":")
}

// choose runs the statements from the first label that fits, or from default.
func choose(on machine.Expression, labels []label, body []machine.Statement) machine.Statement {
	return func(f *machine.Frame) (value.Value, machine.Signal, error) {
		v, err := on(f)
		if err != nil {
			return value.Null, machine.Normal, err
		}
		from := -1
		for _, l := range labels {
			if l.test == nil {
				continue
			}
			t, err := l.test(f)
			if err != nil {
				return value.Null, machine.Normal, err
			}
			if ok, err := f.Machine.IsCase(t, v); err != nil {
				return value.Null, machine.Normal, err
			} else if ok {
				from = l.from
				break
			}
		}
		for _, l := range labels {
			if from < 0 && l.test == nil {
				from = l.from
			}
		}
		if from < 0 {
			return value.Null, machine.Normal, nil
		}
		return through(f, body[from:])
	}
}

// through runs statements up to a break; the value of the last one counts.
func through(f *machine.Frame, body []machine.Statement) (last value.Value, sig machine.Signal, err error) {
	for _, s := range body {
		v, sig, err := s(f)
		if sig == machine.Broken {
			return last, machine.Normal, err
		}
		if err != nil || sig != machine.Normal {
			return v, sig, err
		}
		last = v
	}
	return last, machine.Normal, nil
}
