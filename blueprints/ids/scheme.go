package ids

import (
	"encoding/binary"
	"fmt"
	"math/big"

	"github.com/gremlind/gremlind/storage/value"
)

// Scheme is which ids of a class are one id, and how the store tells them apart.
//
// A manager that converts leaves one form of each id. ANY takes ids as they come, and
// clients send the same number in different widths: what is a Long here comes back from
// JavaScript and Python as an Int. So where the manager is ANY, whole numbers are equal by
// value, whatever their width. Graphs with the feature ids:byValue have one row for all
// of them. Graphs made before it have a row for each width: there one form is looked up
// after the other, and an element is not added beside one whose id is equal. Only such a
// graph can hold two equal ids, from the time before; then the exact form finds its own.
type Scheme struct {
	Manager      Manager
	EqualNumbers bool // whole numbers are equal by value
	OneRow       bool // and have one row
}

// WholeNumber returns an id that is a whole number of at most 64 bits.
func WholeNumber(id value.Value) (int64, bool) {
	switch id.Kind() {
	case value.KindByte, value.KindShort, value.KindInt, value.KindLong:
		return id.Int64(), true
	case value.KindBigInteger:
		n := id.BigInt()
		return n.Int64(), n.IsInt64()
	}
	return 0, false
}

// Same reports whether two ids, brought to the manager's form, are one.
func (f Scheme) Same(a, b value.Value) bool {
	if f.OneRow {
		n, whole := WholeNumber(a)
		m, too := WholeNumber(b)
		if whole || too {
			return whole && too && n == m
		}
	}
	return value.Identical(a, b)
}

// Others lists the ids that are equal to id and have a row of their own.
func (f Scheme) Others(id value.Value) []value.Value {
	n, whole := WholeNumber(id)
	if !whole || !f.EqualNumbers || f.OneRow {
		return nil
	}
	var out []value.Value
	for _, other := range Widths(n) {
		if other.Kind() != id.Kind() {
			out = append(out, other)
		}
	}
	return out
}

// Widths lists the forms of a whole number, the likely ones first.
func Widths(n int64) []value.Value {
	all := []value.Value{value.Long(n)}
	if n == int64(int32(n)) {
		all = append(all, value.Int(int32(n)))
	}
	if n == int64(int16(n)) {
		all = append(all, value.Short(int16(n)))
	}
	if n == int64(int8(n)) {
		all = append(all, value.Byte(int8(n)))
	}
	return append(all, value.BigInt(big.NewInt(n)))
}

// The first byte of an id's stored form. Do not renumber: on disk.
const (
	TagLong   = 0x01 // any whole number where ids are equal by value
	TagInt    = 0x02
	TagString = 0x03
	tagUUID   = 0x04
	TagOther  = 0x05
)

// AppendRow appends the row of an id in the table of user ids. Ids that are one have the
// same bytes, and numbers of one type sort by value.
func (f Scheme) AppendRow(dst []byte, id value.Value) ([]byte, error) {
	if f.OneRow {
		if n, whole := WholeNumber(id); whole {
			return AppendNumber(dst, TagLong, n), nil
		}
	}
	start := len(dst)
	switch id.Kind() {
	case value.KindLong:
		return AppendNumber(dst, TagLong, id.Int64()), nil
	case value.KindInt:
		return AppendNumber(dst, TagInt, id.Int64()), nil
	case value.KindString:
		dst = append(append(dst, TagString), id.Str()...)
	case value.KindUUID:
		u := id.UUID()
		return append(append(dst, tagUUID), u[:]...), nil
	default:
		var err error
		if dst, err = value.AppendMsgpack(append(dst, TagOther), id); err != nil {
			return nil, fmt.Errorf("id %s: %w", id.Brief(), err)
		}
	}
	if n := len(dst) - start; n > Max {
		return nil, refused("Id can not be longer than %d bytes: it has %d", Max, n)
	}
	return dst, nil
}

// AppendNumber appends the row of a whole number, which begins with a tag.
func AppendNumber(dst []byte, kind byte, n int64) []byte {
	return binary.BigEndian.AppendUint64(append(dst, kind), uint64(n)^1<<63)
}
