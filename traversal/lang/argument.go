package lang

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// argument reads one argument of the call in and says which of the accepted forms it
// has, or which other one.
func (p *parser) argument(accept class, in string) (value.Value, class, error) {
	switch p.tok.kind {
	case tokenString:
		return p.stringOrRange()
	case tokenInteger:
		return p.integerOrRange()
	case tokenFloat:
		v, err := p.numeral(func(s string) (value.Value, error) { return Float(s, p.o.Groovy) })
		return v, classFloat, err
	case tokenInfinity:
		f := math.Inf(1)
		if p.src[p.tok.start] == '-' {
			f = math.Inf(-1)
		}
		p.advance()
		return value.Double(f), classFloat, nil
	case tokenName:
		return p.named(accept, in)
	case tokenPunctuation:
		switch p.tok.punct {
		case '[':
			return p.listOrMap()
		case '{':
			if !p.o.Groovy { // where it is a closure
				return p.set()
			}
		}
	}
	return value.Null, 0, p.unexpected(accept.String() + place(in))
}

// place says where an argument stands: in a call, or in "a list".
func place(in string) string {
	if strings.HasPrefix(in, "a ") {
		return " in " + in
	}
	return " in " + in + "()"
}

// numeral reads the current number token.
func (p *parser) numeral(read func(string) (value.Value, error)) (value.Value, error) {
	if n := p.o.Limits.NumberBytes; p.tok.end-p.tok.start > n {
		return value.Null, p.errorAt(p.tok.start, "the number %s is longer than %d digits", abbreviated(p.text()), n)
	}
	v, err := read(p.text())
	if err != nil {
		return value.Null, p.errorAt(p.tok.start, "%v", err)
	}
	p.advance()
	return v, nil
}

// stringText reads the current string token.
func (p *parser) stringText() (string, error) {
	at := p.tok.start
	raw := p.src[at+1 : p.tok.end-1]
	if n := p.o.Limits.StringBytes; len(raw) > n {
		return "", p.errorAt(at, "a string of %d bytes is longer than the limit of %d", len(raw), n)
	}
	if p.o.Groovy && strings.IndexByte(raw, '\n') >= 0 {
		return "", p.errorAt(at, "a string ends with its line") // or goes on in another way than here
	}
	if p.tok.escaped {
		s, err := Unescape(raw)
		if err != nil {
			return "", p.errorAt(at, "%v in a string", err)
		}
		raw = s
	}
	p.advance()
	return raw, nil
}

// named reads what a name can begin: a call, a dotted name, a constant or a variable.
func (p *parser) named(accept class, in string) (value.Value, class, error) {
	name, next := p.text(), p.peek()
	switch {
	case next.is('('):
		return p.called(name, accept, in)
	case next.is('.') && !p.isRangeDots(next):
		return p.dotted(name)
	}
	switch name {
	case "true", "false":
		p.advance()
		return value.Bool(name == "true"), classBool, nil
	case "NaN":
		p.advance()
		return value.Double(math.NaN()), classFloat, nil
	case "Infinity":
		p.advance()
		return value.Double(math.Inf(1)), classFloat, nil
	case "null":
		if accept&classNull != 0 {
			p.advance()
			return value.Null, classNull, nil
		}
	}
	for _, c := range shortConstants[name] {
		if c.class&accept != 0 {
			p.advance()
			return p.cardinality(c)
		}
	}
	return p.variable(name, accept, in)
}

func (p *parser) isRangeDots(next token) bool {
	return strings.HasPrefix(p.src[next.start:], "..")
}

func (p *parser) variable(name string, accept class, in string) (value.Value, class, error) {
	if accept&classVariable == 0 {
		return value.Null, 0, p.meant(p.errorAt(p.tok.start, "expected %s%s but found %s, and no variable is allowed there", accept, place(in), abbreviated(name)),
			"", func() []string { return acceptedNames(accept) })
	}
	if p.o.Variables != nil {
		if v, ok := p.o.Variables(name); ok {
			p.advance()
			return v, classVariable, nil
		}
	}
	err := newError(p.src, p.tok.start, variableException, "No variable found for "+abbreviated(name))
	return value.Null, 0, err
}

// acceptedNames are the constants without a class that a place accepts.
func acceptedNames(accept class) []string {
	var out []string
	for name, all := range shortConstants {
		if slices.ContainsFunc(all, func(c constant) bool { return c.class&accept != 0 }) {
			out = append(out, name)
		}
	}
	return out
}

