package lang

import (
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// strategies reads (ReadOnlyStrategy, new SeedStrategy(seed: 1), ..) behind
// withStrategies, the current token.
func (p *parser) strategies() ([]value.Value, error) {
	base := len(p.args)
	err := p.each("withStrategies", func() error {
		s, err := p.strategy()
		if err == nil {
			p.args = append(p.args, value.Object(value.KindStrategy, s))
		}
		return err
	})
	return p.takeArgs(base), err
}

// strategyClasses reads the names behind withoutStrategies, the current token.
func (p *parser) strategyClasses() ([]value.Value, error) {
	base := len(p.args)
	err := p.each("withoutStrategies", func() error {
		if p.tok.kind != tokenName {
			return p.unexpected("the name of a strategy")
		}
		p.args = append(p.args, value.Class(p.text()))
		p.advance()
		return nil
	})
	return p.takeArgs(base), err
}

// each reads a call's comma-separated items, at least one.
func (p *parser) each(name string, item func() error) error {
	p.advance()
	if err := p.expect('(', " behind "+name); err != nil {
		return err
	}
	for {
		if err := item(); err != nil {
			return err
		}
		if !p.tok.is(',') {
			break
		}
		p.advance()
	}
	return p.expect(')', " or ',' in "+name+"()")
}

// strategy reads [new] Name[(key: value, ..)].
func (p *parser) strategy() (*traversal.StrategySpec, error) {
	if p.tok.kind == tokenName && p.text() == "new" {
		p.advance()
	}
	if p.tok.kind != tokenName {
		return nil, p.unexpected("the name of a strategy")
	}
	if name := p.text(); p.o.Groovy && (!strings.HasSuffix(name, "Strategy") || name[0] >= 'a') {
		return nil, p.unexpected("the name of a strategy") // a variable of a script
	}
	s := &traversal.StrategySpec{Class: p.text()}
	p.advance()
	if p.o.Groovy && p.tok.is('.') {
		return nil, p.unexpected("the name of a strategy") // X.build() or X.instance()
	}
	if !p.tok.is('(') {
		return s, nil
	}
	p.advance()
	for !p.tok.is(')') {
		if p.tok.kind != tokenName {
			return nil, p.unexpected("the name of an option of " + s.Class)
		}
		key := p.text()
		p.advance()
		if err := p.expect(':', " behind "+abbreviated(key)); err != nil {
			return nil, err
		}
		v, err := p.strategyOption(s.Class)
		if err != nil {
			return nil, err
		}
		if s.Config == nil {
			s.Config = value.NewMap()
		}
		s.Config.PutString(key, v)
		if err := p.separator(')', "strategy"); err != nil {
			return nil, err
		}
	}
	p.advance()
	return s, nil
}

func (p *parser) strategyOption(class string) (value.Value, error) {
	v, c, err := p.argument(classArgument, class)
	if err == nil && c&classArgument == 0 {
		return v, p.errorAt(p.tok.start, "an option of %s cannot be a predicate", class)
	}
	return v, err
}
