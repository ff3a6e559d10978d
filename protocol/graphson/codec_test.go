package graphson_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/protocol/graphson"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/storage/value/valuetest"
	"github.com/gremlind/gremlind/traversal"
)

const id = "41d2e28a-20a4-4ab0-b379-d810dede3786"

// sendable leaves out what version 3 cannot tell apart or text cannot hold: Map.Entry,
// zones, and maps with keys that are equal once read.
func sendable(v value.Value) bool {
	switch v.Kind() {
	case value.KindZonedDateTime, value.KindMapEntry, value.KindBulkSet:
		return false
	case value.KindList:
		return all(v.Elems())
	case value.KindSet:
		return all(v.Set().Elems())
	case value.KindMap:
		return all(v.Map().Keys()) && all(v.Map().Values())
	}
	return true
}

func all(list []value.Value) bool {
	for _, e := range list {
		if !sendable(e) {
			return false
		}
	}
	return true
}

func TestValue_RoundTripInVersion3(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := valuetest.Storable(3).Filter(sendable).Draw(t, "v")
		c := graphson.Codec{Version: 3}
		b, err := c.AppendValue(nil, v, nil)
		if err != nil {
			t.Fatal(err)
		}
		if w, err := c.DecodeValue(b); err != nil || !value.Identical(v, w) {
			t.Fatalf("%#v came back from %s as %#v, %v", v, b, w, err)
		}
	})
}

// Every form of every value is JSON.
func TestValue_IsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := valuetest.Storable(3).Draw(t, "v")
		for name, c := range codecs {
			b, err := c.AppendValue(nil, v, nil)
			if err != nil || !json.Valid(b) {
				t.Fatalf("%s of %#v is %s, %v", name, v, b, err)
			}
		}
	})
}

func TestCodec_DecodeRequest(t *testing.T) {
	plain := `"op":"eval","processor":"session","args":{"gremlin":"x","bindings":{"a":1,"b":1.5,"c":3000000000,"d":100000000000000000000,"e":[1]}}}`
	for _, c := range []struct {
		form, in, args string
	}{
		{"v3", `{"requestId":"` + id + `",` + plain, "{gremlin=x, bindings={a=1, b=1.5, c=3000000000, d=100000000000000000000, e=[1]}}"},
		{"v1u", `{"requestId":"` + id + `",` + plain, "{gremlin=x, bindings={a=1, b=1.5, c=3000000000, d=100000000000000000000, e=[1]}}"},
		{"v2", `{"requestId":{"@type":"g:UUID","@value":"` + id + `"},` + plain, "{gremlin=x, bindings={a=1, b=1.5, c=3000000000, d=100000000000000000000, e=[1]}}"},
		{"v3", `{"requestId":{"@type":"g:UUID","@value":"` + id + `"},"op":"eval","processor":"session","args":{"@type":"g:Map","@value":["gremlin","x",` +
			`"bindings",{"@type":"g:Map","@value":["a",{"@type":"g:Int32","@value":1}]}]}}`, "{gremlin=x, bindings={a=1}}"},
		{"v1", `{"@class":"org.apache.tinkerpop.gremlin.util.message.RequestMessage","requestId":["java.util.UUID","` + id + `"],"op":"eval","processor":"session",` +
			`"args":{"@class":"java.util.HashMap","gremlin":"x","bindings":{"@class":"java.util.HashMap","x":["java.lang.Long",1],"y":["java.util.ArrayList",[1,2]]}}}`,
			"{gremlin=x, bindings={x=1, y=[1, 2]}}"},
		{"v3", `{"requestId":"` + id + `","op":"eval","processor":"session"}`, "{}"},
		{"v3", `{"requestId":"` + id + `","op":"eval","processor":"session","args":{"bindings":null}}`, "{bindings=null}"},
	} {
		q, err := codecs[c.form].DecodeRequest([]byte(c.in), nil)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if q.ID.String() != id || !q.HasID || q.Op != "eval" || q.Processor != "session" || q.Args.Value().JavaString() != c.args {
			t.Errorf("%s:\n%+v with %v, want %s", c.in, q, q.Args.Value(), c.args)
		}
	}
}

