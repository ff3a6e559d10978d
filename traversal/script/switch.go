package script

import (
	"github.com/gremlind/gremlind/storage/value"
)

// label is one case of a switch; a nil test is default.
type label struct {
	test expression
	from int // its first statement
}

func (p *parser) switchStatement() (statement, error) {
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
	p.open(&scope{})
	defer p.close()
	var labels []label
	var body []statement
	for !p.is("}") {
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
		case p.is("}"):
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
func choose(on expression, labels []label, body []statement) statement {
	return func(f *frame) (value.Value, signal, error) {
		v, err := on(f)
		if err != nil {
			return value.Null, normal, err
		}
		from := -1
		for _, l := range labels {
			if l.test == nil {
				continue
			}
			t, err := l.test(f)
			if err != nil {
				return value.Null, normal, err
			}
			if ok, err := f.m.isCase(t, v); err != nil {
				return value.Null, normal, err
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
			return value.Null, normal, nil
		}
		return through(f, body[from:])
	}
}

// through runs statements up to a break; the value of the last one counts.
func through(f *frame, body []statement) (last value.Value, sig signal, err error) {
	for _, s := range body {
		v, sig, err := s(f)
		if sig == broken {
			return last, normal, err
		}
		if err != nil || sig != normal {
			return v, sig, err
		}
		last = v
	}
	return last, normal, nil
}
