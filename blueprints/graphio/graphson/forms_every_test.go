package graphson_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints/graphio/graphson"
	"github.com/gremlind/gremlind/conformance/golden"
	"github.com/gremlind/gremlind/storage/value"
)

// TestForms_Every writes values of every shape in all six forms, and reads them again.
func TestForms_Every(t *testing.T) {
	bulks := value.NewBulkSet()
	bulks.Add(value.String("a"), 2)
	m := value.NewMap()
	m.PutString("a", value.Int(1))
	m.Put(value.Int(2), value.List([]value.Value{value.Null, value.Bool(true)}))
	values := []value.Value{
		value.Null, value.Bool(false), value.Byte(1), value.Short(-2), value.Int(3), value.Long(4), value.Float(0.5), value.Double(-0.25), value.Char('é'),
		value.String("a\"b\\\n\u2028"), value.List(nil), value.List([]value.Value{value.Int(1), value.String("b")}), value.NewSet(value.Int(1), value.Int(2)).Value(),
		bulks.Value(), value.NewMap().Value(), m.Value(), value.OfMapEntry(&value.MapEntry{Key: value.String("k"), Value: value.Int(1)}),
		value.Enum(value.KindT, "id"), value.Enum(value.KindDirection, "OUT"), value.Binary([]byte{0, 255}), value.Class("java.lang.String"),
		(&value.Path{Objects: []value.Value{value.Int(1), value.String("b")}, Labels: [][]string{{"a"}, nil}}).Value(),
		(&value.Tree{Keys: []value.Value{value.Int(1)}, Children: []*value.Tree{{}}}).Value(),
		value.OfProperty(&value.Property{Key: "k", Value: value.Long(1)}), value.DurationOf(1).Value(), value.Year(7).Value(),
	}
	var b strings.Builder
	for _, v := range values {
		fmt.Fprintf(&b, "%q\n", v.GoString())
		for version := 1; version <= 3; version++ {
			for _, typed := range []bool{true, false} {
				f := graphson.Form{Version: version, Typed: typed}
				text, err := (&graphson.Encoder{Form: f}).Append(nil, v)
				if err != nil {
					fmt.Fprintf(&b, "  %d %t: %v\n", version, typed, err)
					continue
				}
				n, err := graphson.Parse(text)
				if err != nil {
					t.Fatalf("%s: %v", text, err)
				}
				back, err := (&graphson.Decoder{Form: f}).Value(n)
				fmt.Fprintf(&b, "  %d %t: %s\n    %q %v\n", version, typed, text, back.GoString(), err)
			}
		}
	}
	golden.Check(t, "testdata/forms", b.String())
}
