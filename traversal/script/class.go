package script

import (
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// classObject is a class that scripts may name; name is the simple or the full name.
type classObject struct{ name string }

// classes are the classes with static methods, constants or constructors.
var classes = map[string]bool{
	"Math": true, "Thread": true, "System": true, "Arrays": true, "Collections": true, "P": true, "TextP": true, "__": true,
	"AnonymousTraversalSource": true, "Lambda": true, "DatetimeHelper": true, "StringBuilder": true, "StringBuffer": true, "Random": true, "Comparator": true, "Collectors": true, "Pattern": true,
	"Stream": true, "IntStream": true, "TimeUnit": true, "ChronoUnit": true, "SackFunctions": true,
	"TinkerGraph": true, "GraphSONVersion": true, "GryoVersion": true, "TinkerFactory": true, "Gremlin": true, "GroovyTranslator": true,
	"TraversalOptionParent": true, "Operator": true, "Objects": true,
}

// packages are the roots of names with dots.
var packages = map[string]bool{"java": true, "javax": true, "groovy": true, "org": true, "com": true, "sun": true, "io": true}

// namedClass resolves the simple name of a class or the root of a package.
func namedClass(name string) (value.Value, bool) {
	switch {
	case classes[name] || ioSettings[name] != nil || programKinds[name].settings != nil || lang.HasConstants(name) || isExceptionName(name) || strings.HasSuffix(name, "Strategy"):
		return wrap(&classObject{name}), true
	case packages[name]:
		return wrap(&packageObject{name}), true
	}
	if knownType(name) && name != "def" && !primitives[name] {
		return wrap(&classObject{name}), true
	}
	return value.Null, false
}

func (c *classObject) simple() string { return simpleName(c.name) }

func (c *classObject) refusal(member string) string { return c.simple() + "." + member }

func (c *classObject) equals(other object) bool {
	o, ok := other.(*classObject)
	return ok && c.name == o.name
}

func (c *classObject) isCase(m *machine, v value.Value) (bool, error) {
	return m.instanceOf(v, c.name), nil
}

func (c *classObject) export(*exporter, int) (value.Value, bool) { return value.Class(c.full()), true }

func (c *classObject) className() string { return "java.lang.Class" }

func (c *classObject) text(*machine) string { return "class " + c.full() }

func (c *classObject) full() string {
	if strings.Contains(c.name, ".") {
		return c.name
	}
	return javaName(c.name)
}

func (c *classObject) property(_ *machine, name string) (value.Value, bool) {
	switch name {
	case "name", "canonicalName", "typeName":
		return value.String(c.full()), true
	case "simpleName":
		return value.String(c.simple()), true
	case "class":
		return wrap(c), true // Integer.class is Integer
	}
	if v, ok := lang.Constant(c.simple(), name); ok {
		return v, true
	}
	switch c.simple() + "." + name {
	case "VertexProperty.Cardinality", "SackFunctions.Barrier", "TraversalOptionParent.Pick":
		return wrap(&classObject{name}), true
	}
	return staticField(c.simple(), name)
}

func (c *classObject) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	if rest, ok := strings.CutPrefix(name, "get"); ok && rest != "" && len(args) == 0 {
		if v, ok := c.property(m, strings.ToLower(rest[:1])+rest[1:]); ok {
			return v, true, nil
		}
	}
	simple := c.simple()
	if strings.HasSuffix(simple, "Strategy") {
		return m.strategyMethod(simple, name, args)
	}
	switch simple {
	case "__":
		if name == "start" && len(args) == 0 {
			return wrap(&Traversal{Bytecode: &traversal.Bytecode{}}), true, nil
		}
		if m.isStep(name) {
			v, err := m.anonymous(name, args)
			return v, true, err
		}
	case "P", "TextP":
		return m.predicateCall(name, args)
	}
	if v, ok, err := m.tables().statics.try(m, value.Null, simple+"."+name, args); ok || err != nil {
		return v, ok, err
	}
	if v, ok, err := m.enumStatic(simple, name, args); ok || err != nil {
		return v, ok, err
	}
	if name == "toString" || name == "equals" || name == "hashCode" {
		return value.Null, false, nil
	}
	return value.Null, false, &unknownClass{simple + "." + name + "()"}
}

// enumStatic is Order.valueOf("desc"), Cardinality.single("x").
func (m *machine) enumStatic(class, name string, args []value.Value) (value.Value, bool, error) {
	if !lang.HasConstants(class) || len(args) != 1 {
		return value.Null, false, nil
	}
	if name == "valueOf" && args[0].Kind() == value.KindString {
		v, ok := lang.Constant(class, args[0].Str())
		if !ok {
			return v, false, fail(argumentException, "No enum constant %s.%s", class, clip(args[0].Str()))
		}
		return v, true, nil
	}
	if v, ok := lang.Constant(class, name); ok && class == "Cardinality" {
		return lang.CardinalityValue(v, m.export(args[0])), true, nil
	}
	return value.Null, false, nil
}

// packageObject is a name with dots that is no class yet.
type packageObject struct{ name string }

// member is the class or package of that name inside.
func (p *packageObject) member(name string) value.Value {
	full := p.name + "." + name
	if isClassName(name) || name == "__" {
		if v, ok := namedClass(name); ok {
			if c, ok := foreign(v).(*classObject); ok {
				c.name = full
				return v
			}
		}
	}
	return wrap(&packageObject{full})
}

func (p *packageObject) className() string { return "java.lang.Package" }

func (p *packageObject) text(*machine) string { return "package " + p.name }

func (p *packageObject) property(_ *machine, name string) (value.Value, bool) {
	return p.member(name), true
}

func (p *packageObject) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	return value.Null, false, &unknownClass{p.name + "." + name + "()"}
}
