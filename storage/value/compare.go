package value

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"
)

// class is a type space of TinkerPop's semantics; comparisons do not leave it, and
// mixed values sort by it.
type class uint8

const (
	classNull class = iota
	classBool
	classNumber
	classDate
	classString
	classUUID
	classVertex
	classEdge
	classVertexProperty
	classProperty
	classPath
	classSet
	classList
	classMap
	classMapEntry
	classUnknown
)

func classOf(v Value) class {
	if v.kind.IsNumber() {
		return classNumber
	}
	switch v.kind {
	case KindNull:
		return classNull
	case KindBool:
		return classBool
	case KindOffsetDateTime:
		return classDate
	case KindString:
		return classString
	case KindUUID:
		return classUUID
	case KindVertex:
		return classVertex
	case KindEdge:
		return classEdge
	case KindVertexProperty:
		return classVertexProperty
	case KindProperty:
		return classProperty
	case KindPath:
		return classPath
	case KindSet, KindBulkSet:
		return classSet
	case KindList:
		return classList
	case KindMap, KindTree:
		return classMap
	case KindMapEntry:
		return classMapEntry
	}
	return classUnknown
}

// Equal is P.eq: numbers are equal across types as Java promotes them, NaN equals
// nothing, null equals null, other types never equal each other.
func Equal(a, b Value) bool {
	switch {
	case a.kind == KindString && b.kind == KindString:
		return a.Str() == b.Str()
	case a.isIntegral() && b.isIntegral():
		return a.num == b.num
	}
	return equal(a, b, nil)
}

// EqualUntil is Equal for what may be large: stop is asked at each collection that is compared,
// and where it answers true the comparison ends, and the result means nothing.
func EqualUntil(a, b Value, stop func() bool) bool {
	if simple(a) {
		return Equal(a, b)
	}
	known := newSorted()
	known.stop = stop
	return equal(a, b, known)
}

func equal(a, b Value, known *sorted) bool {
	if sizesDiffer(a, b) || known.over() {
		return false
	}
	ca := classOf(a)
	if ca != classOf(b) {
		return false
	}
	switch ca {
	case classPath, classList:
		return slices.EqualFunc(elements(a), elements(b), known.equal)
	case classSet:
		known = known.of(a)
		return runsEqual(sortedRuns(a, known), sortedRuns(b, known), known)
	case classMap:
		known = known.of(a)
		return slices.EqualFunc(sortedEntries(a, known), sortedEntries(b, known), known.entriesEqual)
	case classMapEntry:
		x, y := a.MapEntry(), b.MapEntry()
		return known.equal(x.Key, y.Key) && known.equal(x.Value, y.Value)
	}
	c, ok := compare(a, b, known)
	return ok && c == 0
}

func sizesDiffer(a, b Value) bool {
	if a.kind == KindPath && b.kind == KindPath {
		return len(a.Path().Objects) != len(b.Path().Objects)
	}
	n, ok := Size(a)
	m, ok2 := Size(b)
	return ok && ok2 && n != m
}

// Size returns the number of elements of a List, Set, BulkSet, Map or Tree; false
// for other kinds.
func Size(v Value) (int64, bool) {
	switch v.kind {
	case KindList:
		return int64(len(v.Elems())), true
	case KindSet:
		return int64(v.Set().Len()), true
	case KindBulkSet:
		return v.BulkSet().Size(), true
	case KindMap:
		return int64(v.Map().Len()), true
	case KindTree:
		return int64(len(v.Tree().Keys)), true
	}
	return 0, false
}

// Compare is what P.lt, lte, gt and gte use; false means not comparable: different
// type spaces, null against something, NaN, or collections with such contents.
func Compare(a, b Value) (int, bool) {
	if a.isIntegral() && b.isIntegral() {
		return cmp.Compare(int64(a.num), int64(b.num)), true
	}
	if a.kind == KindString && b.kind == KindString {
		return CompareStrings(a.Str(), b.Str()), true
	}
	return compare(a, b, nil)
}

// CompareUntil is Compare for what may be large, as EqualUntil is Equal.
func CompareUntil(a, b Value, stop func() bool) (int, bool) {
	if simple(a) {
		return Compare(a, b)
	}
	known := newSorted()
	known.stop = stop
	return compare(a, b, known)
}

