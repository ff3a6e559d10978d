package graphson_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/blueprints/graphio/graphson"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/storage/value/valuetest"
)

// kept reports whether version 3 tells v from all other values.
func kept(v value.Value) bool {
	var parts []value.Value
	switch v.Kind() {
	case value.KindZonedDateTime, value.KindMapEntry, value.KindBulkSet:
		return false
	case value.KindList:
		parts = v.Elems()
	case value.KindSet:
		parts = v.Set().Elems()
	case value.KindMap:
		parts = append(append(parts, v.Map().Keys()...), v.Map().Values()...)
	}
	for _, p := range parts {
		if !kept(p) {
			return false
		}
	}
	return true
}

var typed3 = graphson.Form{Version: 3, Typed: true}

func TestValues_RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := valuetest.Storable(2).Filter(kept).Draw(t, "v")
		b, err := (&graphson.Encoder{Form: typed3}).Append([]byte("x"), v)
		if err != nil || b[0] != 'x' {
			t.Fatal(err)
		}
		n, err := graphson.Parse(b[1:])
		if err != nil {
			t.Fatalf("%s: %v", b[1:], err)
		}
		d := graphson.Decoder{Form: typed3}
		if back, err := d.Value(n); err != nil || !value.Identical(v, back) {
			t.Fatalf("%#v came back from %s as %#v, %v", v, b[1:], back, err)
		}
	})
}

func TestValues_AreJSONInEveryForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := valuetest.Storable(2).Draw(t, "v")
		for version := 1; version <= 3; version++ {
			for _, typed := range []bool{true, false} {
				e := graphson.Encoder{Form: graphson.Form{Version: version, Typed: typed}}
				if b, err := e.Append(nil, v); err != nil || !json.Valid(b) {
					t.Fatalf("%+v: %#v is %s, %v", e.Form, v, b, err)
				}
			}
		}
	})
}

func decode(version int, text string) (value.Value, error) {
	n, err := graphson.Parse([]byte(text))
	if err != nil {
		return value.Null, err
	}
	d := graphson.Decoder{Form: graphson.Form{Version: version, Typed: true}}
	return d.Value(n)
}

func TestDecoder_Values(t *testing.T) {
	for _, c := range []struct {
		version int
		text    string
		kind    value.Kind
		want    string
	}{
		{3, `null`, value.KindNull, "null"}, {3, `true`, value.KindBool, "true"}, {3, `false`, value.KindBool, "false"},
		{3, `{"@type":"g:Int32","@value":-2147483648}`, value.KindInt, "-2147483648"},
		{3, `{"@type":"g:Int64","@value":9223372036854775807}`, value.KindLong, "9223372036854775807"},
		{3, `{"@type":"g:Double","@value":"NaN"}`, value.KindDouble, "NaN"},
		{3, `{"@type":"g:Double","@value":"-Infinity"}`, value.KindDouble, "-Infinity"},
		{3, `{"@type":"g:Float","@value":0.5}`, value.KindFloat, "0.5"},
		{3, `{"@type":"g:List","@value":[1,"a",null]}`, value.KindList, "[1, a, null]"},
		{3, `{"@type":"g:Set","@value":[1,1]}`, value.KindSet, "[1]"},
		{3, `{"@type":"g:Map","@value":["a",1,"b",[2]]}`, value.KindMap, "{a=1, b=[2]}"},
		{3, `{"a":{"b":1}}`, value.KindMap, "{a={b=1}}"},
		{2, `{"@type":"g:Int32","@value":7}`, value.KindInt, "7"},
		{1, `["java.lang.Long",7]`, value.KindLong, "7"},
		{1, `["java.util.ArrayList",[1,2]]`, value.KindList, "[1, 2]"},
		{1, `["not.a.Class",7]`, value.KindList, "[not.a.Class, 7]"},
		{1, `{"@class":"java.util.HashMap","a":1}`, value.KindMap, "{a=1}"},
		{3, `["java.lang.Long",7]`, value.KindList, "[java.lang.Long, 7]"},
		{3, `2147483648`, value.KindLong, "2147483648"}, {3, `2147483647`, value.KindInt, "2147483647"},
	} {
		v, err := decode(c.version, c.text)
		if err != nil || v.Kind() != c.kind || v.JavaString() != c.want {
			t.Errorf("version %d, %s: %s %s, %v", c.version, c.text, v.Kind(), v.JavaString(), err)
		}
	}
}

func TestDecoder_Refuses(t *testing.T) {
	for _, text := range []string{
		`{"@type":"g:Int32"}`, `{"@type":"g:Int32","@value":1,"more":2}`, `{"@type":"g:Unknown","@value":1}`,
		`{"@type":"g:Int32","@value":2147483648}`, `{"@type":"g:Int32","@value":1.5}`, `{"@type":"g:Int32","@value":{}}`,
		`{"@type":"g:List","@value":{}}`, `{"@type":"g:Set","@value":1}`, `{"@type":"g:Map","@value":["a"]}`,
		`{"@type":"g:UUID","@value":"x"}`, `{"@type":"g:Double","@value":"x"}`, `[{"@type":"g:Unknown","@value":1}]`,
		`{"a":{"@type":"g:Unknown","@value":1}}`, `{"@type":"g:Map","@value":["a",{"@type":"g:Unknown","@value":1}]}`,
	} {
		if v, err := decode(3, text); err == nil {
			t.Errorf("%s is %s", text, v.JavaString())
		}
	}
}

// What nests deeper than the limit is refused, by one that reads and one that parses.
func TestDepth(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	if _, err := decode(3, nested(graphson.MaxDepth+1)); err == nil {
		t.Error("too deep")
	}
	if _, err := decode(3, nested(graphson.MaxDepth/2)); err != nil {
		t.Error(err)
	}
}

// meter stops the writing at a size.
type meter struct{ most int }

var errLong = errors.New("too long")

func (m meter) Grown(n int) error {
	if n > m.most {
		return errLong
	}
	return nil
}

func TestEncoder_AsksItsMeter(t *testing.T) {
	long := value.List([]value.Value{value.String(strings.Repeat("a", 100<<10)), value.Int(1), value.String(strings.Repeat("b", 100<<10)), value.Int(2)})
	many := make([]value.Value, 5000)
	for i := range many {
		many[i] = value.Int(1)
	}
	for name, v := range map[string]value.Value{"long": long, "many": value.List(many)} {
		e := graphson.Encoder{Form: typed3, Meter: meter{most: 1 << 10}}
		if _, err := e.Append(nil, v); !errors.Is(err, errLong) {
			t.Errorf("%s: %v", name, err)
		}
		e = graphson.Encoder{Form: typed3, Meter: meter{most: 1 << 20}}
		if _, err := e.Append(nil, v); err != nil {
			t.Errorf("%s, allowed: %v", name, err)
		}
	}
}

func TestWeight(t *testing.T) {
	short, long := []byte(`[1,2]`), []byte("["+strings.Repeat("1,", 4000)+"1]")
	if w := graphson.Weight(short); w != 0 {
		t.Error("a short text weighs", w)
	}
	if w := graphson.Weight(long); w != int64(len(long))+4001*120 {
		t.Error("a long text weighs", w)
	}
}
