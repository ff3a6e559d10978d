package value

import "strings"

// Article is a name of a kind as messages have it: an Integer, a String.
func Article(name string) string {
	if strings.ContainsRune("AEIO", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}

// Kind says what a Value holds. The numbers are not stored; byte forms have codes
// of their own.
type Kind uint8

// The kinds, with the constructor or the Go type that Object holds.
const (
	KindNull   Kind = iota
	KindBool        // Bool
	KindByte        // Byte
	KindShort       // Short
	KindInt         // Int
	KindLong        // Long
	KindFloat       // Float
	KindDouble      // Double
	KindChar        // Char
	KindString      // String
	KindClass       // Class

	kindFirstEnum
	KindT           // id, label, key, value
	KindDirection   // OUT, IN, BOTH
	KindOrder       // asc, desc, shuffle
	KindScope       // local, global
	KindPop         // first, last, all, mixed
	KindCardinality // single, list, set
	KindColumn      // keys, values
	KindOperator    // sum, minus, mult, div, min, max, assign, and, or, addAll, sumLong
	KindPick        // any, none, unproductive
	KindBarrier     // normSack
	KindMerge       // onCreate, onMatch, outV, inV
	KindDT          // second, minute, hour, day
	KindGType       // INT, LONG, STRING, ...
	kindLastEnum

	KindVertex // VertexRef, or *Element when detached
	KindEdge   // EdgeRef, or *Element when detached
	KindList   // List
	KindBinary // Binary

	kindFirstObject
	KindBigInteger       // *big.Int
	KindBigDecimal       // Decimal
	KindUUID             // uuid.UUID
	KindDate             // time.Time in UTC, milliseconds (java.util.Date)
	KindTimestamp        // time.Time in UTC, milliseconds (java.sql.Timestamp)
	KindInstant          // time.Time in UTC
	KindOffsetDateTime   // time.Time with a fixed offset
	KindZonedDateTime    // time.Time with a location
	KindLocalDateTime    // time.Time in UTC, read as wall time
	KindLocalDate        // time.Time in UTC, midnight
	KindLocalTime        // time.Duration since midnight
	KindOffsetTime       // OffsetTime
	KindZoneOffset       // ZoneOffset
	KindDuration         // Duration
	KindMonthDay         // MonthDay
	KindPeriod           // Period
	KindYear             // Year
	KindYearMonth        // YearMonth
	KindInetAddress      // netip.Addr
	KindSet              // *Set
	KindMap              // *Map
	KindMapEntry         // *MapEntry
	KindBulkSet          // *BulkSet
	KindTree             // *Tree
	KindPath             // *Path
	KindVertexProperty   // *VertexProperty
	KindProperty         // *Property
	KindGraph            // *Subgraph
	KindTraverser        // *Bulked
	KindBytecode         // *traversal.Bytecode
	KindP                // *traversal.P (also TextP)
	KindLambda           // *traversal.Lambda
	KindStrategy         // *traversal.StrategySpec
	KindBinding          // *traversal.Binding
	KindMetrics          // *traversal.Metrics
	KindTraversalMetrics // *traversal.TraversalMetrics
	KindExplanation      // *traversal.Explanation
	KindForeign          // anything the script interpreter keeps: closures, sources, ...
	kindLastObject
)

// IsEnum reports whether k is one of TinkerPop's enumerations.
func (k Kind) IsEnum() bool { return k > kindFirstEnum && k < kindLastEnum }

// IsNumber reports whether k is a java.lang.Number.
func (k Kind) IsNumber() bool {
	return k >= KindByte && k <= KindDouble || k == KindBigInteger || k == KindBigDecimal
}

// IsCollection reports whether values of a kind are java.util.Collections.
func (k Kind) IsCollection() bool { return k == KindList || k == KindSet || k == KindBulkSet }

// comparable reports whether Java compares values of a kind with each other.
func (k Kind) comparable() bool {
	return k != KindClass && k != KindVertex && k != KindEdge && k != KindList && k != KindPeriod && k < KindInetAddress
}

// IsElement reports whether k is a vertex, an edge or a vertex property.
func (k Kind) IsElement() bool { return k == KindVertex || k == KindEdge || k == KindVertexProperty }

func (k Kind) holdsObject() bool { return k > kindFirstObject && k < kindLastObject }
