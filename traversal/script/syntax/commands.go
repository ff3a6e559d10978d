package syntax

// Groovy's commands leave the parentheses out: println x is println(x), and
// a b c(d) e is a(b).c(d).e.

// startsOperand reports whether the current token begins what a command is given.
func (p *parser) startsOperand() bool {
	switch p.tok.kind {
	case tokenString, tokenGString, tokenInteger, tokenDecimal:
		return true
	case tokenName:
		return !behindOperands[p.tok.text]
	}
	return false
}

// behindOperands are words that go on behind an operand.
var behindOperands = map[string]bool{
	"in": true, "instanceof": true, "as": true, "else": true, "while": true, "catch": true, "finally": true, "assert": true, "return": true, "throw": true, "case": true,
}

// commands reports whether a command may go on with the current token: on the same line,
// and not within parentheses, brackets or what another is given.
func (p *parser) commands() bool {
	return p.newlines && !p.given && !p.tok.newline && p.startsOperand()
}

// command reads what a name is given without parentheses, or the name that goes on
// behind a call. It is false when the current token does neither.
func (p *parser) command(o operand) (operand, bool, error) {
	switch {
	case !p.commands():
		return o, false, nil
	case o.call != nil:
		args, err := p.commandArguments()
		return operand{at: o.at, eval: o.call(args), called: true}, true, err
	case o.called && p.tok.kind == tokenName:
		o, err := p.memberNamed(o, ".")
		return o, true, err
	}
	return o, false, nil
}

func (p *parser) commandArguments() ([]argument, error) {
	p.given = true
	defer func() { p.given = false }()
	var args []argument
	for {
		a, err := p.argument()
		if err != nil {
			return nil, err
		}
		args = append(args, a)
		if !p.accept(",") {
			return args, nil
		}
	}
}