// called reads name(..): a predicate, a literal in the form of a call, or a nested
// traversal.
func (p *parser) called(name string, accept class, in string) (value.Value, class, error) {
	switch name {
	case "datetime", "DateTime":
		return p.datetime()
	case "UUID":
		return p.uuid()
	case "single", "list", "set":
		p.advance()
		return p.cardinality(constant{value.Enum(value.KindCardinality, name), classCardinality})
	case "not":
		if accept&classPredicate != 0 && (accept&classTraversal == 0 || p.predicateAhead()) {
			return p.predicateArgument()
		}
	}
	if predicates[name] != nil || textPredicates[name] != nil {
		return p.predicateArgument()
	}
	if accept&classTraversal == 0 && steps[name] == nil {
		return value.Null, 0, p.unexpected(accept.String() + place(in))
	}
	v, err := p.nested()
	return v, classTraversal, err
}

// dotted reads a name with a dot behind it.
func (p *parser) dotted(name string) (value.Value, class, error) {
	switch {
	case name == "__":
		v, err := p.nested()
		return v, classTraversal, err
	case name == "P" || name == "TextP":
		return p.predicateArgument()
	case constantClasses[name]:
		return p.longConstant(name)
	case p.isSource(name):
		v, err := p.spawned()
		return v, classTerminated, err
	}
	return value.Null, 0, p.meant(p.errorAt(p.tok.start, "unknown name %s", abbreviated(name)), "", ClassNames)
}

func (p *parser) longConstant(class string) (value.Value, class, error) {
	p.advance()
	p.advance()
	name := p.text()
	c, ok := longConstants[class+"."+name]
	if !ok || p.tok.kind != tokenName {
		return value.Null, 0, p.unexpectedName("a constant of "+class+constantsOf(class), "", func() []string { return ConstantNames(class) })
	}
	p.advance()
	return p.cardinality(c)
}

// constantsOf lists the constants of a class for an error.
func constantsOf(class string) string {
	for _, e := range enumerations {
		if e.name == class {
			return " (" + strings.Join(value.EnumNames(e.kind), ", ") + ")"
		}
	}
	return ""
}

// cardinality turns Cardinality.single("x") into what drivers send for it: bytecode
// with one source instruction. Other constants stay as they are.
func (p *parser) cardinality(c constant) (value.Value, class, error) {
	if c.class != classCardinality || !p.tok.is('(') {
		return c.value, c.class, nil
	}
	if err := p.enter(); err != nil {
		return value.Null, 0, err
	}
	defer p.leave()
	p.advance()
	v, err := p.literal("Cardinality." + c.value.Str())
	if err != nil {
		return value.Null, 0, err
	}
	if err := p.expect(')', ": a cardinality takes one value"); err != nil {
		return value.Null, 0, err
	}
	return CardinalityValue(c.value, v), classCardinalityValue, nil
}

// literal reads the grammar's genericLiteral in a collection or a call.
func (p *parser) literal(in string) (value.Value, error) {
	at := p.tok.start
	v, c, err := p.argument(classLiteral, in)
	if err == nil && c&classLiteral == 0 {
		err = p.errorAt(at, "expected a value%s, not a predicate", place(in))
	}
	return v, err
}

func (p *parser) datetime() (value.Value, class, error) {
	s, at, given, err := p.textCall()
	if err != nil || !given {
		return value.OffsetDateTime(p.now()), classDate, err
	}
	t, err := DateTime(s)
	if err != nil {
		return value.Null, 0, p.errorAt(at, "%v", err)
	}
	return value.OffsetDateTime(t), classDate, nil
}

func (p *parser) uuid() (value.Value, class, error) {
	s, at, given, err := p.textCall()
	if err != nil {
		return value.Null, 0, err
	}
	u, err := newUUID(s, given)
	if err != nil {
		return value.Null, 0, p.errorAt(at, "%v", err)
	}
	return value.UUID(u), classUUID, nil
}

// textCall reads name() or name('text').
func (p *parser) textCall() (s string, at int, given bool, err error) {
	name := p.text()
	p.advance()
	p.advance()
	at = p.tok.start
	if p.tok.kind == tokenString {
		given = true
		if s, err = p.stringText(); err != nil {
			return
		}
	} else if !p.tok.is(')') {
		return s, at, given, p.unexpected(fmt.Sprintf("a string or ')' in %s()", name))
	}
	return s, at, given, p.expect(')', " behind the argument of "+name+"()")
}
