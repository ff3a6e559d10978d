package syntax

import (
	"strings"
	"unicode"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// declares reports whether a declaration begins here: def x, final x, Type x, Type x(.
func (p *parser) declares() bool {
	if p.word("def") || p.word("final") || p.word("var") && p.peek().kind == tokenName {
		return true
	}
	m := p.mark()
	defer p.reset(m)
	return p.typeName() != "" && p.tok.kind == tokenName && !p.tok.newline && !operatorWord(p.tok.text)
}

// typeName passes a type with its parameters and returns its name, "" when none is here.
func (p *parser) typeName() string {
	name, err := p.dottedName()
	if err != nil {
		return ""
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	if !machine.Primitives[last] && !unicode.IsUpper(rune(last[0])) {
		return ""
	}
	if p.Is("<") && !p.typeParameters() {
		return ""
	}
	for p.Is("[") {
		p.advance()
		if !p.accept("]") {
			return ""
		}
		if !machine.KnownType(last) {
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
		case p.Is("<"):
			depth++
		case p.Is(">"):
			depth--
		case p.Is(">>"):
			depth -= 2
		case p.tok.kind != tokenName && !p.Is(",") && !p.Is(".") && !p.Is("?"):
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
	for err == nil && p.Is(".") && p.peek().kind == tokenName {
		p.advance()
		var part string
		part, err = p.name() // the meter may have ended the text behind the dot
		name += "." + part
	}
	return name, err
}

// declaration reads what declares found.
func (p *parser) declaration() (machine.Statement, error) {
	for p.word("final") {
		p.advance()
	}
	typed := ""
	if p.word("def") || p.word("var") {
		p.advance()
		if p.Is("(") {
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
func (p *parser) variables(typed string) (machine.Statement, error) {
	var all []machine.Statement
	for {
		at := p.tok.start
		name, err := p.name()
		if err != nil {
			return nil, err
		}
		if p.scope.Vars[name] != nil {
			return nil, p.Syntax(at, "The current scope already contains a variable of the name %s", name)
		}
		var initial machine.Expression
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

func (p *parser) assignVariable(ref *machine.Reference, typed string, initial machine.Expression, at int) machine.Statement {
	src := p.Source
	return func(f *machine.Frame) (v value.Value, sig machine.Signal, err error) {
		if initial != nil {
			if v, err = initial(f); err != nil {
				return v, machine.Normal, err
			}
		}
		switch {
		case typed != "" && initial != nil:
			if v, err = f.Machine.AssignTo(typed, v); err != nil {
				return v, machine.Normal, src.Locate(err, at)
			}
		case typed != "":
			v = machine.ZeroOf(typed)
		}
		*f.Slot(ref) = v
		return v, machine.Normal, nil
	}
}

// destructuring reads def (a, b) = list.
func (p *parser) destructuring() (machine.Statement, error) {
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
	refs := make([]*machine.Reference, len(names))
	for i, name := range names {
		refs[i] = p.declare(name)
	}
	return func(f *machine.Frame) (value.Value, machine.Signal, error) {
		v, err := from(f)
		if err != nil {
			return v, machine.Normal, err
		}
		items, err := f.Machine.Items(v)
		if err != nil {
			return v, machine.Normal, err
		}
		for i, r := range refs {
			item := value.Null
			if i < len(items) {
				item = items[i]
			}
			*f.Slot(r) = item
		}
		return v, machine.Normal, nil
	}, nil
}

// functionDeclaration reads name(params) { body }. Functions exist before the script
// runs.
func (p *parser) functionDeclaration() error {
	from := p.tok.start
	if p.depth > 0 {
		return p.Syntax(from, "Method definition not expected here")
	}
	fn := &machine.Function{Name: p.tok.text}
	p.advance()
	s := &machine.Block{Function: true, Opaque: true}
	p.open(s)
	defer p.close()
	fn.Scope = s
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
	if !p.Is("{") {
		return p.unexpected()
	}
	if fn.Body, err = p.block(); err != nil {
		return err
	}
	p.keep(from, p.tok.start)
	fn.Text, fn.Source = p.Text[from:p.tok.start], len(p.Text)
	p.functions = append(p.functions, fn)
	return nil
}

// params reads parameters up to the closing operator.
func (p *parser) params(fn *machine.Function, closing string) error {
	for !p.Is(closing) {
		q := machine.Param{}
		for p.word("final") || p.word("def") {
			p.advance()
		}
		m := p.mark()
		if t := p.typeName(); t != "" && (p.tok.kind == tokenName || p.Is("...")) {
			if t != "Object" {
				q.Convert = t
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
			q.Convert, fn.Rest = "", true
		}
		q.Reference = p.declare(name)
		if p.accept("=") {
			if q.Initial, err = p.expression(); err != nil {
				return err
			}
		}
		fn.Params = append(fn.Params, q)
		if !p.accept(",") {
			return nil
		}
	}
	return nil
}
