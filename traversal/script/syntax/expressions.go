package syntax

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// operand is an expression with what an assignment to it would do; assign is nil when
// it cannot be assigned to.
type operand struct {
	eval   machine.Expression
	assign func(f *machine.Frame, v value.Value) error
	at     int
	// call is set for a name, bare or behind a dot: how to call it as a method.
	call func(args []argument) machine.Expression
	// called is set behind a call: a name on the same line calls a method of what it gave.
	called bool
}

// expression reads an assignment or anything below it.
func (p *parser) expression() (machine.Expression, error) {
	done, err := p.nest()
	if err != nil {
		return nil, err
	}
	defer done()
	left, err := p.ternary()
	if err != nil {
		return nil, err
	}
	if p.tok.kind != tokenOperator || p.broke() {
		return left.eval, nil
	}
	op := p.tok.text
	compound, ok := assignments[op]
	if !ok {
		return left.eval, nil
	}
	if left.assign == nil {
		return nil, p.unexpected()
	}
	at := p.tok.start
	p.advance()
	right, err := p.expression()
	if err != nil {
		return nil, err
	}
	return p.assignment(left, compound, right, at), nil
}

// assignments are the assignment operators with the operator they apply first.
var assignments = map[string]string{
	"=": "", "+=": "+", "-=": "-", "*=": "*", "/=": "/", "%=": "%", "**=": "**",
	"<<=": "<<", ">>=": ">>", ">>>=": ">>>", "&=": "&", "|=": "|", "^=": "^", "?=": "?",
}

func (p *parser) assignment(left operand, compound string, right machine.Expression, at int) machine.Expression {
	src := p.Source
	return func(f *machine.Frame) (value.Value, error) {
		var old value.Value
		var err error
		if compound != "" {
			if old, err = left.eval(f); err != nil {
				return old, err
			}
		}
		if compound == "?" && f.Machine.Truth(old) {
			return old, nil
		}
		v, err := right(f)
		if err != nil {
			return v, err
		}
		if compound != "" && compound != "?" {
			if v, err = f.Machine.Binary(compound, old, v); err != nil {
				return v, src.Locate(err, at)
			}
		}
		return v, src.Locate(left.assign(f, v), left.at)
	}
}

// ternary reads a ? b : c and a ?: b.
func (p *parser) ternary() (operand, error) {
	cond, err := p.binary(1)
	if err != nil {
		return cond, err
	}
	switch {
	case p.Is("?:"):
		p.advance()
		other, err := p.expression()
		if err != nil {
			return cond, err
		}
		return operand{at: cond.at, eval: func(f *machine.Frame) (value.Value, error) {
			v, err := cond.eval(f)
			if err != nil || f.Machine.Truth(v) {
				return v, err
			}
			return other(f)
		}}, nil
	case p.Is("?"):
		p.advance()
		then, err := p.expression()
		if err != nil {
			return cond, err
		}
		if err := p.expect(":"); err != nil {
			return cond, err
		}
		other, err := p.expression()
		if err != nil {
			return cond, err
		}
		return operand{at: cond.at, eval: func(f *machine.Frame) (value.Value, error) {
			v, err := cond.eval(f)
			switch {
			case err != nil:
				return v, err
			case f.Machine.Truth(v):
				return then(f)
			}
			return other(f)
		}}, nil
	}
	return cond, nil
}

// precedences are the binary operators, the weakest with 1.
var precedences = precedenceOf([][]string{
	{"||"}, {"&&"}, {"|"}, {"^"}, {"&"},
	{"==", "!=", "<=>", "===", "!==", "=~", "==~"},
	{"<", "<=", ">", ">=", "in", "instanceof", "as", "!in", "!instanceof"},
	{"<<", ">>", ">>>", "..", "..<"},
	{"+", "-"},
	{"*", "/", "%"},
})

func precedenceOf(levels [][]string) map[string]int {
	m := map[string]int{}
	for i, ops := range levels {
		for _, op := range ops {
			m[op] = i + 1
		}
	}
	return m
}