func compare(a, b Value, known *sorted) (int, bool) {
	if !comparable(a, b, known) {
		return 0, false
	}
	if a.kind.IsNumber() {
		return compareNumbers(a, b), true
	}
	return orderer{promote: true, sorted: known}.within(classOf(a), a, b), true
}

// comparable reports whether a and b share a type space and their contents do.
func comparable(a, b Value, known *sorted) bool {
	ca, cb := classOf(a), classOf(b)
	if ca != cb || isNaN(a) || isNaN(b) {
		return false
	}
	if ca >= classPath && known.over() {
		return false
	}
	switch ca {
	case classList, classPath:
		return contentsComparable(elements(a), elements(b), known)
	case classSet:
		known = known.of(a)
		return runsComparable(sortedRuns(a, known), sortedRuns(b, known), known)
	case classMap:
		known = known.of(a)
		return entriesComparable(sortedEntries(a, known), sortedEntries(b, known), known)
	case classMapEntry:
		x, y := a.MapEntry(), b.MapEntry()
		return comparable(x.Key, y.Key, known) && comparable(x.Value, y.Value, known)
	case classProperty:
		return comparable(a.Property().Value, b.Property().Value, known)
	case classVertex, classEdge:
		return a.IsStored() == b.IsStored() && (a.IsStored() || comparable(a.Detached().ID, b.Detached().ID, known))
	case classVertexProperty:
		return comparable(a.VertexProperty().ID, b.VertexProperty().ID, known)
	case classUnknown:
		return a.kind == b.kind && (hasNaturalOrder(a.kind) || Identical(a, b))
	}
	return true
}

// contentsComparable looks at what stands side by side: a shorter beginning is smaller.
func contentsComparable(a, b []Value, known *sorted) bool {
	for i := range min(len(a), len(b)) {
		if !comparable(a[i], b[i], known) {
			return false
		}
	}
	return true
}

// hasNaturalOrder reports whether Java's class is Comparable.
func hasNaturalOrder(k Kind) bool {
	switch k {
	case KindChar, KindBinary, KindDate, KindTimestamp, KindInstant, KindZonedDateTime, KindLocalDateTime, KindLocalDate,
		KindLocalTime, KindOffsetTime, KindZoneOffset, KindDuration, KindMonthDay, KindYear, KindYearMonth:
		return true
	}
	return k.IsEnum()
}

// Order is the total order of order(): null, booleans, numbers (NaN last), dates,
// strings in UTF-16 order, UUIDs, elements by id, properties, paths, sets, lists,
// maps, then the rest. Numbers order by their exact value across types; values that
// are equal so give 0, so that a stable sort keeps their order. Stored elements
// order by internal id; OrderWith knows better.
func Order(a, b Value) int { return orderer{}.order(a, b) }

// OrderWith is Order with stored elements ordered by the ids that users see.
func OrderWith(a, b Value, r Resolver) int { return orderer{resolver: r}.order(a, b) }

// orderer compares within one type space. With promote, numbers inside collections
// compare as Java's promotion has it, otherwise exactly.
type orderer struct {
	resolver Resolver
	promote  bool
	// texts are those of values that have no other order, nil to make them each time: a
	// sort asks for each of them often.
	texts  map[Value]string
	sorted *sorted // nil: none are members of others
}

// sorting is the order in which n members of a collection lie to be compared with another's.
func sorting(n int, known *sorted) orderer {
	if n <= linearMax {
		return orderer{sorted: known}
	}
	return orderer{texts: map[Value]string{}, sorted: known}
}

func (o orderer) order(a, b Value) int {
	if a.isIntegral() && b.isIntegral() {
		return cmp.Compare(int64(a.num), int64(b.num))
	}
	ca, cb := classOf(a), classOf(b)
	if ca != cb {
		return cmp.Compare(ca, cb)
	}
	return o.within(ca, a, b)
}

