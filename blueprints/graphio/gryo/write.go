package gryo

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"math/big"
	"time"
	"unicode/utf16"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// Write writes all vertices of source with both sides of their edges. It keeps no more
// than one vertex in memory, and what its edges have of properties.
func Write(ctx context.Context, w io.Writer, source blueprints.RecordSource) error {
	o := &output{w: bufio.NewWriterSize(w, 64<<10)}
	err := source.EachStar(func(s *blueprints.Star) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return o.star(ctx, s)
	})
	if err != nil {
		return err
	}
	return o.w.Flush()
}

// output writes Kryo's primitives; the first error sticks. Every object is written as
// new, which readers accept and which keeps no table of what was written.
type output struct {
	w   *bufio.Writer
	err error
}

const newObject = 1 // the reference that announces an object

func (o *output) star(ctx context.Context, s *blueprints.Star) error {
	sides := [2]side{{dir: blueprints.In}, {dir: blueprints.Out}}
	withProperties := 0
	for i := range sides {
		n, err := sides[i].count(ctx, s)
		if err != nil {
			return err
		}
		withProperties += n
	}
	o.raw(header...)
	o.raw(newObject, starVersion)
	if err := o.edgeProperties(s, withProperties); err != nil {
		return err
	}
	v := s.Vertex
	o.metaProperties(v)
	o.value(v.ID)
	o.string(v.Label)
	for i := range sides {
		if err := o.edges(s, &sides[i]); err != nil {
			return err
		}
	}
	o.vertexProperties(v)
	o.raw(classTerminator+2, newObject, newObject)
	o.varint(uint64(len(terminator) + 1))
	o.raw(terminator...)
	return o.err
}

// side is how many edges of each label a star has in a direction.
type side struct {
	dir    blueprints.Direction
	labels []labelCount
}

type labelCount struct {
	label string
	edges int32
}

// count counts the edges, and returns how many have properties that the other side
// does not have: a loop is on both.
func (d *side) count(ctx context.Context, s *blueprints.Star) (withProperties int, err error) {
	err = s.Edges(d.dir, func(e *blueprints.EdgeRecord) error {
		last := len(d.labels) - 1
		if last < 0 || d.labels[last].label != e.Label {
			d.labels = append(d.labels, labelCount{label: e.Label})
			last++
		}
		d.labels[last].edges++
		if ownsProperties(e, d.dir) {
			withProperties++
		}
		return ctx.Err()
	})
	return withProperties, err
}

// ownsProperties reports whether the properties of an edge are written with this side.
func ownsProperties(e *blueprints.EdgeRecord, dir blueprints.Direction) bool {
	return len(e.Properties) > 0 && (dir == blueprints.Out || !value.Identical(e.Out, e.In))
}

func (o *output) raw(b ...byte) {
	if o.err == nil {
		_, o.err = o.w.Write(b)
	}
}

func (o *output) varint(v uint64) {
	for i := 0; i < 8 && v >= 0x80; i++ {
		o.raw(byte(v) | 0x80)
		v >>= 7
	}
	o.raw(byte(v))
}

func (o *output) int(n int32)  { o.varint(uint64(uint32(n<<1) ^ uint32(n>>31))) }
func (o *output) long(n int64) { o.varint(uint64(n<<1) ^ uint64(n>>63)) }

func (o *output) fixed32(n uint32) { o.raw(byte(n>>24), byte(n>>16), byte(n>>8), byte(n)) }
func (o *output) fixed64(n uint64) { o.fixed32(uint32(n >> 32)); o.fixed32(uint32(n)) }

func (o *output) bool(b bool) {
	if b {
		o.raw(1)
		return
	}
	o.raw(0)
}

// string writes a string object where its class is known.
func (o *output) string(s string) {
	o.raw(newObject)
	o.text(s)
}

// text writes in UTF-16 units, the form that holds any string.
func (o *output) text(s string) {
	units := utf16.Encode([]rune(s))
	n := len(units) + 1
	if n < 0x40 {
		o.raw(byte(n) | 0x80)
	} else {
		o.raw(byte(n&0x3f) | 0xc0)
		o.varint(uint64(n >> 6))
	}
	for _, u := range units {
		switch {
		case u < 0x80:
			o.raw(byte(u))
		case u < 0x800:
			o.raw(0xc0|byte(u>>6), 0x80|byte(u&0x3f))
		default:
			o.raw(0xe0|byte(u>>12), 0x80|byte(u>>6&0x3f), 0x80|byte(u&0x3f))
		}
	}
}

