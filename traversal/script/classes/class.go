package classes

import (
	"maps"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/script/graphs"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// Class is a class that scripts may name; name is the simple or the full name.
type Class struct{ name string }

// Known are the classes with static methods, constants or constructors.
var Known = map[string]bool{
	"Math": true, "Thread": true, "System": true, "Arrays": true, "Collections": true, "P": true, "TextP": true, "__": true,
	"AnonymousTraversalSource": true, "Lambda": true, "DatetimeHelper": true, "StringBuilder": true, "StringBuffer": true, "Random": true, "Comparator": true, "Collectors": true, "Pattern": true,
	"Stream": true, "IntStream": true, "TimeUnit": true, "ChronoUnit": true, "SackFunctions": true,
	"TinkerGraph": true, "GraphSONVersion": true, "GryoVersion": true, "TinkerFactory": true, "Gremlin": true, "GroovyTranslator": true,
	"TraversalOptionParent": true, "Operator": true, "Objects": true,
}

// Names are the names of classes that scripts are likely to mean.
func Names() []string {
	return append(slices.Collect(maps.Keys(Known)), slices.Concat(lang.ClassNames(), machine.ClassNames())...)
}

// packages are the roots of names with dots.
var packages = map[string]bool{"java": true, "javax": true, "groovy": true, "org": true, "com": true, "sun": true, "io": true}

// NamedClass resolves the simple name of a class or the root of a package.
func NamedClass(name string) (value.Value, bool) {
	switch {
	case Known[name] || graphs.IOSettings[name] != nil || graphs.ProgramKinds[name].Settings != nil || lang.HasConstants(name) || machine.IsExceptionName(name) || strings.HasSuffix(name, "Strategy"):
		return machine.Wrap(&Class{name}), true
	case packages[name]:
		return machine.Wrap(&Package{name}), true
	}
	if machine.KnownType(name) && name != "def" && !machine.Primitives[name] {
		return machine.Wrap(&Class{name}), true
	}
	return value.Null, false
}

// Simple returns the name without the package.
func (c *Class) Simple() string { return machine.SimpleName(c.name) }

// Refusal is how an error calls a member.
func (c *Class) Refusal(member string) string { return c.Simple() + "." + member }

// Members returns the names of what may be called on it, beside its own static methods.
func (c *Class) Members(*machine.Machine) []string {
	switch c.Simple() {
	case "__":
		return lang.StepNames()
	case "P", "TextP":
		return lang.PredicateNames(c.Simple())
	}
	return nil
}

// Equals reports whether another object is the same class.
func (c *Class) Equals(other machine.Object) bool {
	o, ok := other.(*Class)
	return ok && c.name == o.name
}

// IsCase tests a value as a label of a switch does.
func (c *Class) IsCase(m *machine.Machine, v value.Value) (bool, error) {
	return m.InstanceOf(v, c.name), nil
}

// Export returns what others take in place of the object.
func (c *Class) Export() (value.Value, bool) {
	return value.Class(c.Full()), true
}

// ClassName returns the name of the Java class.
func (c *Class) ClassName() string { return "java.lang.Class" }

// Text returns the text of the object.
func (c *Class) Text(*machine.Machine) string { return "class " + c.Full() }

// Full returns the name with the package.
func (c *Class) Full() string {
	if strings.Contains(c.name, ".") {
		return c.name
	}
	return machine.JavaName(c.name)
}

// Property reads a property, false when there is none of that name.
func (c *Class) Property(_ *machine.Machine, name string) (value.Value, bool) {
	switch name {
	case "name", "canonicalName", "typeName":
		return value.String(c.Full()), true
	case "simpleName":
		return value.String(c.Simple()), true
	case "class":
		return machine.Wrap(c), true // Integer.class is Integer
	}
	if v, ok := lang.Constant(c.Simple(), name); ok {
		return v, true
	}
	switch c.Simple() + "." + name {
	case "VertexProperty.Cardinality", "SackFunctions.Barrier", "TraversalOptionParent.Pick":
		return machine.Wrap(&Class{name}), true
	}
	return staticField(c.Simple(), name)
}

// Method calls a method, false when there is none for these arguments.
func (c *Class) Method(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	if rest, ok := strings.CutPrefix(name, "get"); ok && rest != "" && len(args) == 0 {
		if v, ok := c.Property(m, strings.ToLower(rest[:1])+rest[1:]); ok {
			return v, true, nil
		}
	}
	simple := c.Simple()
	if strings.HasSuffix(simple, "Strategy") {
		return strategyMethod(m, simple, name, args)
	}
	switch simple {
	case "__":
		if name == "start" && len(args) == 0 {
			return machine.Wrap(&graphs.Traversal{Bytecode: &traversal.Bytecode{}}), true, nil
		}
		if m.IsStep(name) {
			v, err := graphs.Anonymous(m, name, args)
			return v, true, err
		}
	case "P", "TextP":
		return predicateCall(m, name, args)
	}
	if v, ok, err := m.Tables().Statics.Try(m, value.Null, simple+"."+name, args); ok || err != nil {
		return v, ok, err
	}
	if v, ok, err := enumStatic(m, simple, name, args); ok || err != nil {
		return v, ok, err
	}
	if name == "toString" || name == "equals" || name == "hashCode" {
		return value.Null, false, nil
	}
	return value.Null, false, &machine.UnknownClass{Name: simple + "." + name + "()"}
}

// enumStatic is Order.valueOf("desc"), Cardinality.single("x").
func enumStatic(m *machine.Machine, class, name string, args []value.Value) (value.Value, bool, error) {
	if !lang.HasConstants(class) || len(args) != 1 {
		return value.Null, false, nil
	}
	if name == "valueOf" && args[0].Kind() == value.KindString {
		v, ok := lang.Constant(class, args[0].Str())
		if !ok {
			return v, false, machine.Fail(machine.ArgumentException, "No enum constant %s.%s", class, machine.Clip(args[0].Str()))
		}
		return v, true, nil
	}
	if v, ok := lang.Constant(class, name); ok && class == "Cardinality" {
		return lang.CardinalityValue(v, m.Export(args[0])), true, nil
	}
	return value.Null, false, nil
}

// Package is a name with dots that is no class yet.
type Package struct{ Name string }

// member is the class or package of that name inside.
func (p *Package) member(name string) value.Value {
	full := p.Name + "." + name
	if machine.IsClassName(name) || name == "__" {
		if v, ok := NamedClass(name); ok {
			if c, ok := machine.Foreign(v).(*Class); ok {
				c.name = full
				return v
			}
		}
	}
	return machine.Wrap(&Package{full})
}

// ClassName returns the name of the Java class.
func (p *Package) ClassName() string { return "java.lang.Package" }

// Text returns the text of the object.
func (p *Package) Text(*machine.Machine) string { return "package " + p.Name }

// Property reads a property, false when there is none of that name.
func (p *Package) Property(_ *machine.Machine, name string) (value.Value, bool) {
	return p.member(name), true
}

// Method calls a method, false when there is none for these arguments.
func (p *Package) Method(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	return value.Null, false, &machine.UnknownClass{Name: p.Name + "." + name + "()"}
}
