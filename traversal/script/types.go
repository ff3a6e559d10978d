package script

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/lang"
)

// typeKinds are the types that values have, by simple name.
var typeKinds = map[string][]value.Kind{
	"int": {value.KindInt}, "Integer": {value.KindInt},
	"long": {value.KindLong}, "Long": {value.KindLong},
	"short": {value.KindShort}, "Short": {value.KindShort},
	"byte": {value.KindByte}, "Byte": {value.KindByte},
	"float": {value.KindFloat}, "Float": {value.KindFloat},
	"double": {value.KindDouble}, "Double": {value.KindDouble},
	"boolean": {value.KindBool}, "Boolean": {value.KindBool},
	"char": {value.KindChar}, "Character": {value.KindChar},
	"String": {value.KindString}, "CharSequence": {value.KindString}, "GString": {},
	"BigInteger": {value.KindBigInteger}, "BigDecimal": {value.KindBigDecimal},
	"UUID": {value.KindUUID}, "Class": {value.KindClass},
	"Map": {value.KindMap}, "LinkedHashMap": {value.KindMap}, "HashMap": {value.KindMap},
	"List": {value.KindList}, "ArrayList": {value.KindList}, "LinkedList": {},
	"Set": {value.KindSet}, "LinkedHashSet": {value.KindSet}, "HashSet": {value.KindSet},
	"Collection": {value.KindList, value.KindSet, value.KindBulkSet},
	"Iterable":   {value.KindList, value.KindSet, value.KindBulkSet},
	"Vertex":     {value.KindVertex}, "Edge": {value.KindEdge}, "VertexProperty": {value.KindVertexProperty},
	"Element":  {value.KindVertex, value.KindEdge, value.KindVertexProperty},
	"Property": {value.KindProperty, value.KindVertexProperty},
	"Path":     {value.KindPath}, "Tree": {value.KindTree}, "BulkSet": {value.KindBulkSet},
	"Date": {value.KindDate}, "Timestamp": {value.KindTimestamp}, "Instant": {value.KindInstant},
	"OffsetDateTime": {value.KindOffsetDateTime}, "ZonedDateTime": {value.KindZonedDateTime},
	"LocalDateTime": {value.KindLocalDateTime}, "LocalDate": {value.KindLocalDate},
	"LocalTime": {value.KindLocalTime}, "Duration": {value.KindDuration},
	"T": {value.KindT}, "Direction": {value.KindDirection}, "Order": {value.KindOrder}, "Cardinality": {value.KindCardinality},
	"Object": nil, "Number": nil, "Closure": nil, "def": nil, "Traversal": nil, "GraphTraversal": nil,
	"GraphTraversalSource": nil, "Graph": nil, "Iterator": nil, "Optional": nil, "Traverser": nil, "Exception": nil,
	"P": {value.KindP}, "TextP": {value.KindP},
	"Pattern": nil, "Matcher": nil, "StringBuilder": nil, "Random": nil, "Comparable": nil, "TreeMap": {value.KindMap},
}

func simpleName(name string) string { return name[strings.LastIndexAny(name, ".$")+1:] }

func knownType(name string) bool {
	_, ok := typeKinds[simpleName(name)]
	return ok
}

// instanceOf is instanceof.
func (m *machine) instanceOf(v value.Value, name string) bool {
	if v.IsNull() {
		return false
	}
	simple, k := simpleName(name), v.Kind()
	switch simple {
	case "Object", "def":
		return true
	case "Number":
		return k.IsNumber()
	case "Comparable":
		return k.IsNumber() || k == value.KindString
	}
	if o := foreign(v); o != nil {
		return foreignIs(o, simple)
	}
	for _, t := range typeKinds[simple] {
		if t == k {
			return true
		}
	}
	return false
}

func foreignIs(o object, simple string) bool {
	switch o.(type) {
	case *list:
		switch simple {
		case "List", "ArrayList", "Collection", "Iterable":
			return true
		}
	case *closure:
		return simple == "Closure"
	case *Traversal:
		return simple == "Traversal" || simple == "GraphTraversal" || simple == "Iterator"
	case *exception:
		return simple == "Exception" || simple == "Throwable" || simple == simpleName(o.className())
	}
	return simple == simpleName(o.className())
}

// zeroOf is what a variable of a type holds before it is assigned.
func zeroOf(name string) value.Value {
	if !primitives[name] {
		return value.Null
	}
	if name == "boolean" {
		return value.Bool(false)
	}
	return value.Widened(value.Int(0), typeKinds[name][0])
}

