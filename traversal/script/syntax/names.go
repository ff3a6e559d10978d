package syntax

import (
	"maps"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/script/classes"
	"github.com/gremlind/gremlind/traversal/script/graphs"
	"github.com/gremlind/gremlind/traversal/script/host"
	"github.com/gremlind/gremlind/traversal/script/machine"
	"github.com/gremlind/gremlind/traversal/script/methods"
)

// nameOrKeyword reads what a name begins: a keyword's expression, a variable, a call of
// a function or of a statically imported step.
func (p *parser) nameOrKeyword() (operand, error) {
	name, at := p.tok.text, p.tok.start
	switch name {
	case "true", "false":
		p.advance()
		return operand{eval: constantOf(value.Bool(name == "true")), at: at}, nil
	case "null":
		p.advance()
		return operand{eval: constantOf(value.Null), at: at}, nil
	case "new":
		return p.newObject()
	case "this", "super":
		return operand{}, p.Refused(at, name)
	case "else", "case", "default", "in", "instanceof", "as", "catch", "finally", "import", "throw", "return":
		return operand{}, p.unexpected()
	}
	if fn, ok, err := p.lambda(); ok || err != nil {
		return fn, err
	}
	p.operand = true
	p.advance()
	if ref := p.local(name); ref != nil {
		return p.localOperand(ref, at), nil
	}
	return p.globalOperand(name, at), nil
}

func (p *parser) localOperand(ref *machine.Reference, at int) operand {
	src := p.Source
	return operand{
		at:   at,
		eval: func(f *machine.Frame) (value.Value, error) { return *f.Slot(ref), nil },
		assign: func(f *machine.Frame, v value.Value) error {
			*f.Slot(ref) = v
			return nil
		},
		call: func(args []argument) machine.Expression {
			return func(f *machine.Frame) (value.Value, error) {
				vs, err := evaluate(f, args)
				if err != nil {
					return value.Null, err
				}
				v, err := f.Machine.Invoke(*f.Slot(ref), "call", vs)
				return v, src.Locate(err, at)
			}
		},
	}
}

func (p *parser) globalOperand(name string, at int) operand {
	src := p.Source
	return operand{
		at: at,
		eval: func(f *machine.Frame) (value.Value, error) {
			v, ok := global(f.Machine, name)
			if !ok {
				return v, machine.Meant(unknownName(f.Machine, src, name, at), name, "", func() []string { return namesKnown(f.Machine) })
			}
			return v, nil
		},
		assign: func(f *machine.Frame, v value.Value) error {
			if c, ok := importedConstant(name); ok {
				return machine.Fail(machine.ReadOnlyProperty, "Cannot set readonly property: %s for class: %s", name, c.Kind().JavaClass())
			}
			return setGlobal(f.Machine, name, v)
		},
		call: func(args []argument) machine.Expression {
			return func(f *machine.Frame) (value.Value, error) {
				vs, err := evaluate(f, args)
				if err != nil {
					return value.Null, err
				}
				v, err := callName(f.Machine, src, at, name, vs)
				return v, src.Locate(err, at)
			}
		},
	}
}

// unknownName is the reference's error; for what looks like a class it says that
// scripts have none of that name.
func unknownName(m *machine.Machine, s *machine.Source, name string, at int) error {
	if r, _ := utf8.DecodeRuneInString(name); unicode.IsUpper(r) {
		return m.Refused(s, at, name)
	}
	return s.Locate(machine.Fail(machine.MissingProperty, "No such property: %s for class: Script1", name), at)
}

const variablesMax = 10_000 // of one session

func setGlobal(m *machine.Machine, name string, v value.Value) error {
	if _, ok := m.State.Vars[name]; !ok && len(m.State.Vars) >= variablesMax {
		return machine.Fail(machine.StateException, "more than %d variables are defined", variablesMax)
	}
	m.State.Set(name, v)
	return nil
}