func TestCodec_BytecodeRequest(t *testing.T) {
	in := `{"requestId":{"@type":"g:UUID","@value":"` + id + `"},"processor":"traversal","op":"bytecode","args":{"gremlin":{"@type":"g:Bytecode","@value":` +
		`{"source":[["withStrategies",{"@type":"g:OptionsStrategy","@value":{"evaluationTimeout":500}}]],"step":[["V"],["has","age",{"@type":"g:P","@value":` +
		`{"predicate":"inside","value":{"@type":"g:List","@value":[{"@type":"g:Int32","@value":20},{"@type":"g:Int32","@value":30}]}}}],` +
		`["map",{"@type":"g:Lambda","@value":{"script":"it.get()","language":"gremlin-groovy","arguments":-1}}],["by",{"@type":"g:T","@value":"label"}]]}},"aliases":{"g":"g"}}}`
	for _, form := range []string{"v2", "v3"} {
		q, err := codecs[form].DecodeRequest([]byte(strings.ReplaceAll(in, "\n", "")), nil)
		if form == "v2" {
			in = strings.ReplaceAll(in, `{"@type":"g:List","@value":[{"@type":"g:Int32","@value":20},{"@type":"g:Int32","@value":30}]}`, `[20,30]`)
			q, err = codecs[form].DecodeRequest([]byte(in), nil)
		}
		if err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		code, _ := q.Args.GetString("gremlin")
		b, ok := code.Object().(*traversal.Bytecode)
		if !ok || len(b.Steps) != 4 || len(b.Source) != 1 {
			t.Fatalf("%s: bytecode is %v", form, code)
		}
		s := b.Source[0].Args[0].Object().(*traversal.StrategySpec)
		if timeout, _ := s.Config.GetString("evaluationTimeout"); s.Class != "OptionsStrategy" || timeout.Int64() != 500 {
			t.Errorf("%s: strategy is %+v", form, s)
		}
		if p := b.Steps[1].Args[1].Object().(*traversal.P); p.Name != "inside" || len(p.Args) != 2 {
			t.Errorf("%s: predicate is %+v", form, p)
		}
	}
}

