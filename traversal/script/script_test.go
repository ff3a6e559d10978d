package script_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gremlind/gremlind/conformance/scripthost"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/script"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

func TestScripts(t *testing.T) { scripthost.Run(t, "testdata") }

func call(ctx context.Context, l traversal.Lambda, args ...value.Value) (value.Value, error) {
	c, err := script.NewClosures(script.NewSession(nil, machine.Options{})).Compile(value.Object(value.KindLambda, &l))
	if err != nil {
		return value.Null, err
	}
	return c.Call(ctx, args...)
}

func TestClosures_Lambdas(t *testing.T) {
	one, two := value.Int(1), value.Int(2)
	for _, tc := range []struct {
		text string
		args []value.Value
		want string
	}{
		{"x -> x + 1", []value.Value{one}, "2"},
		{"x, y ->  x + y + 1", []value.Value{one, two}, "4"},
		{"{1.0d}", nil, "1.0d"},
		{"1.0d", nil, "1.0d"},
		{"x -> true", []value.Value{one}, "true"},
		{"it + 1", []value.Value{one}, "2"},
		{"{ it -> def v = it\n if (v instanceof Integer) v = 'i' + v\n return v }", []value.Value{one}, `"i1"`},
		{" { a, b -> [a, b] } ", []value.Value{one, two}, "[1, 2]"},
		{"[a: [it]]", []value.Value{one}, `["a": [1]]`},
		{"out()", nil, "__.out()"},
		{"Thread.sleep(1)", nil, "null"},
	} {
		v, err := call(t.Context(), traversal.Lambda{Script: tc.text, Language: "gremlin-groovy", Arguments: -1}, tc.args...)
		if err != nil || lang.PrintValue(v) != tc.want {
			t.Errorf("%s gives %s, %v; want %s", tc.text, lang.PrintValue(v), err, tc.want)
		}
	}
	for text, want := range map[string]string{
		"{": "Unexpected", "x -> ": "", "1}; {2": "Unexpected", "System.exit(0)": "not supported", "y": "No such property", "a, b -> a": "No signature",
	} {
		if v, err := call(t.Context(), traversal.Lambda{Script: text}, one); want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s gives %v, %v; want %s", text, v, err, want)
		}
	}
	if _, err := call(t.Context(), traversal.Lambda{Script: "lambda x: x", Language: "gremlin-python"}); err == nil {
		t.Error("a closure in Python passed")
	}
}

// Everything ends: by the context, or by a limit that no script can catch.
func TestEval_Ends(t *testing.T) {
	limits := machine.Limits{Steps: 100_000, Bytes: 1 << 20}
	for text, want := range map[string]error{
		"while(true){}": machine.ErrLimit,
		"while(true){ try { while(true){} } catch (Throwable t) {} finally { } }": machine.ErrLimit,
		"x = 'a'; while(true){ x = x + x }":                                       machine.ErrLimit,
		"' ' * 100000000":                                                         machine.ErrLimit,
		"x = []; while(true){ x << 1 }":                                           machine.ErrLimit,
		"x = [:]; i = 0; while(true){ x[i++] = 1 }":                               machine.ErrLimit,
		"(1..100000).collect{ (1..100000).size() }":                               machine.ErrLimit,
		"x = [1]; 50.times{ x = x + x }":                                          machine.ErrLimit,
		"f = { call -> call(call) }; f(f)":                                        nil,
		"def f(n) { f(n + 1) }; f(0)":                                             nil,
		"x = []; x << x; x.toString()":                                            nil,
		"x = []; x << x; x":                                                       nil,
		"x = [:]; x.x = x; x == x; x.toString()":                                  nil,
		"x = []; x << x; x.flatten()":                                             nil,
		"new String[1000000]":                                                     machine.ErrLimit,
		"'a'.padLeft(100000000)":                                                  machine.ErrLimit,
		"'aaaaaaaaaa'.replace('a', 'b' * 500000)":                                 machine.ErrLimit,
		"x = 'a' * 500000; x.replaceAll('a', x)":                                  machine.ErrLimit,
		"x = 2; 30.times{ x = x ** 3 }; 1":                                        nil,
		"x = 9g; 30.times{ x = x * x }; 1":                                        nil,
	} {
		s := script.NewSession(nil, machine.Options{Limits: limits})
		_, err := s.Eval(t.Context(), text, nil)
		if want != nil && !errors.Is(err, want) {
			t.Errorf("%s ends with %v, want %v", text, err, want)
		}
	}
}

func TestEval_Context(t *testing.T) {
	for _, text := range []string{"while(true){}", "Thread.sleep(60000)", "sleep(60000)", "(1..1000000).each{ x -> (1..1000000).each{} }", "def f(n){ while(true) { g = { n } } }; f(1)"} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		start := time.Now()
		_, err := script.NewSession(nil, machine.Options{}).Eval(ctx, text, nil)
		cancel()
		if !errors.Is(err, traversal.ErrTimeout) || time.Since(start) > 20*time.Second {
			t.Errorf("%s ends with %v after %v", text, err, time.Since(start))
		}
	}
}

