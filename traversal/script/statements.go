package script

import (
	"github.com/gremlind/gremlind/storage/value"
)

// statements reads up to the closing operator, "" for the end of the text.
func (p *parser) statements(closing string) (statement, error) {
	var all []statement
	for {
		for p.accept(";") {
		}
		if p.tok.kind == tokenEnd || closing != "" && p.is(closing) {
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
		if p.is("}") && closing != "}" {
			return nil, p.unexpected()
		}
	}
}

// sequence runs statements; the value of the last one counts.
func sequence(all []statement) statement {
	switch len(all) {
	case 0:
		return func(*frame) (value.Value, signal, error) { return value.Null, normal, nil }
	case 1:
		return all[0]
	}
	return func(f *frame) (v value.Value, sig signal, err error) {
		for _, s := range all {
			if v, sig, err = s(f); err != nil || sig != normal {
				return v, sig, err
			}
		}
		return v, normal, nil
	}
}

// body reads { .. } or one statement, in a scope of its own.
func (p *parser) body(loop bool) (statement, *scope, error) {
	s := &scope{loop: loop}
	p.open(s)
	defer p.close()
	stmt, err := p.block()
	return stmt, s, err
}

// block reads { .. } or one statement in the current scope.
func (p *parser) block() (statement, error) {
	done, err := p.nest()
	if err != nil {
		return nil, err
	}
	defer done()
	if !p.is("{") {
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
func (p *parser) statement() (statement, error) {
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
			return nil, p.refused(p.tok.start, "declaring types ("+p.tok.text+")")
		}
	case "do":
		if p.peek().text == "{" {
			return p.doStatement()
		}
	case "synchronized":
		return nil, p.refused(p.tok.start, "the statement "+p.tok.text)
	}
	if p.declares() {
		return p.declaration()
	}
	return p.expressionStatement()
}

func (p *parser) expressionStatement() (statement, error) {
	e, err := p.expression()
	if err != nil {
		return nil, err
	}
	return asStatement(e), nil
}

func asStatement(e expression) statement {
	return func(f *frame) (value.Value, signal, error) {
		v, err := e(f)
		return v, normal, err
	}
}

// condition reads ( expression ).
func (p *parser) condition() (expression, error) {
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

func (p *parser) ifStatement() (statement, error) {
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

func branch(cond expression, then, other statement) statement {
	return func(f *frame) (value.Value, signal, error) {
		c, err := cond(f)
		if err != nil {
			return value.Null, normal, err
		}
		if f.m.truth(c) {
			return then(f)
		}
		return other(f)
	}
}

func (p *parser) returnStatement() (statement, error) {
	p.advance()
	if p.ended() {
		return func(*frame) (value.Value, signal, error) { return value.Null, returned, nil }, nil
	}
	e, err := p.expression()
	if err != nil {
		return nil, err
	}
	return func(f *frame) (value.Value, signal, error) {
		v, err := e(f)
		return v, returned, err
	}, nil
}

func (p *parser) jump() (statement, error) {
	sig := broken
	if p.tok.text == "continue" {
		sig = continued
	}
	p.advance()
	return func(*frame) (value.Value, signal, error) { return value.Null, sig, nil }, nil
}

// skipImport passes an import: the names that scripts may use need none.
func (p *parser) skipImport() {
	p.advance()
	for !p.ended() {
		p.advance()
	}
}

func (p *parser) throwStatement() (statement, error) {
	at := p.tok.start
	p.advance()
	e, err := p.expression()
	if err != nil {
		return nil, err
	}
	src := p.source
	return func(f *frame) (value.Value, signal, error) {
		v, err := e(f)
		if err != nil {
			return value.Null, normal, err
		}
		x, ok := v.Object().(*exception)
		if !ok {
			return value.Null, normal, src.locate(fail(castException, "%s cannot be cast to class java.lang.Throwable", f.m.describe(v)), at)
		}
		return value.Null, normal, src.locate(x.err, at)
	}, nil
}

func (p *parser) assertStatement() (statement, error) {
	p.advance()
	from := p.tok.start
	cond, err := p.expression()
	if err != nil {
		return nil, err
	}
	text := p.text[from:p.tok.start]
	src := p.source
	var message expression
	if p.accept(":") || p.accept(",") {
		if message, err = p.expression(); err != nil {
			return nil, err
		}
	}
	return func(f *frame) (value.Value, signal, error) {
		v, err := cond(f)
		if err != nil || f.m.truth(v) {
			return value.Null, normal, err
		}
		shown := text
		if message != nil {
			if v, err = message(f); err != nil {
				return value.Null, normal, err
			}
			shown += ": " + f.m.string(v)
		}
		return value.Null, normal, src.locate(fail(assertionError, "assert %s", shown), from)
	}, nil
}