// sameLine are the operators that a new line does not continue with.
var sameLine = map[string]bool{"+": true, "-": true, "in": true, "instanceof": true, "as": true, "<": true}

const chainMax = 4000 // operators of one level, calls or properties in a row

// binary reads operators at least as strong as least.
func (p *parser) binary(least int) (operand, error) {
	left, err := p.power()
	for n := 0; err == nil; n++ {
		op, precedence := p.operator()
		if precedence == 0 || precedence < least {
			return left, nil
		}
		if n == chainMax {
			return left, p.Syntax(p.tok.start, "more than %d operators in a row", chainMax)
		}
		at := p.tok.start
		p.advance()
		if op[0] == '!' && len(op) > 3 {
			p.advance()
		}
		if op == "instanceof" || op == "as" || op == "!instanceof" {
			left, err = p.typeOperator(op, left, at)
			continue
		}
		var right operand
		if right, err = p.binary(precedence + 1); err == nil {
			left = p.applied(op, left, right, at)
		}
	}
	return left, err
}

// operator returns the current token if it is a binary operator; else precedence is 0.
func (p *parser) operator() (op string, precedence int) {
	if p.tok.kind != tokenOperator && p.tok.kind != tokenName {
		return "", 0
	}
	op = p.tok.text
	if op == "!" && p.tok.kind == tokenOperator && !p.broke() {
		if next := p.peek(); next.text == "in" || next.text == "instanceof" {
			op += next.text
		}
	}
	precedence = precedences[op]
	if precedence == 0 || sameLine[op] && p.broke() {
		return "", 0
	}
	return op, precedence
}

func (p *parser) applied(op string, left, right operand, at int) operand {
	src, l, r := p.Source, left.eval, right.eval
	o := operand{at: left.at}
	switch op {
	case "&&", "||":
		o.eval = func(f *machine.Frame) (value.Value, error) {
			v, err := l(f)
			if err != nil {
				return v, err
			}
			if f.Machine.Truth(v) == (op == "||") {
				return value.Bool(op == "||"), nil
			}
			v, err = r(f)
			return value.Bool(err == nil && f.Machine.Truth(v)), err
		}
	default:
		o.eval = func(f *machine.Frame) (value.Value, error) {
			a, err := l(f)
			if err != nil {
				return a, err
			}
			b, err := r(f)
			if err != nil {
				return b, err
			}
			v, err := f.Machine.Binary(op, a, b)
			return v, src.Locate(err, at)
		}
	}
	return o
}

// typeOperator reads the type behind instanceof or as.
func (p *parser) typeOperator(op string, left operand, at int) (operand, error) {
	p.element = ""
	name := p.typeName()
	if name == "" {
		return left, p.unexpected()
	}
	if !machine.KnownType(name) && machine.SimpleName(name) != "LifeCycleHook" {
		return left, p.Refused(at, name)
	}
	if element := p.element; op == "as" && element != "" {
		return p.asArray(element, left, at), nil
	}
	src, l := p.Source, left.eval
	return operand{at: left.at, eval: func(f *machine.Frame) (value.Value, error) {
		v, err := l(f)
		if err != nil {
			return v, err
		}
		if op == "as" {
			v, err = f.Machine.As(name, v)
			return v, src.Locate(err, at)
		}
		return value.Bool(f.Machine.InstanceOf(v, name) == (op == "instanceof")), nil
	}}, nil
}

// asArray is as Type[]: a list of values of the type, which steps take for several.
func (p *parser) asArray(element string, left operand, at int) operand {
	src, l := p.Source, left.eval
	return operand{at: left.at, eval: func(f *machine.Frame) (value.Value, error) {
		v, err := l(f)
		if err != nil || v.IsNull() {
			return v, err
		}
		items, err := f.Machine.Items(v)
		if err == nil {
			err = f.Machine.Charge(machine.ValueBytes * (len(items) + 2))
		}
		if err != nil {
			return v, err
		}
		out := make([]value.Value, len(items))
		for i, item := range items {
			if out[i], err = f.Machine.As(element, item); err != nil {
				return v, src.Locate(err, at)
			}
		}
		return machine.Wrap(&machine.List{Elems: out, Array: true}), f.Machine.Step()
	}}
}

