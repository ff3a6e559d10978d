package syntax

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/classes"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// argument is one argument of a call: positional, named, or spread.
type argument struct {
	eval   machine.Expression
	name   string
	key    machine.Expression // a computed name
	spread bool
}

// postfix reads a primary with its calls, properties, indexes and ++.
func (p *parser) postfix() (operand, error) {
	o, err := p.primary()
	for n := 0; err == nil; n++ {
		if n == chainMax {
			return o, p.Syntax(p.tok.start, "more than %d calls in a row", chainMax)
		}
		if p.tok.kind != tokenOperator {
			var ok bool
			if o, ok, err = p.command(o); !ok {
				return o, err
			}
			continue
		}
		at := p.tok.start
		switch op := p.tok.text; {
		case op == "." || op == "?." || op == "*.":
			o, err = p.member(o, op)
		case op == ".&" || op == "::":
			o, err = p.methodPointer(o)
		case p.broke():
			return o, nil
		case op == "(":
			o, err = p.callOf(o, at)
		case op == "{" && o.call != nil:
			o, err = p.callOf(o, at)
		case op == "[":
			o, err = p.index(o, at)
		case op == "++" || op == "--":
			p.advance()
			return p.increment(o, op, false, at)
		default:
			return o, nil
		}
	}
	return o, err
}

// callOf reads (args) {closure} or {closure} behind o.
func (p *parser) callOf(o operand, at int) (operand, error) {
	args, err := p.arguments()
	if err != nil {
		return o, err
	}
	if o.call != nil {
		return operand{at: o.at, eval: o.call(args), called: true}, nil
	}
	callee, src := o.eval, p.Source
	return operand{at: o.at, called: true, eval: func(f *machine.Frame) (value.Value, error) {
		v, err := callee(f)
		if err != nil {
			return v, err
		}
		vs, err := evaluate(f, args)
		if err != nil {
			return v, err
		}
		v, err = f.Machine.Invoke(v, "call", vs)
		return v, src.Locate(err, at)
	}}, nil
}

// arguments reads what a call is given.
func (p *parser) arguments() ([]argument, error) {
	var args []argument
	if p.Is("(") {
		restore := p.lines(false)
		p.advance()
		for !p.Is(")") {
			a, err := p.argument()
			if err != nil {
				restore()
				return nil, err
			}
			args = append(args, a)
			if !p.accept(",") {
				break
			}
		}
		restore()
		if err := p.expect(")"); err != nil {
			return nil, err
		}
	}
	for p.Is("{") && !p.broke() {
		o, err := p.closure()
		if err != nil {
			return nil, err
		}
		args = append(args, argument{eval: o.eval})
	}
	return args, nil
}

func (p *parser) argument() (a argument, err error) {
	if p.accept("*") {
		a.spread = true
		a.eval, err = p.expression()
		return a, err
	}
	if (p.tok.kind == tokenName || p.tok.kind == tokenString) && p.peek().text == ":" {
		a.name = p.named()
		p.advance()
		p.advance()
		a.eval, err = p.expression()
		return a, err
	}
	if a.eval, err = p.expression(); err != nil {
		return a, err
	}
	if p.accept(":") {
		a.key = a.eval
		a.eval, err = p.expression()
	}
	return a, err
}

// evaluate returns the values of arguments; named ones become a map in front.
func evaluate(f *machine.Frame, args []argument) ([]value.Value, error) {
	if len(args) == 0 {
		return nil, nil
	}
	out := make([]value.Value, 0, len(args))
	var named *value.Map
	for i := range args {
		a := &args[i]
		v, err := a.eval(f)
		switch {
		case err != nil:
			return nil, err
		case a.spread:
			items, err := f.Machine.Items(v)
			if err != nil {
				return nil, err
			}
			out = append(out, items...)
		case a.name != "" || a.key != nil:
			if named == nil {
				named = value.NewMap()
			}
			k := value.String(a.name)
			if a.key != nil {
				if k, err = a.key(f); err != nil {
					return nil, err
				}
			}
			named.Put(k, v)
		default:
			out = append(out, v)
		}
	}
	if named != nil {
		out = append([]value.Value{named.Value()}, out...)
	}
	return out, nil
}

// member reads .name, .'name' or ."name", which a call may follow.
func (p *parser) member(o operand, op string) (operand, error) {
	p.advance()
	return p.memberNamed(o, op)
}

func (p *parser) memberNamed(o operand, op string) (operand, error) {
	if p.tok.kind != tokenName && p.tok.kind != tokenString {
		return o, p.unexpected()
	}
	name, at := p.named(), p.tok.start
	p.operand = true
	p.advance()
	target, src := o.eval, p.Source
	get := func(f *machine.Frame) (value.Value, error) {
		v, err := target(f)
		if err != nil || op == "?." && v.IsNull() {
			return v, err
		}
		if op == "*." {
			v, err = f.Machine.Spread(v, func(item value.Value) (value.Value, error) { return f.Machine.Property(src, at, item, name) })
		} else {
			v, err = f.Machine.Property(src, at, v, name)
		}
		return v, src.Locate(err, at)
	}
	set := func(f *machine.Frame, v value.Value) error {
		t, err := target(f)
		if err != nil {
			return err
		}
		return src.Locate(f.Machine.SetProperty(t, name, v), at)
	}
	call := func(args []argument) machine.Expression {
		return func(f *machine.Frame) (value.Value, error) {
			v, err := target(f)
			if err != nil || op == "?." && v.IsNull() {
				return v, err
			}
			vs, err := evaluate(f, args)
			if err != nil {
				return v, err
			}
			if op == "*." {
				v, err = f.Machine.Spread(v, func(item value.Value) (value.Value, error) { return f.Machine.Method(src, at, item, name, vs) })
			} else {
				v, err = f.Machine.Method(src, at, v, name, vs)
			}
			return v, src.Locate(err, at)
		}
	}
	return operand{eval: get, assign: set, call: call, at: at}, nil
}

// methodPointer reads .&name and ::name.
func (p *parser) methodPointer(o operand) (operand, error) {
	p.advance()
	if p.tok.kind != tokenName && p.tok.kind != tokenString {
		return o, p.unexpected()
	}
	name, at, src, target := p.named(), p.tok.start, p.Source, o.eval
	p.operand = true
	p.advance()
	return operand{at: at, eval: func(f *machine.Frame) (value.Value, error) {
		v, err := target(f)
		if err != nil {
			return v, err
		}
		return classes.Pointer(src, at, v, name), f.Machine.Charge(machine.CallableBytes)
	}}, nil
}

// index reads [i] or [i, j] behind o.
func (p *parser) index(o operand, at int) (operand, error) {
	inside, err := p.listOrMap()
	if err != nil {
		return o, err
	}
	target, keys, src := o.eval, inside.eval, p.Source
	both := func(f *machine.Frame) (t, k value.Value, err error) {
		if t, err = target(f); err != nil {
			return t, k, err
		}
		if k, err = keys(f); err != nil {
			return t, k, err
		}
		if l, ok := k.Object().(*machine.List); ok && len(l.Elems) == 1 && l.Span == nil {
			k = l.Elems[0]
		}
		return t, k, nil
	}
	return operand{
		at: at,
		eval: func(f *machine.Frame) (value.Value, error) {
			t, k, err := both(f)
			if err != nil {
				return t, err
			}
			v, err := f.Machine.At(t, k)
			return v, src.Locate(err, at)
		},
		assign: func(f *machine.Frame, v value.Value) error {
			t, k, err := both(f)
			if err != nil {
				return err
			}
			return src.Locate(f.Machine.PutAt(t, k, v), at)
		},
	}, nil
}