// edgeProperties writes a map from edges to their properties, or null for n = 0.
func (o *output) edgeProperties(s *blueprints.Star, n int) error {
	if n == 0 {
		o.raw(0)
		return nil
	}
	o.raw(newObject)
	o.varint(uint64(n))
	for _, dir := range []blueprints.Direction{blueprints.Out, blueprints.In} {
		err := s.Edges(dir, func(e *blueprints.EdgeRecord) error {
			if ownsProperties(e, dir) {
				o.value(e.ID)
				o.value(keyValues(e.Properties))
			}
			return o.err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func keyValues(ps []blueprints.PropertyRecord) value.Value {
	m := value.NewMap()
	for _, p := range ps {
		m.PutString(p.Key, p.Value)
	}
	return m.Value()
}

func (o *output) metaProperties(v *blueprints.VertexRecord) {
	m := value.NewMap()
	for _, p := range v.Properties {
		if len(p.Meta) == 0 {
			continue
		}
		meta := value.NewMap()
		for _, mp := range p.Meta {
			meta.PutString(mp.Key, mp.Value)
		}
		m.Put(p.ID, meta.Value())
	}
	o.nullableMap(m)
}

func (o *output) nullableMap(m *value.Map) {
	if m.Len() == 0 {
		o.raw(0)
		return
	}
	o.raw(newObject)
	o.mapContent(m)
}

func (o *output) mapContent(m *value.Map) {
	o.varint(uint64(m.Len()))
	for i := 0; i < m.Len(); i++ {
		k, v := m.Entry(i)
		o.value(k)
		o.value(v)
	}
}

func (o *output) edges(s *blueprints.Star, d *side) error {
	o.bool(len(d.labels) > 0)
	if len(d.labels) == 0 {
		return nil
	}
	o.int(int32(len(d.labels)))
	next, left := 0, int32(0)
	return s.Edges(d.dir, func(e *blueprints.EdgeRecord) error {
		if left == 0 {
			left = d.labels[next].edges
			next++
			o.string(e.Label)
			o.int(left)
		}
		left--
		o.value(e.ID)
		if d.dir == blueprints.Out {
			o.value(e.In)
		} else {
			o.value(e.Out)
		}
		return o.err
	})
}

func (o *output) vertexProperties(v *blueprints.VertexRecord) {
	o.bool(len(v.Properties) > 0)
	if len(v.Properties) == 0 {
		return
	}
	var keys []string
	byKey := map[string][]int{}
	for i, p := range v.Properties {
		if byKey[p.Key] == nil {
			keys = append(keys, p.Key)
		}
		byKey[p.Key] = append(byKey[p.Key], i)
	}
	o.int(int32(len(keys)))
	for _, k := range keys {
		o.string(k)
		o.int(int32(len(byKey[k])))
		for _, i := range byKey[k] {
			o.value(v.Properties[i].ID)
			o.value(v.Properties[i].Value)
		}
	}
}

// value writes a class and its object.
func (o *output) value(v value.Value) {
	switch v.Kind() {
	case value.KindNull:
		o.raw(0)
	case value.KindInt:
		o.raw(classInteger + 2)
		o.int(int32(v.Int64()))
	case value.KindLong:
		o.raw(classLong + 2)
		o.long(v.Int64())
	case value.KindFloat:
		o.raw(classFloat + 2)
		o.fixed32(math.Float32bits(v.Float32()))
	case value.KindDouble:
		o.raw(classDouble + 2)
		o.fixed64(math.Float64bits(v.Float64()))
	case value.KindBool:
		o.raw(classBoolean + 2)
		o.bool(v.Bool())
	case value.KindByte:
		o.raw(classByte+2, byte(v.Int64()))
	case value.KindShort:
		o.raw(classShort+2, byte(v.Int64()>>8), byte(v.Int64()))
	case value.KindChar:
		if v.Int64() > math.MaxUint16 {
			o.refuse("the character %s, which takes two of Java's,", v.JavaString())
		}
		o.raw(classCharacter+2, byte(v.Int64()>>8), byte(v.Int64()))
	default:
		o.object(v)
	}
}

func (o *output) class(c int) {
	o.varint(uint64(c + 2))
	o.raw(newObject)
}

func (o *output) object(v value.Value) {
	switch v.Kind() {
	case value.KindString:
		o.class(classString)
		o.text(v.Str())
	case value.KindUUID:
		o.class(classUUID)
		u := v.UUID()
		o.raw(u[:]...)
	case value.KindList:
		o.class(classArrayList)
		o.list(v.Elems())
	case value.KindSet:
		o.class(classLinkedHashSet)
		o.list(v.Set().Elems())
	case value.KindMap:
		o.class(classLinkedHashMap)
		o.mapContent(v.Map())
	case value.KindBigInteger:
		o.class(classBigInteger)
		o.bigInteger(v.BigInt())
	case value.KindBigDecimal:
		o.class(classBigDecimal)
		o.bigInteger(v.Decimal().Unscaled)
		o.int(v.Decimal().Scale)
	case value.KindBinary:
		o.class(classByteBuffer)
		o.fixed32(uint32(len(v.Bytes())))
		o.raw(v.Bytes()...)
	case value.KindClass:
		o.class(classClass)
		o.text(v.Str())
	case value.KindInetAddress:
		o.class(classInetAddress)
		o.text(v.InetAddress().String())
	default:
		o.temporal(v)
	}
}

func (o *output) list(elems []value.Value) {
	o.varint(uint64(len(elems)))
	for _, e := range elems {
		o.value(e)
	}
}

// bigInteger writes two's complement, big endian, behind its length + 1.
func (o *output) bigInteger(n *big.Int) {
	size := n.BitLen()/8 + 1
	b := n
	if n.Sign() < 0 {
		b = new(big.Int).Add(n, new(big.Int).Lsh(big.NewInt(1), uint(8*size)))
	}
	o.varint(uint64(size + 1))
	o.raw(b.FillBytes(make([]byte, size))...)
}

func (o *output) temporal(v value.Value) {
	t, _ := v.Object().(time.Time)
	switch v.Kind() {
	case value.KindDate:
		o.class(classDate)
		o.varint(uint64(t.UnixMilli()))
	case value.KindTimestamp:
		o.class(classTimestamp)
		o.varint(uint64(t.UnixMilli()))
	case value.KindInstant:
		o.class(classInstant)
		o.fixed64(uint64(t.Unix()))
		o.fixed32(uint32(t.Nanosecond()))
	case value.KindDuration:
		d, _ := v.Object().(value.Duration)
		if most := int64(math.MaxInt64/1_000_000_000) - 1; d.Seconds > most || d.Seconds < -most {
			o.refuse("the duration %s, which is longer than 2^63 nanoseconds,", v.JavaString())
		}
		o.class(classDuration)
		o.fixed64(uint64(d.Seconds*1e9 + int64(d.Nanos)))
	case value.KindLocalDate:
		o.class(classLocalDate)
		o.fixed64(uint64(floorDiv(t.Unix(), 86400)))
	case value.KindLocalTime:
		d, _ := v.Object().(time.Duration)
		o.class(classLocalTime)
		o.fixed64(uint64(d))
	case value.KindLocalDateTime:
		o.class(classLocalDateTime)
		o.dateTime(t)
	case value.KindOffsetDateTime:
		o.class(classOffsetDT)
		o.raw(newObject)
		o.dateTime(t)
		o.raw(newObject)
		_, offset := t.Zone()
		o.text(value.ZoneOffset(offset).Value().JavaString())
	default:
		o.refuse("a value of %s", v.Kind().JavaClass())
	}
}

// refuse ends the writing with an error that names what has no form in Gryo.
func (o *output) refuse(what string, args ...any) {
	if o.err == nil {
		o.err = fmt.Errorf(what+" cannot be written to Gryo", args...)
	}
}

func (o *output) dateTime(t time.Time) {
	for _, f := range []int{t.Year(), int(t.Month()), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond()} {
		o.fixed32(uint32(f))
	}
}
