package gryo

import (
	"math/big"
	"net/netip"
	"time"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/storage/value"
)

// value reads a class and its object.
func (in *input) value(depth int) value.Value {
	if depth > depthMax {
		in.fail("values are nested deeper than %d", depthMax)
	}
	if in.err != nil {
		return value.Null
	}
	class := in.varint()
	if class == 0 {
		return value.Null
	}
	class -= 2
	if v, ok := in.primitive(class); ok {
		return v
	}
	known, slot, null := in.newRef()
	if null || in.err != nil {
		return value.Null
	}
	if slot < 0 {
		if m, ok := known.(*value.Map); ok {
			return m.Value()
		}
		v, ok := known.(value.Value)
		if !ok {
			in.fail("expected a value, not the %v", known)
		}
		return v
	}
	v := in.object(class, slot, depth)
	if in.refs[slot] == nil {
		in.keep(slot, v)
	}
	return v
}

// primitive reads the boxed primitives, which have no reference.
func (in *input) primitive(class int) (value.Value, bool) {
	switch class {
	case classInteger:
		return value.Int(in.int()), true
	case classLong:
		return value.Long(in.long()), true
	case classFloat:
		return value.Float(in.float()), true
	case classDouble:
		return value.Double(in.double()), true
	case classBoolean:
		return value.Bool(in.bool()), true
	case classByte:
		return value.Byte(int8(in.byte())), true
	case classShort:
		return value.Short(int16(in.fixed16())), true
	case classCharacter:
		return value.Char(rune(in.fixed16())), true
	}
	return value.Null, false
}

func (in *input) object(class, slot, depth int) value.Value {
	switch class {
	case classString:
		return value.String(in.text())
	case classArrayList, classLinkedList, classSingletonList:
		return in.list(class, depth)
	case classArraysAsList:
		in.varint() // the reference of the list inside
		in.refs = append(in.refs, value.Null)
		return in.list(classArrayList, depth)
	case classHashSet, classLinkedHashSet:
		return value.NewSet(in.list(classArrayList, depth).Elems()...).Value()
	case classHashMap, classLinkedHashMap:
		return in.mapContent(slot, depth).Value()
	case classEmptyList:
		return value.List(nil)
	case classEmptySet:
		return value.NewSet().Value()
	case classEmptyMap:
		return value.NewMap().Value()
	case classUUID:
		var u uuid.UUID
		copy(u[:], in.bytes(16))
		return value.UUID(u)
	case classBigInteger:
		return value.BigInt(in.bigInteger())
	case classBigDecimal:
		unscaled := in.bigInteger()
		return value.BigDecimal(value.Decimal{Unscaled: unscaled, Scale: in.int()})
	case classByteArray:
		return value.Binary(in.bytes(in.varint() - 1))
	case classByteBuffer:
		return value.Binary(in.bytes(int(int32(in.fixed32()))))
	case classClass:
		return value.Class(in.text())
	case classInetAddress:
		a, err := netip.ParseAddr(in.text())
		if err != nil {
			in.fail("%w", err)
		}
		return value.InetAddress(a)
	}
	return in.temporal(class)
}

func (in *input) list(class, depth int) value.Value {
	n := 1
	if class != classSingletonList {
		n = in.varint()
	}
	list := make([]value.Value, 0, min(n, 1024))
	for i := 0; i < n && in.err == nil; i++ {
		list = append(list, in.value(depth+1))
	}
	return value.List(list)
}

// mapContent keeps the map only when it is whole: one that holds itself has no hash.
func (in *input) mapContent(slot, depth int) *value.Map {
	m := value.NewMap()
	for n := in.varint(); n > 0 && in.err == nil; n-- {
		k := in.value(depth + 1)
		m.Put(k, in.value(depth+1))
	}
	in.keep(slot, m)
	return m
}

func (in *input) bigInteger() *big.Int {
	b := in.bytes(in.varint() - 1)
	n := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return n
}

// temporal reads dates and times; their fields are fixed-width integers.
func (in *input) temporal(class int) value.Value {
	i32 := func() int { return int(int32(in.fixed32())) }
	i64 := func() int64 { return int64(in.fixed64()) }
	switch class {
	case classDate:
		return value.Object(value.KindDate, time.UnixMilli(int64(in.uvarint(9))).UTC())
	case classTimestamp:
		return value.Object(value.KindTimestamp, time.UnixMilli(int64(in.uvarint(9))).UTC())
	case classInstant:
		s := i64()
		return value.Object(value.KindInstant, time.Unix(s, int64(i32())).UTC())
	case classDuration:
		n := i64()
		return value.Object(value.KindDuration, value.Duration{Seconds: floorDiv(n, 1e9), Nanos: int32(n - floorDiv(n, 1e9)*1e9)})
	case classLocalDate:
		return value.Object(value.KindLocalDate, time.Unix(i64()*86400, 0).UTC())
	case classLocalTime:
		return value.Object(value.KindLocalTime, time.Duration(i64()))
	case classLocalDateTime:
		return value.Object(value.KindLocalDateTime, in.dateTime())
	case classOffsetDT:
		return in.offsetDateTime()
	case classYear:
		return value.Object(value.KindYear, value.Year(i32()))
	}
	in.fail("class %d is not supported in a property", class)
	return value.Null
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func (in *input) dateTime() time.Time {
	var f [7]int
	for i := range f {
		f[i] = int(int32(in.fixed32()))
	}
	return time.Date(f[0], time.Month(f[1]), f[2], f[3], f[4], f[5], f[6], time.UTC)
}

// offsetDateTime holds a local date-time object and an offset object.
func (in *input) offsetDateTime() value.Value {
	in.varint()
	in.refs = append(in.refs, value.Null)
	local := in.dateTime()
	in.varint()
	in.refs = append(in.refs, value.Null)
	name := in.text()
	zone, err := value.ParseTime(value.KindZoneOffset, name)
	if err != nil {
		in.fail("%w", err)
		return value.Null
	}
	offset := int(zone.ZoneOffset())
	return value.Object(value.KindOffsetDateTime, local.Add(-time.Duration(offset)*time.Second).In(time.FixedZone("", offset)))
}
