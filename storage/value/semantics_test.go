package value_test

import (
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/storage/value"
)

func decimal(s string) value.Value {
	d, err := value.ParseDecimal(s)
	if err != nil {
		panic(err)
	}
	return value.BigDecimal(d)
}

func at(s string) value.Value {
	v, err := value.ParseTime(value.KindOffsetDateTime, s)
	if err != nil {
		panic(err)
	}
	return v
}

func list(elems ...any) value.Value { return value.Of(elems) }

func mapOf(kv ...any) value.Value {
	m := value.NewMap()
	for i := 0; i < len(kv); i += 2 {
		m.Put(value.Of(kv[i]), value.Of(kv[i+1]))
	}
	return m.Value()
}

func set(elems ...any) value.Value { return value.NewSet(list(elems...).Elems()...).Value() }

func vertex(id any) value.Value { return value.DetachedVertex(&value.Element{ID: value.Of(id)}) }

func bulks(kv ...any) value.Value {
	s := value.NewBulkSet()
	for i := 0; i < len(kv); i += 2 {
		s.Add(value.Of(kv[i]), int64(kv[i+1].(int)))
	}
	return s.Value()
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b      value.Value
		eq, ident bool
	}{
		{value.Int(1), value.Long(1), true, false},
		{value.Int(1), value.Double(1), true, false},
		{value.Int(16777217), value.Float(16777216), true, false},
		{value.Float(0.4), value.Double(0.4), false, false},
		{decimal("1.0"), decimal("1.00"), true, false},
		{value.Double(math.NaN()), value.Double(math.NaN()), false, true},
		{value.Double(0), value.Double(math.Copysign(0, -1)), false, false},
		{value.Null, value.Null, true, true},
		{value.Null, value.Bool(false), false, false},
		{value.String("1"), value.Int(1), false, false},
		{at("2024-01-01T00:00+02:00"), at("2023-12-31T22:00Z"), false, false},
		{list(1, "a"), list(int64(1), "a"), true, false},
		{list(1), list(1, 2), false, false},
		{list(1), set(1), false, false},
		{set(1, 2), set(2, 1), true, true},
		{mapOf("a", 1, "b", 2), mapOf("b", 2, "a", 1), true, true},
		{mapOf("a", 1), mapOf("a", int64(1)), true, false},
		{mapOf(1, "a"), mapOf(int64(1), "a"), true, false},
		{bulks("a", 2), bulks("a", 2), true, true},
		{bulks("a", 2), bulks("a", 1), false, false},
		{bulks("a", 1), set("a"), true, false},
		{vertex(1), vertex(1), true, true},
		{vertex(1), vertex(int64(1)), true, false},
		{value.VertexRef(1), value.VertexRef(1), true, true},
		{value.VertexRef(1), value.EdgeRef(1), false, false},
		{value.VertexRef(1), vertex(int64(1)), false, false},
		{value.Enum(value.KindT, "id"), value.Enum(value.KindT, "id"), true, true},
		{value.Char('a'), value.String("a"), false, false},
		{value.Binary([]byte{1}), value.Binary([]byte{1}), true, true},
	} {
		if got := value.Equal(c.a, c.b); got != c.eq {
			t.Errorf("Equal(%#v, %#v) = %v", c.a, c.b, got)
		}
		if got := value.Identical(c.a, c.b); got != c.ident {
			t.Errorf("Identical(%#v, %#v) = %v", c.a, c.b, got)
		}
	}
}

// A BulkSet's bulk may be anything; nothing expands it.
func TestEqual_HugeBulks(t *testing.T) {
	a, b := value.NewBulkSet(), value.NewBulkSet()
	a.Add(value.Int(1), math.MaxInt64-1)
	b.Add(value.Long(1), math.MaxInt64-1)
	if !value.Equal(a.Value(), b.Value()) || value.Order(a.Value(), b.Value()) != 0 {
		t.Error("huge bulk sets differ")
	}
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		a, b value.Value
		want int
		ok   bool
	}{
		{value.Int(1), value.Double(1.5), -1, true},
		{value.Int(1), value.String("a"), 0, false},
		{value.Null, value.Int(1), 0, false},
		{value.Null, value.Null, 0, true},
		{value.Double(math.NaN()), value.Int(1), 0, false},
		{value.String("\uFF5E"), value.String("\U0001F600"), 1, true},
		{value.Bool(false), value.Bool(true), -1, true},
		{list(1, 2), list(1, 3), -1, true},
		{list(1, "a"), list(1, 3), 0, false},
		{at("2024-01-01T00:00Z"), at("2024-01-02T00:00Z"), -1, true},
		{value.Date(time.Unix(1, 0)), at("2024-01-02T00:00Z"), 0, false},
		{vertex(1), vertex(2), -1, true},
		{value.Enum(value.KindOrder, "asc"), value.Enum(value.KindOrder, "desc"), -1, true},
		{value.Enum(value.KindOrder, "asc"), value.Enum(value.KindT, "id"), 0, false},
	} {
		if got, ok := value.Compare(c.a, c.b); got != c.want || ok != c.ok {
			t.Errorf("Compare(%#v, %#v) = %d, %v", c.a, c.b, got, ok)
		}
	}
}

