package value_test

import (
	"testing"

	"github.com/gremlind/gremlind/storage/value"
)

// tens gives every element ten times its internal id.
type tens struct{}

func (tens) ID(v value.Value) (value.Value, error) { return value.Int(int32(10 * v.Ref())), nil }

// TestSet_JavaOrdered has sets in the order that java.util.HashSet shows them in.
func TestSet_JavaOrdered(t *testing.T) {
	for _, c := range []struct {
		in   []value.Value
		want string
	}{
		{[]value.Value{value.Int(7), value.Int(2), value.Int(1), value.Int(17)}, "[1, 17, 2, 7]"},
		{[]value.Value{value.String("marko"), value.String("vadas"), value.String("lop"), value.String("josh")}, "[vadas, josh, lop, marko]"},
		{[]value.Value{value.Int(2), value.Enum(value.KindT, "id"), value.Int(1)}, "[2, id, 1]"},
		{[]value.Value{value.DetachedVertex(&value.Element{ID: value.Int(7)}), value.DetachedVertex(&value.Element{ID: value.Int(17)}), value.DetachedVertex(&value.Element{ID: value.Int(2)})}, "[v[17], v[2], v[7]]"},
		{[]value.Value{value.VertexRef(3), value.VertexRef(1), value.VertexRef(2)}, "[v[2], v[1], v[3]]"},
		{nil, "[]"},
	} {
		s := value.NewSet()
		for _, v := range c.in {
			s.Add(v)
		}
		if got := s.JavaOrdered(tens{}).Value().JavaString(); got != c.want {
			t.Errorf("%v is ordered %s, not %s", c.in, got, c.want)
		}
	}
}
