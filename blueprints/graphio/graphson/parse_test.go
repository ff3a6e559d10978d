package graphson_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/blueprints/graphio/graphson"
	"github.com/gremlind/gremlind/storage/value"
)

// plain turns a Node into what encoding/json makes of it.
func plain(n *graphson.Node) any {
	switch n.Kind() {
	case graphson.NodeTrue:
		return true
	case graphson.NodeFalse:
		return false
	case graphson.NodeNumber:
		return json.Number(n.Text())
	case graphson.NodeString:
		return n.Text()
	case graphson.NodeArray:
		out := []any{}
		for i := range n.Len() {
			out = append(out, plain(n.Elem(i)))
		}
		return out
	case graphson.NodeObject:
		out := map[string]any{}
		for i := range n.Len() {
			k, v := n.Entry(i)
			out[k] = plain(v)
		}
		return out
	}
	return nil
}

func standard(b []byte) (any, error) {
	d := json.NewDecoder(strings.NewReader(string(b)))
	d.UseNumber()
	var x any
	err := d.Decode(&x)
	return x, err
}

func TestParse_AgreesWithEncodingJSON(t *testing.T) {
	for _, s := range []string{
		`null`, ` true `, `[1,-0.5e+10,"a\n\u00e9\ud83d\ude00\/",{"a":{},"b":[]}]`, `{"a":1,"a":2}`, "[\"\u2028\x7f\"]",
		`"\ud83d\ude00"`, `[[[]]]`, `{"":""}`, "\t[\r\n1 , 2 ]",
	} {
		n, err := graphson.Parse([]byte(s))
		want, wantErr := standard([]byte(s))
		if err != nil || wantErr != nil || !reflect.DeepEqual(plain(n), want) {
			t.Errorf("%s: %v, %v, want %v, %v", s, plain(n), err, want, wantErr)
		}
	}
	for _, s := range []string{
		``, `nul`, `[1,]`, `[1 2]`, `{"a"}`, `{a:1}`, `{"a":1,}`, `01`, `1.`, `.5`, `1e`, `-`, `+1`, `"`, `"\x"`, `"\u12"`,
		"\"\n\"", `[1]]`, `NaN`, `'a'`, "\x00",
	} {
		if n, err := graphson.Parse([]byte(s)); err == nil {
			t.Errorf("%q parses as %v", s, plain(n))
		}
	}
}

func TestAppendString_IsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.StringMatching("[\\x00-\\x7f]*")).Draw(t, "s")
		var back string
		if err := json.Unmarshal(graphson.AppendString(nil, s), &back); err != nil || back != s {
			t.Fatalf("%q came back as %q, %v", s, back, err)
		}
		n, err := graphson.Parse(graphson.AppendString(nil, s))
		if err != nil || n.Text() != s {
			t.Fatalf("%q parses as %q, %v", s, n.Text(), err)
		}
	})
}

// What breaks off keeps what was read.
func TestParse_KeepsTheBeginning(t *testing.T) {
	n, err := graphson.Parse([]byte(`{"requestId":"x","args":{"a":[1,`))
	if err == nil || n.Field("requestId").Text() != "x" {
		t.Errorf("got %v, %v", plain(n), err)
	}
}

func TestDecoder_Vertex(t *testing.T) {
	line := `{"id":{"@type":"g:Int32","@value":1},"label":"person","properties":{"name":[{"id":{"@type":"g:Int64","@value":0},"value":"marko",` +
		`"properties":{"since":{"@type":"g:Int32","@value":2009}}}]}}`
	n, err := graphson.Parse([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	d := graphson.Decoder{Form: graphson.Form{Version: 3, Typed: true}}
	v, err := d.Vertex(n)
	if err != nil {
		t.Fatal(err)
	}
	e := v.Detached()
	p := e.Properties[0].VertexProperty()
	if e.ID.Kind() != value.KindInt || e.Label != "person" || p.Key != "name" || p.Meta[0].Value.Int64() != 2009 {
		t.Errorf("got %+v with %+v", e, p)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"a":[1,2.5e3,"\u00e9",null,true]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		n, err := graphson.Parse(b)
		if err != nil {
			return
		}
		if !json.Valid(b) {
			t.Fatalf("%q is no JSON", b)
		}
		for version := 1; version <= 3; version++ {
			d := graphson.Decoder{Form: graphson.Form{Version: version, Typed: true}}
			if v, err := d.Value(n); err == nil {
				_ = v.JavaString()
			}
		}
	})
}

// BenchmarkParse reads the same vertex with the parser and with encoding/json, which keeps
// neither the order of an object's keys nor what was read of a message that breaks off.
func BenchmarkParse(b *testing.B) {
	text := []byte(`{"@type":"g:Vertex","@value":{"id":{"@type":"g:Int32","@value":1},"label":"person","properties":{` +
		`"name":[{"@type":"g:VertexProperty","@value":{"id":{"@type":"g:Int64","@value":0},"value":"marko","label":"name"}}],` +
		`"age":[{"@type":"g:VertexProperty","@value":{"id":{"@type":"g:Int64","@value":1},"value":{"@type":"g:Int32","@value":29},"label":"age"}}]}}}`)
	for _, c := range []struct {
		name string
		run  func() error
	}{
		{"own", func() error { _, err := graphson.Parse(text); return err }},
		{"encoding", func() error { _, err := standard(text); return err }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := c.run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
