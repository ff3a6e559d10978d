package value

import (
	"fmt"
	"math/big"
	"net/netip"
	"time"
	"unsafe"

	"github.com/google/uuid"
)

// Object wraps any kind whose content is a Go value; see the table in kind.go for
// the type each kind holds. A mismatch of kind and type is a programming error and
// gives a KindForeign value.
func Object(k Kind, x any) Value {
	if c, ok := collection(x); ok && c.kind == k {
		return c
	}
	if p, ok := pointerTo(k, x); ok {
		return Value{kind: k, ptr: p}
	}
	if d, ok := x.(time.Duration); ok && k == KindLocalTime {
		return LocalTime(d)
	}
	if ownedKind(k) {
		k = KindForeign
	}
	return Value{kind: k, ptr: unsafe.Pointer(&x)}
}

// ownedKind reports whether the type of k is known to this package; the others are
// kept as an interface value.
func ownedKind(k Kind) bool { return k > kindFirstObject && k <= KindTraverser }

// pointerTo returns the pointer a Value of kind k keeps for x: pointers as they are,
// structs as one copy on the heap.
func pointerTo(k Kind, x any) (unsafe.Pointer, bool) {
	switch x := x.(type) {
	case *big.Int:
		return unsafe.Pointer(x), k == KindBigInteger
	case Decimal:
		return unsafe.Pointer(&x), k == KindBigDecimal
	case uuid.UUID:
		return unsafe.Pointer(&x), k == KindUUID
	case time.Time:
		return unsafe.Pointer(&x), k >= KindDate && k <= KindLocalDate
	case netip.Addr:
		return unsafe.Pointer(&x), k == KindInetAddress
	}
	if p, ok := pointerToTime(k, x); ok {
		return p, true
	}
	return pointerToComposite(k, x)
}

func pointerToTime(k Kind, x any) (unsafe.Pointer, bool) {
	switch x := x.(type) {
	case OffsetTime:
		return unsafe.Pointer(&x), k == KindOffsetTime
	case ZoneOffset:
		return unsafe.Pointer(&x), k == KindZoneOffset
	case Duration:
		return unsafe.Pointer(&x), k == KindDuration
	case MonthDay:
		return unsafe.Pointer(&x), k == KindMonthDay
	case Period:
		return unsafe.Pointer(&x), k == KindPeriod
	case Year:
		return unsafe.Pointer(&x), k == KindYear
	case YearMonth:
		return unsafe.Pointer(&x), k == KindYearMonth
	}
	return nil, false
}

// collection wraps what counts its parts.
func collection(x any) (Value, bool) {
	switch x := x.(type) {
	case *MapEntry:
		return OfMapEntry(x), true
	case *Set:
		return x.Value(), true
	case *Map:
		return x.Value(), true
	case *BulkSet:
		return x.Value(), true
	case *Tree:
		return x.Value(), true
	case *Path:
		return x.Value(), true
	}
	return Null, false
}

func pointerToComposite(k Kind, x any) (unsafe.Pointer, bool) {
	switch x := x.(type) {
	case *VertexProperty:
		return unsafe.Pointer(x), k == KindVertexProperty
	case *Property:
		return unsafe.Pointer(x), k == KindProperty
	case *Subgraph:
		return unsafe.Pointer(x), k == KindGraph
	case *Bulked:
		return unsafe.Pointer(x), k == KindTraverser
	}
	return nil, false
}

// Object returns the Go value of v, of the type that the table in kind.go names, or
// nil for kinds without one. The typed accessors below are cheaper.
func (v Value) Object() any {
	if v.kind == KindLocalTime {
		return v.LocalTime()
	}
	if !v.kind.holdsObject() || v.ptr == nil {
		return nil
	}
	if !ownedKind(v.kind) {
		return *(*any)(v.ptr)
	}
	if v.kind >= KindSet {
		return v.composite()
	}
	return v.scalar()
}

func (v Value) scalar() any {
	switch v.kind {
	case KindBigInteger:
		return (*big.Int)(v.ptr)
	case KindBigDecimal:
		return *(*Decimal)(v.ptr)
	case KindUUID:
		return *(*uuid.UUID)(v.ptr)
	case KindOffsetTime:
		return *(*OffsetTime)(v.ptr)
	case KindZoneOffset:
		return *(*ZoneOffset)(v.ptr)
	case KindDuration:
		return *(*Duration)(v.ptr)
	case KindMonthDay:
		return *(*MonthDay)(v.ptr)
	case KindPeriod:
		return *(*Period)(v.ptr)
	case KindYear:
		return *(*Year)(v.ptr)
	case KindYearMonth:
		return *(*YearMonth)(v.ptr)
	case KindInetAddress:
		return *(*netip.Addr)(v.ptr)
	}
	return *(*time.Time)(v.ptr)
}

func (v Value) composite() any {
	switch v.kind {
	case KindSet:
		return (*Set)(v.ptr)
	case KindMap:
		return (*Map)(v.ptr)
	case KindMapEntry:
		return (*MapEntry)(v.ptr)
	case KindBulkSet:
		return (*BulkSet)(v.ptr)
	case KindTree:
		return (*Tree)(v.ptr)
	case KindPath:
		return (*Path)(v.ptr)
	case KindVertexProperty:
		return (*VertexProperty)(v.ptr)
	case KindProperty:
		return (*Property)(v.ptr)
	case KindGraph:
		return (*Subgraph)(v.ptr)
	}
	return (*Bulked)(v.ptr)
}

