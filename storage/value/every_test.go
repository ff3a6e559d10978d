package value_test

import (
	"fmt"
	"math"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/conformance/golden"
	"github.com/gremlind/gremlind/storage/value"
)

// many are values of every kind, several of each where they have an order.
func many() []value.Value {
	late := time.Date(2031, 12, 30, 23, 59, 58, 999_000_000, time.UTC)
	var out []value.Value
	for _, v := range samples() { // of enumerations two values
		if names := value.EnumNames(v.Kind()); names == nil || v.Str() == names[0] || v.Str() == names[1] {
			out = append(out, v)
		}
	}
	out = append(out, value.Float(1<<24), value.Float(1<<24-1), value.Double(1<<53), value.Double(1<<53-1), value.Float(-(1 << 24)),
		value.Duration{Seconds: 1, Nanos: 2}.Value(), value.Duration{Seconds: 1, Nanos: 1}.Value(), value.Float(2.5), value.Float(-3e-7), value.String("\xff"), value.String("a\uFFFD"), value.String("\xef\xbf"), value.Int(2), value.Double(1), value.Long(math.MinInt64), value.Byte(7), value.Short(-3), value.Double(1e300), value.Double(1.5e-7), value.Float(3e10),
		decimal("12.5"), decimal("-0.001"), decimal("1e40"), value.BigInt(value.AsBigInt(decimal("1e30"))), value.Double(math.Inf(1)),
		value.String("a"), value.String("B"), value.String("\uffff"), value.Char('a'), value.Bool(false), value.Binary([]byte{1}),
		value.Date(late), value.OffsetDateTime(late.In(value.FixedZone(-5400))), value.LocalDateTime(late), value.LocalDate(late), value.Instant(late),
		value.LocalTime(23*time.Hour+59*time.Minute+7), value.OffsetTime{Time: 5, OffsetSeconds: 90}.Value(), value.ZoneOffset(-3661).Value(),
		value.DurationOf(90*time.Minute+time.Nanosecond).Value(), value.MonthDay{Month: 12, Day: 1}.Value(), value.MonthDay{Month: 2, Day: 3}.Value(),
		value.Period{Years: -1, Months: 13, Days: 4}.Value(), value.Year(2024).Value(), value.YearMonth{Year: 2024, Month: 1}.Value(),
		value.InetAddress(netip.MustParseAddr("10.0.0.9")), value.InetAddress(netip.MustParseAddr("2001:db8::ff:1")),
		list(), list(1, "b"), list(1), set("x", 1), mapOf("a", 2), mapOf("b", 1, "c", 2), bulks("a", 3), vertex(1), vertex(2),
		value.OfMapEntry(&value.MapEntry{Key: value.Int(1), Value: value.Int(2)}), value.VertexRef(7), value.EdgeRef(7),
		value.OfProperty(&value.Property{Key: "k", Value: value.String("a value that is longer than is shown")}),
		(&value.Path{Objects: []value.Value{value.Int(1), value.String("b")}, Labels: [][]string{{"a"}, nil}}).Value(),
		(&value.Tree{Keys: []value.Value{value.Int(1)}, Children: []*value.Tree{{}}}).Value(),
	)
	return out
}

// TestEvery_Texts shows values of every kind in every way.
func TestEvery_Texts(t *testing.T) {
	var b strings.Builder
	for _, v := range many() {
		size, sized := value.Size(v)
		whole, isWhole, err := value.WholeOf(v)
		low, high, point := value.EqualRange(v)
		fmt.Fprintf(&b, "%.50q %.90q %.60q %s size=%d,%t parts=%d depth=%d int=%d float=%v big=%v decimal=%v whole=%v,%t,%v equal=%.40v..%.40v,%t\n",
			v.GoString(), v.JavaString(), v.Beginning(nil, 24), value.JavaClass(v), size, sized, v.Parts(), v.Depth(),
			numberOf(v, func() any { return value.AsInt64(v) }), numberOf(v, func() any { return value.AsFloat64(v) }),
			numberOf(v, func() any { return value.AsBigInt(v) }), numberOf(v, func() any { return value.AsDecimal(v) }), whole, isWhole, err, low, high, point)
	}
	golden.Check(t, "testdata/every_text", b.String())
}

