package graphbinary_test

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/protocol/graphbinary"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/plancache"
)

func step(name string, args ...value.Value) traversal.Instruction {
	return traversal.Instruction{Name: name, Args: args}
}

// asking is the request of a traversal.
func asking(t testing.TB, steps ...traversal.Instruction) []byte {
	t.Helper()
	q := request()
	q.Args.PutString("gremlin", (&traversal.Bytecode{Steps: steps}).Value())
	return encoded(t, q)
}

func encoded(t testing.TB, q *message.Request) []byte {
	t.Helper()
	b, err := graphbinary.AppendRequest(nil, q)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func formOf(b []byte) (f message.Form, ok bool) {
	ok = graphbinary.Codec{}.Form(b, &f)
	return f, ok
}

func TestForm_LeavesConstantsOut(t *testing.T) {
	text, number := value.String("a"), value.Int(7)
	where := func(steps ...traversal.Instruction) value.Value {
		return (&traversal.Bytecode{Steps: steps}).Value()
	}
	p := func(text bool, args ...value.Value) value.Value {
		return (&traversal.P{Name: "within", Args: args, Text: text}).Value()
	}
	id := value.UUID(uuid.MustParse("41d2e28a-20a4-4ab0-b379-d810dede3786"))
	for _, c := range []struct {
		steps []traversal.Instruction
		want  []value.Value
	}{
		{[]traversal.Instruction{step("V", number), step("values", text)}, []value.Value{number}},
		{[]traversal.Instruction{step("V", number, value.Long(8), id, text)}, []value.Value{number, value.Long(8), id, text}},
		{[]traversal.Instruction{step("V"), step("has", text, text, number)}, []value.Value{number}},
		{[]traversal.Instruction{step("V"), step("has", text, p(false, number, text))}, []value.Value{number, text}},
		{[]traversal.Instruction{step("V"), step("has", text, p(true, text))}, nil},
		{[]traversal.Instruction{step("V"), step("has", text, value.Double(0.5))}, []value.Value{value.Double(0.5)}},
		{[]traversal.Instruction{step("V"), step("has", text, value.Double(math.NaN()))}, nil},
		{[]traversal.Instruction{step("V"), step("has", text, value.Null)}, nil},
		{[]traversal.Instruction{step("V", number), step("where", where(step("has", text, text), step("limit", number)))}, []value.Value{number, text}},
		{[]traversal.Instruction{step("V", number), step("property", text, text)}, []value.Value{number, text}},
		{[]traversal.Instruction{step("V", number), step("property", text, number, text, text)}, []value.Value{number}},
		{[]traversal.Instruction{step("limit", number), step("values", text)}, nil},
	} {
		f, ok := formOf(asking(t, c.steps...))
		if !ok || !slices.EqualFunc(f.Constants, c.want, value.Identical) {
			t.Errorf("%v: constants are %v, want %v", c.steps, f.Constants, c.want)
		}
	}
}

// What differs in anything but a constant has another form, or none.
func TestForm_TellsOthersApart(t *testing.T) {
	seen := map[string]int{}
	n, text := value.Int(1), value.String("age")
	for i, steps := range [][]traversal.Instruction{
		{step("V", n), step("values", text)},
		{step("V", value.Long(1)), step("values", text)},
		{step("V", n, n), step("values", text)},
		{step("V", n), step("values", value.String("agf"))},
		{step("V", n), step("values", text, text)},
		{step("E", n), step("values", text)},
		{step("V"), step("has", text, n)},
		{step("V"), step("has", text, (&traversal.P{Name: "eq", Args: []value.Value{n}}).Value())},
		{step("V"), step("has", text, (&traversal.P{Name: "gt", Args: []value.Value{n}}).Value())},
		{step("V"), step("has", text, value.Double(math.NaN()))},
		{step("V"), step("has", text, value.Double(1))},
		{step("V"), step("has", text, value.Null)},
		{step("V"), step("limit", n)},
		{step("V"), step("limit", value.Int(2))},
	} {
		f, ok := formOf(asking(t, steps...))
		if !ok {
			t.Fatalf("%v has no form", steps)
		}
		if k, same := seen[string(f.Bytes)]; same {
			t.Errorf("%d and %d have one form", i, k)
		}
		seen[string(f.Bytes)] = i
	}
	config := value.NewMap()
	for i := range 3 { // of a source, whose values are no constants
		config.PutString("evaluationTimeout", value.Int(int32(i)))
		q := request()
		q.Args.PutString("gremlin", (&traversal.Bytecode{
			Source: []traversal.Instruction{step("withStrategies", value.Object(value.KindStrategy, &traversal.StrategySpec{Class: "OptionsStrategy", Config: config}))},
			Steps:  []traversal.Instruction{step("V", n)},
		}).Value())
		f, ok := formOf(encoded(t, q))
		if _, same := seen[string(f.Bytes)]; !ok || same || len(f.Constants) != 1 {
			t.Errorf("option %d: %v, as another's %v, constants %v", i, ok, same, f.Constants)
		}
		seen[string(f.Bytes)] = i
	}
	q := request()
	q.Args.PutString("evaluationTimeout", n)
	if f, ok := formOf(encoded(t, q)); !ok || len(f.Constants) != 2 {
		t.Errorf("an option among the arguments: %v, %v", ok, f.Constants)
	}
}

func TestForm_None(t *testing.T) {
	two := request()
	two.Args.PutString("other", value.Value((&traversal.Bytecode{}).Value()))
	script := request()
	script.Args.PutString("gremlin", value.String("g.V()"))
	many := make([]value.Value, 33)
	for i := range many {
		many[i] = value.Int(int32(i))
	}
	invalid := asking(t, step("V", value.String("zz")))
	copy(invalid[bytes.Index(invalid, []byte("zz")):], "\xff\xfe")
	lambda := value.Object(value.KindLambda, &traversal.Lambda{Script: "it", Language: "gremlin-groovy"})
	for name, b := range map[string][]byte{
		"empty": {}, "id alone": make([]byte, 17),
		"two traversals": encoded(t, two), "script": encoded(t, script),
		"many constants": asking(t, step("V", many...)),
		"long":           asking(t, step("V", value.String(strings.Repeat("x", 2<<10)))),
		"list":           asking(t, step("V", value.List([]value.Value{value.Int(1)}))),
		"lambda":         asking(t, step("map", lambda)),
		"invalid text":   invalid,
		"left over":      append(asking(t, step("V")), 0),
	} {
		if f, ok := formOf(b); ok {
			t.Errorf("%s has the form %x", name, f.Bytes)
		}
	}
	whole := asking(t, step("V", value.String("id")), step("has", value.String("k"), value.Long(1)))
	for i := range whole {
		if _, ok := formOf(whole[:i]); ok {
			t.Errorf("%d bytes of %d have a form", i, len(whole))
		}
	}
}

// mustAgree checks that what is known of b can be said of c, whose form is the same.
func mustAgree(t *testing.T, b, c []byte, constants, others []value.Value) {
	q, err := graphbinary.Codec{}.DecodeRequest(b, nil)
	if err != nil {
		return // nothing is learnt of it
	}
	v, _ := q.Args.GetString("gremlin")
	code, ok := v.Object().(*traversal.Bytecode)
	if !ok {
		return
	}
	plan, same := plancache.NewForm(code)
	if plan == nil || !slices.EqualFunc(constants, same, value.Identical) {
		return
	}
	r, err := graphbinary.Codec{}.DecodeRequest(c, nil)
	if err != nil {
		t.Fatalf("%x is sound, %x of the same form is not: %v", b, c, err)
	}
	q.ID = r.ID
	q.Args.PutString("gremlin", plan.Bytecode(others).Value())
	if x, y := encoded(t, q), encoded(t, r); !bytes.Equal(x, y) {
		t.Fatalf("made of the form of %x: %x, decoded %x", b, x, y)
	}
}

// FuzzForm compares requests of one form: each must be what the form says it is.
func FuzzForm(f *testing.F) {
	n, text := value.Int(1), value.String("age")
	f.Add(asking(f, step("V", n)), asking(f, step("V", value.Int(2))))
	f.Add(asking(f, step("V", text), step("has", text, n)), asking(f, step("V", value.String("")), step("has", text, value.Int(9))))
	f.Add(encoded(f, request()), encoded(f, request()))
	f.Fuzz(func(t *testing.T, b, c []byte) {
		x, ok := formOf(b)
		if !ok {
			return
		}
		mustAgree(t, b, b, x.Constants, x.Constants)
		y, ok := formOf(c)
		if ok = ok && bytes.Equal(x.Bytes, y.Bytes); ok {
			mustAgree(t, b, c, x.Constants, y.Constants)
		}
		var again message.Form
		if found := (graphbinary.Codec{}).Again(c, &x, &again); found != ok {
			t.Fatalf("%x has the form of %x: %v by comparing, %v by reading", c, b, found, ok)
		}
		if ok && (again.ID != y.ID || !slices.EqualFunc(again.Constants, y.Constants, value.Identical)) {
			t.Fatalf("%x: %v %v by comparing, %v %v by reading", c, again.ID, again.Constants, y.ID, y.Constants)
		}
	})
}

// TestForm_Again: of each request that differs in one byte, comparing finds what reading does.
func TestForm_Again(t *testing.T) {
	known := asking(t, step("V", value.Int(1), value.String("a"), value.UUID(uuid.New())), step("has", value.String("age"), value.Double(0.5)),
		step("property", value.String("age"), value.Long(3)), step("values", value.String("age")))
	x, ok := formOf(known)
	if !ok || len(x.Constants) != 5 {
		t.Fatal(x.Constants, ok)
	}
	same := 0
	for i := range known {
		for _, c := range []byte{0, 1, 2, 3, 4, known[i] ^ 0x80, known[i] + 1, 0x7f, 0xf8, 0xff} {
			b := bytes.Clone(known)
			b[i] = c
			y, ok := formOf(b)
			ok = ok && bytes.Equal(x.Bytes, y.Bytes)
			var again message.Form
			if found := (graphbinary.Codec{}).Again(b, &x, &again); found != ok {
				t.Fatalf("byte %d as %d: %v by comparing, %v by reading", i, c, found, ok)
			}
			if ok && (again.ID != y.ID || !slices.EqualFunc(again.Constants, y.Constants, value.Identical)) {
				t.Fatalf("byte %d as %d: %v %v by comparing, %v %v by reading", i, c, again.ID, again.Constants, y.ID, y.Constants)
			}
			if ok {
				same++
			}
		}
	}
	if same < 300 {
		t.Errorf("%d have the same form", same)
	}
}

func BenchmarkForm(b *testing.B) {
	msg := asking(b, step("V", value.Int(1)), step("values", value.String("age")))
	known, _ := formOf(msg)
	var f message.Form
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			f.Bytes, f.Constants, f.At = f.Bytes[:0], f.Constants[:0], f.At[:0]
			if !(graphbinary.Codec{}).Form(msg, &f) {
				b.Fatal("no form")
			}
		}
	})
	b.Run("compared", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			f.Constants = f.Constants[:0]
			if !(graphbinary.Codec{}).Again(msg, &known, &f) {
				b.Fatal("no form")
			}
		}
	})
}
