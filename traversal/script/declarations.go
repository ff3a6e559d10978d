package script

import (
	"strings"
	"unicode"

	"github.com/gremlind/gremlind/storage/value"
)

// declares reports whether a declaration begins here: def x, final x, Type x, Type x(.
func (p *parser) declares() bool {
	if p.word("def") || p.word("final") || p.word("var") && p.peek().kind == tokenName {
		return true
	}
	m := p.mark()
	defer p.reset(m)
	return p.typeName() != "" && p.tok.kind == tokenName && !p.tok.newline && !operatorWords[p.tok.text]
}

// typeName passes a type with its parameters and returns its name, "" when none is here.
func (p *parser) typeName() string {
	name, err := p.dottedName()
	if err != nil {
		return ""
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	if !primitives[last] && !unicode.IsUpper(rune(last[0])) {
		return ""
	}
	if p.is("<") && !p.typeParameters() {
		return ""
	}
	for p.is("[") {
		p.advance()
		if !p.accept("]") {
			return ""
		}
		if !knownType(last) {
			return ""
		}
		p.element, name = last, "Object"
	}
	return name
}

// typeParameters passes <..>.
func (p *parser) typeParameters() bool {
	depth := 0
	for {
		switch {
		case p.is("<"):
			depth++
		case p.is(">"):
			depth--
		case p.is(">>"):
			depth -= 2
		case p.tok.kind != tokenName && !p.is(",") && !p.is(".") && !p.is("?"):
			return false
		}
		p.advance()
		if depth <= 0 {
			return depth == 0
		}
	}
}

func (p *parser) dottedName() (string, error) {
	name, err := p.name()
	for err == nil && p.is(".") && p.peek().kind == tokenName {
		p.advance()
		name += "." + p.tok.text
		p.advance()
	}
	return name, err
}

// declaration reads what declares found.
func (p *parser) declaration() (statement, error) {
	for p.word("final") {
		p.advance()
	}
	typed := ""
	if p.word("def") || p.word("var") {
		p.advance()
		if p.is("(") {
			return p.destructuring()
		}
		m := p.mark()
		if t := p.typeName(); t != "" && p.tok.kind == tokenName {
			typed = t
		} else {
			p.reset(m)
		}
	} else if m := p.mark(); true {
		if typed = p.typeName(); typed == "" || p.tok.kind != tokenName {
			typed = ""
			p.reset(m)
		}
	}
	if typed == "def" || typed == "Object" || typed == "void" {
		typed = ""
	}
	if p.tok.kind == tokenName && p.peek().text == "(" {
		return nil, p.functionDeclaration()
	}
	return p.variables(typed)
}

// variables reads name [= value], ...
func (p *parser) variables(typed string) (statement, error) {
	var all []statement
	for {
		at := p.tok.start
		name, err := p.name()
		if err != nil {
			return nil, err
		}
		if p.scope.vars[name] != nil {
			return nil, p.syntax(at, "The current scope already contains a variable of the name %s", name)
		}
		var initial expression
		if p.accept("=") {
			if initial, err = p.expression(); err != nil {
				return nil, err
			}
		}
		all = append(all, p.assignVariable(p.declare(name), typed, initial, at))
		if !p.accept(",") {
			return sequence(all), nil
		}
	}
}

func (p *parser) assignVariable(ref *reference, typed string, initial expression, at int) statement {
	src := p.source
	return func(f *frame) (v value.Value, sig signal, err error) {
		if initial != nil {
			if v, err = initial(f); err != nil {
				return v, normal, err
			}
		}
		switch {
		case typed != "" && initial != nil:
			if v, err = f.m.assignTo(typed, v); err != nil {
				return v, normal, src.locate(err, at)
			}
		case typed != "":
			v = zeroOf(typed)
		}
		*f.slot(ref) = v
		return v, normal, nil
	}
}

// destructuring reads def (a, b) = list.
func (p *parser) destructuring() (statement, error) {
	p.advance()
	var names []string
	for {
		m := p.mark()
		if p.typeName() == "" || p.tok.kind != tokenName {
			p.reset(m)
		}
		name, err := p.name()
		if err != nil {
			return nil, err
		}
		names = append(names, name)
		if !p.accept(",") {
			break
		}
	}
	if err := p.expect(")"); err != nil {
		return nil, err
	}
	if err := p.expect("="); err != nil {
		return nil, err
	}
	from, err := p.expression()
	if err != nil {
		return nil, err
	}
	refs := make([]*reference, len(names))
	for i, name := range names {
		refs[i] = p.declare(name)
	}
	return func(f *frame) (value.Value, signal, error) {
		v, err := from(f)
		if err != nil {
			return v, normal, err
		}
		items, err := f.m.items(v)
		if err != nil {
			return v, normal, err
		}
		for i, r := range refs {
			item := value.Null
			if i < len(items) {
				item = items[i]
			}
			*f.slot(r) = item
		}
		return v, normal, nil
	}, nil
}

// functionDeclaration reads name(params) { body }. Functions exist before the script
// runs.
func (p *parser) functionDeclaration() error {
	from := p.tok.start
	if p.depth > 0 {
		return p.syntax(from, "Method definition not expected here")
	}
	fn := &function{name: p.tok.text}
	p.advance()
	s := &scope{function: true, opaque: true}
	p.open(s)
	defer p.close()
	fn.scope = s
	p.advance()
	restore := p.lines(false)
	err := p.params(fn, ")")
	restore()
	if err != nil {
		return err
	}
	if err := p.expect(")"); err != nil {
		return err
	}
	if !p.is("{") {
		return p.unexpected()
	}
	if fn.body, err = p.block(); err != nil {
		return err
	}
	fn.text, fn.source = p.text[from:p.tok.start], len(p.text)
	p.functions = append(p.functions, fn)
	return nil
}

// params reads parameters up to the closing operator.
func (p *parser) params(fn *function, closing string) error {
	for !p.is(closing) {
		q := param{}
		for p.word("final") || p.word("def") {
			p.advance()
		}
		m := p.mark()
		if t := p.typeName(); t != "" && (p.tok.kind == tokenName || p.is("...")) {
			if t != "Object" {
				q.convert = t
			}
		} else {
			p.reset(m)
		}
		rest := p.accept("...")
		name, err := p.name()
		if err != nil {
			return err
		}
		if rest {
			q.convert, fn.rest = "", true
		}
		q.ref = p.declare(name)
		if p.accept("=") {
			if q.initial, err = p.expression(); err != nil {
				return err
			}
		}
		fn.params = append(fn.params, q)
		if !p.accept(",") {
			return nil
		}
	}
	return nil
}
