package blueprints_test

import (
	"bytes"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
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
	for _, b := range [][]byte{v, e, p, nil, {0x80}, p[:len(p)-1]} {
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
			if err != nil || err2 != nil || back.Number != c.Number || len(back.Meta) != len(c.Meta) || !value.Identical(back.Value, c.Value) {
				t.Fatalf("property cell %x: %v %v", b, err, err2)
			}
		}
	})
}

// FuzzIDs: identical ids have identical rows, others do not.
func FuzzIDs(f *testing.F) {
	f.Add("a", "b", int64(1), int64(2))
	f.Add("1", "", int64(-1), int64(1))
	f.Fuzz(func(t *testing.T, s, u string, n, m int64) {
		ids := []value.Value{
			value.String(s), value.String(u), value.Long(n), value.Long(m), value.Int(int32(n)), value.Int(int32(m)),
			value.Double(float64(n)), value.Bool(n > 0), value.Of([]any{s, n}),
		}
		for _, a := range ids {
			for _, b := range ids {
				x, err := blueprints.AppendIDRow(nil, a)
				y, err2 := blueprints.AppendIDRow(nil, b)
				if err != nil || err2 != nil {
					continue // too long
				}
				if bytes.Equal(x, y) != value.Identical(a, b) {
					t.Fatalf("%#v has row %x, %#v has %x", a, x, b, y)
				}
			}
		}
	})
}
