package graphson

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
)

// Encoder writes values in one form.
type Encoder struct {
	Form
	// Resolver finds stored elements; nil when there are none.
	Resolver value.Resolver
	// Tokens leaves out the properties of elements.
	Tokens bool
	// Extend writes the kinds that this package does not know; ok is false for kinds
	// that it does not know either.
	Extend func(e *Encoder, dst []byte, v value.Value) (out []byte, ok bool, err error)
	// Meter, when not nil, is asked now and then whether the text may become longer.
	Meter Meter

	values int // since the Meter was asked
	asked  int // bytes written then
}

// Meter bounds the writing of values, in bytes and in time.
type Meter interface {
	// Grown is told how many bytes are written. Its error ends the writing.
	Grown(n int) error
}

// The Meter is asked after so many values, or when so many bytes were added.
const (
	meterValues = 1 << 10
	meterBytes  = 64 << 10
)

// meter asks the Meter when that is due.
func (e *Encoder) meter(dst []byte) error {
	e.values++
	if e.Meter == nil || e.values < meterValues && len(dst)-e.asked < meterBytes {
		return nil
	}
	e.values, e.asked = 0, len(dst)
	return e.Meter.Grown(len(dst))
}

// Append writes v.
func (e *Encoder) Append(dst []byte, v value.Value) ([]byte, error) {
	if err := e.meter(dst); err != nil {
		return dst, err
	}
	switch k := v.Kind(); k {
	case value.KindNull:
		return append(dst, "null"...), nil
	case value.KindBool:
		return strconv.AppendBool(dst, v.Bool()), nil
	case value.KindString:
		return AppendString(dst, v.Str()), nil
	case value.KindList:
		return e.appendList(dst, k, v.Elems())
	case value.KindSet:
		return e.appendList(dst, k, v.Set().Elems())
	case value.KindBulkSet:
		return e.appendBulkSet(dst, v.BulkSet())
	case value.KindMap:
		return e.AppendMap(dst, v.Map())
	case value.KindMapEntry:
		m := value.NewMapSize(1)
		m.Put(v.MapEntry().Key, v.MapEntry().Value)
		return e.AppendMap(dst, m)
	case value.KindVertex, value.KindEdge, value.KindVertexProperty, value.KindProperty,
		value.KindPath, value.KindTree, value.KindGraph:
		return e.appendStructure(dst, v)
	}
	if _, ok := typeNames[v.Kind()]; ok {
		return e.appendScalar(dst, v), nil
	}
	if e.Extend != nil {
		if out, ok, err := e.Extend(e, dst, v); ok {
			return out, err
		}
	}
	switch whole, ok, err := value.WholeOf(v); {
	case err != nil:
		return dst, err
	case ok:
		return e.Append(dst, whole)
	}
	return dst, fmt.Errorf("Serializer for type %s not found", value.JavaClass(v))
}

// Begin opens what carries the type of a value: {"@type":..,"@value": in versions 2
// and 3, ["class", in version 1; nothing when untyped. End closes it.
func (e *Encoder) Begin(dst []byte, typ, class string) []byte {
	switch {
	case e.tagged():
		dst = AppendString(append(dst, `{"@type":`...), typ)
		return append(dst, `,"@value":`...)
	case e.classed():
		return append(AppendString(append(dst, '['), class), ',')
	}
	return dst
}

// End closes what Begin opened.
func (e *Encoder) End(dst []byte) []byte {
	switch {
	case e.tagged():
		return append(dst, '}')
	case e.classed():
		return append(dst, ']')
	}
	return dst
}

func (e *Encoder) appendScalar(dst []byte, v value.Value) []byte {
	k := v.Kind()
	plain := e.classed() && (k == value.KindInt || k == value.KindDouble && finite(v))
	if e.classed() && k >= value.KindInstant && k <= value.KindYearMonth {
		// The date and time serializers of version 1 write objects.
		dst = AppendString(append(dst, `{"@class":`...), k.JavaClass())
		dst = AppendString(append(dst, `,"value":`...), v.JavaString())
		return append(dst, '}')
	}
	if plain {
		return appendPlain(dst, v)
	}
	class := className(k)
	if class == "" {
		class = k.JavaClass()
	}
	return e.End(appendPlain(e.Begin(dst, typeNames[k], class), v))
}

func finite(v value.Value) bool {
	f := v.Float64()
	return !math.IsNaN(f) && !math.IsInf(f, 0)
}

