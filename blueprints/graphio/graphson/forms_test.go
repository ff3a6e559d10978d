package graphson_test

import (
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints/graphio/graphson"
	"github.com/gremlind/gremlind/storage/value"
)

// TestDecoder_ForeignValues reads what no encoder here writes.
func TestDecoder_ForeignValues(t *testing.T) {
	for text, want := range map[string]string{
		`{"@type":"g:Int32","@value":null}`:                               "null",
		`{"@type":"g:Double","@value":null}`:                              "null",
		`{"@type":"g:Int32","@value":7}`:                                  "7",
		`{"@type":"g:Int32","@value":true}`:                               "error",
		`{"@type":"g:Int32","@value":[1]}`:                                "error",
		`{"@type":"g:Int32","@value":2147483648}`:                         "error",
		`{"@type":"g:Nothing","@value":1}`:                                "error",
		`{"@type":"g:List","@value":[{"@type":"g:Nothing","@value":1}]}`:  "error",
		`{"@type":"g:Map","@value":["a",{"@type":"g:Int64","@value":1}]}`: "{a=1}",
		`{"@type":"g:Map","@value":["a"]}`:                                "error",
	} {
		n, err := graphson.Parse([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		d := graphson.Decoder{Form: typed3}
		v, err := d.Value(n)
		if got := v.JavaString(); want == "error" && err == nil || want != "error" && (err != nil || got != want) {
			t.Errorf("%s: %s, %v, want %s", text, got, err, want)
		}
	}
}

// TestEncoder_BulkSet: version 3 writes how often a value is there, others write it as
// often.
func TestEncoder_BulkSet(t *testing.T) {
	s := value.NewBulkSet()
	s.Add(value.String("a"), 2)
	s.Add(value.String("b"), 1)
	for form, want := range map[graphson.Form]string{
		typed3:                    `{"@type":"g:BulkSet","@value":["a",{"@type":"g:Int64","@value":2},"b",{"@type":"g:Int64","@value":1}]}`,
		{Version: 3}:              `["a","a","b"]`,
		{Version: 2, Typed: true}: `["a","a","b"]`,
		{Version: 2}:              `["a","a","b"]`,
		{Version: 1}:              `["a","a","b"]`,
	} {
		got, err := (&graphson.Encoder{Form: form}).Append(nil, s.Value())
		if err != nil || string(got) != want {
			t.Errorf("version %d, typed %t: %s, %v, want %s", form.Version, form.Typed, got, err, want)
		}
	}
	s.Add(value.String("c"), 1<<20)
	if _, err := (&graphson.Encoder{Form: graphson.Form{Version: 2}}).Append(nil, s.Value()); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("a BulkSet of 2^20 elements and more: %v", err)
	}
}
