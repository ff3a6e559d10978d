package graphbinary

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/gremlind/gremlind/storage/value"
)

// Encoder writes values.
type Encoder struct {
	// Resolver finds stored elements; nil when there are none.
	Resolver value.Resolver
	// Tokens leaves out the properties of elements (materializeProperties=tokens).
	Tokens bool
	// Room is memory for vertices; nil reads each into memory of its own.
	Room *value.Element

	meter meter
}

// AppendValue writes v fully qualified, elements with their properties.
func AppendValue(dst []byte, v value.Value, r value.Resolver) ([]byte, error) {
	return (&Encoder{Resolver: r}).Append(dst, v)
}

// AppendTraverser writes one result of a bytecode request.
func (e *Encoder) AppendTraverser(dst []byte, v value.Value, bulk int64) ([]byte, error) {
	dst = binary.BigEndian.AppendUint64(append(dst, codeTraverser, flagValue), uint64(bulk))
	return e.Append(dst, v)
}

// Append writes v fully qualified.
func (e *Encoder) Append(dst []byte, v value.Value) ([]byte, error) {
	if e.meter.due(dst) {
		if err := e.meter.ask(dst); err != nil {
			return dst, err
		}
	}
	switch v.Kind() {
	case value.KindNull:
		return append(dst, codeNull, flagNull), nil
	case value.KindInt:
		return binary.BigEndian.AppendUint32(append(dst, codeInt, flagValue), uint32(v.Int64())), nil
	case value.KindLong:
		return binary.BigEndian.AppendUint64(append(dst, codeLong, flagValue), uint64(v.Int64())), nil
	case value.KindString:
		return appendQualifiedText(dst, v.Str()), nil
	case value.KindDouble:
		return binary.BigEndian.AppendUint64(append(dst, codeDouble, flagValue), math.Float64bits(v.Float64())), nil
	case value.KindFloat:
		return binary.BigEndian.AppendUint32(append(dst, codeFloat, flagValue), math.Float32bits(v.Float32())), nil
	case value.KindBool:
		if v.Bool() {
			return append(dst, codeBoolean, flagValue, 1), nil
		}
		return append(dst, codeBoolean, flagValue, 0), nil
	case value.KindVertex:
		return e.appendVertex(dst, v)
	case value.KindEdge:
		return e.appendEdge(dst, v)
	case value.KindList:
		dst = append(dst, codeList, flagValue)
		return e.appendList(dst, v.Elems())
	case value.KindMap:
		return e.appendMap(append(dst, codeMap, flagValue), v.Map())
	case value.KindByte:
		return append(dst, codeByte, flagValue, byte(v.Int64())), nil
	case value.KindShort:
		return binary.BigEndian.AppendUint16(append(dst, codeShort, flagValue), uint16(v.Int64())), nil
	case value.KindChar:
		return append(append(dst, codeChar, flagValue), string(rune(v.Int64()))...), nil
	case value.KindClass:
		return appendText(append(dst, codeClass, flagValue), v.Str()), nil
	case value.KindBinary:
		return appendBytes(append(dst, codeByteBuffer, flagValue), v.Bytes()), nil
	}
	if v.Kind().IsEnum() {
		return appendQualifiedText(append(dst, enumCode(v.Kind()), flagValue), v.Str()), nil
	}
	if v.Kind() >= value.KindDate && v.Kind() <= value.KindYearMonth {
		return appendTime(dst, v), nil
	}
	return e.appendObject(dst, v)
}

func appendQualifiedText(dst []byte, s string) []byte {
	return appendText(append(dst, codeString, flagValue), s)
}

func appendText(dst []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint32(dst, uint32(len(s))), s...)
}

func appendBytes(dst, b []byte) []byte {
	return append(binary.BigEndian.AppendUint32(dst, uint32(len(b))), b...)
}

func appendCount(dst []byte, n int) []byte { return binary.BigEndian.AppendUint32(dst, uint32(n)) }