// global resolves a name that is no local variable: a variable of the session, a
// source or graph, a constant of TinkerPop's enumerations, a class.
func global(m *machine.Machine, name string) (value.Value, bool) {
	if v, ok := m.State.Vars[name]; ok {
		return v, true
	}
	if m.State.Host != nil {
		if g, ok := m.State.Host.Lookup(name); ok {
			return GlobalObject(g), true
		}
	}
	if v, ok := importedNames[name]; ok {
		return v, true
	}
	if v, ok := importedConstant(name); ok {
		return v, true
	}
	return classes.NamedClass(name)
}

// importedConstant is a constant of TinkerPop's enumerations, or NaN, which scripts name
// alone. Its name is no variable's, but of one that def declares.
func importedConstant(name string) (value.Value, bool) {
	switch name {
	case "NaN":
		return value.Double(math.NaN()), true
	case "UUID": // the class, not GType.UUID
		return value.Null, false
	}
	return lang.StaticConstant(name)
}

// importedNames are TinkerPop's constants that scripts may name alone.
var importedNames = map[string]value.Value{
	"evaluationTimeout":     value.String("evaluationTimeout"),
	"batchSize":             value.String("batchSize"),
	"materializeProperties": value.String("materializeProperties"),
	"userAgent":             value.String("userAgent"),
	"requestId":             value.String("requestId"),
}

// GlobalObject is what a script sees of a source or graph.
func GlobalObject(g host.Global) value.Value {
	if g.Kind == host.GraphGlobal {
		return value.Object(value.KindForeign, &graphs.Graph{Global: g})
	}
	return value.Object(value.KindForeign, &graphs.Source{Global: g})
}

// callName calls a bare name: a closure in a variable, a function, a step, a predicate.
func callName(m *machine.Machine, src *machine.Source, at int, name string, args []value.Value) (value.Value, error) {
	if v, ok := m.State.Vars[name]; ok {
		return m.Invoke(v, "call", args)
	}
	if fn := m.State.Functions.Lookup(name); fn != nil && fn.Accepts(len(args)) {
		return fn.Call(m, nil, args)
	}
	if v, ok, err := m.Tables().Calls.Try(m, value.Null, name, args); ok || err != nil {
		return v, err
	}
	if v, ok, err := classes.CallStatic(m, name, args); ok || err != nil {
		return v, err
	}
	if methods.PrintNames[name] {
		return value.Null, methods.Print(m, name, args)
	}
	if v, ok, err := methods.CallMath(m, name, args); ok || err != nil {
		return v, err
	}
	if m.IsStep(name) {
		return graphs.Anonymous(m, name, args)
	}
	if m.State.Functions.Lookup(name) != nil {
		return value.Null, machine.Fail(machine.MissingMethod, "No signature of method: Script1.%s() is applicable for argument types: (%s) values: %s",
			name, m.Types(args), m.String(machine.NewList(args)))
	}
	if hostFunctions[name] {
		return value.Null, m.Refused(src, at, name+"()")
	}
	err := machine.Fail(machine.MissingMethod, "No signature of method: %s.%s() is applicable for argument types: (%s) values: %s",
		machine.ScriptEngineClass, name, m.Types(args), m.String(machine.NewList(args)))
	return value.Null, machine.Meant(err, name, "()", func() []string { return callsKnown(m) })
}

// callsKnown are the names that callName knows, but for strategies: those are constructed.
func callsKnown(m *machine.Machine) []string {
	out := append(lang.StepNames(), lang.PredicateNames("")...)
	out = slices.AppendSeq(out, maps.Keys(m.Tables().Calls))
	return slices.AppendSeq(out, maps.Keys(m.State.Vars))
}

// namesKnown are the names that global knows.
func namesKnown(m *machine.Machine) []string {
	out := append(lang.ShortNames(), classes.Names()...)
	out = slices.AppendSeq(out, maps.Keys(m.State.Vars))
	if h, ok := m.State.Host.(host.Names); ok {
		out = append(out, h.GlobalNames()...)
	}
	return out
}

// hostFunctions are Groovy's that reach the host.
var hostFunctions = map[string]bool{
	"evaluate": true, "run": true,
}
