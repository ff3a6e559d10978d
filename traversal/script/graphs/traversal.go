package graphs

import (
	"context"
	"maps"
	"slices"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/script/host"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// Source is g, with the configuration that with..() added.
type Source struct {
	Global host.Global
	Config []traversal.Instruction
}

const sourceClass = "org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource"

// ClassName returns the name of the Java class.
func (s *Source) ClassName() string { return sourceClass }

// Belongs returns the graph or source behind the object.
func (s *Source) Belongs() host.Global { return s.Global }

// Text returns the text of the object.
func (s *Source) Text(m *machine.Machine) string {
	return SourceShown(graphText(m, s.Global), s.Config).Text
}

// Property reads a property, false when there is none of that name.
func (s *Source) Property(_ *machine.Machine, name string) (value.Value, bool) {
	switch name {
	case "graph":
		return machine.Wrap(&Graph{Global: s.Global}), true
	case "bytecode":
		return (&traversal.Bytecode{Source: s.Config}).Value(), true
	}
	return value.Null, false
}

// Method calls a method, false when there is none for these arguments.
func (s *Source) Method(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	switch {
	case lang.IsSourceMethod(name) || name == "withComputer":
		vs, err := StepArguments(m, args)
		if name == "withStrategies" {
			classesToStrategies(vs)
		}
		config := append(s.Config[:len(s.Config):len(s.Config)], traversal.Instruction{Name: name, Args: vs})
		return machine.Wrap(&Source{s.Global, config}), true, err
	case name == "tx" && len(args) == 0:
		return machine.Wrap(&transaction{s.Global}), true, nil
	case name == "close" && len(args) == 0:
		return value.Null, true, nil
	case name == "getGraph" && len(args) == 0:
		return machine.Wrap(&Graph{Global: s.Global}), true, nil
	case m.IsStep(name) && (lang.IsSpawn(name) || !lang.IsStep(name)):
		t := &Traversal{Global: s.Global, Bytecode: &traversal.Bytecode{Source: s.Config}}
		return machine.Wrap(t), true, t.add(m, name, args)
	}
	return value.Null, false, nil
}

// Members returns the names of what may be called on it.
func (s *Source) Members(*machine.Machine) []string {
	return append(lang.SourceNames(), "withComputer", "close", "getGraph")
}

// classesToStrategies makes withStrategies(ReadOnlyStrategy) of the class the strategy.
func classesToStrategies(args []value.Value) {
	for i, v := range args {
		if v.Kind() == value.KindClass {
			args[i] = value.Object(value.KindStrategy, &traversal.StrategySpec{Class: v.Str()})
		}
	}
}

// Traversal is a traversal that a script built: steps are added until it is drained.
type Traversal struct {
	// Global is where it starts; of an anonymous traversal it is empty.
	Global   host.Global
	Bytecode *traversal.Bytecode
	it       host.Iterator
	ahead    []value.Bulked
	done     bool
	drained  bool // by iterate()
	// over is what ran to its end, while its side effects were not asked for; effects
	// are those.
	over    host.Iterator
	effects *value.Map
}

// What a running traversal takes, and each step of it, in bytes.
const (
	runningBytes     = 2 << 10
	runningStepBytes = 800
)

// RunningBytes is about what a traversal takes while it runs.
func RunningBytes(b *traversal.Bytecode) int { return runningBytes + runningStepBytes*b.Size() }

// Belongs returns the graph or source behind the object.
func (t *Traversal) Belongs() host.Global { return t.Global }

// Drains reports whether the traversal starts from a graph.
func (t *Traversal) Drains() bool { return !t.anonymous() }

// Truth reports whether anything is left or there.
func (t *Traversal) Truth(m *machine.Machine) (bool, error) { return t.hasNext(m) }

// Is reports whether a type is one of the traversal.
func (t *Traversal) Is(simple string) bool {
	return simple == "Traversal" || simple == "GraphTraversal" || simple == "Iterator"
}

// IsCase tests a value as a label of a switch does.
func (t *Traversal) IsCase(m *machine.Machine, v value.Value) (found bool, err error) {
	err = m.Each(machine.Wrap(t), func(item value.Value) (bool, error) {
		found = m.Equal(item, v)
		return !found, nil
	})
	return found, err
}

// Export makes bytecode of a child traversal.
func (t *Traversal) Export() (value.Value, bool) {
	return t.Bytecode.Value(), t.anonymous()
}

// Retains returns the side effects, and what the traversal takes while it runs.
func (t *Traversal) Retains() ([]value.Value, int) {
	held := []value.Value{t.settled().Value(), t.Bytecode.Value()}
	if t.it != nil {
		return held, RunningBytes(t.Bytecode)
	}
	return held, 0
}

func (t *Traversal) anonymous() bool { return t.Global == host.Global{} }

// Started reports whether results were already taken from t.
func (t *Traversal) Started() bool { return t.it != nil || t.done }

// Next appends up to max of the results that are left to dst, for a traversal that
// was started; none means the end.
func (t *Traversal) Next(dst []value.Bulked, max int) ([]value.Bulked, error) {
	if n := min(max, len(t.ahead)); n > 0 {
		dst = append(dst, t.ahead[:n]...)
		t.ahead = t.ahead[n:]
		return dst, nil
	}
	if t.done || t.it == nil {
		return dst, nil
	}
	n := len(dst)
	dst, err := t.it.Next(dst, max)
	if len(dst) == n {
		t.Close()
	}
	return dst, err
}

// Close ends the running traversal.
func (t *Traversal) Close() {
	t.done = true
	if t.it != nil {
		t.it.Close()
		t.over, t.it = t.it, nil
	}
}

func (t *Traversal) add(m *machine.Machine, name string, args []value.Value) error {
	switch {
	case t.Started():
		return machine.Fail(machine.StateException, "The traversal is already locked: %s() cannot be added", name)
	case len(t.Bytecode.Steps) >= traversal.StepsMax:
		return machine.Fail(machine.StateException, "more than %d steps: the traversal is too long", traversal.StepsMax)
	}
	vs, err := StepArguments(m, args)
	if err != nil {
		return err
	}
	t.Bytecode.Steps = append(t.Bytecode.Steps, traversal.Instruction{Name: name, Args: vs})
	return m.Charge(machine.ValueBytes * (2 + len(vs)))
}

// Anonymous starts __.name(args).
func Anonymous(m *machine.Machine, name string, args []value.Value) (value.Value, error) {
	t := &Traversal{Bytecode: &traversal.Bytecode{}}
	return machine.Wrap(t), t.add(m, name, args)
}

// StepArguments makes values that steps take: closures become lambdas, anonymous
// traversals bytecode.
func StepArguments(m *machine.Machine, args []value.Value) ([]value.Value, error) {
	if len(args) == 0 {
		return nil, nil
	}
	if l, ok := machine.Foreign(args[len(args)-1]).(*machine.List); ok && l.Array {
		args = append(args[:len(args)-1:len(args)-1], l.Elems...)
	}
	out := make([]value.Value, len(args))
	for i, v := range args {
		switch o := machine.Foreign(v).(type) {
		case *machine.Closure:
			out[i] = o.Lambda()
		case *Traversal:
			if !o.anonymous() {
				return nil, machine.Fail(machine.StateException, "The child traversal of %s was not spawned anonymously - use the __ class rather than a TraversalSource to construct the child traversal", machine.Clip(o.Text(m)))
			}
			out[i] = o.Bytecode.Value()
		case *machine.List, machine.Class, *machine.Iterator, nil:
			var err error
			if out[i], err = m.CheckedExport(v); err != nil {
				return nil, err
			}
		default:
			return nil, machine.Fail(machine.ArgumentException, "%s cannot be an argument of a step", o.ClassName())
		}
	}
	return out, nil
}

// start makes the host run t.
func (t *Traversal) start(m *machine.Machine) error {
	if t.Started() {
		return nil
	}
	if m.State.Host == nil {
		return machine.Fail(machine.StateException, "no graph is open")
	}
	it, err := m.State.Host.Execute(m.Context, t.Global, t.Bytecode)
	if err != nil {
		return err
	}
	t.it = it
	return nil
}

// fill makes sure that a result is ahead, false at the end.
func (t *Traversal) fill(m *machine.Machine) (bool, error) {
	if err := t.start(m); err != nil {
		return false, err
	}
	for len(t.ahead) > 0 && t.ahead[0].Bulk <= 0 {
		t.ahead = t.ahead[1:]
	}
	if len(t.ahead) > 0 {
		return true, nil
	}
	if t.done {
		return false, nil
	}
	if err := m.Poll(); err != nil {
		return false, err
	}
	var err error
	if t.ahead, err = t.Next(t.ahead[:0], 1); err != nil {
		t.Close()
		return false, err
	}
	return len(t.ahead) > 0, nil
}

func (t *Traversal) hasNext(m *machine.Machine) (bool, error) { return t.fill(m) }

// Take takes one result; a result of bulk n is taken n times.
func (t *Traversal) Take(m *machine.Machine) (value.Value, bool, error) {
	ok, err := t.fill(m)
	if !ok || err != nil {
		return value.Null, false, err
	}
	b := &t.ahead[0]
	v := b.Value
	if b.Bulk--; b.Bulk <= 0 {
		t.ahead = t.ahead[1:]
	}
	return v, true, nil
}

// Drain runs the whole traversal for its effects.
func (t *Traversal) drain(m *machine.Machine) error {
	if err := t.start(m); err != nil {
		return err
	}
	var b []value.Bulked
	for !t.done {
		if err := m.Poll(); err != nil {
			return err
		}
		var err error
		if b, err = t.Next(b[:0], 256); err != nil {
			t.Close()
			return err
		}
	}
	return nil
}

// ClassName returns the name of the Java class.
func (t *Traversal) ClassName() string {
	return "org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.DefaultGraphTraversal"
}

// Text returns the text of the object.
func (t *Traversal) Text(m *machine.Machine) string {
	b := *t.Bytecode
	if t.drained {
		b.Steps = append(b.Steps[:len(b.Steps):len(b.Steps)], traversal.Instruction{Name: "discard"})
	}
	return m.StepsText(t.Global, &b, t.Started())
}

// Property reads a property, false when there is none of that name.
func (t *Traversal) Property(_ *machine.Machine, name string) (value.Value, bool) {
	if name == "bytecode" {
		return t.Bytecode.Value(), true
	}
	return value.Null, false
}

// settled are the side effects of a traversal that ran to its end. What ran is free then.
func (t *Traversal) settled() *value.Map {
	if from, ok := t.over.(host.SideEffects); ok {
		t.effects, _ = from.SideEffects() // what cannot be told is not there
	}
	if t.over = nil; t.effects == nil {
		t.effects = value.NewMap()
	}
	return t.effects
}

// sideEffects are those of a traversal that was started, by key.
func (t *Traversal) sideEffects(m *machine.Machine) (*value.Map, error) {
	it := t.over
	if t.it != nil {
		it = t.it
	}
	from, ok := it.(host.SideEffects)
	if !ok {
		return t.settled(), nil
	}
	all, err := from.SideEffects()
	if err != nil {
		return nil, err
	}
	for _, v := range all.Values() {
		if err := m.Keep(v); err != nil {
			return nil, err
		}
	}
	t.effects, t.over = all, nil
	return all, nil
}

// Method calls a method, false when there is none for these arguments.
func (t *Traversal) Method(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	if m.IsStep(name) {
		return machine.Wrap(t), true, t.add(m, name, args)
	}
	if p := programIn(args); name == "program" && p != nil {
		return machine.Wrap(t), true, t.addProgram(m, p)
	}
	if name == "none" && len(args) == 0 {
		return machine.Wrap(t), true, t.add(m, "discard", nil)
	}
	return m.Tables().Traversals.Try(m, machine.Wrap(t), name, args)
}

// Members returns the names of what may be called on it.
func (t *Traversal) Members(m *machine.Machine) []string {
	return slices.AppendSeq(lang.StepNames(), maps.Keys(m.Tables().Traversals))
}

// Iterate returns t, started: the results that are left. A variable that has t sees
// what was taken of it.
func (t *Traversal) Iterate(ctx context.Context, h host.Host) (_ host.Iterator, err error) {
	if !t.Started() {
		t.it, err = h.Execute(ctx, t.Global, t.Bytecode)
	}
	return t, err
}

// SourceShown is a traversal source over a graph of this text.
func SourceShown(graph string, config []traversal.Instruction) *machine.Shown {
	computes := slices.ContainsFunc(config, func(in traversal.Instruction) bool { return in.Name == "withComputer" })
	if computes {
		return &machine.Shown{Class: sourceClass, Text: "graphtraversalsource[" + graph + ", graphcomputer]"}
	}
	return &machine.Shown{Class: sourceClass, Text: "graphtraversalsource[" + graph + ", standard]"}
}
