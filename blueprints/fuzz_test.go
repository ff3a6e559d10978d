package blueprints_test

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/storage/value"
)

// Damaged cells are errors, never panics; what decodes encodes to a cell that decodes
// to the same.
func FuzzCells(f *testing.F) {
	v, _ := blueprints.AppendVertexCell(nil, blueprints.VertexCell{Label: 3, ID: value.String("x")})
	e, _ := blueprints.AppendEdgeCell(nil, blueprints.EdgeCell{Label: 3, Out: 1, In: 2, ID: value.Long(7)})
	p, _ := blueprints.AppendPropertyCell(nil, blueprints.PropertyCell{
		Number: 9, UserID: value.Int(1), Value: value.Of([]any{1, "a"}), Meta: []blueprints.MetaCell{{Key: 4, Value: value.Double(0.5)}},
	})
	x, _ := blueprints.AppendPropertyCell(nil, blueprints.PropertyCell{Number: 9, Expires: 1 << 41, Value: value.Int(1)})
	y, _ := blueprints.AppendEdgeProperty(nil, blueprints.EdgePropertyCell{Expires: 1 << 41, Value: value.Int(1)})
	for _, b := range [][]byte{v, e, p, x, y, nil, {0x80}, p[:len(p)-1]} {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if c, err := blueprints.DecodeVertexCell(b); err == nil {
			again, err := blueprints.AppendVertexCell(nil, c)
			back, err2 := blueprints.DecodeVertexCell(again)
			if err != nil || err2 != nil || back.Label != c.Label || !value.Identical(back.ID, c.ID) {
				t.Fatalf("vertex cell %x: %v %v", b, err, err2)
			}
		}
		if c, err := blueprints.DecodeEdgeCell(b); err == nil {
			again, err := blueprints.AppendEdgeCell(nil, c)
			back, err2 := blueprints.DecodeEdgeCell(again)
			if err != nil || err2 != nil || back.Out != c.Out || back.In != c.In || !value.Identical(back.ID, c.ID) {
				t.Fatalf("edge cell %x: %v %v", b, err, err2)
			}
		}
		if c, err := blueprints.DecodePropertyCell(b); err == nil {
			again, err := blueprints.AppendPropertyCell(nil, c)
			back, err2 := blueprints.DecodePropertyCell(again)
			if err != nil || err2 != nil || back.Number != c.Number || back.Expires != c.Expires || len(back.Meta) != len(c.Meta) || !value.Identical(back.Value, c.Value) {
				t.Fatalf("property cell %x: %v %v", b, err, err2)
			}
		}
		if c, err := blueprints.DecodeEdgePropertyCell(b); err == nil {
			again, err := blueprints.AppendEdgeProperty(nil, c)
			back, err2 := blueprints.DecodeEdgePropertyCell(again)
			if err != nil || err2 != nil || back.Expires != c.Expires || !value.Identical(back.Value, c.Value) {
				t.Fatalf("edge property cell %x: %v %v", b, err, err2)
			}
		}
	})
}

// FuzzIDs: ids that are one have one row, others do not.
func FuzzIDs(f *testing.F) {
	f.Add("a", "b", int64(1), int64(2))
	f.Add("1", "", int64(-1), int64(1))
	f.Fuzz(func(t *testing.T, s, u string, n, m int64) {
		all := []value.Value{
			value.String(s), value.String(u), value.Long(n), value.Long(m), value.Int(int32(n)), value.Int(int32(m)),
			value.Short(int16(n)), value.Byte(int8(m)), value.BigInt(big.NewInt(n)), value.BigInt(new(big.Int).Lsh(big.NewInt(m), 9)),
			value.Double(float64(n)), value.Bool(n > 0), value.Of([]any{s, n}),
		}
		byValue := func(a, b value.Value) bool {
			x, y := wholeID(a), wholeID(b)
			return x != nil && y != nil && x.Cmp(y) == 0 || value.Identical(a, b)
		}
		for _, o := range []blueprints.Options{{VertexIDs: ids.Any}, {VertexIDs: ids.Any, IDsByValue: true}} {
			same := value.Identical
			if o.IDsByValue {
				same = byValue
			}
			for _, a := range all {
				for _, b := range all {
					x, err := o.AppendIDRow(nil, blueprints.VertexClass, a)
					y, err2 := o.AppendIDRow(nil, blueprints.VertexClass, b)
					if err != nil || err2 != nil {
						continue // too long
					}
					if bytes.Equal(x, y) != same(a, b) {
						t.Fatalf("by value %v: %#v has row %x, %#v has %x", o.IDsByValue, a, x, b, y)
					}
				}
			}
		}
	})
}

// wholeID is an id as a whole number of 64 bits, nil when it is none.
func wholeID(id value.Value) *big.Int {
	switch id.Kind() {
	case value.KindByte, value.KindShort, value.KindInt, value.KindLong:
		return big.NewInt(id.Int64())
	case value.KindBigInteger:
		if id.BigInt().IsInt64() {
			return id.BigInt()
		}
	}
	return nil
}
