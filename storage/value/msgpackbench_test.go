package value_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"

	"github.com/gremlind/gremlind/storage/value"
)

// library writes and reads cells with the library's streams, whose memory is used again,
// as this package would if it had no codec of its own.
type library struct {
	buf bytes.Buffer
	enc *msgpack.Encoder
	in  bytes.Reader
	dec *msgpack.Decoder
}

func newLibrary() *library {
	l := &library{}
	l.enc, l.dec = msgpack.NewEncoder(&l.buf), msgpack.NewDecoder(&l.in)
	return l
}

func (l *library) encode(v value.Value) error {
	switch v.Kind() {
	case value.KindString:
		return l.enc.EncodeString(v.Str())
	case value.KindInt:
		return l.enc.EncodeInt32(int32(v.Int64()))
	case value.KindList:
		if err := l.enc.EncodeArrayLen(len(v.Elems())); err != nil {
			return err
		}
		for _, e := range v.Elems() {
			if err := l.encode(e); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("no %s here", v.Kind())
}

func (l *library) decode() (value.Value, error) {
	code, err := l.dec.PeekCode()
	switch {
	case err != nil:
		return value.Null, err
	case msgpcode.IsString(code):
		s, err := l.dec.DecodeString()
		return value.String(s), err
	case code == msgpcode.Int32:
		n, err := l.dec.DecodeInt32()
		return value.Int(n), err
	}
	n, err := l.dec.DecodeArrayLen()
	if err != nil {
		return value.Null, err
	}
	list := make([]value.Value, 0, n)
	for range n {
		v, err := l.decode()
		if err != nil {
			return value.Null, err
		}
		list = append(list, v)
	}
	return value.List(list), nil
}

// cells are what a graph mostly has, and a list of it.
func cells() []value.Value {
	short := []value.Value{value.String("marko rodriguez"), value.Int(29)}
	var list []value.Value
	for range 5 {
		list = append(list, short...)
	}
	return append(short, value.List(list))
}

// The library writes the same bytes and reads them: what the benchmark compares is one form.
func TestMsgpack_IsTheLibrarys(t *testing.T) {
	l := newLibrary()
	for _, v := range cells() {
		want, err := value.AppendMsgpack(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		l.buf.Reset()
		if err := l.encode(v); err != nil || !bytes.Equal(l.buf.Bytes(), want) {
			t.Errorf("%s: the library writes %x, want %x (%v)", v.JavaString(), l.buf.Bytes(), want, err)
		}
		l.in.Reset(want)
		l.dec.Reset(&l.in)
		if got, err := l.decode(); err != nil || !value.Identical(got, v) {
			t.Errorf("%s: the library reads %s (%v)", v.JavaString(), got.JavaString(), err)
		}
	}
}

// BenchmarkMsgpack sets the codec of cells beside the library's streams.
func BenchmarkMsgpack(b *testing.B) {
	l := newLibrary()
	for _, v := range cells() {
		form, err := value.AppendMsgpack(nil, v)
		if err != nil {
			b.Fatal(err)
		}
		buf := make([]byte, 0, len(form))
		for _, c := range []struct {
			name string
			run  func() error
		}{
			{"encode/own", func() (err error) { buf, err = value.AppendMsgpack(buf[:0], v); return err }},
			{"encode/library", func() error { l.buf.Reset(); return l.encode(v) }},
			{"decode/own", func() error { _, err := value.DecodeMsgpack(form); return err }},
			{"decode/library", func() error { l.in.Reset(form); l.dec.Reset(&l.in); _, err := l.decode(); return err }},
		} {
			b.Run(v.Kind().String()+"/"+c.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := c.run(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
