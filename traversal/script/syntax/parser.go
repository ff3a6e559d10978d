package syntax

import (
	"unicode/utf8"

	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// parser turns tokens into Go closures. It reads one token ahead; backtracking
// re-reads the text.
type parser struct {
	lexer
	limits    machine.Limits
	tok       token
	depth     int
	newlines  bool // newlines end statements here: not inside ( and [
	given     bool // reading what a command is given: no command itself
	scope     *machine.Block
	scopes    []*machine.Block
	vars      []*machine.Variable
	refs      []*machine.Reference
	functions []*machine.Function
	meter     *traversal.Meter // nil bounds nothing
	tokens    int              // read since the meter was told
	distinct  int              // read, each once
	furthest  int              // byte that was read
	stopped   error            // of the meter: the text ends here
	element   string           // the type of the array that typeName passed
	literals  []literal        // of the text's shape
}

// Parse reads a script.
func Parse(meter *traversal.Meter, text string, limits machine.Limits) (*machine.Program, error) {
	return parseWith(meter, text, nil, limits, readScript)
}

func readScript(p *parser) (machine.Statement, error) { return p.statements("") }

// ParseClosure reads a text that is one closure and nothing else.
func ParseClosure(meter *traversal.Meter, text string, limits machine.Limits) (*machine.Program, error) {
	return parseWith(meter, text, nil, limits, func(p *parser) (machine.Statement, error) {
		o, err := p.closure()
		return asStatement(o.eval), err
	})
}

func parseWith(meter *traversal.Meter, text string, literals []literal, limits machine.Limits, read func(p *parser) (machine.Statement, error)) (*machine.Program, error) {
	src := &machine.Source{Text: text}
	if len(text) > limits.TextBytes {
		return nil, src.Syntax(0, "the script is %d bytes long, more than the limit of %d", len(text), limits.TextBytes)
	}
	if !utf8.ValidString(text) {
		return nil, src.Syntax(0, "the script is not valid UTF-8")
	}
	return newParser(meter, src, literals, limits).program(read)
}

func newParser(meter *traversal.Meter, src *machine.Source, literals []literal, limits machine.Limits) *parser {
	return &parser{lexer: lexer{Source: src, limit: len(src.Text)}, limits: limits, newlines: true, meter: meter, literals: literals}
}

// program reads the whole text.
func (p *parser) program(read func(p *parser) (machine.Statement, error)) (*machine.Program, error) {
	p.open(&machine.Block{Function: true, Opaque: true})
	prog := &machine.Program{Scope: p.scope, Source: p.Source}
	p.advance()
	body, err := read(p)
	if err == nil && p.tok.kind != tokenEnd {
		err = p.unexpected()
	}
	if p.err != nil {
		err = p.err
	}
	if p.stopped != nil {
		err = p.stopped
	}
	if err != nil {
		return nil, err
	}
	machine.Layout(p.scopes, p.vars, p.refs)
	prog.Literals = p.literalVariables()
	prog.Body, prog.Functions, prog.Tokens = body, p.functions, p.distinct
	return prog, nil
}

// advance goes on to the next token. Where the meter ends the reading, the text ends.
func (p *parser) advance() {
	if p.tokens++; p.tokens == meteredTokens && p.stopped == nil {
		p.tokens = 0
		if p.stopped = p.meter.Work(meteredTokens); p.stopped == nil {
			p.stopped = p.meter.Keep(meteredTokens * tokenBytes)
		}
	}
	if p.stopped != nil {
		p.tok = token{kind: tokenEnd, start: p.pos, end: p.pos}
		return
	}
	p.tok = p.next()
	if p.pos > p.furthest {
		p.furthest = p.pos
		p.distinct++
	}
}

const (
	meteredTokens = 512
	tokenBytes    = 256 // what is kept of a token: the functions that it becomes
)

// mark is a place to go back to.
type mark struct {
	pos     int
	operand bool
	tok     token
}

func (p *parser) mark() mark { return mark{p.pos, p.operand, p.tok} }

func (p *parser) reset(m mark) { p.pos, p.operand, p.tok = m.pos, m.operand, m.tok }

// peek returns the token behind the current one.
func (p *parser) peek() token {
	m := p.mark()
	t := p.next()
	p.reset(m)
	return t
}

func (p *parser) unexpected() error {
	if p.err != nil {
		return p.err
	}
	if p.tok.kind == tokenEnd {
		return p.Syntax(p.tok.start, "Unexpected end of the script")
	}
	return p.Syntax(p.tok.start, "Unexpected input: '%s'", machine.Clip(p.Text[p.tok.start:p.tok.end]))
}

// Is reports whether the current token is that operator.
func (p *parser) Is(op string) bool { return p.tok.kind == tokenOperator && p.tok.text == op }

// word reports whether the current token is that name.
func (p *parser) word(s string) bool { return p.tok.kind == tokenName && p.tok.text == s }

// accept passes an operator if it is there.
func (p *parser) accept(op string) bool {
	if !p.Is(op) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(op string) error {
	if !p.accept(op) {
		return p.unexpected()
	}
	return nil
}

func (p *parser) name() (string, error) {
	if p.tok.kind != tokenName {
		return "", p.unexpected()
	}
	s := p.tok.text
	p.advance()
	return s, nil
}

// broke reports whether a line that counts ended before the current token.
func (p *parser) broke() bool { return p.tok.newline && p.newlines }

// ended reports whether a statement can end here.
func (p *parser) ended() bool {
	return p.tok.kind == tokenEnd || p.broke() || p.Is(";") || p.Is("}")
}

// nest counts nesting of the text; call the result when done.
func (p *parser) nest() (func(), error) {
	p.depth++
	if p.depth > p.limits.Depth {
		return nil, p.Syntax(p.tok.start, "nested deeper than %d", p.limits.Depth)
	}
	return func() { p.depth-- }, nil
}

// lines sets whether newlines count and returns how to restore it.
func (p *parser) lines(count bool) func() {
	newlines, given := p.newlines, p.given
	p.newlines, p.given = count, false
	return func() { p.newlines, p.given = newlines, given }
}

// open begins a scope; close ends it.
func (p *parser) open(s *machine.Block) {
	s.Up = p.scope
	p.scope = s
	p.scopes = append(p.scopes, s)
}

func (p *parser) close() { p.scope = p.scope.Up }

// declare adds a variable to the current scope.
func (p *parser) declare(name string) *machine.Reference {
	v := p.scope.Declare(name)
	p.vars = append(p.vars, v)
	return p.refer(v)
}

func (p *parser) refer(v *machine.Variable) *machine.Reference {
	r := &machine.Reference{Variable: v, From: p.scope}
	p.refs = append(p.refs, r)
	return r
}

// local returns a reference to a local variable, nil when name is none.
func (p *parser) local(name string) *machine.Reference {
	if v := p.scope.Find(name); v != nil {
		return p.refer(v)
	}
	return nil
}
