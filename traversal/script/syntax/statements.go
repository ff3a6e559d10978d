package syntax

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// statements reads up to the closing operator, "" for the end of the text.
func (p *parser) statements(closing string) (machine.Statement, error) {
	var all []machine.Statement
	for {
		for p.accept(";") {
		}
		if p.tok.kind == tokenEnd || closing != "" && p.Is(closing) {
			return sequence(all), nil
		}
		s, err := p.statement()
		if err != nil {
			return nil, err
		}
		if s != nil {
			all = append(all, s)
		}
		if !p.ended() {
			return nil, p.unexpected()
		}
		if p.Is("}") && closing != "}" {
			return nil, p.unexpected()
		}
	}
}

// sequence runs statements; the value of the last one counts.
func sequence(all []machine.Statement) machine.Statement {
	switch len(all) {
	case 0:
		return func(*machine.Frame) (value.Value, machine.Signal, error) { return value.Null, machine.Normal, nil }
	case 1:
		return all[0]
	}
	return func(f *machine.Frame) (v value.Value, sig machine.Signal, err error) {
		for _, s := range all {
			if v, sig, err = s(f); err != nil || sig != machine.Normal {
				return v, sig, err
			}
		}
		return v, machine.Normal, nil
	}
}

// body reads { .. } or one statement, in a scope of its own.
func (p *parser) body(loop bool) (machine.Statement, *machine.Block, error) {
	s := &machine.Block{Loop: loop}
	p.open(s)
	defer p.close()
	stmt, err := p.block()
	return stmt, s, err
}

// block reads { .. } or one statement in the current scope.
func (p *parser) block() (machine.Statement, error) {
	done, err := p.nest()
	if err != nil {
		return nil, err
	}
	defer done()
	if !p.Is("{") {
		s, err := p.statement()
		if err == nil && s == nil {
			s = sequence(nil)
		}
		return s, err
	}
	restore := p.lines(true)
	p.advance()
	s, err := p.statements("}")
	restore()
	if err != nil {
		return nil, err
	}
	return s, p.expect("}")
}

// statement reads one statement; nil stands for one that does nothing.
func (p *parser) statement() (machine.Statement, error) {
	if p.tok.kind != tokenName {
		return p.expressionStatement()
	}
	switch p.tok.text {
	case "if":
		return p.ifStatement()
	case "while":
		return p.whileStatement()
	case "for":
		return p.forStatement()
	case "switch":
		return p.switchStatement()
	case "try":
		return p.tryStatement()
	case "return":
		return p.returnStatement()
	case "throw":
		return p.throwStatement()
	case "assert":
		return p.assertStatement()
	case "break", "continue":
		return p.jump()
	case "import", "package":
		p.skipImport()
		return nil, nil
	case "class", "interface", "trait", "enum":
		if t := p.peek(); t.kind == tokenName {
			return nil, p.Refused(p.tok.start, "declaring types ("+p.tok.text+")")
		}
	case "do":
		if p.peek().text == "{" {
			return p.doStatement()
		}
	case "synchronized":
		return nil, p.Refused(p.tok.start, "the statement "+p.tok.text)
	}
	if p.declares() {
		return p.declaration()
	}
	return p.expressionStatement()
}

func (p *parser) expressionStatement() (machine.Statement, error) {
	e, err := p.expression()
	if err != nil {
		return nil, err
	}
	return asStatement(e), nil
}

func asStatement(e machine.Expression) machine.Statement {
	return func(f *machine.Frame) (value.Value, machine.Signal, error) {
		v, err := e(f)
		return v, machine.Normal, err
	}
}

// condition reads ( expression ).
func (p *parser) condition() (machine.Expression, error) {
	restore := p.lines(false)
	defer restore()
	if err := p.expect("("); err != nil {
		return nil, err
	}
	e, err := p.expression()
	if err != nil {
		return nil, err
	}
	p.newlines = true
	return e, p.expect(")")
}

func (p *parser) ifStatement() (machine.Statement, error) {
	p.advance()
	cond, err := p.condition()
	if err != nil {
		return nil, err
	}
	then, _, err := p.body(false)
	if err != nil {
		return nil, err
	}
	m := p.mark()
	for p.accept(";") {
	}
	if !p.word("else") {
		p.reset(m)
		return branch(cond, then, sequence(nil)), nil
	}
	p.advance()
	other, _, err := p.body(false)
	if err != nil {
		return nil, err
	}
	return branch(cond, then, other), nil
}

func branch(cond machine.Expression, then, other machine.Statement) machine.Statement {
	return func(f *machine.Frame) (value.Value, machine.Signal, error) {
		c, err := cond(f)
		if err != nil {
			return value.Null, machine.Normal, err
		}
		if f.Machine.Truth(c) {
			return then(f)
		}
		return other(f)
	}
}

func (p *parser) returnStatement() (machine.Statement, error) {
	p.advance()
	if p.ended() {
		return func(*machine.Frame) (value.Value, machine.Signal, error) { return value.Null, machine.Returned, nil }, nil
	}
	e, err := p.expression()
	if err != nil {
		return nil, err
	}
	return func(f *machine.Frame) (value.Value, machine.Signal, error) {
		v, err := e(f)
		return v, machine.Returned, err
	}, nil
}

func (p *parser) jump() (machine.Statement, error) {
	sig := machine.Broken
	if p.tok.text == "continue" {
		sig = machine.Continued
	}
	p.advance()
	return func(*machine.Frame) (value.Value, machine.Signal, error) { return value.Null, sig, nil }, nil
}

// skipImport passes an import: the names that scripts may use need none.
func (p *parser) skipImport() {
	p.advance()
	for !p.ended() {
		p.advance()
	}
}

func (p *parser) throwStatement() (machine.Statement, error) {
	at := p.tok.start
	p.advance()
	e, err := p.expression()
	if err != nil {
		return nil, err
	}
	src := p.Source
	return func(f *machine.Frame) (value.Value, machine.Signal, error) {
		v, err := e(f)
		if err != nil {
			return value.Null, machine.Normal, err
		}
		x, ok := v.Object().(*machine.Exception)
		if !ok {
			return value.Null, machine.Normal, src.Locate(machine.Fail(machine.CastException, "%s cannot be cast to class java.lang.Throwable", f.Machine.Describe(v)), at)
		}
		return value.Null, machine.Normal, src.Locate(x.Err, at)
	}, nil
}

func (p *parser) assertStatement() (machine.Statement, error) {
	p.advance()
	from := p.tok.start
	cond, err := p.expression()
	if err != nil {
		return nil, err
	}
	p.keep(from, p.tok.start)
	text := p.Text[from:p.tok.start]
	src := p.Source
	var message machine.Expression
	if p.accept(":") || p.accept(",") {
		if message, err = p.expression(); err != nil {
			return nil, err
		}
	}
	return func(f *machine.Frame) (value.Value, machine.Signal, error) {
		v, err := cond(f)
		if err != nil || f.Machine.Truth(v) {
			return value.Null, machine.Normal, err
		}
		shown := text
		if message != nil {
			if v, err = message(f); err != nil {
				return value.Null, machine.Normal, err
			}
			shown += ": " + f.Machine.String(v)
		}
		return value.Null, machine.Normal, src.Locate(machine.Fail(machine.AssertionError, "assert %s", shown), from)
	}, nil
}
