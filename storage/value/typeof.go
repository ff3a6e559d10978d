package value

import (
	"fmt"
	"strings"
)

// typeNames maps what P.typeOf accepts as text, the simple names of Java classes, to
// the constants of GType.
var typeNames = map[string]string{
	"BigDecimal": "BIGDECIMAL", "BigInteger": "BIGINT", "ByteBuffer": "BINARY",
	"Boolean": "BOOLEAN", "Byte": "BYTE", "Character": "CHAR", "OffsetDateTime": "DATETIME",
	"Double": "DOUBLE", "Duration": "DURATION", "Edge": "EDGE", "Float": "FLOAT",
	"Graph": "GRAPH", "Integer": "INT", "List": "LIST", "Long": "LONG", "Map": "MAP",
	"Number": "NUMBER", "Path": "PATH", "Property": "PROPERTY", "Set": "SET", "Short": "SHORT",
	"String": "STRING", "Tree": "TREE", "UUID": "UUID", "Vertex": "VERTEX",
	"VertexProperty": "VPROPERTY",
}

// gtypeKinds gives the kinds that are instances of each constant of GType.
var gtypeKinds = map[string][]Kind{
	"BIGDECIMAL": {KindBigDecimal}, "BIGINT": {KindBigInteger}, "BINARY": {KindBinary},
	"BOOLEAN": {KindBool}, "BYTE": {KindByte}, "CHAR": {KindChar},
	"DATETIME": {KindOffsetDateTime}, "DOUBLE": {KindDouble}, "DURATION": {KindDuration},
	"EDGE": {KindEdge}, "FLOAT": {KindFloat}, "GRAPH": {KindGraph}, "INT": {KindInt},
	"LIST": {KindList}, "LONG": {KindLong}, "MAP": {KindMap, KindTree}, "NULL": {KindNull},
	"NUMBER": {KindByte, KindShort, KindInt, KindLong, KindFloat, KindDouble, KindBigInteger, KindBigDecimal},
	"PATH":   {KindPath}, "PROPERTY": {KindProperty, KindVertexProperty},
	"SET": {KindSet, KindBulkSet}, "SHORT": {KindShort}, "STRING": {KindString},
	"TREE": {KindTree}, "UUID": {KindUUID}, "VERTEX": {KindVertex}, "VPROPERTY": {KindVertexProperty},
}

// TypeTest returns the test of P.typeOf(arg), where arg is a GType, a String with the
// simple name of a class, a Class, or null.
func TypeTest(arg Value) (func(Value) bool, error) {
	switch arg.kind {
	case KindNull:
		return Value.IsNull, nil
	case KindGType:
		return oneOf(gtypeKinds[arg.Str()]), nil
	case KindString:
		name, ok := typeNames[arg.Str()]
		if !ok {
			return nil, fmt.Errorf("%s is not a registered type", arg.Str())
		}
		return oneOf(gtypeKinds[name]), nil
	case KindClass:
		return classTest(arg.Str()), nil
	}
	return nil, fmt.Errorf("typeOf needs a GType, a String or a Class, not %s", arg.kind)
}

func oneOf(kinds []Kind) func(Value) bool {
	var set [KindForeign + 1]bool
	for _, k := range kinds {
		set[k] = true
	}
	return func(v Value) bool { return set[v.kind] }
}

// classTest accepts the class names whose instances a Value can be; a class that is
// none of ours has no instances here.
func classTest(name string) func(Value) bool {
	if name == "java.lang.Object" {
		return func(v Value) bool { return !v.IsNull() }
	}
	simple := name[strings.LastIndexAny(name, ".$")+1:]
	if t, ok := typeNames[simple]; ok {
		return oneOf(gtypeKinds[t])
	}
	return func(v Value) bool { return !v.IsNull() && v.kind.JavaClass() == name }
}
