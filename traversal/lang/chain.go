package lang

import (
	"slices"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// root reads what follows the source's name: configuration, then tx() or a spawned
// traversal, then a terminal. It reports whether the current token is a name behind a
// dot that is none of those.
func (p *parser) root(s *Statement) (dotted bool, err error) {
	base := len(p.chain)
	s.Bytecode = &traversal.Bytecode{}
	for {
		if !p.tok.is('.') {
			s.Bytecode.Source = p.takeChain(base)
			return false, nil
		}
		p.advance()
		m := sourceMethods[p.text()]
		if m == nil || p.tok.kind != tokenName {
			break
		}
		if err := p.sourceCall(m); err != nil {
			return false, err
		}
	}
	s.Bytecode.Source = p.takeChain(base)
	switch p.text() {
	case "tx":
		return false, p.transaction(s)
	case toStringName:
		return true, nil
	}
	if dotted, err = p.steps(spawns, "a traversal cannot begin with"); err != nil {
		return false, err
	}
	s.Bytecode.Steps = p.takeChain(base)
	if dotted && IsTerminal(p.text()) {
		return p.terminal(s)
	}
	return dotted, nil
}

const toStringName = "toString"

func (p *parser) sourceCall(m *method) error {
	var args []value.Value
	var err error
	switch m.name {
	case "withStrategies":
		args, err = p.strategies()
	case "withoutStrategies":
		args, err = p.strategyClasses()
	default:
		p.advance()
		args, err = p.arguments(m)
	}
	p.chain = append(p.chain, traversal.Instruction{Name: m.name, Args: args})
	return err
}

// transaction reads tx().begin(), commit() or rollback().
func (p *parser) transaction(s *Statement) error {
	if err := p.noArguments(); err != nil {
		return err
	}
	if err := p.expect('.', " and begin(), commit() or rollback()"); err != nil {
		return err
	}
	switch name := p.text(); name {
	case "begin", "commit", "rollback":
		s.Tx, s.Bytecode = name, nil
		return p.noArguments()
	}
	return p.unexpectedName("begin(), commit() or rollback()", "()", namesOnce("begin", "commit", "rollback"))
}

// steps reads a chain of calls onto the stack. The first one must be in first. It
// reports whether it stopped at the name of a terminal or of toString, which then is
// the current token.
func (p *parser) steps(first map[string]*method, refusal string) (dotted bool, err error) {
	base := len(p.chain)
	for {
		if p.tok.kind != tokenName {
			return false, p.unexpected("a step")
		}
		name := p.text()
		m := first[name]
		if m == nil {
			if len(p.chain) > base && (IsTerminal(name) || name == toStringName) {
				return true, nil
			}
			if m, err = p.unknownStep(name, first, refusal); err != nil {
				return false, err
			}
		}
		if len(p.chain)-base == p.o.Limits.Steps {
			return false, p.errorAt(p.tok.start, "more than %d steps: the traversal is too long", p.o.Limits.Steps)
		}
		p.advance()
		args, err := p.arguments(m)
		if err != nil {
			return false, err
		}
		p.chain = append(p.chain, traversal.Instruction{Name: m.name, Args: args})
		if !p.tok.is('.') {
			return false, nil
		}
		p.advance()
		first = steps
	}
}

func (p *parser) unknownStep(name string, known map[string]*method, refusal string) (*method, error) {
	if p.o.Steps != nil && p.o.Steps(name) {
		return unchecked(name), nil
	}
	if m := steps[name]; m != nil {
		return nil, p.meant(p.errorAt(p.tok.start, "%s %s()", refusal, name), "()", p.stepsAfter(known))
	}
	if IsTerminal(name) {
		return nil, p.meant(p.errorAt(p.tok.start, "%s %s()", refusal, name), "()", p.stepsAfter(known))
	}
	return nil, p.meant(p.errorAt(p.tok.start, "unknown step %s()", abbreviated(name)), "()", p.stepsAfter(known))
}

// stepsAfter are the names that may stand where those of a table may: behind a source what
// configures it, and elsewhere, though not all nest, what a traversal ends in and predicates.
func (p *parser) stepsAfter(known map[string]*method) func() []string {
	if known["out"] == nil {
		return SourceNames
	}
	return func() []string { return append(named(known, terminals), PredicateNames("")...) }
}

// terminal reads next(2), toList(), .. and the dot of a toString() behind it.
func (p *parser) terminal(s *Statement) (dotted bool, err error) {
	m := terminals[p.text()]
	p.advance()
	if s.Args, err = p.arguments(m); err != nil {
		return false, err
	}
	s.Terminal = m.name
	if !p.tok.is('.') {
		return false, nil
	}
	p.advance()
	return true, nil
}

// nested reads an anonymous traversal, with or without __ before it.
func (p *parser) nested() (value.Value, error) {
	if err := p.enter(); err != nil {
		return value.Null, err
	}
	defer p.leave()
	base := len(p.chain)
	if p.text() == "__" {
		p.advance()
		if err := p.expect('.', " behind __"); err != nil {
			return value.Null, err
		}
	}
	dotted, err := p.steps(steps, "a nested traversal cannot hold")
	if err != nil {
		return value.Null, err
	}
	if dotted {
		return value.Null, p.errorAt(p.tok.start, "a nested traversal cannot hold %s(): only the whole query ends so", p.text())
	}
	b := &traversal.Bytecode{Steps: p.takeChain(base)}
	return b.Value(), nil
}

// spawned reads g.V().next() where a literal is expected.
func (p *parser) spawned() (value.Value, error) {
	if err := p.enter(); err != nil {
		return value.Null, err
	}
	defer p.leave()
	s := Statement{Source: p.text()}
	at := p.tok.start
	p.advance()
	dotted, err := p.root(&s)
	switch {
	case err != nil:
		return value.Null, err
	case dotted:
		return value.Null, p.unexpected("',' or ')' behind a terminated traversal")
	case s.Terminal == "":
		return value.Null, p.errorAt(at, "a traversal that begins with %s cannot be an argument: begin it with __ or end it with next()", s.Source)
	case p.o.Evaluate == nil:
		return value.Null, p.errorAt(at, "a terminated traversal is not supported as an argument here")
	case !p.evaluate:
		p.terminated = true
		return value.Null, nil
	}
	return p.o.Evaluate(&s)
}

const spaceChunk = 32 // values or instructions allocated together

// takeChain copies the instructions above base off the stack.
func (p *parser) takeChain(base int) []traversal.Instruction {
	n := len(p.chain) - base
	if n == 0 {
		return nil
	}
	if len(p.chainSpace) < n {
		p.chainSpace = make([]traversal.Instruction, max(n, min(spaceChunk, 2*n)))
	}
	out := slices.Clip(p.chainSpace[:n])
	p.chainSpace = p.chainSpace[n:]
	copy(out, p.chain[base:])
	p.chain = p.chain[:base]
	return out
}

// takeArgs copies the arguments above base off the stack.
func (p *parser) takeArgs(base int) []value.Value {
	n := len(p.args) - base
	if n == 0 {
		return nil
	}
	if len(p.argSpace) < n {
		p.argSpace = make([]value.Value, max(n, spaceChunk/4))
	}
	out := slices.Clip(p.argSpace[:n])
	p.argSpace = p.argSpace[n:]
	copy(out, p.args[base:])
	p.args = p.args[:base]
	return out
}