// numberOf asks for a number, of which there is none where it panics.
func numberOf(v value.Value, ask func() any) (n any) {
	if !v.Kind().IsNumber() || v.Kind() == value.KindDouble && (math.IsNaN(v.Float64()) || math.IsInf(v.Float64(), 0)) {
		return nil
	}
	return ask()
}

// TestEvery_Pairs compares every value with every other: a line for each, a sign for each other.
func TestEvery_Pairs(t *testing.T) {
	all := many()
	var b strings.Builder
	for _, x := range all {
		fmt.Fprintf(&b, "%.40q", x.GoString())
		lines := [4]strings.Builder{}
		for _, y := range all {
			c, ok := value.Compare(x, y)
			lines[0].WriteByte("<=>."[map[bool]int{true: sign(c) + 1, false: 3}[ok]])
			lines[1].WriteByte("<=>"[sign(value.Order(x, y))+1])
			lines[2].WriteByte(".="[bit(value.Equal(x, y))])
			lines[3].WriteByte(".="[bit(value.Identical(x, y))])
			if value.Identical(x, y) && value.Hash(x) != value.Hash(y) {
				t.Errorf("%v and %v are identical and have other hashes", x, y)
			}
		}
		for i, name := range []string{"compare", "order", "equal", "identical"} {
			fmt.Fprintf(&b, "\n %-9s %s", name, lines[i].String())
		}
		b.WriteByte('\n')
	}
	golden.Check(t, "testdata/every_pair", b.String())
}

func sign(n int) int { return min(1, max(-1, n)) }

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestEvery_Calculates computes with every number and every other.
func TestEvery_Calculates(t *testing.T) {
	var b strings.Builder
	for _, x := range many() {
		for _, y := range many() {
			if !x.Kind().IsNumber() || !y.Kind().IsNumber() {
				continue
			}
			fmt.Fprintf(&b, "%v %v:", x, y)
			for _, f := range []func(a, b value.Value) (value.Value, error){value.Add, value.Sub, value.Mul, value.Div, value.DivFloat, value.Min, value.Max} {
				v, err := f(x, y)
				if err != nil {
					fmt.Fprintf(&b, " %.40s;", err)
					continue
				}
				fmt.Fprintf(&b, " %.40s:%d;", v, v.Kind())
			}
			b.WriteByte('\n')
		}
	}
	golden.Check(t, "testdata/every_sum", b.String())
}

// TestForms_EndEarly: no form is the beginning of another's, and what ends early is refused;
// what comes behind a form is left alone.
func TestForms_EndEarly(t *testing.T) {
	for _, v := range samples() {
		cell, err := value.AppendMsgpack(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		for n := range cell {
			if got, err := value.DecodeMsgpack(cell[:n]); err == nil {
				t.Errorf("%#v: %d of %d bytes are %#v", v, n, len(cell), got)
			}
		}
		if _, err := value.DecodeMsgpack(append(cell, 0)); err == nil {
			t.Errorf("%#v: a byte too many is none", v)
		}
		if got, rest, err := value.ReadMsgpack(append(cell, 1, 2)); err != nil || !value.Identical(got, v) || string(rest) != "\x01\x02" {
			t.Errorf("%#v: %#v, rest %x, %v", v, got, rest, err)
		}
		key, exact, err := value.AppendOrdered(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		for n := range key {
			if got, _, _, err := value.ReadOrdered(key[:n:n]); err == nil {
				t.Errorf("%#v: %d of %d bytes of the key are %#v", v, n, len(key), got)
			}
		}
		_, rest, told, err := value.ReadOrdered(append(key, 1, 2))
		if err != nil || told && !exact || string(rest) != "\x01\x02" {
			t.Errorf("%#v: key with a rest %x, exact=%t, %v", v, rest, told, err)
		}
	}
}