// power reads a ** b, stronger than a sign on its left.
func (p *parser) power() (operand, error) {
	left, err := p.unary()
	for n := 0; err == nil && p.Is("**"); n++ {
		if n == chainMax {
			return left, p.Syntax(p.tok.start, "more than %d operators in a row", chainMax)
		}
		at := p.tok.start
		p.advance()
		var right operand
		if right, err = p.unary(); err == nil {
			left = p.applied("**", left, right, at)
		}
	}
	return left, err
}

// unary reads signs, !, ~, ++, -- and casts.
func (p *parser) unary() (operand, error) {
	if p.tok.kind != tokenOperator {
		return p.postfix()
	}
	at := p.tok.start
	switch op := p.tok.text; op {
	case "-", "+", "!", "~":
		p.advance()
		if op == "-" && (p.tok.kind == tokenInteger || p.tok.kind == tokenDecimal) && !strongerThanSign[p.peek().text] {
			p.keep(at, p.tok.end)
			p.tok.text = "-" + p.tok.text
			return p.postfix()
		}
		done, err := p.nest()
		if err != nil {
			return operand{}, err
		}
		defer done()
		read := p.unary
		if op == "-" || op == "+" {
			read = p.power // -2 ** 2 is -(2 ** 2)
		}
		of, err := read()
		if err != nil {
			return of, err
		}
		src := p.Source
		return operand{at: at, eval: func(f *machine.Frame) (value.Value, error) {
			v, err := of.eval(f)
			if err != nil {
				return v, err
			}
			v, err = f.Machine.Unary(op, v)
			return v, src.Locate(err, at)
		}}, nil
	case "++", "--":
		p.advance()
		of, err := p.postfix()
		if err != nil {
			return of, err
		}
		return p.increment(of, op, true, at)
	case "(":
		if name, ok := p.cast(); ok {
			return p.castOf(name, at)
		}
	}
	return p.postfix()
}

// strongerThanSign are the operators behind a number that apply before its sign does.
var strongerThanSign = map[string]bool{"**": true, ".": true, "?.": true, "*.": true, ".&": true}

// increment is ++ and --, before or behind an operand.
func (p *parser) increment(of operand, op string, before bool, at int) (operand, error) {
	if of.assign == nil {
		return of, p.Syntax(at, "Unexpected input: '%s'", op)
	}
	src := p.Source
	return operand{at: at, eval: func(f *machine.Frame) (value.Value, error) {
		old, err := of.eval(f)
		if err != nil {
			return old, err
		}
		v, err := f.Machine.Next(old, op == "++")
		if err == nil {
			err = of.assign(f, v)
		}
		if before {
			old = v
		}
		return old, src.Locate(err, at)
	}}, nil
}

// cast passes (Type) if an operand follows it.
func (p *parser) cast() (string, bool) {
	m := p.mark()
	p.advance()
	name := p.typeName()
	if name != "" && machine.KnownType(name) && p.Is(")") {
		p.operand = false
		p.advance()
		next := p.tok
		starts := next.kind == tokenName && !operatorWord(next.text) || next.kind == tokenInteger || next.kind == tokenDecimal ||
			next.kind == tokenString || next.kind == tokenGString || p.Is("(") || p.Is("[")
		if starts && !p.broke() || machine.Primitives[name] && p.Is("-") {
			return name, true
		}
	}
	p.reset(m)
	return "", false
}

func (p *parser) castOf(name string, at int) (operand, error) {
	done, err := p.nest()
	if err != nil {
		return operand{}, err
	}
	defer done()
	of, err := p.unary()
	if err != nil {
		return of, err
	}
	src := p.Source
	return operand{at: at, eval: func(f *machine.Frame) (value.Value, error) {
		v, err := of.eval(f)
		if err != nil {
			return v, err
		}
		v, err = f.Machine.As(name, v)
		return v, src.Locate(err, at)
	}}, nil
}
