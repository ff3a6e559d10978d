package value_test

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/conformance/golden"
	"github.com/gremlind/gremlind/storage/value"
)

// samples has one value of every kind that a cell holds, and corners of some.
func samples() []value.Value {
	utc := time.Date(2024, 1, 2, 3, 4, 5, 6, time.UTC)
	out := []value.Value{
		value.Null, value.Bool(true), value.Byte(-1), value.Short(258), value.Int(1), value.Int(-100), value.Long(1 << 40),
		value.Float(0.5), value.Double(-0.25), value.Double(math.NaN()), value.Double(math.Inf(-1)), value.Double(math.Copysign(0, -1)),
		value.Char('é'), value.String("a\x00b"), value.String("\U0001F600"), value.String(strings.Repeat("x", 300)),
		value.Class("java.lang.String"), value.Binary([]byte{0, 128, 255}), value.BigInt(big.NewInt(-256)), decimal("12.50"),
		value.UUID(uuid.MustParse("41d2e28a-20a4-4ab0-b379-d810dede3786")), value.Date(utc), value.Timestamp(utc),
		value.Instant(utc), value.OffsetDateTime(utc.In(value.FixedZone(3600))), value.ZonedDateTime(utc),
		value.LocalDateTime(utc), value.LocalDate(utc), value.LocalTime(time.Hour), value.OffsetTime{Time: 1, OffsetSeconds: -60}.Value(),
		value.ZoneOffset(3600).Value(), value.DurationOf(-time.Millisecond).Value(), value.MonthDay{Month: 2, Day: 29}.Value(),
		value.Period{Years: 1, Months: -2}.Value(), value.Year(-5).Value(), value.YearMonth{Year: 2024, Month: 12}.Value(),
		value.InetAddress(netip.MustParseAddr("127.0.0.1")), list(1, "a"), set(1), mapOf("a", 1), bulks("a", 2),
		value.OfMapEntry(&value.MapEntry{Key: value.Int(1), Value: value.Null}),
	}
	for k := value.KindT; k.IsEnum(); k++ {
		for _, name := range value.EnumNames(k) {
			out = append(out, value.Enum(k, name))
		}
	}
	return out
}

// The bytes on disk never change; a test that fails here has broken old data, and -rewrite
// is for a new format alone.
func TestForms_NeverChange(t *testing.T) {
	var msgpack, ordered strings.Builder
	for _, v := range samples() {
		name := fmt.Sprintf("%.40s", fmt.Sprintf("%q", fmt.Sprintf("%#v", v)))
		cell, err := value.AppendMsgpack(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&msgpack, "%s\t%s\n", name, hex.EncodeToString(cell))
		key, exact, err := value.AppendOrdered(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&ordered, "%s\t%s\texact=%v\n", name, hex.EncodeToString(key), exact)
	}
	golden.Check(t, "testdata/msgpack", msgpack.String())
	golden.Check(t, "testdata/ordered", ordered.String())
}

func TestForms_Refuse(t *testing.T) {
	deep := value.Null
	for range 300 {
		deep = value.List([]value.Value{deep})
	}
	for _, v := range []value.Value{value.VertexRef(1), vertex(1), (&value.Tree{}).Value(), value.Object(value.KindForeign, 1), deep} {
		if _, err := value.AppendMsgpack(nil, v); err == nil {
			t.Errorf("a %s is stored", v.Kind())
		}
		if _, _, err := value.AppendOrdered(nil, v); err == nil {
			t.Errorf("a %s is a key", v.Kind())
		}
	}
}

func TestOrderedPrefix(t *testing.T) {
	for _, c := range []struct {
		prefix, s string
		want      bool
	}{{"", "a", true}, {"a", "ab", true}, {"ab", "a", false}, {"é", "été", true}, {"a\x00", "a\x00b", true}, {"b", "a", false}} {
		p, exact := value.AppendOrderedPrefix(nil, c.prefix)
		k, _, err := value.AppendOrdered(nil, value.String(c.s))
		if err != nil || !exact || strings.HasPrefix(string(k), string(p)) != c.want {
			t.Errorf("prefix %q of %q: %x and %x, %v", c.prefix, c.s, p, k, err)
		}
	}
	long := strings.Repeat("x", 1000)
	p, exact := value.AppendOrderedPrefix(nil, long)
	k, _, _ := value.AppendOrdered(nil, value.String(long+"y"))
	if exact || !strings.HasPrefix(string(k), string(p)) {
		t.Errorf("long prefix: %x, %v", p, exact)
	}
}

func BenchmarkAppendOrdered(b *testing.B) {
	for _, v := range []value.Value{value.String("marko rodriguez"), value.Int(29), value.Double(0.4)} {
		b.Run(v.Kind().String(), func(b *testing.B) {
			b.ReportAllocs()
			var buf []byte
			for b.Loop() {
				buf, _, _ = value.AppendOrdered(buf[:0], v)
			}
		})
	}
}

func BenchmarkHash(b *testing.B) {
	for _, v := range []value.Value{value.String("marko rodriguez"), value.Int(29), value.VertexRef(7)} {
		b.Run(v.Kind().String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				value.Hash(v)
			}
		})
	}
}

func BenchmarkSet_Add(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		s := value.NewSet()
		for i := range 1000 {
			s.Add(value.Long(int64(i)))
		}
	}
}
