package value_test

import (
	"net/netip"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/storage/value/valuetest"
)

func TestJavaString(t *testing.T) {
	utc := time.Date(2024, 1, 2, 3, 0, 0, 0, time.UTC)
	tree := &value.Tree{Keys: []value.Value{value.String("x")}, Children: []*value.Tree{{}}}
	for want, v := range map[string]value.Value{
		"null": value.Null, "true": value.Bool(true), "-5": value.Byte(-5), "1.0": value.Double(1),
		"1.0E7": value.Double(1e7), "9999999.0": value.Double(9999999), "0.001": value.Double(0.001),
		"9.999E-4": value.Double(9.999e-4), "1.0E21": value.Double(1e21), "4.9E-324": value.Double(4.9e-324),
		"0.1": value.Float(0.1), "1.6777216E7": value.Float(16777216), "1E+3": decimal("1E3"),
		"0.000001": decimal("0.000001"), "1E-7": decimal("0.0000001"), "1.50": decimal("1.50"), "0E-10": decimal("0E-10"),
		"class java.lang.String": value.Class("java.lang.String"), "interface java.util.Map": value.Class("java.util.Map"),
		"v[1]": value.VertexRef(1), "e[7][1-knows->2]": value.DetachedEdge(&value.Element{ID: value.Int(7), Label: "knows", Out: vertex(1), In: vertex(2)}),
		"vp[name->marko]": value.OfVertexProperty(&value.VertexProperty{Key: "name", Value: value.String("marko")}),
		"p[since->2009]":  value.OfProperty(&value.Property{Key: "since", Value: value.Int(2009)}),
		"vp[k->a text longer tha...]": value.OfVertexProperty(&value.VertexProperty{Key: "k",
			Value: value.String("a text longer than it shows")}),
		"[1, a, null]": list(1, "a", nil), "{a=1, 2=null}": mapOf("a", 1, 2, nil), "{a=2, b=1}": bulks("a", 2, "b", 1),
		"{x={}}": tree.Value(), "path[1]": (&value.Path{Objects: []value.Value{value.Int(1)}}).Value(),
		"2024-01-02T03:00Z": value.OffsetDateTime(utc), "2024-01-02T03:00:00Z": value.Instant(utc),
		"2024-01-02T03:00": value.LocalDateTime(utc), "Tue Jan 02 03:00:00 UTC 2024": value.Date(utc),
		"2024-01-02 03:00:00.0": value.Timestamp(utc), "PT-0.5S": value.Duration{Seconds: -1, Nanos: 5e8}.Value(),
		"PT1H1M1.000000001S": value.Duration{Seconds: 3661, Nanos: 1}.Value(), "PT-1.5S": value.Duration{Seconds: -2, Nanos: 5e8}.Value(),
		"P1Y-2M3D": value.Period{Years: 1, Months: -2, Days: 3}.Value(), "12345-03": value.YearMonth{Year: 12345, Month: 3}.Value(),
		"-01:01:01": value.ZoneOffset(-3661).Value(), "/127.0.0.1": value.InetAddress(netip.MustParseAddr("127.0.0.1")),
		"/0:0:0:0:0:0:0:1": value.InetAddress(netip.MustParseAddr("::1")), "OUT": value.Enum(value.KindDirection, "OUT"),
		"java.nio.HeapByteBuffer[pos=0 lim=3 cap=3]": value.Binary([]byte("abc")),
	} {
		if got := v.JavaString(); got != want {
			t.Errorf("%s prints as %q, want %q", v.Kind(), got, want)
		}
	}
}

// The text of a date or time reads back.
func TestParseTime_ReadsJavaString(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := valuetest.Time().Draw(t, "v")
		if v.Kind() == value.KindDate || v.Kind() == value.KindTimestamp {
			return
		}
		if w, err := value.ParseTime(v.Kind(), v.JavaString()); err != nil || !value.Identical(v, w) {
			t.Fatalf("%#v came back as %#v, %v", v, w, err)
		}
	})
}

func TestParseTime_Errors(t *testing.T) {
	for k, texts := range map[value.Kind][]string{
		value.KindOffsetDateTime: {"", "2024", "2024-13-01T00:00Z", "2024-01-01T24:00Z", "2024-01-01T00:00", "2024-01-01T00:00+19:00", "2024-01-01T00:00Zx"},
		value.KindDuration:       {"P", "PT1X", "1S", "PT1.5H", "PT99999999999999999999S"},
		value.KindPeriod:         {"P1X", "1Y", "P99999999999Y"},
		value.KindLocalTime:      {"1:00", "10", "10:60", "10:00:61", "10:00:00."},
		value.KindZonedDateTime:  {"2024-01-01T00:00Z[", "2024-01-01T00:00Z[../x]"},
		value.KindInt:            {"1"},
	} {
		for _, s := range texts {
			if v, err := value.ParseTime(k, s); err == nil {
				t.Errorf("%q reads as %#v", s, v)
			}
		}
	}
}