// assignTo converts a value to the declared type of a variable. Numbers convert, text
// does not become a number.
func (m *machine) assignTo(name string, v value.Value) (value.Value, error) {
	simple := simpleName(name)
	kinds, known := typeKinds[simple]
	switch {
	case !known || len(kinds) == 0 || v.IsNull() && !primitives[simple]:
		return v, nil
	case simple == "boolean" || simple == "Boolean":
		return value.Bool(m.truth(v)), nil
	case simple == "String":
		return value.String(m.string(v)), nil
	case kinds[0].IsNumber() && v.Kind().IsNumber():
		return value.Widened(v, kinds[0]), nil
	case m.instanceOf(v, simple):
		return v, nil
	case kinds[0].IsNumber() && primitives[simple] && v.Kind() == value.KindString && utf16Length(v.Str()) == 1:
		return value.Widened(value.Int([]rune(v.Str())[0]), kinds[0]), nil
	}
	if simple == "Set" || simple == "List" || simple == "Collection" {
		return m.as(simple, v)
	}
	return v, fail(castException, "%s to class '%s'", m.describe(v), javaName(simple))
}

// javaName is the full name of a type.
func javaName(simple string) string {
	if full, ok := fullNames[simple]; ok {
		return full
	}
	if kinds := typeKinds[simple]; len(kinds) > 0 && !primitives[simple] {
		return kinds[0].JavaClass()
	}
	if k, ok := lang.EnumKind(simple); ok {
		return k.JavaClass()
	}
	return simple
}

// as is a cast or the operator as.
func (m *machine) as(name string, v value.Value) (value.Value, error) {
	if err := m.looksAt(v); err != nil {
		return v, err
	}
	simple := simpleName(name)
	kinds := typeKinds[simple]
	switch {
	case simple == "Object" || simple == "def" || m.instanceOf(v, simple):
		return v, nil
	case simple == "String":
		if v.IsNull() {
			return v, nil
		}
		return m.text(m.string(v))
	case simple == "boolean" || simple == "Boolean":
		return value.Bool(m.truth(v)), nil
	case v.IsNull() && !primitives[simple]:
		return v, nil
	case len(kinds) > 0 && kinds[0].IsNumber():
		if n, ok, err := m.toNumber(v, kinds[0]); ok || err != nil {
			return n, err
		}
	case simple == "char" || simple == "Character":
		if s := []rune(m.string(v)); len(s) == 1 {
			return value.Char(s[0]), nil
		}
	case simple == "UUID" && v.Kind() == value.KindString:
		return parseUUID(v.Str())
	case simple == "LifeCycleHook" && v.Kind() == value.KindMap && m.s.o.Startup != nil:
		return newLifeCycle(v)
	default:
		if c, ok, err := m.asCollection(simple, v); ok || err != nil {
			return c, err
		}
	}
	return v, fail(castException, "%s to class '%s'", m.describe(v), javaName(simple))
}

func (m *machine) toNumber(v value.Value, k value.Kind) (value.Value, bool, error) {
	switch v.Kind() {
	case value.KindString:
		n, err := parseNumber(v.Str(), k)
		return n, true, err
	case value.KindChar:
		return value.Widened(value.Int(int32(v.Int64())), k), true, nil
	}
	if v.Kind().IsNumber() {
		return value.Widened(v, k), true, nil
	}
	return v, false, nil
}

// parseNumber is Integer.parseInt and its like.
func parseNumber(s string, k value.Kind) (value.Value, error) {
	bad := fail(numberFormat, "For input string: %q", clip(s))
	if len(s) > numberMax {
		return value.Null, bad
	}
	sizes := map[value.Kind]int{value.KindByte: 8, value.KindShort: 16, value.KindInt: 32, value.KindLong: 64}
	switch k {
	case value.KindFloat, value.KindDouble:
		f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil {
			return value.Null, bad
		}
		return value.Widened(value.Double(f), k), nil
	case value.KindBigDecimal:
		d, err := value.ParseDecimal(s)
		if err != nil {
			return value.Null, bad
		}
		return value.BigDecimal(d), nil
	case value.KindBigInteger:
		n, ok := new(big.Int).SetString(s, 10)
		if !ok {
			return value.Null, bad
		}
		return value.BigInt(n), nil
	}
	n, err := strconv.ParseInt(s, 10, sizes[k])
	if err != nil {
		return value.Null, bad
	}
	return value.Widened(value.Long(n), k), nil
}

func parseUUID(s string) (value.Value, error) {
	u, err := uuid.Parse(s)
	if err != nil || len(s) != 36 {
		return value.Null, fail(argumentException, "Invalid UUID string: %s", clip(s))
	}
	return value.UUID(u), nil
}

func (m *machine) asCollection(simple string, v value.Value) (value.Value, bool, error) {
	switch simple {
	case "Set", "LinkedHashSet", "HashSet":
		c, err := m.setOf(v)
		return c, true, err
	case "List", "ArrayList", "Collection", "LinkedList", "Iterable":
		c, err := m.listOf(v)
		return c, true, err
	}
	return v, false, nil
}