// content returns the pointer of an owned kind, or a pointer to a zero T when v is
// of another kind, so that accessors never crash on a wrong kind.
func content[T any](v Value, k Kind) T {
	if v.kind != k || v.ptr == nil {
		var zero T
		return zero
	}
	return *(*T)(v.ptr)
}

func pointed[T any](v Value, k Kind) *T {
	if v.kind != k {
		return nil
	}
	return (*T)(v.ptr)
}

// BigInt wraps a java.math.BigInteger. The caller stops changing n.
func BigInt(n *big.Int) Value { return Value{kind: KindBigInteger, ptr: unsafe.Pointer(n)} }

// BigInt returns the number of a BigInteger, nil for other kinds. Do not change it.
func (v Value) BigInt() *big.Int { return pointed[big.Int](v, KindBigInteger) }

// BigDecimal wraps a java.math.BigDecimal.
func BigDecimal(d Decimal) Value { return Value{kind: KindBigDecimal, ptr: unsafe.Pointer(&d)} }

// Decimal returns the number of a BigDecimal.
func (v Value) Decimal() Decimal { return content[Decimal](v, KindBigDecimal) }

// UUID wraps a java.util.UUID.
func UUID(u uuid.UUID) Value { return Value{kind: KindUUID, ptr: unsafe.Pointer(&u)} }

// UUID returns the content of a UUID.
func (v Value) UUID() uuid.UUID { return content[uuid.UUID](v, KindUUID) }

// InetAddress wraps a java.net.InetAddress.
func InetAddress(a netip.Addr) Value { return Value{kind: KindInetAddress, ptr: unsafe.Pointer(&a)} }

// InetAddress returns the content of an InetAddress.
func (v Value) InetAddress() netip.Addr { return content[netip.Addr](v, KindInetAddress) }

// OfMapEntry wraps a java.util.Map.Entry.
func OfMapEntry(e *MapEntry) Value {
	var x inside
	x.add(e.Key)
	x.add(e.Value)
	return x.of(Value{kind: KindMapEntry, ptr: unsafe.Pointer(e)})
}

// MapEntry returns the content of a MapEntry, nil for other kinds.
func (v Value) MapEntry() *MapEntry { return pointed[MapEntry](v, KindMapEntry) }

// Value wraps t.
func (t *Tree) Value() Value {
	var x inside
	if t != nil {
		x.addAll(t.Keys)
		for _, c := range t.Children {
			x.add(c.Value())
		}
	}
	return x.of(Value{kind: KindTree, ptr: unsafe.Pointer(t)})
}

// Tree returns the content of a Tree, nil for other kinds.
func (v Value) Tree() *Tree { return pointed[Tree](v, KindTree) }

// Get returns the subtree of the root k.
func (t *Tree) Get(k Value) (Value, bool) {
	for i := range t.Keys {
		if Identical(t.Keys[i], k) {
			return t.Children[i].Value(), true
		}
	}
	return Null, false
}

// Map returns t as the map that it is in Java: of its roots and their subtrees.
func (t *Tree) Map() *Map {
	m := NewMapSize(len(t.Keys))
	for i, k := range t.Keys {
		m.Put(k, t.Children[i].Value())
	}
	return m
}

// Value wraps p.
func (p *Path) Value() Value {
	var x inside
	if p != nil {
		x.addAll(p.Objects)
	}
	return x.of(Value{kind: KindPath, ptr: unsafe.Pointer(p)})
}

// Path returns the content of a Path, nil for other kinds.
func (v Value) Path() *Path { return pointed[Path](v, KindPath) }

// OfVertexProperty wraps a vertex property.
func OfVertexProperty(p *VertexProperty) Value {
	return Value{kind: KindVertexProperty, ptr: unsafe.Pointer(p)}
}

// VertexProperty returns the content of a VertexProperty, nil for other kinds.
func (v Value) VertexProperty() *VertexProperty {
	return pointed[VertexProperty](v, KindVertexProperty)
}

// OfProperty wraps a property of an edge or of a vertex property.
func OfProperty(p *Property) Value { return Value{kind: KindProperty, ptr: unsafe.Pointer(p)} }

// Property returns the content of a Property, nil for other kinds.
func (v Value) Property() *Property { return pointed[Property](v, KindProperty) }

// Value wraps g.
func (g *Subgraph) Value() Value { return Value{kind: KindGraph, ptr: unsafe.Pointer(g)} }

// Subgraph returns the content of a Graph, nil for other kinds.
func (v Value) Subgraph() *Subgraph { return pointed[Subgraph](v, KindGraph) }

// OfTraverser wraps a traverser as drivers see it.
func OfTraverser(b *Bulked) Value { return Value{kind: KindTraverser, ptr: unsafe.Pointer(b)} }

// Traverser returns the content of a Traverser, nil for other kinds.
func (v Value) Traverser() *Bulked { return pointed[Bulked](v, KindTraverser) }

// String makes a Value readable in test output and logs; it is JavaString.
func (v Value) String() string { return v.JavaString() }

// GoString shows kind and content, for tests that print with %#v.
func (v Value) GoString() string { return fmt.Sprintf("%s(%s)", v.kind, v.JavaString()) }
