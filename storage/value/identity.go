package value

import (
	"bytes"
	"hash/maphash"
	"math"
	"math/bits"
	"reflect"
	"slices"
)

// Identical is Java's equals: 1 and 1L differ, NaN equals NaN, 0.0 and -0.0 differ,
// elements are compared by id and kind. It decides dedup, group keys, Set and Map
// keys. A stored element never equals a detached one: whoever takes elements from
// outside puts the stored ones in their place first. A vertex property has no copy of
// another kind, so its id is compared by value where it is a whole number.
func Identical(a, b Value) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case KindNull:
		return true
	case KindBool, KindByte, KindShort, KindInt, KindLong, KindChar, KindLocalTime:
		return a.num == b.num
	case KindFloat, KindDouble:
		return a.num == b.num || isNaN(a) && isNaN(b)
	case KindVertex, KindEdge:
		return sameElement(a, b)
	case KindList:
		return identicalLists(a.Elems(), b.Elems())
	case KindBinary:
		return bytes.Equal(a.Bytes(), b.Bytes())
	}
	if a.kind <= kindLastEnum {
		return a.Str() == b.Str()
	}
	if a.ptr == b.ptr {
		return true
	}
	return identicalObjects(a, b)
}

func sameElement(a, b Value) bool {
	x, y := a.Detached(), b.Detached()
	if x == nil || y == nil {
		return x == y && a.num == b.num
	}
	return x == y || Identical(x.ID, y.ID)
}

// sameID is Identical for ids of vertex properties: clients send back a Long that they were given as an Int.
func sameID(a, b Value) bool {
	if a.isIntegral() && b.isIntegral() {
		return a.num == b.num
	}
	return Identical(a, b)
}

// hashID agrees with sameID.
func hashID(id Value) uint64 {
	if id.isIntegral() {
		return mix(uint64(KindLong), id.num)
	}
	return Hash(id)
}

func identicalLists(a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	if len(a) > 0 && &a[0] == &b[0] {
		return true // as everybody is its own equal; where each path begins with one list, that is what is asked
	}
	for i := range a {
		if !Identical(a[i], b[i]) {
			return false
		}
	}
	return true
}

func identicalObjects(a, b Value) bool {
	if a.ptr == nil || b.ptr == nil {
		return false
	}
	switch a.kind {
	case KindBigInteger:
		return a.BigInt().Cmp(b.BigInt()) == 0
	case KindBigDecimal:
		x, y := a.Decimal(), b.Decimal()
		return x.Scale == y.Scale && x.unscaled().Cmp(y.unscaled()) == 0
	case KindSet:
		return identicalSets(a.Set(), b.Set())
	case KindMap:
		return identicalMaps(a.Map(), b.Map())
	case KindMapEntry:
		x, y := a.MapEntry(), b.MapEntry()
		return Identical(x.Key, y.Key) && Identical(x.Value, y.Value)
	case KindBulkSet:
		return identicalBulkSets(a.BulkSet(), b.BulkSet())
	case KindTree:
		return identicalTrees(a.Tree(), b.Tree())
	case KindPath:
		return identicalPaths(a.Path(), b.Path())
	case KindVertexProperty:
		return sameID(a.VertexProperty().ID, b.VertexProperty().ID)
	case KindProperty:
		x, y := a.Property(), b.Property()
		return x.Key == y.Key && Identical(x.Value, y.Value)
	case KindTraverser:
		return Identical(a.Traverser().Value, b.Traverser().Value)
	case KindGraph:
		return false
	}
	if a.kind >= KindDate && a.kind <= KindLocalDate {
		return identicalTimes(a, b)
	}
	x, y := a.Object(), b.Object()
	return reflect.TypeOf(x).Comparable() && reflect.TypeOf(y).Comparable() && x == y
}

