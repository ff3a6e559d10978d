package value

import "strings"

// kindNames are the names that tests, logs and error messages show.
var kindNames = [...]string{
	KindNull: "Null", KindBool: "Boolean", KindByte: "Byte", KindShort: "Short", KindInt: "Integer",
	KindLong: "Long", KindFloat: "Float", KindDouble: "Double", KindChar: "Character",
	KindString: "String", KindClass: "Class", KindT: "T", KindDirection: "Direction",
	KindOrder: "Order", KindScope: "Scope", KindPop: "Pop", KindCardinality: "Cardinality",
	KindColumn: "Column", KindOperator: "Operator", KindPick: "Pick", KindBarrier: "Barrier",
	KindMerge: "Merge", KindDT: "DT", KindGType: "GType", KindVertex: "Vertex", KindEdge: "Edge",
	KindList: "List", KindBinary: "ByteBuffer", KindBigInteger: "BigInteger",
	KindBigDecimal: "BigDecimal", KindUUID: "UUID", KindDate: "Date", KindTimestamp: "Timestamp",
	KindInstant: "Instant", KindOffsetDateTime: "OffsetDateTime", KindZonedDateTime: "ZonedDateTime",
	KindLocalDateTime: "LocalDateTime", KindLocalDate: "LocalDate", KindLocalTime: "LocalTime",
	KindOffsetTime: "OffsetTime", KindZoneOffset: "ZoneOffset", KindDuration: "Duration",
	KindMonthDay: "MonthDay", KindPeriod: "Period", KindYear: "Year", KindYearMonth: "YearMonth",
	KindInetAddress: "InetAddress", KindSet: "Set", KindMap: "Map", KindMapEntry: "Entry",
	KindBulkSet: "BulkSet", KindTree: "Tree", KindPath: "Path", KindVertexProperty: "VertexProperty",
	KindProperty: "Property", KindGraph: "Graph", KindTraverser: "Traverser",
	KindBytecode: "Bytecode", KindP: "P", KindLambda: "Lambda", KindStrategy: "TraversalStrategy",
	KindBinding: "Binding", KindMetrics: "Metrics", KindTraversalMetrics: "TraversalMetrics",
	KindExplanation: "TraversalExplanation", KindForeign: "Object",
}

// String returns the simple Java name of the type.
func (k Kind) String() string {
	if int(k) < len(kindNames) && kindNames[k] != "" {
		return kindNames[k]
	}
	return "Unknown"
}

const (
	structurePackage = "org.apache.tinkerpop.gremlin.structure."
	processPackage   = "org.apache.tinkerpop.gremlin.process.traversal."
)

// javaClasses are the class names of the kinds outside java.lang and java.time.
var javaClasses = map[Kind]string{
	KindBigInteger: "java.math.BigInteger", KindBigDecimal: "java.math.BigDecimal",
	KindUUID: "java.util.UUID", KindDate: "java.util.Date", KindTimestamp: "java.sql.Timestamp",
	KindInetAddress: "java.net.InetAddress", KindBinary: "java.nio.ByteBuffer",
	KindList: "java.util.ArrayList", KindSet: "java.util.LinkedHashSet",
	KindMap: "java.util.LinkedHashMap", KindMapEntry: "java.util.AbstractMap$SimpleEntry",
	KindT: structurePackage + "T", KindDirection: structurePackage + "Direction",
	KindColumn:      structurePackage + "Column",
	KindCardinality: structurePackage + "VertexProperty$Cardinality",
	KindVertex:      structurePackage + "Vertex", KindEdge: structurePackage + "Edge",
	KindVertexProperty: structurePackage + "VertexProperty", KindProperty: structurePackage + "Property",
	KindGraph: structurePackage + "Graph", KindOrder: processPackage + "Order",
	KindScope: processPackage + "Scope", KindPop: processPackage + "Pop",
	KindOperator: processPackage + "Operator", KindPick: processPackage + "Pick",
	KindBarrier: processPackage + "SackFunctions$Barrier", KindMerge: processPackage + "Merge",
	KindDT: processPackage + "DT", KindGType: processPackage + "GType",
	KindBulkSet: processPackage + "step.util.BulkSet", KindTree: processPackage + "step.util.Tree",
	KindPath: processPackage + "Path", KindTraverser: processPackage + "Traverser",
	KindBytecode: processPackage + "Bytecode", KindP: processPackage + "P",
	KindStrategy: processPackage + "TraversalStrategy", KindBinding: processPackage + "Bytecode$Binding",
	KindMetrics: processPackage + "util.Metrics", KindTraversalMetrics: processPackage + "util.TraversalMetrics",
	KindExplanation: processPackage + "util.TraversalExplanation",
	KindLambda:      "org.apache.tinkerpop.gremlin.util.function.Lambda",
}

// JavaClass returns the name of the Java class that v is an instance of, for error
// messages and for ordering unlike values.
func JavaClass(v Value) string {
	if v.kind == KindForeign {
		if o, ok := v.Object().(interface{ JavaClass() string }); ok {
			return o.JavaClass()
		}
	}
	return v.kind.JavaClass()
}

// JavaClass returns the name of the Java class of a kind.
func (k Kind) JavaClass() string {
	switch {
	case k == KindNull:
		return "null"
	case k <= KindClass:
		return "java.lang." + k.String()
	case k >= KindInstant && k <= KindYearMonth:
		return "java.time." + k.String()
	}
	if s, ok := javaClasses[k]; ok {
		return s
	}
	return k.String()
}

// SimpleClass returns the name of the Java class of a kind without its package, as
// getClass().getSimpleName() gives it: ArrayList where String gives List.
func (k Kind) SimpleClass() string {
	name := k.JavaClass()
	return name[strings.LastIndexAny(name, ".$")+1:]
}