// TestCodec_LongNumbers: whole numbers of as many digits as the reference reads.
func TestCodec_LongNumbers(t *testing.T) {
	digits := strings.Repeat("7", 10_000)
	q, err := codecs["v3"].DecodeRequest([]byte(`{"requestId":"41d2e28a-20a4-4ab0-b379-d810dede3786","op":"eval","args":{"x":{"@type":"gx:BigInteger","@value":`+digits+`}}}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := q.Args.Get(value.String("x")); v.JavaString() != digits {
		t.Errorf("got %.40s", v.JavaString())
	}
}

func TestCodec_BrokenRequests(t *testing.T) {
	deep := func(n int, open, end string) string { return strings.Repeat(open, n) + "1" + strings.Repeat(end, n) }
	arg := func(v string) string {
		return `{"requestId":"` + id + `","op":"eval","args":{"x":` + v + `}}`
	}
	for _, c := range []struct {
		name, in, want string
		hasID          bool
	}{
		{"empty", ``, "unexpected end", false},
		{"no object", `[1]`, "not an array", false},
		{"no id", `{"op":"eval"}`, "requestId is missing", false},
		{"bad id", `{"requestId":"x","op":"eval"}`, "requestId is missing or no UUID", false},
		{"cut", arg(`[1`)[:78], "byte", true},
		{"trailing", arg(`1`) + `x`, "after the value", true},
		{"args as list", `{"requestId":"` + id + `","args":[1]}`, "args is a List", true},
		{"op as number", `{"requestId":"` + id + `","op":1}`, "op is a number, not a string", true},
		{"deep lists", arg(deep(10001, "[", "]")), "nesting exceeds 256", true},
		{"deep values", arg(deep(300, "[", "]")), "nesting exceeds 256", true},
		{"deep typed", arg(deep(300, `{"@type":"g:List","@value":[`, "]}")), "nesting exceeds 256", true},
		{"duplicate", arg(`{"@type":"g:Int32","@type":"g:Int64","@value":1}`), "duplicate @type", true},
		{"missing value", arg(`{"@type":"g:Int32"}`), "g:Int32 has no @value", true},
		{"extra field", arg(`{"@type":"g:Int32","@value":1,"x":1}`), "fields beside", true},
		{"range", arg(`{"@type":"g:Int32","@value":2147483648}`), "g:Int32 out of range", true},
		{"byte range", arg(`{"@type":"gx:Byte","@value":-129}`), "gx:Byte out of range", true},
		{"long range", arg(`{"@type":"g:Int64","@value":9223372036854775808}`), "g:Int64 out of range", true},
		{"text for int", arg(`{"@type":"g:Int32","@value":"abc"}`), "g:Int32 is no number", true},
		{"fraction", arg(`{"@type":"g:Int32","@value":1.5}`), "g:Int32 is not whole", true},
		{"digits", arg(strings.Repeat("1", 10001)), "the limit is 10000", true},
		{"values", arg(`[` + strings.Repeat(`1,`, 1<<20) + `1]`), "more than 1048576 values", true},
		{"unknown type", arg(`{"@type":"g:Foo","@value":1}`), `unknown GraphSON type "g:Foo"`, true},
		{"uuid", arg(`{"@type":"g:UUID","@value":"x"}`), "g:UUID", true},
		{"host name", arg(`{"@type":"gx:InetAddress","@value":"evil.example"}`), "not looked up", true},
		{"date", arg(`{"@type":"g:Date","@value":"NaN"}`), "g:Date", true},
		{"enum", arg(`{"@type":"g:T","@value":"x"}`), `T has no constant "x"`, true},
		{"bulk", arg(`{"@type":"g:BulkSet","@value":["a",{"@type":"g:Int64","@value":-1}]}`), "bulk -1", true},
		{"odd map", arg(`{"@type":"g:Map","@value":[1]}`), "key without a value", true},
		{"bad UTF-8", arg("\"\xff\""), "not valid UTF-8", true},
		{"lone surrogate", arg(`"\ud800"`), "surrogate stands alone", true},
		{"bytecode", arg(`{"@type":"g:Bytecode","@value":[["V"]]}`), "an object is expected", true},
		{"huge decimal", arg(`{"@type":"gx:BigDecimal","@value":"` + strings.Repeat("1", 20_000) + `"}`), "number too large", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			q, err := codecs["v3"].DecodeRequest([]byte(c.in), nil)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error is %v, want %q", err, c.want)
			}
			if q.HasID != c.hasID || q.Args == nil {
				t.Errorf("request is %+v", q)
			}
		})
	}
}

func TestCodec_AppendResponse(t *testing.T) {
	want := map[string]string{
		"v1":  `{"@class":"java.util.HashMap","requestId":"ID","status":{"@class":"java.util.HashMap","message":"","code":200,"attributes":{"@class":"java.util.LinkedHashMap","host":"/h:1"}},"result":{"@class":"java.util.HashMap","data":["java.util.ArrayList",[1,"a"]],"meta":{"@class":"java.util.LinkedHashMap"}}}`,
		"v1u": `{"requestId":"ID","status":{"message":"","code":200,"attributes":{"host":"/h:1"}},"result":{"data":[1,"a"],"meta":{}}}`,
		"v2":  `{"requestId":"ID","status":{"message":"","code":200,"attributes":{"host":"/h:1"}},"result":{"data":[{"@type":"g:Int32","@value":1},"a"],"meta":{}}}`,
		"v3":  `{"requestId":"ID","status":{"message":"","code":200,"attributes":{"@type":"g:Map","@value":["host","/h:1"]}},"result":{"data":{"@type":"g:List","@value":[{"@type":"g:Int32","@value":1},"a"]},"meta":{"@type":"g:Map","@value":[]}}}`,
	}
	want["v2u"], want["v3u"] = want["v1u"], want["v1u"]
	for form, c := range codecs {
		var items []byte
		var err error
		for i, v := range []value.Value{value.Int(1), value.String("a")} {
			if items, err = c.AppendItem(items, i, v, message.ItemOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		r := &message.Response{ID: uuid.MustParse(id), HasID: true, Code: 200,
			Attributes: []message.Attribute{{Key: "host", Value: value.String("/h:1")}}}
		b, err := c.AppendResponse(nil, r, items, 2)
		if err != nil || string(b) != strings.ReplaceAll(want[form], "ID", id) {
			t.Errorf("%s:\n%s, %v, want\n%s", form, b, err, want[form])
		}
		b, err = c.AppendResponse(nil, &message.Response{Code: 499, NoData: true}, nil, 0)
		if err != nil || !json.Valid(b) || !strings.Contains(string(b), `"requestId":null`) || !strings.Contains(string(b), `"data":null`) {
			t.Errorf("%s: empty response is %s, %v", form, b, err)
		}
	}
}

func FuzzDecodeRequest(f *testing.F) {
	for _, g := range goldens(f) {
		f.Add([]byte(`{"requestId":"`+id+`","op":"eval","args":{"x":`+g.json+`}}`), g.form)
	}
	f.Fuzz(func(t *testing.T, b []byte, form string) {
		c, ok := codecs[form]
		if !ok {
			c = codecs["v3"]
		}
		q, err := c.DecodeRequest(b, nil)
		if q == nil || q.Args == nil {
			t.Fatal("no request")
		}
		if err == nil {
			out, err := c.AppendValue(nil, q.Args.Value(), nil)
			if err == nil && !json.Valid(out) {
				t.Fatalf("written again as %s", out)
			}
		}
	})
}

func BenchmarkDecodeRequest(b *testing.B) {
	in := []byte(`{"requestId":{"@type":"g:UUID","@value":"` + id + `"},"processor":"traversal","op":"bytecode","args":{"gremlin":{"@type":"g:Bytecode","@value":{"step":` +
		`[["V"],["has","person","name","marko"],["out","knows"],["values","name"]]}},"aliases":{"g":"g"}}}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := codecs["v3"].DecodeRequest(in, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendItem_Vertex5Properties(b *testing.B) {
	e := &value.Element{ID: value.Int(1), Label: "person"}
	for _, k := range []string{"name", "age", "city", "email", "since"} {
		e.Properties = append(e.Properties, value.OfVertexProperty(&value.VertexProperty{
			ID: value.Long(1), Key: k, Value: value.String("value of " + k)}))
	}
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if buf, err = codecs["v3"].AppendItem(buf[:0], 0, value.DetachedVertex(e), message.ItemOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