// identicalTimes compares instant and offset: two date-times of one instant at
// different offsets are different objects.
func identicalTimes(a, b Value) bool {
	x, y := a.Time(), b.Time()
	if !x.Equal(y) {
		return false
	}
	if a.kind == KindZonedDateTime && x.Location().String() != y.Location().String() {
		return false
	}
	return offsetSeconds(x) == offsetSeconds(y)
}

func identicalSets(a, b *Set) bool {
	if a.Len() != b.Len() || differ(a.settled(), b.settled()) {
		return false
	}
	for _, e := range a.Elems() {
		if !b.Has(e) {
			return false
		}
	}
	return true
}

func identicalMaps(a, b *Map) bool {
	if a.Len() != b.Len() || differ(a.settled(), b.settled()) {
		return false
	}
	for i := range a.Len() {
		k, v := a.Entry(i)
		if w, ok := b.Get(k); !ok || !Identical(v, w) {
			return false
		}
	}
	return true
}

// differ reports whether two collections have hashes that tell them apart.
func differ(a, b uint64) bool { return a != b && a != 0 && b != 0 }

func identicalBulkSets(a, b *BulkSet) bool {
	if a.Len() != b.Len() || a.Size() != b.Size() {
		return false
	}
	for i := range a.Len() {
		if v, n := a.Entry(i); b.Get(v) != n {
			return false
		}
	}
	return true
}

func identicalTrees(a, b *Tree) bool {
	if len(a.Keys) != len(b.Keys) {
		return false
	}
	var places keyed
	for _, k := range b.Keys {
		if _, isNew := places.add(k); !isNew {
			return false // a key twice: no tree that a traversal made
		}
	}
	for i, k := range a.Keys {
		j := places.find(k)
		if j < 0 || !identicalTrees(a.Children[i], b.Children[j]) {
			return false
		}
	}
	return true
}

func identicalPaths(a, b *Path) bool {
	if !identicalLists(a.Objects, b.Objects) || len(a.Labels) != len(b.Labels) {
		return false
	}
	for i := range a.Labels {
		if !sameLabels(a.Labels[i], b.Labels[i]) {
			return false
		}
	}
	return true
}

// sameLabels compares as sets; label sets have no duplicates.
func sameLabels(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	if len(a) > linearMax {
		return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
	}
	for _, x := range a {
		if !slices.Contains(b, x) {
			return false
		}
	}
	return true
}

func isNaN(v Value) bool {
	return (v.kind == KindDouble || v.kind == KindFloat) && math.IsNaN(v.Float64())
}

// hashSeed makes hashes differ between processes; they are never stored.
var hashSeed = maphash.MakeSeed()

// Hash agrees with Identical: identical values have equal hashes. It is stable only
// within the process.
func Hash(v Value) uint64 {
	switch v.kind {
	case KindFloat, KindDouble:
		if isNaN(v) {
			return mix(uint64(v.kind), math.MaxUint64)
		}
		return mix(uint64(v.kind), v.num)
	case KindVertex, KindEdge:
		if e := v.Detached(); e != nil {
			return mix(uint64(v.kind), Hash(e.ID))
		}
		return mix(uint64(v.kind), v.num)
	case KindString:
		return maphash.String(hashSeed, v.Str())
	case KindList:
		return hashList(v.Elems())
	case KindBinary:
		return mix(uint64(v.kind), maphash.Bytes(hashSeed, v.Bytes()))
	}
	if v.kind < KindString || v.kind == KindLocalTime {
		return mix(uint64(v.kind), v.num)
	}
	if v.kind <= kindLastEnum {
		return mix(uint64(v.kind), maphash.String(hashSeed, v.Str()))
	}
	if v.ptr == nil {
		return mix(uint64(v.kind), 0)
	}
	return mix(uint64(v.kind), hashObject(v))
}

