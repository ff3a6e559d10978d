package blueprints

import (
	"encoding/binary"
	"fmt"
	"math/big"

	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// idScheme is which ids of a class are one id, and how the store tells them apart.
//
// A manager that converts leaves one form of each id. ANY takes ids as they come, and
// clients send the same number in different widths: what is a Long here comes back from
// JavaScript and Python as an Int. So where the manager is ANY, whole numbers are equal by
// value, whatever their width. Graphs with the feature ids:byValue have one row for all
// of them. Graphs made before it have a row for each width: there one form is looked up
// after the other, and an element is not added beside one whose id is equal. Only such a
// graph can hold two equal ids, from the time before; then the exact form finds its own.
type idScheme struct {
	manager IDManager
	any     bool // whole numbers are equal by value
	byValue bool // and have one row
}

// idScheme returns the form of the ids of a class.
func (o *Options) idScheme(class table.Class) idScheme {
	m := o.VertexIDs
	if class == table.EdgeClass {
		m = o.EdgeIDs
	}
	return idScheme{manager: m, any: m == AnyIDs, byValue: m == AnyIDs && o.IDsByValue}
}

// AppendIDRow appends the row that the id of an element of class has in the table of
// ids of a graph with these options.
func (o *Options) AppendIDRow(dst []byte, class table.Class, id value.Value) ([]byte, error) {
	return o.idScheme(class).appendRow(dst, id)
}

// CanonicalID returns the form that ids which are equal in a graph with these options
// have in common, for maps of ids; an id that the manager refuses stays as it is.
func (o *Options) CanonicalID(class table.Class, id value.Value) value.Value {
	f := o.idScheme(class)
	c, err := f.manager.Convert(id)
	if err != nil {
		return id
	}
	if n, whole := wholeNumber(c); whole && f.any {
		return value.Long(n)
	}
	return c
}

// wholeNumber returns an id that is a whole number of at most 64 bits.
func wholeNumber(id value.Value) (int64, bool) {
	switch id.Kind() {
	case value.KindByte, value.KindShort, value.KindInt, value.KindLong:
		return id.Int64(), true
	case value.KindBigInteger:
		n := id.BigInt()
		return n.Int64(), n.IsInt64()
	}
	return 0, false
}

// same reports whether two ids, brought to the manager's form, are one.
func (f idScheme) same(a, b value.Value) bool {
	if f.byValue {
		n, whole := wholeNumber(a)
		m, too := wholeNumber(b)
		if whole || too {
			return whole && too && n == m
		}
	}
	return value.Identical(a, b)
}

// others lists the ids that are equal to id and have a row of their own.
func (f idScheme) others(id value.Value) []value.Value {
	n, whole := wholeNumber(id)
	if !whole || !f.any || f.byValue {
		return nil
	}
	var out []value.Value
	for _, other := range widths(n) {
		if other.Kind() != id.Kind() {
			out = append(out, other)
		}
	}
	return out
}

// EqualIDs lists the ids equal to id that another element of class can have had since
// before ids were equal by value, as far as they are likelier than id (see check).
func (o *Options) EqualIDs(class table.Class, id value.Value) []value.Value {
	n, whole := wholeNumber(id)
	if f := o.idScheme(class); !whole || !f.any || f.byValue {
		return nil
	}
	all := widths(n)
	for i, other := range all {
		if other.Kind() == id.Kind() {
			return all[:i]
		}
	}
	return nil
}

// widths lists the forms of a whole number, the likely ones first.
func widths(n int64) []value.Value {
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
	idLong   = 0x01 // any whole number where ids are equal by value
	idInt    = 0x02
	idString = 0x03
	idUUID   = 0x04
	idOther  = 0x05
)

// appendRow appends the row of an id in the table of user ids. Ids that are one have the
// same bytes, and numbers of one type sort by value.
func (f idScheme) appendRow(dst []byte, id value.Value) ([]byte, error) {
	if f.byValue {
		if n, whole := wholeNumber(id); whole {
			return appendNumberID(dst, idLong, n), nil
		}
	}
	start := len(dst)
	switch id.Kind() {
	case value.KindLong:
		return appendNumberID(dst, idLong, id.Int64()), nil
	case value.KindInt:
		return appendNumberID(dst, idInt, id.Int64()), nil
	case value.KindString:
		dst = append(append(dst, idString), id.Str()...)
	case value.KindUUID:
		u := id.UUID()
		return append(append(dst, idUUID), u[:]...), nil
	default:
		var err error
		if dst, err = value.AppendMsgpack(append(dst, idOther), id); err != nil {
			return nil, fmt.Errorf("id %s: %w", id.Brief(), err)
		}
	}
	if n := len(dst) - start; n > IDMax {
		return nil, illegalArgument("Id can not be longer than %d bytes: it has %d", IDMax, n)
	}
	return dst, nil
}

func appendNumberID(dst []byte, kind byte, n int64) []byte {
	return binary.BigEndian.AppendUint64(append(dst, kind), uint64(n)^1<<63)
}
