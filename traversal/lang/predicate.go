package lang

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

func (p *parser) predicateArgument() (value.Value, class, error) {
	q, err := p.predicate()
	if err != nil {
		return value.Null, 0, err
	}
	return q.Value(), classPredicate, nil
}

// predicateAhead tells not(P.gt(1)) from not(out()): it looks through any number of
// not( for the name inside.
func (p *parser) predicateAhead() bool {
	at := p.pos
	defer func() { p.pos = at }()
	for {
		if t := p.next(); !t.is('(') {
			return false
		}
		t := p.next()
		if t.kind != tokenName {
			return false
		}
		switch name := p.src[t.start:t.end]; {
		case name == "not":
			continue
		case name == "P" || name == "TextP":
			return true
		default:
			return predicates[name] != nil || textPredicates[name] != nil
		}
	}
}

// predicate reads a predicate with its and(), or() and negate().
func (p *parser) predicate() (*traversal.P, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	q, err := p.simplePredicate()
	for n := 0; err == nil && p.tok.is('.'); n++ {
		p.advance()
		if n == p.o.Limits.Depth {
			return nil, p.errorAt(p.tok.start, "a predicate of more than %d parts", n)
		}
		q, err = p.connected(q)
	}
	return q, err
}

// simplePredicate reads P.gt(1), gt(1), TextP.regex("x"), not(..).
func (p *parser) simplePredicate() (*traversal.P, error) {
	class := ""
	if p.peek().is('.') {
		class = p.text()
		p.advance()
		p.advance()
	}
	name := p.text()
	m, text := predicates[name], false
	if t := textPredicates[name]; t != nil && class != "P" {
		m, text = t, true
	}
	switch {
	case name == "not" && class != "TextP":
		p.advance()
		return p.negated()
	case p.tok.kind != tokenName || m == nil || class == "TextP" && !text:
		return nil, p.meant(p.errorAt(p.tok.start, "unknown predicate %s", abbreviated(p.text())), "()", func() []string { return PredicateNames(class) })
	}
	p.advance()
	args, err := p.arguments(m)
	if err != nil {
		return nil, err
	}
	if name == "within" || name == "without" {
		args = Flattened(args)
	}
	return &traversal.P{Name: name, Args: args, Text: text}, nil
}

// negated reads (predicate) behind not.
func (p *parser) negated() (*traversal.P, error) {
	q, err := p.parenthesised("not")
	if err != nil {
		return nil, err
	}
	return Negated(q), nil
}

func (p *parser) parenthesised(of string) (*traversal.P, error) {
	if err := p.expect('(', " behind "+of); err != nil {
		return nil, err
	}
	if p.tok.kind != tokenName {
		return nil, p.unexpected("a predicate in " + of + "()")
	}
	q, err := p.predicate()
	if err != nil {
		return nil, err
	}
	return q, p.expect(')', " behind the predicate in "+of+"()")
}

// connected reads and(predicate), or(predicate) or negate() behind q and a dot.
func (p *parser) connected(q *traversal.P) (*traversal.P, error) {
	switch name := p.text(); name {
	case "and", "or":
		p.advance()
		r, err := p.parenthesised(name)
		if err != nil {
			return nil, err
		}
		return &traversal.P{Name: name, Args: []value.Value{q.Value(), r.Value()}}, nil
	case "negate":
		return Negated(q), p.noArguments()
	}
	return nil, p.unexpectedName("and(), or() or negate() behind a predicate", "()", namesOnce("and", "or", "negate"))
}

// Negated is not(q); of a not() it is what that negates.
func Negated(q *traversal.P) *traversal.P {
	if q.Name == "not" {
		if inner, ok := q.Args[0].Object().(*traversal.P); ok {
			return inner
		}
	}
	return &traversal.P{Name: "not", Args: []value.Value{q.Value()}}
}

// Flattened replaces the single collection given to within() by its elements.
func Flattened(args []value.Value) []value.Value {
	if len(args) != 1 {
		return args
	}
	switch args[0].Kind() {
	case value.KindList:
		return args[0].Elems()
	case value.KindSet:
		return args[0].Set().Elems()
	case value.KindBulkSet:
		var all []value.Value
		set := args[0].BulkSet()
		for i := range set.Len() {
			v, bulk := set.Entry(i)
			for ; bulk > 0 && len(all) < 1<<20; bulk-- {
				all = append(all, v)
			}
		}
		return all
	}
	return args
}
