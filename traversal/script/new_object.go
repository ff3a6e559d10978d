package script

import "github.com/gremlind/gremlind/storage/value"

// newObject reads new Type(args).
func (p *parser) newObject() (operand, error) {
	at := p.tok.start
	p.advance()
	name, err := p.dottedName()
	if err != nil {
		return operand{}, err
	}
	if p.is("<") && !p.diamond() {
		return operand{}, p.unexpected()
	}
	if p.is("[") {
		return p.newArray(name, at)
	}
	args, err := p.arguments()
	if err != nil {
		return operand{}, err
	}
	src, simple := p.source, simpleName(name)
	return operand{at: at, eval: func(f *frame) (value.Value, error) {
		vs, err := evaluate(f, args)
		if err != nil {
			return value.Null, err
		}
		v, ok, err := f.m.construct(simple, name, vs)
		if err == nil && !ok {
			err = src.refused(at, "new "+name)
		}
		return v, src.locate(err, at)
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
	if !knownType(name) {
		return operand{}, p.refused(at, "new "+name)
	}
	size, err := p.listOrMap()
	if err != nil {
		return operand{}, err
	}
	src := p.source
	return operand{at: at, eval: func(f *frame) (value.Value, error) {
		v, err := size.eval(f)
		if err != nil {
			return v, err
		}
		l, ok := listElems(v)
		if !ok || len(l) != 1 || !l[0].Kind().IsNumber() {
			return v, src.locate(fail(argumentException, "the size of an array must be one number"), at)
		}
		n := value.AsInt64(l[0])
		if n < 0 || n > int64(f.m.s.o.Limits.Items) {
			return v, src.locate(fail("java.lang.NegativeArraySizeException", "%d", n), at)
		}
		if err := f.m.charge(valueBytes * int(n)); err != nil {
			return v, err
		}
		elems := make([]value.Value, n)
		for i, zero := 0, zeroOf(simpleName(name)); i < len(elems); i++ {
			elems[i] = zero
		}
		return newList(elems), nil
	}}, nil
}
