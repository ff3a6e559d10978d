package value_test

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gremlind/gremlind/conformance/golden"
	"github.com/gremlind/gremlind/storage/value"
)

// TestForms_Damaged reads the forms of values with one byte another: what comes out of each,
// and how many bytes are left.
func TestForms_Damaged(t *testing.T) {
	var b strings.Builder
	tell := func(v value.Value, rest []byte, err error) {
		if err != nil {
			b.WriteString(" -")
			return
		}
		fmt.Fprintf(&b, " %.24q+%d", v.GoString(), len(rest))
	}
	damage := func(name string, v value.Value, form []byte, read func(form []byte)) {
		if len(form) > 64 {
			return
		}
		fmt.Fprintf(&b, "%s %.40q\n", name, v.GoString())
		for i, was := range form {
			fmt.Fprintf(&b, "%d:", i)
			for _, now := range []byte{0, was - 1, was + 1, was ^ 0x80, 0xFF} {
				form[i] = now
				read(append(form[:len(form):len(form)], 0, 0, 0, 1, 0, 0))
			}
			form[i] = was
			b.WriteByte('\n')
		}
	}
	for _, v := range samples() {
		if v.Kind().IsEnum() && v.Str() != value.EnumNames(v.Kind())[0] {
			continue
		}
		cell, err := value.AppendMsgpack(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		damage("cell", v, cell, func(form []byte) {
			got, rest, err := value.ReadMsgpack(form)
			tell(got, rest, err)
		})
		key, _, err := value.AppendOrdered(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		damage("key", v, key, func(form []byte) {
			got, rest, _, err := value.ReadOrdered(append([]byte(nil), form...))
			tell(got, rest, err)
			if equal, ok := value.OrderedEqual(form); ok {
				fmt.Fprintf(&b, "=%d", len(equal))
			}
		})
	}
	golden.Check(t, "testdata/damaged", b.String())
}

// TestMsgpack_Extensions reads extensions of all codes and lengths: what is of a wrong length,
// or has a code that nobody wrote, is refused.
func TestMsgpack_Extensions(t *testing.T) {
	var b strings.Builder
	for code := range byte(28) {
		for n := range byte(22) {
			payload := make([]byte, n)
			for i := range payload {
				payload[i] = 1
			}
			if v, err := value.DecodeMsgpack(append([]byte{0xC7, n, code}, payload...)); err == nil {
				fmt.Fprintf(&b, "%d of %d bytes: %.60q\n", code, n, v.GoString())
			}
		}
	}
	golden.Check(t, "testdata/extensions", b.String())
}

// TestMsgpack_LyingLengths: a length that is a lie is refused before any memory is taken for
// what it promises.
func TestMsgpack_LyingLengths(t *testing.T) {
	var before, after runtime.MemStats
	for _, code := range []byte{0xDB, 0xC6, 0xDD, 0xDF, 0xC9} { // str32, bin32, array32, map32, ext32
		for _, n := range []uint32{1 << 24, 1 << 30, 1<<32 - 1} {
			form := append(binary.BigEndian.AppendUint32([]byte{code}, n), 1, 2, 3)
			runtime.ReadMemStats(&before)
			_, err := value.DecodeMsgpack(form)
			runtime.ReadMemStats(&after)
			if took := after.TotalAlloc - before.TotalAlloc; err == nil || took > 1<<20 {
				t.Errorf("%x: %d bytes, %v", form, took, err)
			}
		}
	}
}

// TestOrdered_Corners has the texts of two characters of which each is the first or the last
// with its length in UTF-8, or stands beside the surrogates: they come back from their keys,
// whose order is theirs.
func TestOrdered_Corners(t *testing.T) {
	corners := []rune{0, 1, 0x7E, 0x7F, 0x80, 0x7FF, 0x800, 0xCFFF, 0xD000, 0xD7FF, 0xE000, 0xFFFE, 0xFFFF, 0x10000, 0x103FF, 0x10FC00, utf8.MaxRune}
	var texts []string
	for _, a := range corners {
		for _, b := range corners {
			texts = append(texts, string(a)+string(b), string(b)+string(a)+string(a))
		}
	}
	keys := make([]string, len(texts))
	for i, text := range texts {
		key, _, err := value.AppendOrdered(nil, value.String(text))
		if err != nil {
			t.Fatal(err)
		}
		keys[i] = string(key)
		if got, rest, exact, err := value.ReadOrdered(key); err != nil || !exact || len(rest) > 0 || got.Str() != text {
			t.Fatalf("%q came back as %q, %v", text, got.Str(), err)
		}
	}
	for i := range texts {
		for j := range texts {
			if c := value.Order(value.String(texts[i]), value.String(texts[j])); c != strings.Compare(keys[i], keys[j]) {
				t.Fatalf("%q and %q: %d, and their keys %d", texts[i], texts[j], c, strings.Compare(keys[i], keys[j]))
			}
		}
	}
}

// TestNil: what is not there is empty.
func TestNil(t *testing.T) {
	var (
		m *value.Map
		s *value.Set
		b *value.BulkSet
	)
	if m.Len() != 0 || s.Len() != 0 || b.Len() != 0 || b.Size() != 0 {
		t.Errorf("%d, %d, %d and %d", m.Len(), s.Len(), b.Len(), b.Size())
	}
	if _, ok := m.Get(value.Null); ok || s.Has(value.Null) {
		t.Error("nothing has something")
	}
}

// TestJavaText_Grown: how much was written is asked after every thousand values, or more
// often where they are long.
func TestJavaText_Grown(t *testing.T) {
	for _, c := range []struct{ values, bytes, least, most int }{{10_000, 1, 9, 10}, {1_000, 1 << 10, 15, 16}, {1_000, 1, 0, 0}} {
		list := make([]value.Value, c.values)
		for i := range list {
			list[i] = value.String(strings.Repeat("x", c.bytes))
		}
		asked := 0
		text := value.JavaText{Grown: func(int) error { asked++; return nil }}
		if _, err := text.Append(nil, value.List(list)); err != nil || asked < c.least || asked > c.most {
			t.Errorf("%d values of %d bytes: asked %d times, %v", c.values, c.bytes, asked, err)
		}
	}
}
