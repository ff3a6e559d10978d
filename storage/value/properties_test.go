package value_test

import (
	"bytes"
	"testing"
	"unsafe"

	"github.com/vmihailenco/msgpack/v5"
	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/storage/value/valuetest"
)

func TestValue_Size(t *testing.T) {
	if n := unsafe.Sizeof(value.Value{}); n != 24 {
		t.Errorf("a Value takes %d bytes, want 24", n)
	}
}

func TestMsgpack_RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := valuetest.Storable(3).Draw(t, "v")
		b, err := value.AppendMsgpack([]byte("x"), v)
		if err != nil {
			t.Fatal(err)
		}
		w, err := value.DecodeMsgpack(b[1:])
		if err != nil || !value.Identical(v, w) || v.Kind() != w.Kind() {
			t.Fatalf("%#v came back as %#v, %v", v, w, err)
		}
		if _, err := value.DecodeMsgpack(b[1 : len(b)-1]); err == nil {
			t.Fatalf("%#v: decoding the form without its last byte succeeded", v)
		}
	})
}

// The form is MessagePack that any reader can walk.
func TestMsgpack_IsMessagePack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, err := value.AppendMsgpack(nil, valuetest.Storable(2).Draw(t, "v"))
		if err != nil {
			t.Fatal(err)
		}
		d := msgpack.NewDecoder(bytes.NewReader(b))
		if err := d.Skip(); err != nil {
			t.Fatalf("%x: %v", b, err)
		}
		if _, err := d.PeekCode(); err == nil {
			t.Fatalf("%x: more than one value", b)
		}
	})
}

func TestHash_AgreesWithIdentical(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := valuetest.Storable(2).Draw(t, "a"), valuetest.Storable(2).Draw(t, "b")
		if !value.Identical(a, a) {
			t.Fatalf("%#v is not identical to itself", a)
		}
		form, err := value.AppendMsgpack(nil, a)
		if err != nil {
			t.Fatal(err)
		}
		twin, err := value.DecodeMsgpack(form)
		if err != nil || value.Hash(a) != value.Hash(twin) {
			t.Fatalf("%#v and its copy hash differently", a)
		}
		if value.Identical(a, b) != value.Identical(b, a) {
			t.Fatalf("Identical is not symmetric: %#v, %#v", a, b)
		}
		if value.Identical(a, b) && value.Hash(a) != value.Hash(b) {
			t.Fatalf("%#v and %#v hash differently", a, b)
		}
	})
}

func TestOrder_IsTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := valuetest.Storable(1)
		a, b, c := g.Draw(t, "a"), g.Draw(t, "b"), g.Draw(t, "c")
		if value.Order(a, b) != -value.Order(b, a) {
			t.Fatalf("Order(%#v, %#v) = %d and %d", a, b, value.Order(a, b), value.Order(b, a))
		}
		if value.Order(a, b) <= 0 && value.Order(b, c) <= 0 && value.Order(a, c) > 0 {
			t.Fatalf("Order is not transitive: %#v, %#v, %#v", a, b, c)
		}
	})
}

func TestOrdered_ByteOrderIsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := rapid.OneOf(valuetest.Scalar(), valuetest.Number(), valuetest.Text())
		a, b := g.Draw(t, "a"), g.Draw(t, "b")
		ka, exactA, errA := value.AppendOrdered(nil, a)
		kb, exactB, errB := value.AppendOrdered(nil, b)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		c := value.Order(a, b)
		if c != 0 && bytes.Compare(ka, kb) != c && exactA && exactB {
			t.Fatalf("Order(%#v, %#v) = %d but keys %x and %x", a, b, c, ka, kb)
		}
		if value.Identical(a, b) != bytes.Equal(ka, kb) && exactA && exactB {
			t.Fatalf("%#v and %#v have keys %x and %x", a, b, ka, kb)
		}
		pa, _, _ := value.AppendOrderedEqual(nil, a)
		pb, _, _ := value.AppendOrderedEqual(nil, b)
		if !bytes.HasPrefix(ka, pa) || a.Kind().IsNumber() && c == 0 && !bytes.Equal(pa, pb) {
			t.Fatalf("%#v and %#v have equal parts %x and %x", a, b, pa, pb)
		}
	})
}

// The part of a key form that equal values share can be told from the form alone.
func TestOrdered_EqualPart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := valuetest.Storable(1).Draw(t, "v")
		key, _, err := value.AppendOrdered(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		want, _, _ := value.AppendOrderedEqual(nil, v)
		if got, ok := value.OrderedEqual(key); !ok || !bytes.Equal(got, want) {
			t.Fatalf("%#v: the form %x shares %x, want %x", v, key, got, want)
		}
		value.OrderedEqual(key[:rapid.IntRange(0, len(key)).Draw(t, "cut")]) // damaged, but read
	})
}

func TestOrdered_RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := valuetest.Storable(1).Draw(t, "v")
		key, exact, err := value.AppendOrdered(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		w, rest, decoded, err := value.ReadOrdered(append(key, "rest"...))
		if err != nil || string(rest) != "rest" || decoded != exact {
			t.Fatalf("%#v: key %x leaves %q, exact %v, %v", v, key, rest, decoded, err)
		}
		if exact && (!value.Identical(v, w) || v.Kind() != w.Kind()) {
			t.Fatalf("%#v came back as %#v", v, w)
		}
	})
}

// What Equal finds equal lies in the range of EqualRange.
func TestEqualRange_HoldsEverythingEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := valuetest.Number().Draw(t, "a"), valuetest.Number().Draw(t, "b")
		if rapid.Bool().Draw(t, "near") && value.AsInt64(a) != 0 {
			b = value.Float(float32(value.AsFloat64(a)))
		}
		lo, hi, exact := value.EqualRange(a)
		in := value.Order(lo, b) <= 0 && value.Order(b, hi) <= 0
		if value.Equal(a, b) && !in {
			t.Fatalf("%#v equals %#v outside of [%#v, %#v]", b, a, lo, hi)
		}
		if exact && in != value.Equal(a, b) {
			t.Fatalf("%#v in [%#v, %#v] but Equal to %#v is %v", b, lo, hi, a, !in)
		}
	})
}

func FuzzDecodeMsgpack(f *testing.F) {
	f.Add([]byte{0x93, 0xd2, 0, 0, 0, 1, 0xc0, 0xa1, 'x'})
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := value.DecodeMsgpack(b)
		if err != nil {
			return
		}
		c, err := value.AppendMsgpack(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		if w, err := value.DecodeMsgpack(c); err != nil || !value.Identical(v, w) {
			t.Fatalf("%#v came back as %#v, %v", v, w, err)
		}
	})
}

func FuzzReadOrdered(f *testing.F) {
	f.Add([]byte{0x40, 'a', 0, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		v, _, exact, err := value.ReadOrdered(b)
		if err != nil || !exact {
			return
		}
		if _, _, err := value.AppendOrdered(nil, v); err != nil {
			t.Fatal(err)
		}
	})
}

// Classes and interfaces come back, those without a package too.
func TestReadOrdered_Classes(t *testing.T) {
	for _, name := range []string{"Map", "String", "", "java.util.Map", "java.lang.String"} {
		form, _, err := value.AppendOrdered(nil, value.Class(name))
		if err != nil {
			t.Fatal(err)
		}
		if v, rest, exact, err := value.ReadOrdered(form); err != nil || !exact || len(rest) > 0 || !value.Identical(v, value.Class(name)) {
			t.Errorf("%q came back as %v, exact %v, %v", name, v, exact, err)
		}
	}
}
