package machine

import (
	"strings"
	"unicode"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/lang"
)

// TypeKinds are the types that values have, by simple name.
var TypeKinds = map[string][]value.Kind{
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

// SimpleName is the name of a class without its package.
func SimpleName(name string) string { return name[strings.LastIndexAny(name, ".$")+1:] }

// KnownType reports whether values can be of a type.
func KnownType(name string) bool {
	_, ok := TypeKinds[SimpleName(name)]
	return ok
}

// JavaName is the full name of a type.
func JavaName(simple string) string {
	if full, ok := fullNames[simple]; ok {
		return full
	}
	if kinds := TypeKinds[simple]; len(kinds) > 0 && !Primitives[simple] {
		return kinds[0].JavaClass()
	}
	if k, ok := lang.EnumKind(simple); ok {
		return k.JavaClass()
	}
	return simple
}

// Primitives are the type names that begin with a small letter.
var Primitives = map[string]bool{
	"int": true, "long": true, "short": true, "byte": true, "char": true,
	"float": true, "double": true, "boolean": true, "void": true,
}

// ZeroOf is what a variable of a type holds before it is assigned.
func ZeroOf(name string) value.Value {
	if !Primitives[name] {
		return value.Null
	}
	if name == "boolean" {
		return value.Bool(false)
	}
	return value.Widened(value.Int(0), TypeKinds[name][0])
}

// IsClassName reports whether a name is written as those of classes are.
func IsClassName(name string) bool { return name != "" && unicode.IsUpper(rune(name[0])) }

// IsExceptionName reports whether a class is thrown.
func IsExceptionName(name string) bool {
	return IsClassName(name) && (strings.HasSuffix(name, "Exception") || name == "Error" || name == "Throwable")
}
