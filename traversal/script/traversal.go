package script

import (
	"context"
	"slices"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// traversalSource is g, with the configuration that with..() added.
type traversalSource struct {
	g      Global
	config []traversal.Instruction
}

const sourceClass = "org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource"

func (s *traversalSource) className() string { return sourceClass }

func (s *traversalSource) global() Global { return s.g }

func (s *traversalSource) text(m *machine) string {
	return SourceShown(m.graphText(s.g), s.config).Text
}

func (s *traversalSource) property(_ *machine, name string) (value.Value, bool) {
	switch name {
	case "graph":
		return wrap(&graphObject{g: s.g}), true
	case "bytecode":
		return (&traversal.Bytecode{Source: s.config}).Value(), true
	}
	return value.Null, false
}

func (s *traversalSource) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	switch {
	case lang.IsSourceMethod(name) || name == "withComputer":
		vs, err := m.stepArguments(args)
		if name == "withStrategies" {
			classesToStrategies(vs)
		}
		config := append(s.config[:len(s.config):len(s.config)], traversal.Instruction{Name: name, Args: vs})
		return wrap(&traversalSource{s.g, config}), true, err
	case name == "tx" && len(args) == 0:
		return wrap(&transaction{s.g}), true, nil
	case name == "close" && len(args) == 0:
		return value.Null, true, nil
	case name == "getGraph" && len(args) == 0:
		return wrap(&graphObject{g: s.g}), true, nil
	case m.isStep(name) && (lang.IsSpawn(name) || !lang.IsStep(name)):
		t := &Traversal{Global: s.g, Bytecode: &traversal.Bytecode{Source: s.config}}
		return wrap(t), true, t.add(m, name, args)
	}
	return value.Null, false, nil
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
	Global   Global
	Bytecode *traversal.Bytecode
	it       Iterator
	ahead    []value.Bulked
	done     bool
	drained  bool // by iterate()
	// over is what ran to its end, while its side effects were not asked for; effects
	// are those.
	over    Iterator
	effects *value.Map
}

// What a running traversal takes, and each step of it, in bytes.
const (
	runningBytes     = 1 << 10
	runningStepBytes = 400
)

// RunningBytes is about what a traversal takes while it runs.
func RunningBytes(b *traversal.Bytecode) int { return runningBytes + runningStepBytes*len(b.Steps) }

func (t *Traversal) global() Global { return t.Global }

func (t *Traversal) drains() bool { return !t.anonymous() }

func (t *Traversal) truth(m *machine) (bool, error) { return t.hasNext(m) }

func (t *Traversal) is(simple string) bool {
	return simple == "Traversal" || simple == "GraphTraversal" || simple == "Iterator"
}

func (t *Traversal) isCase(m *machine, v value.Value) (found bool, err error) {
	err = m.each(wrap(t), func(item value.Value) (bool, error) {
		found = m.equal(item, v)
		return !found, nil
	})
	return found, err
}

// export makes bytecode of a child traversal.
func (t *Traversal) export(*exporter, int) (value.Value, bool) {
	return t.Bytecode.Value(), t.anonymous()
}

func (t *Traversal) retains() ([]value.Value, int) {
	held := []value.Value{t.settled().Value()}
	if t.it != nil {
		return held, RunningBytes(t.Bytecode)
	}
	return held, 0
}

func (t *Traversal) anonymous() bool { return t.Global == Global{} }

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

func (t *Traversal) add(m *machine, name string, args []value.Value) error {
	switch {
	case t.Started():
		return fail(stateException, "The traversal is already locked: %s() cannot be added", name)
	case len(t.Bytecode.Steps) >= traversal.StepsMax:
		return fail(stateException, "more than %d steps: the traversal is too long", traversal.StepsMax)
	}
	vs, err := m.stepArguments(args)
	if err != nil {
		return err
	}
	t.Bytecode.Steps = append(t.Bytecode.Steps, traversal.Instruction{Name: name, Args: vs})
	return m.charge(valueBytes * (2 + len(vs)))
}

// anonymous starts __.name(args).
func (m *machine) anonymous(name string, args []value.Value) (value.Value, error) {
	t := &Traversal{Bytecode: &traversal.Bytecode{}}
	return wrap(t), t.add(m, name, args)
}