func (o orderer) within(c class, a, b Value) int {
	if c >= classPath && o.sorted.over() {
		return 0
	}
	switch c {
	case classBool:
		return cmp.Compare(a.num, b.num)
	case classNumber:
		if o.promote {
			return compareNumbers(a, b)
		}
		return orderNumbers(a, b)
	case classDate:
		return compareTimes(a.Time(), b.Time())
	case classString:
		return CompareStrings(a.Str(), b.Str())
	case classUUID:
		return compareUUIDs(a, b)
	case classVertex, classEdge:
		return o.elements(a, b)
	case classVertexProperty:
		return o.order(a.VertexProperty().ID, b.VertexProperty().ID)
	case classProperty:
		x, y := a.Property(), b.Property()
		if n := CompareStrings(x.Key, y.Key); n != 0 {
			return n
		}
		return o.order(x.Value, y.Value)
	case classPath, classList:
		return o.lists(elements(a), elements(b))
	case classSet:
		o.sorted = o.sorted.of(a)
		return o.runs(sortedRuns(a, o.sorted), sortedRuns(b, o.sorted))
	case classMap:
		o.sorted = o.sorted.of(a)
		return slices.CompareFunc(sortedEntries(a, o.sorted), sortedEntries(b, o.sorted), o.entry)
	case classMapEntry:
		x, y := a.MapEntry(), b.MapEntry()
		if n := o.order(x.Key, y.Key); n != 0 {
			return n
		}
		return o.order(x.Value, y.Value)
	case classUnknown:
		return o.unknown(a, b)
	}
	return 0
}

func (o orderer) elements(a, b Value) int {
	if a.IsStored() && b.IsStored() && o.resolver == nil {
		return cmp.Compare(a.num, b.num)
	}
	x, err := a.Resolve(o.resolver, false)
	y, err2 := b.Resolve(o.resolver, false)
	if err != nil || err2 != nil || x == nil || y == nil {
		return cmp.Compare(a.num, b.num)
	}
	return o.order(x.ID, y.ID)
}

