package traversal

import (
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// Test evaluates a predicate, following TinkerPop's semantics of equality and
// comparability: a comparison of what does not compare is false.
type Test func(v value.Value) (bool, error)

// Compile turns the predicate into a function, so that regular expressions and
// sets are built once. What takes long is told to w, which may be nil.
func (p *P) Compile(w Worker) (Test, error) {
	if p.Text && p.Name != "and" && p.Name != "or" && p.Name != "not" {
		return p.compileText(w)
	}
	switch p.Name {
	case "and", "or":
		return p.compileConnective(w)
	case "not":
		inner, err := p.argP(0)
		if err != nil {
			return nil, err
		}
		test, err := inner.Compile(w)
		return Not(test), err
	case "within", "without":
		return p.compileWithin(w)
	case "inside", "outside", "between":
		test, err := p.compileInterval()
		return Weighed(w, p.work(), test), err
	case "typeOf":
		return p.compileTypeOf()
	}
	if len(p.Args) != 1 {
		return nil, fmt.Errorf("P.%s takes one argument, not %d", p.Name, len(p.Args))
	}
	test, err := p.compileCompare(p.Args[0])
	return Weighed(w, p.work(), test), err
}

// work is what one evaluation takes at most because of the arguments.
func (p *P) work() int {
	n := 0
	for _, a := range p.Args {
		n += WorkOf(a)
	}
	return n
}

func (p *P) argP(i int) (*P, error) {
	if i < len(p.Args) {
		if q, ok := p.Args[i].Object().(*P); ok {
			return q, nil
		}
	}
	return nil, fmt.Errorf("P.%s takes predicates", p.Name)
}

func (p *P) compileCompare(arg value.Value) (Test, error) {
	switch p.Name {
	case "eq":
		return func(v value.Value) (bool, error) { return value.Equal(v, arg), nil }, nil
	case "neq":
		return func(v value.Value) (bool, error) { return !value.Equal(v, arg), nil }, nil
	case "lt":
		return compared(arg, func(c int) bool { return c < 0 }), nil
	case "lte":
		return compared(arg, func(c int) bool { return c <= 0 }), nil
	case "gt":
		return compared(arg, func(c int) bool { return c > 0 }), nil
	case "gte":
		return compared(arg, func(c int) bool { return c >= 0 }), nil
	}
	return nil, fmt.Errorf("unknown predicate P.%s", p.Name)
}

func compared(arg value.Value, want func(int) bool) Test {
	return func(v value.Value) (bool, error) {
		c, ok := value.Compare(v, arg)
		return ok && want(c), nil
	}
}

func (p *P) compileConnective(w Worker) (Test, error) {
	tests := make([]Test, len(p.Args))
	for i := range p.Args {
		q, err := p.argP(i)
		if err != nil {
			return nil, err
		}
		if tests[i], err = q.Compile(w); err != nil {
			return nil, err
		}
	}
	stop := p.Name == "or"
	return func(v value.Value) (bool, error) {
		for _, t := range tests {
			ok, err := t(v)
			if err != nil || ok == stop {
				return ok, err
			}
		}
		return !stop, nil
	}, nil
}

// Members flattens the arguments of within and without: P.within([1,2]) arrives as
// one list or as its elements.
func (p *P) Members() []value.Value {
	if len(p.Args) == 1 {
		switch p.Args[0].Kind() {
		case value.KindList:
			return p.Args[0].Elems()
		case value.KindSet:
			return p.Args[0].Set().Elems()
		case value.KindBulkSet:
			var vs []value.Value
			Each(p.Args[0], func(v value.Value, _ int64) { vs = append(vs, v) })
			return vs
		}
	}
	return p.Args
}

const withinSetMin = 16 // members from which hashing beats comparing

func (p *P) compileWithin(w Worker) (Test, error) {
	want := p.Name == "within"
	members := p.Members()
	each := Weighed(w, p.work()+partWork*len(members), func(v value.Value) (bool, error) {
		for _, m := range members {
			if value.Equal(v, m) {
				return want, nil
			}
		}
		return !want, nil
	})
	if len(members) < withinSetMin || !sameKind(members) {
		return each, nil
	}
	if err := worked(w, partWork*len(members)); err != nil {
		return nil, err
	}
	set := value.NewSet(members...)
	return func(v value.Value) (bool, error) {
		if v.Kind() == members[0].Kind() {
			return set.Has(v) == want, nil
		}
		return each(v)
	}, nil
}

// sameKind reports whether all members are strings, longs or ints: where identity
// and equality agree.
func sameKind(vs []value.Value) bool {
	k := vs[0].Kind()
	if k != value.KindString && k != value.KindLong && k != value.KindInt {
		return false
	}
	for _, v := range vs {
		if v.Kind() != k {
			return false
		}
	}
	return true
}

func (p *P) compileInterval() (Test, error) {
	args := p.Members()
	if len(args) != 2 {
		return nil, fmt.Errorf("P.%s takes two arguments, not %d", p.Name, len(args))
	}
	lo, hi := args[0], args[1]
	name := p.Name
	return func(v value.Value) (bool, error) {
		cl, okl := value.Compare(v, lo)
		ch, okh := value.Compare(v, hi)
		switch name {
		case "inside":
			return okl && okh && cl > 0 && ch < 0, nil
		case "between":
			return okl && okh && cl >= 0 && ch < 0, nil
		}
		return okl && cl < 0 || okh && ch > 0, nil
	}, nil
}

func (p *P) compileTypeOf() (Test, error) {
	if len(p.Args) != 1 {
		return nil, fmt.Errorf("P.typeOf takes one argument")
	}
	is, err := value.TypeTest(p.Args[0])
	if err != nil {
		return nil, err
	}
	return func(v value.Value) (bool, error) { return is(v), nil }, nil
}

// Not is the opposite of a test: not(gt(1)) is true of what does not compare with 1,
// which is neither greater than 1 nor less than or equal to it.
func Not(test Test) Test {
	return func(v value.Value) (bool, error) {
		ok, err := test(v)
		return !ok && err == nil, err
	}
}

func (p *P) compileText(w Worker) (Test, error) {
	if len(p.Args) != 1 {
		return nil, fmt.Errorf("TextP.%s takes one argument", p.Name)
	}
	arg := p.Args[0].Str()
	name, neg := strings.CutPrefix(p.Name, "not")
	var match func(s string) (bool, error)
	switch strings.ToLower(name[:1]) + name[1:] {
	case "containing":
		match = func(s string) (bool, error) {
			if len(s) > smallWork {
				if err := worked(w, len(s)); err != nil {
					return false, err
				}
			}
			return strings.Contains(s, arg), nil
		}
	case "startingWith":
		match = func(s string) (bool, error) { return strings.HasPrefix(s, arg), nil }
	case "endingWith":
		match = func(s string) (bool, error) { return strings.HasSuffix(s, arg), nil }
	case "regex":
		re, err := NewRegex(w, arg)
		if err != nil {
			return nil, err
		}
		match = re.Finds
	default:
		return nil, fmt.Errorf("unknown predicate TextP.%s", p.Name)
	}
	return func(v value.Value) (bool, error) {
		if v.Kind() != value.KindString {
			// no error, so that an index of the texts alone gives the same answer
			return neg && !v.IsNull(), nil
		}
		found, err := match(v.Str())
		return found != neg && err == nil, err
	}, nil
}
