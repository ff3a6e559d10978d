package syntax

import (
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// Shape is a script without its literals: numbers, and strings that no expression stands
// in. Scripts of one shape are read to one program where they have the literals in common
// that belong to the program: what decided how the text was read (x.'name', -1, keys), and
// what functions and closures hold, which know their text and outlive their script.
type Shape struct {
	Key      []byte // the text; a mark that no text has stands for each literal
	Literals []value.Value
	Starts   []int     // the offsets of the literals
	Ends     []int     // and those behind them
	key      [512]byte // where they begin
	literals [8]value.Value
	offsets  [16]int
}

// NewShape returns a Shape of no text yet.
func NewShape() *Shape { return &Shape{} }

// literalsMax is how many literals a shape has at most.
const literalsMax = 64

// markLiteral begins what stands for a literal in a key; no UTF-8 has it.
const markLiteral = 0xff

// Of finds the shape of a text. False is said of what cannot be read, and of what may be
// read in other ways than token by token: a slash may divide, or begin a string.
func (s *Shape) Of(text string) bool {
	s.Key, s.Literals, s.Starts, s.Ends = s.key[:0], s.literals[:0], s.offsets[:0:8], s.offsets[8:8]
	if !utf8.ValidString(text) {
		return false
	}
	l := lexer{Source: &machine.Source{Text: text}, limit: len(text)}
	copied := 0
	for {
		t := l.next()
		if l.err != nil {
			return false
		}
		if t.kind == tokenEnd {
			s.Key = append(s.Key, text[copied:]...)
			return true
		}
		switch c := text[t.start]; {
		case c == '/', c == '.' && t.end < len(text) && t.kind == tokenOperator && isDigit(text[t.end]), c == '.' && t.kind == tokenDecimal:
			return false
		}
		v, ok := t.literal()
		if !ok {
			continue
		}
		if v.IsNull() || len(s.Literals) == literalsMax {
			return false
		}
		s.Key = append(append(s.Key, text[copied:t.start]...), markLiteral, byte(t.kind))
		copied = t.end
		s.Literals, s.Starts, s.Ends = append(s.Literals, v), append(s.Starts, t.start), append(s.Ends, t.end)
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// literal returns the value of a token that is a literal: Null when it has none.
func (t *token) literal() (v value.Value, is bool) {
	var err error
	switch t.kind {
	case tokenString:
		return value.String(t.content), true
	case tokenInteger:
		v, err = lang.Integer(t.text)
	case tokenDecimal:
		v, err = lang.Float(t.text, true)
	default:
		return v, false
	}
	if err != nil {
		return value.Null, true
	}
	return v, true
}

// With appends the literals of text, whose shape s is, that kept marks: with them s.Key
// is one program's.
func (s *Shape) With(text string, kept []bool) {
	for i, k := range kept {
		if k {
			s.Key = append(append(s.Key, markLiteral), text[s.Starts[i]:s.Ends[i]]...)
		}
	}
}

// Parse reads the script whose shape s is to a program that takes its literals, but for
// those that kept marks then. It is nil when the program would not do for another text.
func (s *Shape) Parse(meter *traversal.Meter, text string, limits machine.Limits) (p *machine.Program, kept []bool, err error) {
	literals := make([]literal, len(s.Starts))
	for i, at := range s.Starts {
		literals[i].at = at
	}
	p, err = parseWith(meter, text, literals, limits, readScript)
	if err != nil || len(p.Functions) > 0 { // which are their user's, with their places
		return p, nil, err
	}
	kept = make([]bool, len(literals))
	for i := range literals {
		kept[i] = literals[i].kept
	}
	return p, kept, nil
}

// literal is one of the text's shape.
type literal struct {
	at       int
	kept     bool // it belongs to the program
	variable *machine.Variable
}

// literal is what the current token evaluates to: the literal that a run has there, or v
// when that belongs to the program.
func (p *parser) literal(v value.Value) machine.Expression {
	for i := range p.literals {
		l := &p.literals[i]
		if l.at != p.tok.start {
			continue
		}
		if l.kept = l.kept || p.inFunction(); l.kept {
			break
		}
		if l.variable == nil {
			l.variable = p.scopes[0].Literal()
			p.vars = append(p.vars, l.variable)
		}
		ref := p.refer(l.variable)
		return func(f *machine.Frame) (value.Value, error) { return *f.Slot(ref), nil }
	}
	return constantOf(v)
}

// inFunction reports whether a function or closure is being read.
func (p *parser) inFunction() bool {
	s := p.scope
	for !s.Function {
		s = s.Up
	}
	return s != p.scopes[0]
}

// named returns the name that the current token is, or that stands in it as a string.
func (p *parser) named() string {
	if p.tok.kind == tokenString {
		p.keep(p.tok.start, p.tok.end)
		return p.tok.content
	}
	return p.tok.text
}

// keep makes the literals between two offsets part of the program.
func (p *parser) keep(from, to int) {
	for i := range p.literals {
		if l := &p.literals[i]; l.at >= from && l.at < to {
			l.kept = true
		}
	}
}

// literalVariables are those of the literals that a run has.
func (p *parser) literalVariables() []*machine.Variable {
	if len(p.literals) == 0 {
		return nil
	}
	out := make([]*machine.Variable, len(p.literals))
	for i := range p.literals {
		out[i] = p.literals[i].variable
	}
	return out
}