// appendPlain writes the JSON value of a scalar.
func appendPlain(dst []byte, v value.Value) []byte {
	switch v.Kind() {
	case value.KindByte, value.KindShort, value.KindInt, value.KindLong:
		return strconv.AppendInt(dst, v.Int64(), 10)
	case value.KindFloat, value.KindDouble:
		if !finite(v) {
			return AppendString(dst, v.JavaString())
		}
		return value.AppendJavaString(dst, v, nil)
	case value.KindBigInteger, value.KindBigDecimal:
		return value.AppendJavaString(dst, v, nil)
	case value.KindDate, value.KindTimestamp:
		return strconv.AppendInt(dst, v.Time().UnixMilli(), 10)
	case value.KindClass:
		return AppendString(dst, v.Str())
	case value.KindBinary:
		dst = base64.StdEncoding.AppendEncode(append(dst, '"'), v.Bytes())
		return append(dst, '"')
	case value.KindInetAddress:
		return AppendString(dst, v.JavaString()[1:]) // without Java's slash
	}
	return AppendString(dst, v.JavaString())
}

// appendList writes a list or a set; only version 3 tells them apart.
func (e *Encoder) appendList(dst []byte, k value.Kind, elems []value.Value) ([]byte, error) {
	wrap := e.Typed && e.Version != 2
	if wrap {
		dst = e.Begin(dst, typeNames[k], k.JavaClass())
	}
	dst, err := e.appendElems(dst, elems)
	if wrap {
		dst = e.End(dst)
	}
	return dst, err
}

func (e *Encoder) appendElems(dst []byte, elems []value.Value) ([]byte, error) {
	dst = append(dst, '[')
	var err error
	for i, x := range elems {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = e.Append(dst, x); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

// expandMax bounds the list that versions 1, 2 and untyped forms make of a BulkSet.
const expandMax = 1 << 20

// appendBulkSet writes values with their bulks, in version 3 typed; the other forms
// repeat the values.
func (e *Encoder) appendBulkSet(dst []byte, s *value.BulkSet) ([]byte, error) {
	if !e.tagged() || e.Version < 3 {
		if s.Size() > expandMax {
			return dst, fmt.Errorf("a BulkSet of %d elements is too large for this GraphSON form, the limit is %d", s.Size(), expandMax)
		}
		return e.appendList(dst, value.KindBulkSet, s.Expand())
	}
	pairs := make([]value.Value, 0, 2*s.Len())
	for i := range s.Len() {
		x, bulk := s.Entry(i)
		pairs = append(pairs, x, value.Long(bulk))
	}
	return e.appendList(dst, value.KindBulkSet, pairs)
}

// AppendMap writes a map: keys and values in turn in version 3 typed, else an object.
func (e *Encoder) AppendMap(dst []byte, m *value.Map) ([]byte, error) {
	if e.tagged() && e.Version == 3 {
		dst = e.Begin(dst, "g:Map", "")
		flat := make([]value.Value, 0, 2*m.Len())
		for i := range m.Len() {
			k, x := m.Entry(i)
			flat = append(flat, k, x)
		}
		dst, err := e.appendElems(dst, flat)
		return e.End(dst), err
	}
	dst = append(dst, '{')
	if e.classed() {
		dst = AppendString(append(dst, `"@class":`...), value.KindMap.JavaClass())
	}
	var err error
	for i := range m.Len() {
		k, x := m.Entry(i)
		if dst, err = e.Append(e.Field(dst, e.keyText(k)), x); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// keyText is how a key stands in an object: an element by its id.
func (e *Encoder) keyText(k value.Value) string {
	if p := k.VertexProperty(); p != nil {
		return p.ID.JavaString()
	}
	if k.Kind() == value.KindVertex || k.Kind() == value.KindEdge {
		if el, err := k.Resolve(e.Resolver, false); err == nil && el != nil {
			return el.ID.JavaString()
		}
	}
	return k.JavaStringWith(e.Resolver)
}

// Field appends a key to the object that dst ends in.
func (e *Encoder) Field(dst []byte, name string) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(AppendString(dst, name), ':')
}

const hexDigits = "0123456789ABCDEF"

// AppendString writes a JSON string.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' && c < utf8.RuneSelf {
			continue
		}
		if c >= utf8.RuneSelf {
			if r, size := utf8.DecodeRuneInString(s[i:]); r != utf8.RuneError || size > 1 {
				i += size - 1
				continue
			}
		}
		dst = append(dst, s[start:i]...)
		start = i + 1
		dst = appendEscape(dst, c)
	}
	return append(append(dst, s[start:]...), '"')
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, `\b`...)
	case '\t':
		return append(dst, `\t`...)
	case '\n':
		return append(dst, `\n`...)
	case '\f':
		return append(dst, `\f`...)
	case '\r':
		return append(dst, `\r`...)
	}
	if c >= utf8.RuneSelf {
		return append(dst, "\uFFFD"...) // a stray byte
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}
