package script

import (
	"math"
	"unicode"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/lang"
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
		return operand{}, p.refused(at, name)
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

func (p *parser) localOperand(ref *reference, at int) operand {
	src := p.source
	return operand{
		at:   at,
		eval: func(f *frame) (value.Value, error) { return *f.slot(ref), nil },
		assign: func(f *frame, v value.Value) error {
			*f.slot(ref) = v
			return nil
		},
		call: func(args []argument) expression {
			return func(f *frame) (value.Value, error) {
				vs, err := evaluate(f, args)
				if err != nil {
					return value.Null, err
				}
				v, err := f.m.invoke(*f.slot(ref), "call", vs)
				return v, src.locate(err, at)
			}
		},
	}
}

func (p *parser) globalOperand(name string, at int) operand {
	src := p.source
	return operand{
		at: at,
		eval: func(f *frame) (value.Value, error) {
			v, ok := f.m.global(name)
			if !ok {
				return v, src.unknownName(name, at)
			}
			return v, nil
		},
		assign: func(f *frame, v value.Value) error {
			if c, ok := importedConstant(name); ok {
				return fail(readOnlyProperty, "Cannot set readonly property: %s for class: %s", name, c.Kind().JavaClass())
			}
			return f.m.setGlobal(name, v)
		},
		call: func(args []argument) expression {
			return func(f *frame) (value.Value, error) {
				vs, err := evaluate(f, args)
				if err != nil {
					return value.Null, err
				}
				v, err := f.m.callName(src, at, name, vs)
				return v, src.locate(err, at)
			}
		},
	}
}

// unknownName is the reference's error; for what looks like a class it says that
// scripts have none of that name.
func (s *source) unknownName(name string, at int) error {
	if r, _ := utf8.DecodeRuneInString(name); unicode.IsUpper(r) {
		return s.refused(at, name)
	}
	return s.locate(fail(missingProperty, "No such property: %s for class: Script1", name), at)
}

const variablesMax = 10_000 // of one session

func (m *machine) setGlobal(name string, v value.Value) error {
	if _, ok := m.s.vars[name]; !ok && len(m.s.vars) >= variablesMax {
		return fail(stateException, "more than %d variables are defined", variablesMax)
	}
	m.s.set(name, v)
	return nil
}

// global resolves a name that is no local variable: a variable of the session, a
// source or graph, a constant of TinkerPop's enumerations, a class.
func (m *machine) global(name string) (value.Value, bool) {
	if v, ok := m.s.vars[name]; ok {
		return v, true
	}
	if m.s.host != nil {
		if g, ok := m.s.host.Lookup(name); ok {
			return globalObject(g), true
		}
	}
	if v, ok := importedNames[name]; ok {
		return v, true
	}
	if v, ok := importedConstant(name); ok {
		return v, true
	}
	return namedClass(name)
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

func globalObject(g Global) value.Value {
	if g.Kind == GraphGlobal {
		return value.Object(value.KindForeign, &graphObject{g: g})
	}
	return value.Object(value.KindForeign, &traversalSource{g: g})
}

// callName calls a bare name: a closure in a variable, a function, a step, a predicate.
func (m *machine) callName(src *source, at int, name string, args []value.Value) (value.Value, error) {
	if v, ok := m.s.vars[name]; ok {
		return m.invoke(v, "call", args)
	}
	if fn := m.s.functions.lookup(name); fn != nil && fn.accepts(len(args)) {
		return fn.call(m, nil, args)
	}
	if v, ok, err := m.tables().calls.try(m, value.Null, name, args); ok || err != nil {
		return v, err
	}
	if v, ok, err := m.callStatic(name, args); ok || err != nil {
		return v, err
	}
	if printNames[name] {
		return value.Null, m.print(name, args)
	}
	if v, ok, err := m.callMath(name, args); ok || err != nil {
		return v, err
	}
	if m.isStep(name) {
		return m.anonymous(name, args)
	}
	if m.s.functions.lookup(name) != nil {
		return value.Null, fail(missingMethod, "No signature of method: Script1.%s() is applicable for argument types: (%s) values: %s",
			name, m.types(args), m.string(newList(args)))
	}
	if hostFunctions[name] {
		return value.Null, src.refused(at, name+"()")
	}
	return value.Null, fail(missingMethod, "No signature of method: %s.%s() is applicable for argument types: (%s) values: %s",
		scriptEngineClass, name, m.types(args), m.string(newList(args)))
}

// hostFunctions are Groovy's that reach the host.
var hostFunctions = map[string]bool{
	"evaluate": true, "run": true,
}