func (o orderer) lists(a, b []Value) int {
	for i := range min(len(a), len(b)) {
		if c := o.order(a[i], b[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// elements returns what iterating a List or Path gives.
func elements(v Value) []Value {
	if p := v.Path(); p != nil {
		return p.Objects
	}
	return v.Elems()
}

// eachPair walks two sorted collections side by side, and returns the first result of f that is
// not 0, else which of them is longer.
func eachPair(a, b []run, f func(x, y Value) int) int {
	var left, right int64 // what was walked of the first runs
	for len(a) > 0 && len(b) > 0 {
		if c := f(a[0].v, b[0].v); c != 0 {
			return c
		}
		n := min(a[0].n-left, b[0].n-right)
		if left += n; left >= a[0].n {
			a, left = a[1:], 0
		}
		if right += n; right >= b[0].n {
			b, right = b[1:], 0
		}
	}
	return cmp.Compare(len(a), len(b))
}

func (o orderer) runs(a, b []run) int { return eachPair(a, b, o.order) }

func runsComparable(a, b []run, known *sorted) bool {
	const apart = 2 // longer and shorter are 1 and -1
	return eachPair(a, b, func(x, y Value) int {
		if comparable(x, y, known) {
			return 0
		}
		return apart
	}) != apart
}

func runsEqual(a, b []run, known *sorted) bool {
	return eachPair(a, b, func(x, y Value) int {
		if known.equal(x, y) {
			return 0
		}
		return 1
	}) == 0
}

// Expand returns the values, each as often as its bulk says. The caller has bounded
// Size.
func (s *BulkSet) Expand() []Value {
	if s == nil {
		return nil
	}
	out := make([]Value, 0, s.Size())
	for i, k := range s.keys {
		for range s.bulks[i] {
			out = append(out, k)
		}
	}
	return out
}

func (o orderer) entry(a, b entry) int {
	if n := o.order(a.key, b.key); n != 0 {
		return n
	}
	return o.order(a.value, b.value)
}

// equal is Equal for members.
func (s *sorted) equal(a, b Value) bool {
	if simple(a) {
		return Equal(a, b)
	}
	return equal(a, b, s)
}

func (s *sorted) entriesEqual(a, b entry) bool {
	return s.equal(a.key, b.key) && s.equal(a.value, b.value)
}

// entriesComparable looks at what stands side by side, as contentsComparable does.
func entriesComparable(a, b []entry, known *sorted) bool {
	for i := range min(len(a), len(b)) {
		if !comparable(a[i].key, b[i].key, known) || !comparable(a[i].value, b[i].value, known) {
			return false
		}
	}
	return true
}

// CompareStrings compares as Java does, by UTF-16 unit: characters beyond U+FFFF
// sort before U+E000. On valid UTF-8 only the first differing bytes matter.
func CompareStrings(a, b string) int {
	n := min(len(a), len(b))
	i := 0
	for i < n && a[i] == b[i] {
		i++
	}
	if i == n {
		return cmp.Compare(len(a), len(b))
	}
	x, y := a[i], b[i]
	if x >= 0xEE && y >= 0xEE && (x >= 0xF0) != (y >= 0xF0) {
		return cmp.Compare(y, x)
	}
	return cmp.Compare(x, y)
}

// compareUUIDs compares the halves as signed numbers, as java.util.UUID does.
func compareUUIDs(a, b Value) int {
	x, y := a.UUID(), b.UUID()
	x[0], y[0], x[8], y[8] = x[0]^0x80, y[0]^0x80, x[8]^0x80, y[8]^0x80
	return bytes.Compare(x[:], y[:])
}

// compareTimes compares instants, then what the clock reads: an OffsetDateTime
// differs from the same instant at another offset.
func compareTimes(x, y time.Time) int {
	return cmp.Or(x.Compare(y), cmp.Compare(offsetSeconds(x), offsetSeconds(y)))
}

func offsetSeconds(t time.Time) int {
	_, s := t.Zone()
	return s
}

// unknown orders the kinds outside TinkerPop's type spaces: kinds among each other by their
// Java class name, within a kind naturally or else by text.
func (o orderer) unknown(a, b Value) int {
	if a.kind != b.kind {
		if c := strings.Compare(JavaClass(a), JavaClass(b)); c != 0 {
			return c
		}
		return cmp.Compare(a.kind, b.kind)
	}
	if a.kind.IsEnum() {
		return cmp.Compare(enumOrdinal(a), enumOrdinal(b))
	}
	switch a.kind {
	case KindChar, KindLocalTime:
		return cmp.Compare(int64(a.num), int64(b.num))
	case KindBinary:
		return compareSignedBytes(a.Bytes(), b.Bytes())
	case KindDate, KindTimestamp, KindInstant, KindZonedDateTime, KindLocalDateTime, KindLocalDate:
		return compareTimes(a.Time(), b.Time())
	}
	return o.smallTimes(a, b)
}

func (o orderer) smallTimes(a, b Value) int {
	switch a.kind {
	case KindOffsetTime:
		x, y := a.OffsetTime(), b.OffsetTime()
		ux := x.Time - time.Duration(x.OffsetSeconds)*time.Second
		uy := y.Time - time.Duration(y.OffsetSeconds)*time.Second
		return cmp.Or(cmp.Compare(ux, uy), cmp.Compare(x.Time, y.Time))
	case KindZoneOffset:
		return cmp.Compare(b.ZoneOffset(), a.ZoneOffset()) // Java: descending
	case KindDuration:
		x, y := a.Duration(), b.Duration()
		return cmp.Or(cmp.Compare(x.Seconds, y.Seconds), cmp.Compare(x.Nanos, y.Nanos))
	case KindMonthDay:
		x, y := a.MonthDay(), b.MonthDay()
		return cmp.Or(cmp.Compare(x.Month, y.Month), cmp.Compare(x.Day, y.Day))
	case KindYear:
		return cmp.Compare(a.Year(), b.Year())
	case KindYearMonth:
		x, y := a.YearMonth(), b.YearMonth()
		return cmp.Or(cmp.Compare(x.Year, y.Year), cmp.Compare(x.Month, y.Month))
	}
	return CompareStrings(o.text(a), o.text(b))
}

func (o orderer) text(v Value) string {
	if o.texts == nil {
		return v.JavaString()
	}
	s, ok := o.texts[v]
	if !ok {
		s = v.JavaString()
		o.texts[v] = s
	}
	return s
}

// compareSignedBytes compares as java.nio.ByteBuffer does, by signed bytes.
func compareSignedBytes(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if c := cmp.Compare(int8(a[i]), int8(b[i])); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}
