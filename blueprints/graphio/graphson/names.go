package graphson

import "github.com/gremlind/gremlind/storage/value"

// typeNames gives the @type of each kind in versions 2 and 3. Kinds without one are
// plain JSON, or written by their own code.
var typeNames = map[value.Kind]string{
	value.KindByte: "gx:Byte", value.KindShort: "gx:Int16", value.KindInt: "g:Int32",
	value.KindLong: "g:Int64", value.KindFloat: "g:Float", value.KindDouble: "g:Double",
	value.KindChar: "gx:Char", value.KindClass: "g:Class", value.KindT: "g:T",
	value.KindDirection: "g:Direction", value.KindOrder: "g:Order", value.KindScope: "g:Scope",
	value.KindPop: "g:Pop", value.KindCardinality: "g:Cardinality", value.KindColumn: "g:Column",
	value.KindOperator: "g:Operator", value.KindPick: "g:Pick", value.KindBarrier: "g:Barrier",
	value.KindMerge: "g:Merge", value.KindDT: "g:DT", value.KindGType: "g:GType",
	value.KindBinary: "gx:ByteBuffer", value.KindBigInteger: "gx:BigInteger",
	value.KindBigDecimal: "gx:BigDecimal", value.KindUUID: "g:UUID", value.KindDate: "g:Date",
	value.KindTimestamp: "g:Timestamp", value.KindInstant: "gx:Instant",
	value.KindOffsetDateTime: "gx:OffsetDateTime", value.KindZonedDateTime: "gx:ZonedDateTime",
	value.KindLocalDateTime: "gx:LocalDateTime", value.KindLocalDate: "gx:LocalDate",
	value.KindLocalTime: "gx:LocalTime", value.KindOffsetTime: "gx:OffsetTime",
	value.KindZoneOffset: "gx:ZoneOffset", value.KindDuration: "gx:Duration",
	value.KindMonthDay: "gx:MonthDay", value.KindPeriod: "gx:Period", value.KindYear: "gx:Year",
	value.KindYearMonth: "gx:YearMonth", value.KindInetAddress: "gx:InetAddress",
	value.KindList: "g:List", value.KindSet: "g:Set", value.KindMap: "g:Map",
	value.KindBulkSet: "g:BulkSet", value.KindVertex: "g:Vertex", value.KindEdge: "g:Edge",
	value.KindVertexProperty: "g:VertexProperty", value.KindProperty: "g:Property",
	value.KindPath: "g:Path", value.KindTree: "g:Tree", value.KindGraph: "tinker:graph",
}

// kindsByType is typeNames the other way round.
var kindsByType = invert(typeNames)

func invert(names map[value.Kind]string) map[string]value.Kind {
	out := make(map[string]value.Kind, len(names))
	for k, name := range names {
		out[name] = k
	}
	return out
}

// className returns the Java class that version 1 writes before a value, "" for the
// kinds that stand plain there.
func className(k value.Kind) string {
	switch k {
	case value.KindNull, value.KindBool, value.KindInt, value.KindDouble, value.KindString:
		return ""
	case value.KindBinary:
		return "java.nio.HeapByteBuffer"
	}
	return k.JavaClass()
}

// kindsByClass maps the Java classes that version 1 carries to kinds.
var kindsByClass = classKinds()

func classKinds() map[string]value.Kind {
	out := map[string]value.Kind{
		"java.nio.HeapByteBuffer": value.KindBinary, "java.util.Arrays$ArrayList": value.KindList,
		"java.util.LinkedList": value.KindList, "java.util.HashSet": value.KindSet,
		"java.util.HashMap": value.KindMap, "java.lang.Integer": value.KindInt,
		"java.lang.Double": value.KindDouble,
	}
	for k := range typeNames {
		if name := className(k); name != "" {
			out[name] = k
		}
	}
	return out
}