// appendList writes a bare list.
func (e *Encoder) appendList(dst []byte, elems []value.Value) ([]byte, error) {
	dst = appendCount(dst, len(elems))
	var err error
	for _, x := range elems {
		if dst, err = e.Append(dst, x); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// appendMap writes a bare map.
func (e *Encoder) appendMap(dst []byte, m *value.Map) ([]byte, error) {
	dst = appendCount(dst, m.Len())
	var err error
	for i := range m.Len() {
		k, x := m.Entry(i)
		if dst, err = e.Append(dst, k); err != nil {
			return dst, err
		}
		if dst, err = e.Append(dst, x); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

func (e *Encoder) appendObject(dst []byte, v value.Value) ([]byte, error) {
	switch v.Kind() {
	case value.KindBigInteger:
		return appendBigInt(append(dst, codeBigInteger, flagValue), v), nil
	case value.KindBigDecimal:
		d := v.Decimal()
		dst = binary.BigEndian.AppendUint32(append(dst, codeBigDecimal, flagValue), uint32(d.Scale))
		return appendBigInt(dst, value.BigInt(d.Int())), nil
	case value.KindUUID:
		u := v.UUID()
		return append(append(dst, codeUUID, flagValue), u[:]...), nil
	case value.KindInetAddress:
		return appendBytes(append(dst, codeInetAddress, flagValue), v.InetAddress().AsSlice()), nil
	case value.KindSet:
		return e.appendList(append(dst, codeSet, flagValue), v.Set().Elems())
	case value.KindMapEntry:
		m := value.NewMapSize(1)
		m.Put(v.MapEntry().Key, v.MapEntry().Value)
		return e.appendMap(append(dst, codeMap, flagValue), m)
	case value.KindBulkSet:
		return e.appendBulkSet(append(dst, codeBulkSet, flagValue), v.BulkSet())
	case value.KindTree:
		return e.appendTree(append(dst, codeTree, flagValue), v.Tree())
	case value.KindPath:
		return e.appendPath(append(dst, codePath, flagValue), v.Path())
	case value.KindVertexProperty:
		return e.appendVertexProperty(append(dst, codeVertexProperty, flagValue), v.VertexProperty())
	case value.KindProperty:
		return e.appendProperty(append(dst, codeProperty, flagValue), v.Property())
	case value.KindGraph:
		return e.appendGraph(append(dst, codeGraph, flagValue), v.Subgraph())
	case value.KindTraverser:
		return e.AppendTraverser(dst, v.Traverser().Value, v.Traverser().Bulk)
	}
	return e.appendTraversal(dst, v)
}

func appendBigInt(dst []byte, v value.Value) []byte {
	start := len(dst)
	dst = value.AppendTwosComplement(append(dst, 0, 0, 0, 0), v.BigInt())
	binary.BigEndian.PutUint32(dst[start:], uint32(len(dst)-start-4))
	return dst
}

func (e *Encoder) appendBulkSet(dst []byte, s *value.BulkSet) ([]byte, error) {
	dst = appendCount(dst, s.Len())
	var err error
	for i := range s.Len() {
		x, bulk := s.Entry(i)
		if dst, err = e.Append(dst, x); err != nil {
			return dst, err
		}
		dst = binary.BigEndian.AppendUint64(dst, uint64(bulk))
	}
	return dst, nil
}

func (e *Encoder) appendTree(dst []byte, t *value.Tree) ([]byte, error) {
	dst = appendCount(dst, len(t.Keys))
	var err error
	for i, k := range t.Keys {
		if dst, err = e.Append(dst, k); err != nil {
			return dst, err
		}
		if dst, err = e.appendTree(dst, t.Children[i]); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

func (e *Encoder) appendPath(dst []byte, p *value.Path) ([]byte, error) {
	dst = appendCount(append(dst, codeList, flagValue), len(p.Labels))
	for _, labels := range p.Labels {
		dst = appendCount(append(dst, codeSet, flagValue), len(labels))
		for _, l := range labels {
			dst = appendQualifiedText(dst, l)
		}
	}
	return e.appendList(append(dst, codeList, flagValue), p.Objects)
}

// timeCodes gives the code of each kind of date and time.
var timeCodes = map[value.Kind]byte{
	value.KindDate: codeDate, value.KindTimestamp: codeTimestamp, value.KindInstant: codeInstant,
	value.KindOffsetDateTime: codeOffsetDateTime, value.KindZonedDateTime: codeZonedDateTime,
	value.KindLocalDateTime: codeLocalDateTime, value.KindLocalDate: codeLocalDate,
	value.KindLocalTime: codeLocalTime, value.KindOffsetTime: codeOffsetTime,
	value.KindZoneOffset: codeZoneOffset, value.KindDuration: codeDuration,
	value.KindMonthDay: codeMonthDay, value.KindPeriod: codePeriod, value.KindYear: codeYear,
	value.KindYearMonth: codeYearMonth,
}

func appendTime(dst []byte, v value.Value) []byte {
	dst = append(dst, timeCodes[v.Kind()], flagValue)
	t := v.Time()
	switch v.Kind() {
	case value.KindDate, value.KindTimestamp:
		return put64(dst, t.UnixMilli())
	case value.KindInstant:
		return put32(put64(dst, t.Unix()), int32(t.Nanosecond()))
	case value.KindOffsetDateTime, value.KindZonedDateTime:
		_, offset := t.Zone()
		return put32(appendClock(appendDate(dst, t), t), int32(offset))
	case value.KindLocalDateTime:
		return appendClock(appendDate(dst, t), t)
	case value.KindLocalDate:
		return appendDate(dst, t)
	case value.KindLocalTime:
		return put64(dst, int64(v.LocalTime()))
	case value.KindOffsetTime:
		return put32(put64(dst, int64(v.OffsetTime().Time)), v.OffsetTime().OffsetSeconds)
	case value.KindZoneOffset:
		return put32(dst, int32(v.ZoneOffset()))
	case value.KindDuration:
		return put32(put64(dst, v.Duration().Seconds), v.Duration().Nanos)
	case value.KindMonthDay:
		return append(dst, byte(v.MonthDay().Month), byte(v.MonthDay().Day))
	case value.KindPeriod:
		p := v.Period()
		return put32(put32(put32(dst, p.Years), p.Months), p.Days)
	case value.KindYear:
		return put32(dst, int32(v.Year()))
	}
	return append(put32(dst, v.YearMonth().Year), byte(v.YearMonth().Month))
}

func put32(dst []byte, n int32) []byte { return binary.BigEndian.AppendUint32(dst, uint32(n)) }
func put64(dst []byte, n int64) []byte { return binary.BigEndian.AppendUint64(dst, uint64(n)) }

func appendDate(dst []byte, t time.Time) []byte {
	y, m, d := t.Date()
	return append(put32(dst, int32(y)), byte(m), byte(d))
}

// appendClock writes the nanoseconds since midnight.
func appendClock(dst []byte, t time.Time) []byte {
	h, m, s := t.Clock()
	return put64(dst, int64(h*3600+m*60+s)*1e9+int64(t.Nanosecond()))
}

func unserializable(v value.Value) error {
	return fmt.Errorf("Serializer for type %s not found", value.JavaClass(v))
}
