package steps

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of formulas.
const (
	formulaMax      = 64 << 10 // bytes
	formulaDepthMax = 256      // nested parentheses and signs
)

var (
	errFormulaItems  = errors.New("Invalid number of items on the output queue. Might be caused by an invalid number of arguments for a function.")
	errFormulaParens = errors.New("Mismatched parentheses detected. Please check the expression")
)

// formulaParser is a recursive-descent parser:
//
//	sum     = product { ("+" | "-") product }
//	product = sign { ("*" | "/" | "%") sign }
//	sign    = { "+" | "-" } power
//	power   = primary [ "^" sign ]
//	primary = number | name | function "(" sum ")" | function sum | "(" sum ")"
//
// A function without parentheses takes all that follows, as in the reference.
type formulaParser struct {
	s     string
	pos   int
	depth int
	f     formula
}

func parseFormula(s string) (*formula, error) {
	if strings.TrimSpace(s) == "" {
		return nil, errors.New("Expression can not be empty")
	}
	if len(s) > formulaMax {
		return nil, fmt.Errorf("the formula has %d bytes, more than the limit of %d", len(s), formulaMax)
	}
	p := &formulaParser{s: s}
	if err := p.sum(); err != nil {
		return nil, err
	}
	switch c := p.peek(); {
	case c == 0:
		return &p.f, nil
	case c == ')':
		return nil, errFormulaParens
	case c == '(' || c == '.' || c >= '0' && c <= '9' || isNameByte(c):
		return nil, errFormulaItems
	}
	return nil, p.unknown()
}

// peek skips blanks and returns the next byte, 0 at the end.
func (p *formulaParser) peek() byte {
	for p.pos < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.pos]) >= 0 {
		p.pos++
	}
	if p.pos == len(p.s) {
		return 0
	}
	return p.s[p.pos]
}

func (p *formulaParser) emit(op byte) { p.f.code = append(p.f.code, mathOp{op: op}) }

// chain parses operands joined by one of the operators, from the left.
func (p *formulaParser) chain(ops string, operand func() error) error {
	if err := operand(); err != nil {
		return err
	}
	for {
		op := p.peek()
		if op == 0 || strings.IndexByte(ops, op) < 0 {
			return nil
		}
		p.pos++
		if err := operand(); err != nil {
			return err
		}
		p.emit(op)
	}
}

func (p *formulaParser) sum() error     { return p.chain("+-", p.product) }
func (p *formulaParser) product() error { return p.chain("*/%", p.sign) }

func (p *formulaParser) sign() error {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > formulaDepthMax {
		return fmt.Errorf("the formula is nested deeper than %d", formulaDepthMax)
	}
	switch p.peek() {
	case '-':
		p.pos++
		if err := p.sign(); err != nil {
			return err
		}
		p.emit('~')
		return nil
	case '+':
		p.pos++
		return p.sign()
	}
	return p.power()
}

func (p *formulaParser) power() error {
	if err := p.primary(); err != nil {
		return err
	}
	if p.peek() != '^' {
		return nil
	}
	p.pos++
	if err := p.sign(); err != nil {
		return err
	}
	p.emit('^')
	return nil
}

func (p *formulaParser) primary() error {
	c := p.peek()
	switch {
	case c == 0:
		return errFormulaItems
	case c == '(':
		p.pos++
		if err := p.sum(); err != nil {
			return err
		}
		if p.peek() != ')' {
			return errFormulaParens
		}
		p.pos++
		return nil
	case c >= '0' && c <= '9' || c == '.':
		return p.number()
	case isNameByte(c):
		return p.name()
	case c == ')':
		return errFormulaParens
	case strings.IndexByte("*/%^", c) >= 0:
		return fmt.Errorf("Invalid number of operands available for '%c' operator", c)
	}
	r, n := utf8.DecodeRuneInString(p.s[p.pos:])
	if x, ok := mathConstants[string(r)]; ok {
		p.pos += n
		p.f.code = append(p.f.code, mathOp{op: 'n', num: x})
		return nil
	}
	return p.unknown()
}

func (p *formulaParser) unknown() error {
	r, _ := utf8.DecodeRuneInString(p.s[p.pos:])
	return fmt.Errorf("Operator is unknown for token. Unable to parse char '%c' at [%d]", r, p.pos)
}

func (p *formulaParser) number() error {
	from := p.pos
	for p.pos < len(p.s) {
		c := p.s[p.pos]
		exp := p.pos > from && (p.s[p.pos-1]|0x20) == 'e'
		if (c < '0' || c > '9') && c != '.' && (c|0x20) != 'e' && (!exp || c != '+' && c != '-') {
			break
		}
		p.pos++
	}
	x, err := strconv.ParseFloat(p.s[from:p.pos], 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return fmt.Errorf("For input string: \"%s\"", p.s[from:p.pos])
	}
	p.f.code = append(p.f.code, mathOp{op: 'n', num: x})
	return nil
}

func isNameByte(c byte) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// name parses a variable, or a function with its argument.
func (p *formulaParser) name() error {
	from := p.pos
	for p.pos < len(p.s) && (isNameByte(p.s[p.pos]) || p.s[p.pos] >= '0' && p.s[p.pos] <= '9') {
		p.pos++
	}
	name := p.s[from:p.pos]
	if fn, ok := mathFunctions[name]; ok {
		argument := p.sum
		if p.peek() == '(' {
			argument = p.primary
		}
		if err := argument(); err != nil {
			return err
		}
		p.f.code = append(p.f.code, mathOp{op: 'f', fn: fn})
		return nil
	}
	for i, known := range p.f.names {
		if known == name {
			p.f.code = append(p.f.code, mathOp{op: 'v', v: i})
			return nil
		}
	}
	p.f.code = append(p.f.code, mathOp{op: 'v', v: len(p.f.names)})
	p.f.names = append(p.f.names, name)
	return nil
}
