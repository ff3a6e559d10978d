package syntax

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/classes"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// newObject reads new Type(args).
func (p *parser) newObject() (operand, error) {
	at := p.tok.start
	p.advance()
	name, err := p.dottedName()
	if err != nil {
		return operand{}, err
	}
	if p.Is("<") && !p.diamond() {
		return operand{}, p.unexpected()
	}
	if p.Is("[") {
		return p.newArray(name, at)
	}
	args, err := p.arguments()
	if err != nil {
		return operand{}, err
	}
	src, simple := p.Source, machine.SimpleName(name)
	return operand{at: at, eval: func(f *machine.Frame) (value.Value, error) {
		vs, err := evaluate(f, args)
		if err != nil {
			return value.Null, err
		}
		v, ok, err := classes.Construct(f.Machine, simple, name, vs)
		if err == nil && !ok {
			err = f.Machine.Refused(src, at, "new "+name)
		}
		if err == nil {
			err = f.Machine.Made(v, value.Null)
		}
		return v, src.Locate(err, at)
	}}, nil
}

// diamond passes <> or <..>.
func (p *parser) diamond() bool {
	if p.peek().text == ">" {
		p.advance()
		p.advance()
		return true
	}
	return p.typeParameters()
}

// newArray reads new Type[n]: a list of n nulls or zeros.
func (p *parser) newArray(name string, at int) (operand, error) {
	if !machine.KnownType(name) {
		return operand{}, p.Refused(at, "new "+name)
	}
	size, err := p.listOrMap()
	if err != nil {
		return operand{}, err
	}
	src := p.Source
	return operand{at: at, eval: func(f *machine.Frame) (value.Value, error) {
		v, err := size.eval(f)
		if err != nil {
			return v, err
		}
		l, ok := machine.ListElems(v)
		if !ok || len(l) != 1 || !l[0].Kind().IsNumber() {
			return v, src.Locate(machine.Fail(machine.ArgumentException, "the size of an array must be one number"), at)
		}
		n := value.AsInt64(l[0])
		if n < 0 || n > int64(f.Machine.State.Options.Limits.Items) {
			return v, src.Locate(machine.Fail("java.lang.NegativeArraySizeException", "%d", n), at)
		}
		if err := f.Machine.Charge(machine.ValueBytes * int(n)); err != nil {
			return v, err
		}
		elems := make([]value.Value, n)
		for i, zero := 0, machine.ZeroOf(machine.SimpleName(name)); i < len(elems); i++ {
			elems[i] = zero
		}
		return machine.NewList(elems), nil
	}}, nil
}
