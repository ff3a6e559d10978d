package graphbinary

// What is read takes more memory than its bytes. A value is charged keptBytes for its
// place, and what its type keeps behind that. The figures are measured, with what
// allocations round up, by the test that reads every kind of value in every form.
const (
	treeBytes    = 130 // a tree and its place in the one above
	setEntry     = 56  // an element of a set: its hash, its slot, and room to grow
	mapEntry     = 40  // the same of a map
	elementBytes = 260 // an element of a graph, or one of its properties
	labelsBytes  = 80  // the labels of one object of a path
	metricsBytes = 60  // an entry of metrics
	timeBytes    = 56  // a point in time with its zone
	boxBytes     = 40  // what is behind a pointer of its own and small
)

// keptBehind is what a value of a type takes besides its place and its parts.
var keptBehind = [256]uint16{
	codeList: 16, codeMap: 200, codeSet: 200, codeBulkSet: 220, codeTree: treeBytes, codePath: 100, codeGraph: 120,
	codeVertex: 160, codeEdge: 460, codeVertexProperty: 200, codeProperty: 130, codeTraverser: 60,
	codeBytecode: 100, codeP: 90, codeTextP: 90, codeLambda: 120, codeStrategy: 120, codeBinding: 80, codeMetrics: 700, codeTraversalMetrics: 120,
	codeBigInteger: 72, codeBigDecimal: 110, codeUUID: boxBytes, codeByteBuffer: 32, codeInetAddress: 64,
	codeDate: timeBytes, codeTimestamp: timeBytes, codeInstant: timeBytes, codeLocalDate: timeBytes, codeLocalDateTime: timeBytes,
	codeOffsetDateTime: 2 * timeBytes, codeZonedDateTime: 2 * timeBytes,
	codeDuration: boxBytes, codeLocalTime: boxBytes, codeOffsetTime: boxBytes, codeZoneOffset: boxBytes, codeMonthDay: boxBytes,
	codePeriod: boxBytes, codeYear: boxBytes, codeYearMonth: boxBytes,
}
