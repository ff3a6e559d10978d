package gryo

import (
	"bytes"
	"context"
	"encoding/hex"
	"math/big"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/storage/value/valuetest"
)

// file is a graph of one vertex with one property, as it is written.
func file(v value.Value) ([]byte, error) {
	var g graph
	g.vs = []blueprints.VertexRecord{{ID: value.Int(1), Label: "v", Properties: []blueprints.PropertyRecord{{Key: "k", ID: value.Long(1), Value: v}}}}
	var b bytes.Buffer
	err := Write(context.Background(), &b, &g)
	return b.Bytes(), err
}

// A value comes back as it was, or is refused by its class when it is written; a piece of
// the file is never a file.
func TestValues_RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := valuetest.Storable(2).Draw(t, "v")
		if v.Kind() == value.KindNull {
			return
		}
		b, err := file(v)
		if err != nil {
			if !strings.Contains(err.Error(), "cannot be written to Gryo") {
				t.Fatalf("%#v: %v", v, err)
			}
			return
		}
		var back graph
		if err := Read(context.Background(), bytes.NewReader(b), &back); err != nil {
			t.Fatalf("%#v: %v", v, err)
		}
		if got := back.vs[0].Properties[0].Value; !value.Identical(got, v) {
			t.Fatalf("%#v came back as %#v", v, got)
		}
		if cut := rapid.IntRange(1, len(b)-1).Draw(t, "cut"); Read(context.Background(), bytes.NewReader(b[:cut]), &graph{}) == nil {
			t.Fatalf("%#v: %d of %d bytes were taken for a file", v, cut, len(b))
		}
	})
}

// What Java's types cannot hold is refused by name.
func TestValues_Refused(t *testing.T) {
	for want, v := range map[string]value.Value{
		"the character 😀":  value.Char('😀'),
		"the duration PT":  value.Object(value.KindDuration, value.Duration{Seconds: -1 << 62}),
		"java.time.Period": value.Object(value.KindPeriod, value.Period{Years: 1}),
	} {
		if _, err := file(v); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "cannot be written to Gryo") {
			t.Errorf("%v: %v", v, err)
		}
	}
}

// The bytes of times are those that Kryo's serializers write: fields of fixed width, and
// milliseconds of variable width for dates.
func TestValues_Times(t *testing.T) {
	at := time.Date(1969, 12, 31, 23, 59, 58, 7_000_000, time.UTC)
	for _, c := range []struct {
		v    value.Value
		want string
	}{
		{value.Object(value.KindInstant, at), "fffffffffffffffe" + "006acfc0"},
		{value.Object(value.KindLocalDate, time.Date(1969, 12, 30, 0, 0, 0, 0, time.UTC)), "fffffffffffffffe"},
		{value.Object(value.KindLocalTime, 5*time.Nanosecond), "0000000000000005"},
		{value.Object(value.KindDuration, value.Duration{Seconds: 1, Nanos: 2}), "000000003b9aca02"},
		{value.Object(value.KindLocalDateTime, at), "000007b10000000c0000001f000000170000003b0000003a006acfc0"},
		{value.Object(value.KindDate, time.UnixMilli(300).UTC()), "ac02"},
		{value.Object(value.KindTimestamp, time.UnixMilli(1).UTC()), "01"},
		{value.BigInt(big.NewInt(-129)), "03" + "ff7f"},
		{value.BigInt(big.NewInt(128)), "03" + "0080"},
	} {
		b, err := file(c.v)
		if err != nil {
			t.Fatal(err)
		}
		if got := hex.EncodeToString(b); !strings.Contains(got, c.want) {
			t.Errorf("%v: %s is not in %s", c.v, c.want, got)
		}
	}
}

// What Java has several classes for is written as one of them, and read as each: what other
// programs write reads as what stands behind the class here.
func TestValues_OtherClasses(t *testing.T) {
	written, err := file(value.Binary([]byte("needle")))
	if err != nil {
		t.Fatal(err)
	}
	needle := "\xa5\x01\x01\x00\x00\x00\x06needle" // class ByteBuffer, a new object, its length
	if !strings.Contains(string(written), needle) {
		t.Fatalf("%x", written)
	}
	read := func(as string) (value.Value, error) {
		var back graph
		err := Read(context.Background(), strings.NewReader(strings.Replace(string(written), needle, as, 1)), &back)
		if err != nil {
			return value.Null, err
		}
		return back.vs[0].Properties[0].Value, nil
	}
	one, pair := value.List([]value.Value{value.Int(1)}), value.NewMap()
	pair.Put(value.Int(1), value.Int(2))
	for as, want := range map[string]value.Value{
		"\x1b\x01\x04abc":              value.Binary([]byte("abc")), // byte[]: one more than its length
		"\x1b\x01\x01":                 value.Binary(nil),
		"\x76\x01\x01\x02\x02":         one, // LinkedList
		"\x1a\x01\x02\x02":             one, // singletonList
		"\x88\x01\x01\x01\x01\x02\x02": one, // Arrays.asList, which has an array inside
		"\x40\x01\x01\x02\x02":         value.NewSet(value.Int(1)).Value(),
		"\x35\x01":                     value.List(nil),
		"\x36\x01":                     value.NewMap().Value(),
		"\x37\x01":                     value.NewSet().Value(),
		"\x0d\x01\x01\x02\x02\x02\x04": pair.Value(), // HashMap
	} {
		if got, err := read(as); err != nil || !value.Identical(got, want) {
			t.Errorf("%x: %#v, %v, want %#v", as, got, err, want)
		}
	}
	for as, want := range map[string]string{
		"\x1b\x01\x00": "length -1 is negative",
		"\x1b\x7f":     "reference to object 125 of",
	} {
		if got, err := read(as); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%x: %#v, %v", as, got, err)
		}
	}
}