// stepArguments makes values that steps take: closures become lambdas, anonymous
// traversals bytecode.
func (m *machine) stepArguments(args []value.Value) ([]value.Value, error) {
	if len(args) == 0 {
		return nil, nil
	}
	if l, ok := foreign(args[len(args)-1]).(*list); ok && l.array {
		args = append(args[:len(args)-1:len(args)-1], l.elems...)
	}
	out := make([]value.Value, len(args))
	for i, v := range args {
		switch o := foreign(v).(type) {
		case *closure:
			out[i] = o.lambda()
		case *Traversal:
			if !o.anonymous() {
				return nil, fail(stateException, "The child traversal of %s was not spawned anonymously - use the __ class rather than a TraversalSource to construct the child traversal", clip(o.text(m)))
			}
			out[i] = o.Bytecode.Value()
		case *list, class, *iterator, nil:
			var err error
			if out[i], err = m.checkedExport(v); err != nil {
				return nil, err
			}
		default:
			return nil, fail(argumentException, "%s cannot be an argument of a step", o.className())
		}
	}
	return out, nil
}

// start makes the host run t.
func (t *Traversal) start(m *machine) error {
	if t.Started() {
		return nil
	}
	if m.s.host == nil {
		return fail(stateException, "no graph is open")
	}
	it, err := m.s.host.Execute(m.ctx, t.Global, t.Bytecode)
	if err != nil {
		return err
	}
	if t.it = it; t.Global.Opened == 0 && !t.anonymous() { // elements of the others know their graph
		m.s.last = t.Global
	}
	return nil
}

// fill makes sure that a result is ahead, false at the end.
func (t *Traversal) fill(m *machine) (bool, error) {
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
	if err := m.poll(); err != nil {
		return false, err
	}
	var err error
	if t.ahead, err = t.Next(t.ahead[:0], 1); err != nil {
		t.Close()
		return false, err
	}
	return len(t.ahead) > 0, nil
}

func (t *Traversal) hasNext(m *machine) (bool, error) { return t.fill(m) }

// next takes one result; a result of bulk n is taken n times.
func (t *Traversal) next(m *machine) (value.Value, bool, error) {
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
func (t *Traversal) drain(m *machine) error {
	if err := t.start(m); err != nil {
		return err
	}
	var b []value.Bulked
	for !t.done {
		if err := m.poll(); err != nil {
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

func (t *Traversal) className() string {
	return "org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.DefaultGraphTraversal"
}

func (t *Traversal) text(m *machine) string {
	b := *t.Bytecode
	if t.drained {
		b.Steps = append(b.Steps[:len(b.Steps):len(b.Steps)], traversal.Instruction{Name: "discard"})
	}
	return m.stepsText(t.Global, &b, t.Started())
}

func (t *Traversal) property(_ *machine, name string) (value.Value, bool) {
	if name == "bytecode" {
		return t.Bytecode.Value(), true
	}
	return value.Null, false
}

// settled are the side effects of a traversal that ran to its end. What ran is free then.
func (t *Traversal) settled() *value.Map {
	if from, ok := t.over.(SideEffects); ok {
		t.effects, _ = from.SideEffects() // what cannot be told is not there
	}
	if t.over = nil; t.effects == nil {
		t.effects = value.NewMap()
	}
	return t.effects
}

// sideEffects are those of a traversal that was started, by key.
func (t *Traversal) sideEffects(m *machine) (*value.Map, error) {
	it := t.over
	if t.it != nil {
		it = t.it
	}
	from, ok := it.(SideEffects)
	if !ok {
		return t.settled(), nil
	}
	all, err := from.SideEffects()
	if err != nil {
		return nil, err
	}
	for _, v := range all.Values() {
		if err := m.keep(v); err != nil {
			return nil, err
		}
	}
	t.effects, t.over = all, nil
	return all, nil
}

func (t *Traversal) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	if m.isStep(name) {
		return wrap(t), true, t.add(m, name, args)
	}
	if p := programIn(args); name == "program" && p != nil {
		return wrap(t), true, t.addProgram(m, p)
	}
	if name == "none" && len(args) == 0 {
		return wrap(t), true, t.add(m, "discard", nil)
	}
	return m.tables().traversals.try(m, wrap(t), name, args)
}

// Iterate returns t, started: the results that are left. A variable that has t sees
// what was taken of it.
func (t *Traversal) Iterate(ctx context.Context, h Host) (_ Iterator, err error) {
	if !t.Started() {
		t.it, err = h.Execute(ctx, t.Global, t.Bytecode)
	}
	return t, err
}

// SourceShown is a traversal source over a graph of this text.
func SourceShown(graph string, config []traversal.Instruction) *Shown {
	computes := slices.ContainsFunc(config, func(in traversal.Instruction) bool { return in.Name == "withComputer" })
	if computes {
		return &Shown{Class: sourceClass, Text: "graphtraversalsource[" + graph + ", graphcomputer]"}
	}
	return &Shown{Class: sourceClass, Text: "graphtraversalsource[" + graph + ", standard]"}
}
