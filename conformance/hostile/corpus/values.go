package corpus

import (
	"math"
	"math/big"
	"net/netip"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Kinds are all that a value can be.
func Kinds() []value.Kind {
	var kinds []value.Kind
	for k := range value.Kind(math.MaxUint8) {
		if k.String() != "Unknown" {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// Sample returns number i of the values of a kind: one that is long to write, to read, to
// compare or to hash where there is such. It is false for kinds that nobody can send.
func Sample(k value.Kind, i int) (v value.Value, ok bool) {
	if k.IsEnum() {
		names := value.EnumNames(k)
		return value.Enum(k, names[i%len(names)]), true
	}
	if v, ok = number(k, i); ok {
		return v, true
	}
	if v, ok = moment(k, i); ok {
		return v, true
	}
	if v, ok = structure(k, i); ok {
		return v, true
	}
	switch k {
	case value.KindNull:
		return value.Null, true
	case value.KindBool:
		return value.Bool(i%2 == 0), true
	case value.KindChar:
		return value.Char(rune('a' + i%1000)), true
	case value.KindString:
		return value.String(strings.Repeat("é\"\\", 30) + Name(i).Str()), true
	case value.KindClass:
		return value.Class("a.B" + Name(i).Str()), true
	case value.KindBinary:
		return value.Binary(make([]byte, 100+i%100)), true
	case value.KindUUID:
		return value.UUID(uuid.UUID{byte(i), byte(i >> 8), byte(i >> 16)}), true
	case value.KindInetAddress:
		return value.InetAddress(netip.AddrFrom4([4]byte{byte(i), byte(i >> 8), byte(i >> 16), 1})), true
	}
	return programs(k, i)
}

func number(k value.Kind, i int) (value.Value, bool) {
	switch k {
	case value.KindByte:
		return value.Byte(int8(i)), true
	case value.KindShort:
		return value.Short(int16(i)), true
	case value.KindInt:
		return value.Int(int32(i)), true
	case value.KindLong:
		return value.Long(math.MaxInt64 - int64(i)), true
	case value.KindFloat:
		return value.Float(float32(i) / 3), true
	case value.KindDouble:
		return value.Double(float64(i) * 1e300), true
	case value.KindBigInteger:
		return value.BigInt(new(big.Int).Lsh(big.NewInt(int64(i)+1), 8000)), true
	case value.KindBigDecimal:
		scale := []int32{math.MaxInt32, math.MinInt32, 1 << 20, 0}[i%4]
		return value.BigDecimal(value.Decimal{Unscaled: new(big.Int).Lsh(big.NewInt(int64(i)+1), 2000), Scale: scale}), true
	}
	return value.Null, false
}

func moment(k value.Kind, i int) (value.Value, bool) {
	at := time.Unix(int64(i)*1e9, int64(i%1e9)).UTC()
	switch k {
	case value.KindDate:
		return value.Date(at), true
	case value.KindTimestamp:
		return value.Timestamp(at), true
	case value.KindInstant:
		return value.Instant(at), true
	case value.KindOffsetDateTime:
		return value.OffsetDateTime(at.In(value.FixedZone(i % 64800))), true
	case value.KindZonedDateTime:
		return value.ZonedDateTime(at.In(value.FixedZone(i % 64800))), true
	case value.KindLocalDateTime:
		return value.LocalDateTime(at), true
	case value.KindLocalDate:
		return value.LocalDate(at.Truncate(24 * time.Hour)), true
	case value.KindLocalTime:
		return value.LocalTime(time.Duration(i) % (24 * time.Hour)), true
	case value.KindOffsetTime:
		return value.OffsetTime{Time: time.Duration(i) % (24 * time.Hour), OffsetSeconds: int32(i % 64800)}.Value(), true
	case value.KindZoneOffset:
		return value.ZoneOffset(i % 64800).Value(), true
	case value.KindDuration:
		return value.Duration{Seconds: math.MaxInt64 - int64(i), Nanos: 999999999}.Value(), true
	case value.KindMonthDay:
		return value.MonthDay{Month: int8(i%12) + 1, Day: 1}.Value(), true
	case value.KindPeriod:
		return value.Period{Years: math.MaxInt32, Months: math.MinInt32, Days: int32(i)}.Value(), true
	case value.KindYear:
		return value.Year(999_999_999 - int32(i)).Value(), true
	case value.KindYearMonth:
		return value.YearMonth{Year: int32(i), Month: 12}.Value(), true
	}
	return value.Null, false
}

func structure(k value.Kind, i int) (value.Value, bool) {
	n := value.Int(int32(i))
	switch k {
	case value.KindVertex:
		p := value.OfVertexProperty(&value.VertexProperty{ID: n, Key: "k", Value: n})
		return value.DetachedVertex(&value.Element{ID: n, Label: "v", Properties: []value.Value{p}}), true
	case value.KindEdge:
		end := value.DetachedVertex(&value.Element{ID: n, Label: "v"})
		return value.DetachedEdge(&value.Element{ID: n, Label: "e", Out: end, In: end}), true
	case value.KindList:
		return value.List([]value.Value{n, n}), true
	case value.KindSet:
		return value.NewSet(n).Value(), true
	case value.KindMap, value.KindMapEntry:
		m := value.NewMap()
		m.Put(n, n)
		if k == value.KindMapEntry {
			return value.OfMapEntry(&value.MapEntry{Key: n, Value: n}), true
		}
		return m.Value(), true
	case value.KindBulkSet:
		s := value.NewBulkSet()
		s.Add(n, math.MaxInt64/4)
		return s.Value(), true
	case value.KindTree:
		return (&value.Tree{Keys: []value.Value{n}, Children: []*value.Tree{{}}}).Value(), true
	case value.KindPath:
		return (&value.Path{Objects: []value.Value{n}, Labels: [][]string{{"a", "b"}}}).Value(), true
	case value.KindVertexProperty:
		return value.OfVertexProperty(&value.VertexProperty{ID: n, Key: "k", Value: n, Meta: []value.Property{{Key: "m", Value: n}}}), true
	case value.KindProperty:
		return value.OfProperty(&value.Property{Key: "k", Value: n}), true
	case value.KindGraph:
		v := value.DetachedVertex(&value.Element{ID: n, Label: "v"})
		return value.Object(value.KindGraph, &value.Subgraph{Vertices: []value.Value{v}}), true
	case value.KindTraverser:
		return value.OfTraverser(&value.Bulked{Bulk: math.MaxInt64, Value: n}), true
	}
	return value.Null, false
}

// programs are what traversals are made of.
func programs(k value.Kind, i int) (value.Value, bool) {
	switch k {
	case value.KindBytecode:
		return Child("V", value.Int(int32(i))), true
	case value.KindP:
		return (&traversal.P{Name: "gt", Args: []value.Value{value.Int(int32(i))}}).Value(), true
	case value.KindLambda:
		return value.Object(k, &traversal.Lambda{Language: "gremlin-groovy", Script: "{ it." + Name(i).Str() + " }", Arguments: 1}), true
	case value.KindStrategy:
		return value.Object(k, &traversal.StrategySpec{Class: "ReadOnlyStrategy"}), true
	case value.KindBinding:
		return value.Object(k, &traversal.Binding{Key: "x", Value: value.Int(int32(i))}), true
	case value.KindMetrics:
		return value.Object(k, &traversal.Metrics{ID: "1", Name: "m"}), true
	case value.KindTraversalMetrics:
		return value.Object(k, &traversal.TraversalMetrics{DurationNS: int64(i)}), true
	}
	return value.Null, false
}

// Forms are how values are made large: the name and what makes it of samples of a kind.
var Forms = []struct {
	Name string
	Make func(sample func(i int) value.Value, n int) value.Value
}{
	{"list", func(s func(int) value.Value, n int) value.Value { return value.List(Many(n, s)) }},
	{"set", func(s func(int) value.Value, n int) value.Value { return value.NewSet(Many(n, s)...).Value() }},
	{"map", func(s func(int) value.Value, n int) value.Value {
		m := value.NewMap()
		for i := range n / 2 {
			m.Put(s(2*i), s(2*i+1))
		}
		return m.Value()
	}},
	{"bulkset", func(s func(int) value.Value, n int) value.Value {
		set := value.NewBulkSet()
		for i := range n {
			set.Add(s(i), 1<<20)
		}
		return set.Value()
	}},
	{"path", func(s func(int) value.Value, n int) value.Value {
		p := &value.Path{Objects: Many(n, s), Labels: make([][]string, n)}
		for i := range p.Labels {
			p.Labels[i] = []string{"a"}
		}
		return p.Value()
	}},
	{"lists in lists", func(s func(int) value.Value, n int) value.Value {
		v := s(0)
		for range 200 {
			v = value.List(append(Many(n/200, s), v))
		}
		return v
	}},
	{"maps in keys", func(s func(int) value.Value, n int) value.Value {
		v := s(0)
		for i := range 100 {
			m := value.NewMap()
			m.Put(v, s(i))
			for j := range n / 200 {
				m.Put(s(2*j), s(2*j+1))
			}
			v = m.Value()
		}
		return v
	}},
	{"properties", func(s func(int) value.Value, n int) value.Value {
		props := Many(n, func(i int) value.Value {
			return value.OfVertexProperty(&value.VertexProperty{ID: value.Int(int32(i)), Key: "k", Value: s(i)})
		})
		return value.DetachedVertex(&value.Element{ID: value.Int(1), Label: "v", Properties: props})
	}},
	{"children", func(s func(int) value.Value, n int) value.Value {
		return Child("union", Many(n, func(i int) value.Value { return Child("constant", s(i)) })...)
	}},
	{"children in children", func(s func(int) value.Value, n int) value.Value {
		v := Child("constant", s(0))
		for range 100 {
			v = Child("local", v)
		}
		return v
	}},
	{"within", func(s func(int) value.Value, n int) value.Value {
		return (&traversal.P{Name: "within", Args: Many(n, s)}).Value()
	}},
	{"or", func(s func(int) value.Value, n int) value.Value {
		return (&traversal.P{Name: "or", Args: Many(n, func(i int) value.Value {
			return (&traversal.P{Name: "eq", Args: []value.Value{s(i)}}).Value()
		})}).Value()
	}},
	{"tree", func(s func(int) value.Value, n int) value.Value {
		t := &value.Tree{}
		for i := range n {
			t.Keys, t.Children = append(t.Keys, s(i)), append(t.Children, &value.Tree{})
		}
		return t.Value()
	}},
}