func TestOrder_OfMixedValues(t *testing.T) {
	want := []value.Value{
		value.Null, value.Bool(false), value.Bool(true), value.Double(math.Inf(-1)), value.Int(-1),
		value.Double(math.Copysign(0, -1)), value.Int(0), value.Float(0.5), value.Long(1), decimal("1.5"),
		value.BigInt(new(big.Int).Lsh(big.NewInt(1), 80)), value.Double(math.Inf(1)), value.Double(math.NaN()),
		at("2023-12-31T22:00Z"), at("2024-01-01T00:00+02:00"),
		value.String(""), value.String("A"), value.String("a"), value.String("\U0001F600"), value.String("\uFF5E"),
		value.UUID(uuid.UUID{0x80}), value.UUID(uuid.UUID{0x01}), vertex(1), vertex("a"),
		value.DetachedEdge(&value.Element{ID: value.Int(0)}),
		value.OfVertexProperty(&value.VertexProperty{ID: value.Int(0)}), value.OfProperty(&value.Property{Key: "k"}),
		(&value.Path{Objects: []value.Value{value.Int(1)}}).Value(), set(1, 2), set(2), list(1), list(1, 0), list(2),
		mapOf("a", 1), mapOf("a", 2), value.OfMapEntry(&value.MapEntry{}),
		value.Char('c'), value.Class("java.lang.String"), value.DurationOf(time.Second).Value(),
		value.Date(time.Unix(0, 0)), value.Enum(value.KindOrder, "asc"), value.Enum(value.KindOrder, "desc"),
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortStableFunc(got, value.Order)
	for i := range want {
		if value.Order(got[i], want[i]) != 0 || got[i].Kind() != want[i].Kind() {
			t.Errorf("place %d has %#v, want %#v", i, got[i], want[i])
		}
	}
}

func TestMap_KeepsOrderAndFinds(t *testing.T) {
	m := value.NewMap()
	for i := range 100 {
		m.Put(value.Int(int32(i)), value.Int(int32(-i)))
		m.Put(value.Long(int64(i)), value.Null)
	}
	for i := 0; i < 100; i += 2 {
		if !m.Delete(value.Int(int32(i))) || m.Delete(value.Int(int32(i))) {
			t.Fatalf("key %d cannot be deleted once", i)
		}
	}
	if v, ok := m.Get(value.Int(51)); !ok || v.Int64() != -51 {
		t.Errorf("51 has %v, %v", v, ok)
	}
	if _, ok := m.Get(value.Int(50)); ok || m.Len() != 150 {
		t.Errorf("50 is still among %d", m.Len())
	}
	if k, _ := m.Entry(0); k.Kind() != value.KindLong {
		t.Errorf("the first key is %#v", k)
	}
	for i := range 95 {
		m.Delete(value.Long(int64(i)))
		m.Delete(value.Int(int32(i)))
	}
	if _, ok := m.Get(value.Long(99)); !ok || m.Len() != 8 {
		t.Errorf("%d keys are left: %v", m.Len(), m.Value())
	}
	var none *value.Map
	if _, ok := none.Get(value.Int(1)); ok || none.Len() != 0 {
		t.Error("a nil map holds something")
	}
}

func TestTypeTest(t *testing.T) {
	for _, c := range []struct {
		typ  value.Value
		yes  []value.Value
		no   []value.Value
		fail string
	}{
		{typ: value.Enum(value.KindGType, "INT"), yes: []value.Value{value.Int(1)}, no: []value.Value{value.Long(1), value.Null}},
		{typ: value.Enum(value.KindGType, "NUMBER"), yes: []value.Value{value.Byte(1), decimal("1")}, no: []value.Value{value.String("1")}},
		{typ: value.Enum(value.KindGType, "NULL"), yes: []value.Value{value.Null}, no: []value.Value{value.Int(1)}},
		{typ: value.String("Integer"), yes: []value.Value{value.Int(1)}, no: []value.Value{value.Long(1)}},
		{typ: value.Class("java.util.Set"), yes: []value.Value{set(1), bulks(1, 1)}, no: []value.Value{list(1)}},
		{typ: value.Class("java.lang.Object"), yes: []value.Value{value.Int(1)}, no: []value.Value{value.Null}},
		{typ: value.String("Nothing"), fail: "Nothing is not a registered type"},
		{typ: value.Int(1), fail: "not Integer"},
	} {
		is, err := value.TypeTest(c.typ)
		if c.fail != "" {
			if err == nil || !strings.Contains(err.Error(), c.fail) {
				t.Errorf("%v: %v, want %q", c.typ, err, c.fail)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range c.yes {
			if !is(v) {
				t.Errorf("%#v is no %v", v, c.typ)
			}
		}
		for _, v := range c.no {
			if is(v) {
				t.Errorf("%#v is a %v", v, c.typ)
			}
		}
	}
}