func hashObject(v Value) uint64 {
	switch v.kind {
	case KindBigInteger:
		return hashBytes(v.BigInt().Bytes(), v.BigInt().Sign())
	case KindBigDecimal:
		d := v.Decimal()
		return mix(hashBytes(d.unscaled().Bytes(), d.unscaled().Sign()), uint64(d.Scale))
	case KindUUID:
		u := v.UUID()
		return hashBytes(u[:], 0)
	case KindSet:
		if h := v.Set().settled(); h != 0 {
			return h
		}
		return hashUnordered(v.Set().keys, nil)
	case KindMap:
		if h := v.Map().settled(); h != 0 {
			return h
		}
		return hashUnordered(v.Map().keys, v.Map().values)
	case KindMapEntry:
		return mix(Hash(v.MapEntry().Key), Hash(v.MapEntry().Value))
	case KindBulkSet:
		return hashBulkSet(v.BulkSet())
	case KindTree:
		return hashTree(v.Tree())
	case KindPath:
		return hashPath(v.Path())
	case KindVertexProperty:
		return hashID(v.VertexProperty().ID)
	case KindProperty:
		return mix(maphash.String(hashSeed, v.Property().Key), Hash(v.Property().Value))
	case KindTraverser:
		return Hash(v.Traverser().Value)
	case KindInetAddress:
		return hashBytes(v.InetAddress().AsSlice(), 0)
	}
	if v.kind >= KindDate && v.kind <= KindLocalDate {
		t := v.Time()
		return mix(mix(uint64(t.Unix()), uint64(t.Nanosecond())), uint64(offsetSeconds(t)))
	}
	switch x := v.Object().(type) {
	case Duration:
		return mix(uint64(x.Seconds), uint64(x.Nanos))
	case OffsetTime:
		return mix(uint64(x.Time), uint64(x.OffsetSeconds))
	case ZoneOffset:
		return uint64(x)
	case MonthDay:
		return mix(uint64(x.Month), uint64(x.Day))
	case Period:
		return mix(mix(uint64(x.Years), uint64(x.Months)), uint64(x.Days))
	case Year:
		return uint64(x)
	case YearMonth:
		return mix(uint64(x.Year), uint64(x.Month))
	default:
		return hashPointer(x)
	}
}

// hashPointer agrees with the comparison of objects that are equal to themselves alone.
func hashPointer(x any) uint64 {
	if p := reflect.ValueOf(x); p.Kind() == reflect.Pointer {
		return uint64(p.Pointer())
	}
	return 0
}

func hashBytes(b []byte, salt int) uint64 { return mix(maphash.Bytes(hashSeed, b), uint64(salt)) }

func hashList(elems []Value) uint64 {
	h := uint64(len(elems))
	for _, e := range elems {
		h = mix(h, Hash(e))
	}
	return h
}

func hashBulkSet(s *BulkSet) uint64 {
	var h uint64
	for i := range s.Len() {
		k, n := s.Entry(i)
		h += mix(Hash(k), uint64(n))
	}
	return mix(h, uint64(s.Len()))
}

func hashTree(t *Tree) uint64 {
	var h uint64
	for i, k := range t.Keys {
		h += mix(Hash(k), hashTree(t.Children[i]))
	}
	return mix(h, uint64(len(t.Keys)))
}

func hashPath(p *Path) uint64 {
	h := hashList(p.Objects)
	for _, labels := range p.Labels {
		var set uint64
		for _, l := range labels {
			set += maphash.String(hashSeed, l)
		}
		h = mix(h, set)
	}
	return h
}

func hashUnordered(keys, values []Value) uint64 {
	var h uint64
	for i, k := range keys {
		x := Hash(k)
		if values != nil {
			x = mix(x, Hash(values[i]))
		}
		h += x
	}
	return mix(h, uint64(len(keys)))
}

// mix folds products. What it is made with is secret, so that nobody can send values
// whose hashes are alike.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^mixSeed[0], b^mixSeed[1])
	hi, lo = bits.Mul64(hi^lo^mixSeed[2], mixSeed[3])
	return hi ^ lo
}

var mixSeed = func() (s [4]uint64) {
	for i := range s {
		s[i] = maphash.Bytes(hashSeed, []byte{byte(i)}) | 1
	}
	return s
}()
