package steps

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/step"
)

// Limits of formulas.
const (
	formulaMax      = 64 << 10 // bytes
	formulaDepthMax = 256      // nested parentheses and signs
)

// What is wrong with formulas. errNoOperand becomes another where it is known what lacks
// the operand.
var (
	errNoOperand     = errors.New("the formula lacks an operand")
	errFormulaItems  = step.IllegalArgument("Invalid number of items on the output queue. Might be caused by an invalid number of arguments for a function.")
	errFormulaParens = step.IllegalArgument("Mismatched parentheses detected. Please check the expression")
	errFormulaClose  = &blueprints.Exception{Class: "java.util.EmptyStackException", Message: "java.util.EmptyStackException"}
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

// newFormula is parseFormula where a fault waits in the formula, as in the reference:
// one that no traverser reaches fails nobody.
func newFormula(s string) *formula {
	f, err := parseFormula(s)
	if err != nil {
		f = &formula{fault: err, late: f != nil && f.late}
		for _, name := range formulaNames.FindAllString(s, -1) {
			if mathFunctions[name] == nil {
				f.variable(name)
			}
		}
	}
	for _, name := range f.names {
		if slices.Contains(reservedNames, name) {
			f.fault, f.late = step.IllegalArgument("A variable can not have the same name as a function [%s]", name), false
		}
	}
	return f
}

var formulaNames = regexp.MustCompile(`\b[a-zA-Z_][a-zA-Z0-9_]*`)

// parseFormula returns an error for what is no formula; of the formula that comes with
// it only late counts.
func parseFormula(s string) (*formula, error) {
	if strings.TrimSpace(s) == "" {
		return nil, step.IllegalArgument("Expression can not be empty")
	}
	if len(s) > formulaMax {
		return nil, fmt.Errorf("the formula has %d bytes, more than the limit of %d", len(s), formulaMax)
	}
	p := &formulaParser{s: s}
	switch err := p.sum(); err {
	case nil:
	case errNoOperand:
		return nil, errFormulaClose
	default:
		return &p.f, err
	}
	switch c := p.peek(); {
	case c == 0:
		return &p.f, nil
	case isClosing(c):
		return nil, errFormulaClose
	case isOpening(c) || c == '.' || c >= '0' && c <= '9' || isNameByte(c):
		p.f.late = true
		return &p.f, errFormulaItems
	}
	return nil, p.unknown()
}

// Parentheses of all shapes mean the same.
func isOpening(c byte) bool { return c == '(' || c == '[' || c == '{' }
func isClosing(c byte) bool { return c == ')' || c == ']' || c == '}' }

// lacking names who lacks the operand that err may be about.
func (p *formulaParser) lacking(err error, format string, args ...any) error {
	if err != errNoOperand {
		return err
	}
	p.f.late = true
	return step.IllegalArgument(format, args...)
}

func (p *formulaParser) lackingOperator(err error, op byte) error {
	return p.lacking(err, "Invalid number of operands available for '%c' operator", op)
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
			return p.lackingOperator(err, op)
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
			return p.lackingOperator(err, '-')
		}
		p.emit('~')
		return nil
	case '+':
		p.pos++
		return p.lackingOperator(p.sign(), '+')
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
		return p.lackingOperator(err, '^')
	}
	p.emit('^')
	return nil
}

func (p *formulaParser) primary() error {
	c := p.peek()
	switch {
	case c == 0 || isClosing(c):
		return errNoOperand
	case isOpening(c):
		return p.parenthesised()
	case c >= '0' && c <= '9' || c == '.':
		return p.number()
	case isNameByte(c):
		return p.name()
	case strings.IndexByte("*/%^", c) >= 0:
		return p.lackingOperator(errNoOperand, c)
	}
	r, n := utf8.DecodeRuneInString(p.s[p.pos:])
	if x, ok := mathConstants[string(r)]; ok {
		p.pos += n
		p.f.code = append(p.f.code, mathOp{op: 'n', num: x})
		return nil
	}
	return p.unknown()
}

func (p *formulaParser) parenthesised() error {
	p.pos++
	err := p.sum()
	switch {
	case err == errNoOperand && p.peek() == 0, err == nil && !isClosing(p.peek()):
		return errFormulaParens
	case err == errNoOperand:
		return errFormulaClose
	case err == nil:
		p.pos++
	}
	return err
}

func (p *formulaParser) unknown() error {
	return step.IllegalArgument("Operator is unknown for token.")
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
		return step.NumberFormat("For input string: \"%s\"", p.s[from:p.pos])
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
		if err := p.argument(); err != nil {
			return p.lacking(err, "Invalid number of arguments available for '%s' function", name)
		}
		p.f.code = append(p.f.code, mathOp{op: 'f', fn: fn})
		return nil
	}
	p.f.code = append(p.f.code, mathOp{op: 'v', v: p.f.variable(name)})
	return nil
}

// argument parses what a function applies to.
func (p *formulaParser) argument() error {
	if !isOpening(p.peek()) {
		return p.sum()
	}
	if err := p.parenthesised(); err != errFormulaClose {
		return err
	}
	return errNoOperand
}
