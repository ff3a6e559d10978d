package lang

import (
	"fmt"
	"sync"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Query is a text that was read: at least one statement. The result of the last one
// is the result of the text.
type Query struct{ Statements []Statement }

// Last returns the statement whose result is returned.
func (q *Query) Last() *Statement { return &q.Statements[len(q.Statements)-1] }

// Statement is one query of the text. Exactly one of Empty, Tx and Bytecode is set.
type Statement struct {
	// Source is the name the query begins with: "g".
	Source string
	// Bytecode is the traversal; without steps it is the source itself.
	Bytecode *traversal.Bytecode
	// Terminal is explain, iterate, hasNext, tryNext, next, toList, toSet or toBulkSet,
	// or "" when the server is to iterate.
	Terminal string
	// Args are the terminal's arguments: the Int of next(2).
	Args []value.Value
	// ToString is set when the query's result is wanted as its text.
	ToString bool
	// Tx is begin, commit or rollback of g.tx().
	Tx string
	// Empty is set for an empty string, which drivers send as a probe.
	Empty bool
}

// Parse reads a text. An error is an *Error, unless it comes from the Meter.
func Parse(text string, o Options) (*Query, error) {
	o.Limits = o.Limits.withDefaults()
	p := parsers.Get().(*parser)
	defer p.release()
	p.lexer, p.o, p.evaluate = lexer{src: text}, o, false
	q, err := p.metered()
	if err != nil || !p.terminated || o.Evaluate == nil {
		return q, err
	}
	p.lexer, p.evaluate = lexer{src: text}, true
	return p.metered()
}

// metered is parse, or the error of the meter that ended it.
func (p *parser) metered() (*Query, error) {
	q, err := p.parse()
	if p.stopped != nil {
		return nil, p.stopped
	}
	return q, err
}

// parser reads tokens one ahead. Calls collect their arguments and chains their
// instructions on two stacks, from which they are copied once their number is known.
type parser struct {
	lexer
	o          Options
	tok        token
	depth      int
	args       []value.Value
	chain      []traversal.Instruction
	argSpace   []value.Value
	chainSpace []traversal.Instruction
	terminated bool // a terminated traversal stands for a literal
	evaluate   bool
	tokens     int   // read since the meter was told
	stopped    error // of the meter: the text ends here
}

var parsers = sync.Pool{New: func() any { return &parser{} }}

const keptStack = 256 // entries of a stack that a parser keeps for its next text

// release forgets the text and keeps the stacks.
func (p *parser) release() {
	args, chain := p.args[:cap(p.args)], p.chain[:cap(p.chain)]
	clear(args)
	clear(chain)
	*p = parser{}
	if len(args) <= keptStack && len(chain) <= keptStack {
		p.args, p.chain = args[:0], chain[:0]
	}
	parsers.Put(p)
}

func (p *parser) parse() (*Query, error) {
	if n := p.o.Limits.TextBytes; len(p.src) > n {
		return nil, p.errorAt(0, "the query is %d bytes long, more than the limit of %d", len(p.src), n)
	}
	if !utf8.ValidString(p.src) {
		return nil, p.errorAt(0, "the query is not valid UTF-8")
	}
	p.advance()
	q := &Query{}
	for {
		if len(q.Statements) == p.o.Limits.Statements {
			return nil, p.errorAt(p.tok.start, "more than %d statements", p.o.Limits.Statements)
		}
		s, err := p.statement()
		if err != nil {
			return nil, err
		}
		q.Statements = append(q.Statements, s)
		if p.tok.is(';') {
			p.advance()
		}
		if p.tok.kind == tokenEnd {
			return q, nil
		}
	}
}

// advance goes on to the next token. Where the meter ends the reading, the text ends.
func (p *parser) advance() {
	if p.tokens++; p.tokens == meteredTokens {
		p.tokens = 0
		p.spend(meteredTokens, meteredTokens*tokenBytes)
	}
	if p.stopped != nil {
		p.tok = token{kind: tokenEnd, start: p.pos, end: p.pos}
		return
	}
	p.tok = p.next()
}

const (
	meteredTokens = 1024
	tokenBytes    = 64 // what is kept of a token
)

// spend tells the meter of work and memory; false when it is too much.
func (p *parser) spend(work, bytes int) bool {
	if p.stopped == nil {
		p.stopped = p.o.Meter.Work(work)
	}
	if p.stopped == nil {
		p.stopped = p.o.Meter.Keep(bytes)
	}
	return p.stopped == nil
}

// peek returns the token behind the current one.
func (p *parser) peek() token {
	at := p.pos
	t := p.next()
	p.pos = at
	return t
}

func (p *parser) text() string { return p.src[p.tok.start:p.tok.end] }

func (p *parser) errorAt(offset int, format string, args ...any) error {
	return newError(p.src, offset, parserException, fmt.Sprintf(format, args...))
}

// unexpected says what the current token should have been.
func (p *parser) unexpected(expected string) error {
	return p.errorAt(p.tok.start, "%s", p.found(expected))
}

// unexpectedName says so, too, and which of the names that may stand there was meant.
func (p *parser) unexpectedName(expected, behind string, known func() []string) error {
	return p.meant(p.unexpected(expected), behind, known)
}

// meant adds to an error about the current token which name was, when it is one. known
// outlives the parser.
func (p *parser) meant(err error, behind string, known func() []string) error {
	if e, ok := err.(*Error); ok && known != nil && p.tok.kind == tokenName {
		name := p.text()
		e.meant = func() string { return traversal.Suggestion(name, behind, known()) }
	}
	return err
}

func (p *parser) found(expected string) string {
	switch p.tok.kind {
	case tokenBad:
		return p.tok.problem
	case tokenEnd:
		return "expected " + expected + " but the query ends"
	}
	return "expected " + expected + " but found " + printable(abbreviated(p.text()))
}

func (p *parser) expect(c byte, where string) error {
	if !p.tok.is(c) {
		return p.unexpected(quoteChar(string(c)) + where)
	}
	p.advance()
	return nil
}

// enter counts nesting; leave must follow.
func (p *parser) enter() error {
	p.depth++
	if p.depth > p.o.Limits.Depth {
		return p.errorAt(p.tok.start, "nested deeper than %d: the traversal is too deep", p.o.Limits.Depth)
	}
	return nil
}

func (p *parser) leave() { p.depth-- }

func (p *parser) statement() (Statement, error) {
	if p.tok.kind == tokenString && p.tok.end-p.tok.start == 2 {
		s := Statement{Empty: true}
		p.advance()
		dotted := p.tok.is('.')
		if dotted {
			p.advance()
		}
		return s, p.toString(&s, dotted)
	}
	if p.tok.kind != tokenName || !p.isSource(p.text()) {
		expected := "a query that begins with g"
		if p.tok.kind == tokenName && p.text() == "g" {
			expected = "a traversal source that is there"
		}
		return Statement{}, p.unexpectedName(expected, "", p.o.SourceNames)
	}
	s := Statement{Source: p.text()}
	p.advance()
	dotted, err := p.root(&s)
	if err != nil {
		return s, err
	}
	return s, p.toString(&s, dotted)
}

func (p *parser) isSource(name string) bool {
	if p.o.Sources == nil {
		return name == "g"
	}
	return p.o.Sources(name)
}

// toString reads any number of toString() behind the dot that ended a query.
func (p *parser) toString(s *Statement, dotted bool) error {
	for dotted {
		if p.tok.kind != tokenName || p.text() != toStringName {
			return p.unexpected("the end of the query or toString()")
		}
		if err := p.noArguments(); err != nil {
			return err
		}
		s.ToString = true
		if dotted = p.tok.is('.'); dotted {
			p.advance()
		}
	}
	return nil
}

// noArguments reads the name of a call and its empty parentheses.
func (p *parser) noArguments() error {
	name := p.text()
	p.advance()
	if err := p.expect('(', " behind "+name); err != nil {
		return err
	}
	return p.expect(')', ": "+name+"() takes no arguments")
}
