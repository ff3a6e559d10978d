package traversal

import (
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// Limits of what a client may send.
const (
	StepsMax = 5000 // steps of one traversal, children not counted
	depthMax = 256  // nesting of child traversals
)

// cardinalityTraversal is the source instruction of a bytecode that is really a
// cardinality with a value: Cardinality.single("x").
const cardinalityTraversal = "CardinalityValueTraversal"

// Compile turns bytecode into a plan: modulators folded into their steps, children
// nested, arguments checked. It reads no graph. What it takes grows with the length of
// the bytecode alone, and m, which may be nil, bounds it.
func Compile(m *Meter, reg *Registry, b *Bytecode) (*Plan, error) {
	c := &compiler{reg: reg, meter: m}
	o, err := c.sourceOptions(b.Source)
	if err != nil {
		return nil, err
	}
	c.options = o
	p, err := c.plan(b.Steps, 0)
	if err != nil {
		return nil, err
	}
	p.Root = true
	if len(p.Nodes) > 0 && !p.Nodes[0].Spec.Start {
		return nil, CompileError{fmt.Sprintf("Could not locate method: GraphTraversalSource.%s()", p.Nodes[0].Name())}
	}
	return p, nil
}

// CompileError says that bytecode names something that does not exist: a 599.
type CompileError struct{ Message string }

// Error returns the message, in the words of the reference.
func (e CompileError) Error() string { return e.Message }

// compiler makes the plan of one bytecode.
type compiler struct {
	reg      *Registry
	options  *SourceOptions
	meter    *Meter
	labelled labelled
	seen     int // instructions, see Node.At
}

func (c *compiler) plan(steps []Instruction, depth int) (*Plan, error) {
	if depth > depthMax {
		return nil, fmt.Errorf("traversal is nested deeper than %d", depthMax)
	}
	if len(steps) > StepsMax {
		return nil, fmt.Errorf("traversal has %d steps, more than the limit of %d", len(steps), StepsMax)
	}
	p := &Plan{Options: c.options}
	for _, in := range steps {
		if err := c.add(p, in, depth); err != nil {
			return nil, err
		}
	}
	for _, n := range p.Nodes {
		if err := prepare(n); err != nil {
			return nil, callError(n, err)
		}
	}
	return p, nil
}

// CallError is an error about the arguments of a step or of what modulates it: one of
// Calls. On is the class that has the methods.
type CallError struct {
	On    string
	Calls []Instruction
	err   error
}

// Error returns what the step says.
func (e *CallError) Error() string { return e.err.Error() }

// Unwrap returns the step's error.
func (e *CallError) Unwrap() error { return e.err }

const (
	traversalClass = "DefaultGraphTraversal"
	sourceClass    = "GraphTraversalSource"
)

func callError(n *Node, err error) error {
	e := &CallError{On: traversalClass, Calls: []Instruction{{n.Name(), argValues(n.Args)}}, err: err}
	if n.At == 1 {
		e.On = sourceClass
	}
	for _, m := range n.Mods {
		e.Calls = append(e.Calls, Instruction{m.Name, argValues(m.Args)})
	}
	return e
}

func argValues(args []Arg) []value.Value {
	vs := make([]value.Value, len(args))
	for i, a := range args {
		vs[i] = a.Value
	}
	return vs
}

func prepare(n *Node) error {
	if n.Spec.Prepare == nil {
		return nil
	}
	return n.Spec.Prepare(n)
}

// meant says which name was, of a step or of what configures a source.
func (c *compiler) meant(name, owner string) string {
	var known []string
	for _, n := range c.reg.Names() {
		if s, _ := c.reg.Lookup(n); s.Kind != SourceStep && (owner == traversalClass || s.Start) {
			known = append(known, n)
		}
	}
	if owner == sourceClass {
		known = append(known, SourceInstructions()...)
	}
	return Suggestion(name, "()", known)
}

func (c *compiler) add(p *Plan, in Instruction, depth int) error {
	if err := c.count(in); err != nil {
		return err
	}
	c.seen++
	at := c.seen
	spec, ok := c.reg.Lookup(in.Name)
	if !ok || spec.Kind == SourceStep || in.Name[0] == '~' {
		owner := traversalClass
		if len(p.Nodes) == 0 && depth == 0 {
			owner = sourceClass
		}
		return CompileError{fmt.Sprintf("Could not locate method: %s.%s()", owner, value.Brief(in.Name)) + c.meant(in.Name, owner)}
	}
	args, err := c.args(in.Args, depth)
	if err != nil {
		return err
	}
	if spec.Kind == ModulatorStep || in.Name == "to" && !isDirection(in.Args) {
		if err := c.modulate(p, in.Name, args); err != nil {
			return &CallError{On: traversalClass, Calls: []Instruction{in}, err: err}
		}
		return nil
	}
	if in.Name == "repeat" {
		if n := pendingRepeat(p); n != nil {
			n.Args = args
			return nil
		}
	}
	n := &Node{Spec: spec, Args: args, At: at}
	if spec.Append != nil {
		return spec.Append(p, n)
	}
	p.Nodes = append(p.Nodes, n)
	return nil
}

// count meters an instruction and its arguments.
func (c *compiler) count(in Instruction) error {
	if err := c.meter.Work(1 + len(in.Args)); err != nil {
		return err
	}
	return c.meter.Keep(nodeBytes + argBytes*len(in.Args))
}

// isDirection tells the step to(Direction.OUT) from the modulator to("label").
func isDirection(args []value.Value) bool {
	return len(args) > 0 && args[0].Kind() == value.KindDirection
}

// Prepare checks a node that was built by hand and sets its typed arguments.
func (n *Node) Prepare() error { return prepare(n) }

// args compiles nested bytecode into child plans.
func (c *compiler) args(in []value.Value, depth int) ([]Arg, error) {
	if len(in) == 0 {
		return nil, nil
	}
	out := make([]Arg, len(in))
	for i, v := range in {
		if b, ok := v.Object().(*Binding); ok && v.Kind() == value.KindBinding {
			v = b.Value
		}
		out[i].Value = v
		b := childOf(v)
		if b == nil {
			continue
		}
		child, err := c.plan(b.Steps, depth+1)
		if err != nil {
			return nil, err
		}
		out[i].Child = child
	}
	return out, nil
}

func isCardinality(b *Bytecode) bool {
	return len(b.Source) == 1 && b.Source[0].Name == cardinalityTraversal
}

// CardinalityValue takes apart Cardinality.single("x") as drivers send it.
func CardinalityValue(v value.Value) (cardinality string, val value.Value, ok bool) {
	b, is := v.Object().(*Bytecode)
	if !is || !isCardinality(b) || len(b.Source[0].Args) != 2 {
		return "", value.Null, false
	}
	return b.Source[0].Args[0].Str(), b.Source[0].Args[1], true
}

// NewCardinalityValue makes what CardinalityValue takes apart.
func NewCardinalityValue(cardinality string, val value.Value) value.Value {
	args := []value.Value{value.Enum(value.KindCardinality, cardinality), val}
	return (&Bytecode{Source: []Instruction{{Name: cardinalityTraversal, Args: args}}}).Value()
}

// modulate folds a modulator into the step before it.
func (c *compiler) modulate(p *Plan, name string, args []Arg) error {
	switch name {
	case "as":
		return c.label(p, args)
	case "until", "emit", "times":
		return c.modulateRepeat(p, name, args)
	}
	if len(p.Nodes) == 0 {
		return noModulator(name, "%s() cannot begin a traversal: it modulates the step before it", name)
	}
	n := p.Nodes[len(p.Nodes)-1]
	if name == "by" {
		if n.Spec.MaxBy == 0 || n.Spec.MaxBy > 0 && len(n.By) >= n.Spec.MaxBy {
			return tooManyBy(n)
		}
		m, err := c.newModulator(args)
		if err != nil {
			return err
		}
		n.By = append(n.By, m)
		return nil
	}
	if !n.Spec.Accepts(name) {
		return noModulator(name, "the step %s() does not take the %s() modulator", n.Name(), name)
	}
	n.Mods = append(n.Mods, Mod{Name: name, Args: args})
	if o := optionOf(n, name, args); o != nil {
		if o.SourceOnly {
			return illegalArgument("%s belongs to the source, g.with('%s', ...), and not behind %s()", o.Name, o.Name, n.Name())
		}
		c.options.need(o)
	}
	return nil
}

// optionOf is the option that a modulator of n is, nil for none.
func optionOf(n *Node, name string, args []Arg) *Option {
	if name != "with" || len(args) == 0 || n.Spec.Effects&WritesGraph == 0 {
		return nil
	}
	return optionNamed(args[0].Value.Str())
}

// noModulator refuses a modulator where it cannot stand. The reference casts the step
// before it, but for from() and to().
func noModulator(name, format string, args ...any) error {
	if name == "from" || name == "to" {
		return illegalArgument(format, args...)
	}
	return &blueprints.Exception{Class: "java.lang.ClassCastException", Message: fmt.Sprintf(format, args...)}
}

func tooManyBy(n *Node) error {
	if n.Spec.MaxBy == 0 {
		return noModulator("by", "the step %s() does not take by()", n.Name())
	}
	if n.Spec.MaxBy != 1 {
		return fmt.Errorf("the step %s() does not take another by()", n.Name())
	}
	name := strings.ToUpper(n.Name()[:1]) + n.Name()[1:]
	if name == "ValueMap" || name == "PropertyMap" {
		name = "valueMap()/propertyMap()"
	}
	return fmt.Errorf("%s step can only have one by modulator", name)
}

func (c *compiler) label(p *Plan, args []Arg) error {
	if len(p.Nodes) == 0 {
		spec, ok := c.reg.Lookup("~start")
		if !ok {
			return fmt.Errorf("as() cannot begin a traversal")
		}
		p.Nodes = append(p.Nodes, &Node{Spec: spec})
	}
	n := p.Nodes[len(p.Nodes)-1]
	for _, a := range args {
		if a.Value.Kind() != value.KindString {
			return fmt.Errorf("as() takes labels of type String, not %s", a.Value.Brief())
		}
		c.labelled.add(n, a.Value.Str())
	}
	return nil
}

// modulateRepeat adds until, emit or times to the repeat() before it, or begins a
// repeat() whose body is still to come.
func (c *compiler) modulateRepeat(p *Plan, name string, args []Arg) error {
	if n := len(p.Nodes); n > 0 && p.Nodes[n-1].Name() == "repeat" && !modulated(p.Nodes[n-1], name) {
		last := p.Nodes[n-1]
		last.Mods = append(last.Mods, Mod{Name: name, Args: args, Before: last.Args == nil})
		return nil
	}
	spec, ok := c.reg.Lookup("repeat")
	if !ok {
		return fmt.Errorf("%s() needs repeat()", name)
	}
	p.Nodes = append(p.Nodes, &Node{Spec: spec, Mods: []Mod{{Name: name, Args: args, Before: true}}})
	return nil
}

// modulated reports whether a repeat() already has a modulator of the kind: times()
// is a form of until().
func modulated(n *Node, name string) bool {
	for _, m := range n.Mods {
		if (m.Name == "emit") == (name == "emit") {
			return true
		}
	}
	return false
}

func pendingRepeat(p *Plan) *Node {
	if len(p.Nodes) == 0 {
		return nil
	}
	n := p.Nodes[len(p.Nodes)-1]
	if n.Name() == "repeat" && n.Args == nil {
		return n
	}
	return nil
}