func TestParse_Depth(t *testing.T) {
	const n = 100_000
	for name, text := range map[string]string{
		"parentheses": strings.Repeat("(", n), "lists": strings.Repeat("[", n), "keys": strings.Repeat("[(", n), "closures": strings.Repeat("{", n),
		"signs": strings.Repeat("-", n) + "1", "nots": strings.Repeat("!", n) + "1", "sums": "1" + strings.Repeat("+1", n), "powers": "1" + strings.Repeat("**1", n),
		"calls": "x" + strings.Repeat(".a()", n), "ternaries": strings.Repeat("1?", n), "elses": strings.Repeat("if(1){}else ", n), "assignments": strings.Repeat("x=", n) + "1",
		"casts": strings.Repeat("(int)", n) + "1", "interpolations": strings.Repeat(`"${`, n), "blocks": strings.Repeat("if(1){", n), "lambdas": strings.Repeat("x->", n),
		"arguments": strings.Repeat("f(", n), "elvis": strings.Repeat("1?:", n) + "1", "whiles": strings.Repeat("while(0)", n) + "1",
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			_, err := script.NewSession(nil, machine.Options{}).Eval(t.Context(), text, nil)
			var e *machine.Error
			if !errors.As(err, &e) || time.Since(start) > 20*time.Second {
				t.Errorf("ends with %v after %v", err, time.Since(start))
			}
		})
	}
}

func TestFunctions_Shared(t *testing.T) {
	fs := &machine.Functions{}
	if err := script.Define(fs, "def addItUp(x, y) { x + y }"); err != nil {
		t.Fatal(err)
	}
	o := machine.Options{Functions: fs.Of("stephen")}
	r, err := script.NewSession(nil, o).Eval(t.Context(), "def twice(x) { addItUp(x, x) }; y = twice(2); y", nil)
	if err != nil || r.Value.Int64() != 4 {
		t.Fatal(r, err)
	}
	s := script.NewSession(nil, o)
	if r, err = s.Eval(t.Context(), "twice(5)", nil); err != nil || r.Value.Int64() != 10 {
		t.Fatal(r, err)
	}
	if _, err = s.Eval(t.Context(), "y", nil); err == nil {
		t.Error("a variable of another session is visible")
	}
}

// TestDefine_Fails: of a text that is not read, or that throws, nothing is defined for anybody.
func TestDefine_Fails(t *testing.T) {
	for text, want := range map[string]string{
		"def f() { 1 }; def g() {":                                  "expected",
		"def f() { 1 }; throw new IllegalStateException('not now')": "not now",
	} {
		fs := &machine.Functions{}
		if err := script.Define(fs, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
		if fs.Of("").Lookup("f") != nil {
			t.Errorf("%s: f is defined", text)
		}
	}
}

// A text that is kept behaves as when it was read, from several goroutines too.
func TestPrograms(t *testing.T) {
	programs, o := script.NewPrograms(), machine.Options{Functions: new(machine.Functions).Of("")}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range 50 {
				s := script.NewSession(nil, o)
				s.Programs = programs
				r, err := s.Eval(t.Context(), "def f(a, b = [1]) { b << a; b }; x = []; for (i in 0..2) { def j = i; x << { j } }; [x.collect{ it() }, f(2)]", nil)
				if err != nil || lang.PrintValue(r.Value) != "[[0, 1, 2], [1, 2]]" {
					t.Errorf("got %v, %v", lang.PrintValue(r.Value), err)
					return
				}
			}
		})
	}
	wait.Wait()
}

func TestSession_Variable(t *testing.T) {
	s := script.NewSession(nil, machine.Options{})
	if _, err := s.Eval(t.Context(), "x = [1, [2]]; f = { it }; def hidden = 1", nil); err != nil {
		t.Fatal(err)
	}
	if v, ok := s.Variable("x"); !ok || lang.PrintValue(v) != "[1, [2]]" {
		t.Error(v, ok)
	}
	if _, ok := s.Variable("hidden"); ok {
		t.Error("a local variable became the session's")
	}
}

func FuzzEval(f *testing.F) {
	for _, text := range []string{
		"def f(a, b = 2) { a + b }; f(1)", `"a${x}b$y.z"`, "[a: 1, (b): [1..3]]*.c?.d ?: e", "switch(x) { case 1: break; default: { it -> it } }",
		"try { 1/0 } catch (A | B e) { e.message } finally { }", "for (int i = 0; i < 3; i++) x << i", "{ a, b -> a <=> b }(1, 2)",
		"g.V().has('x', within(1, 2)).map{it.get()}.toList()", "x = (int) 3.7 as String; /re\\/g/ ==~ x", "new X(a: 1) { }",
		"'''a''' + 1e5 - 0x1F ** 2", "new A$", "java.''.x()", "new ''()", "x.\"$y\"",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		s := script.NewSession(nil, machine.Options{Limits: machine.Limits{Steps: 10_000, Bytes: 1 << 20}})
		if r, err := s.Eval(ctx, text, nil); err == nil {
			script.Iterate(r.Value)
		}
	})
}

func BenchmarkEval(b *testing.B) {
	for name, text := range map[string]string{
		"sum":       "1 + 1",
		"traversal": "g.V().has('person', 'name', 'marko').out('knows').values('name')",
		"loop":      "x = 0; for (i in 1..1000) { x += i }; x",
	} {
		b.Run(name+"/again", func(b *testing.B) {
			programs := script.NewPrograms()
			b.ReportAllocs()
			for b.Loop() {
				s := script.NewSession(&scripthost.Host{}, machine.Options{})
				s.Programs = programs
				if _, err := s.Eval(b.Context(), text, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name, func(b *testing.B) {
			h := &scripthost.Host{}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := script.NewSession(h, machine.Options{}).Eval(b.Context(), text, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkClosure(b *testing.B) {
	c, err := script.NewClosures(script.NewSession(nil, machine.Options{})).Compile(value.Object(value.KindLambda, &traversal.Lambda{Script: "x -> x * 2 + 1"}))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Call(b.Context(), value.Int(3)); err != nil {
			b.Fatal(err)
		}
	}
}
