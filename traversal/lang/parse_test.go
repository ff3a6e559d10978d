package lang

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/google/uuid"

	"github.com/gremlind/gremlind/conformance/scriptfiles"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// bound are the variables that the scripts may use.
var bound = map[string]value.Value{
	"n": value.Int(7), "s": value.String("text"), "ids": value.Of([]any{1, 2}), "none": value.Null,
	"m": value.Of(map[string]any{"name": "x"}), "d": value.Double(1.5), "flag": value.Bool(true),
}

func variables(name string) (value.Value, bool) { v, ok := bound[name]; return v, ok }

// TestScripts reads each input line of testdata on its own. Printed texts show the
// types of their literals by suffix, and are read back for a second opinion.
func TestScripts(t *testing.T) {
	scriptfiles.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			o := Options{Variables: variables, Groovy: d.HasArg("groovy")}
			texts := []string{d.Input}
			if d.Cmd == "lines" {
				texts = strings.Split(d.Input, "\n")
			}
			var b strings.Builder
			for _, text := range texts {
				fmt.Fprintln(&b, outcome(t, text, o))
			}
			return b.String()
		})
	})
}

func outcome(t *testing.T, text string, o Options) string {
	t.Helper()
	q, err := Parse(text, o)
	if err != nil {
		return err.Error()
	}
	var parts []string
	for i := range q.Statements {
		parts = append(parts, describe(t, &q.Statements[i], o))
	}
	return strings.Join(parts, "\n")
}

func describe(t *testing.T, s *Statement, o Options) string {
	t.Helper()
	form := ""
	switch {
	case s.Empty:
		form = "empty"
	case s.Tx != "":
		form = s.Source + " tx " + s.Tx
	default:
		form = PrintFrom(s.Source, s.Bytecode)
		again, err := Parse(form, o)
		if err != nil {
			t.Errorf("%s does not read back: %v", form, err)
		} else if back := PrintFrom(again.Last().Source, again.Last().Bytecode); back != form {
			t.Errorf("%s reads back as %s", form, back)
		}
	}
	if s.Terminal != "" {
		form += " => " + s.Terminal + fmt.Sprint(s.Args)
	}
	if s.ToString {
		form += " => text"
	}
	return form
}

func TestParse_Limits(t *testing.T) {
	nested := strings.Repeat("__.and(", 5000) + "out()" + strings.Repeat(")", 5000)
	for name, tc := range map[string]struct{ text, want string }{
		"nested traversals": {"g.V().filter(" + nested + ")", "too deep"},
		"nested lists":      {"g.inject(" + strings.Repeat("[", 100_000) + ")", "too deep"},
		"nested predicates": {"g.V().is(" + strings.Repeat("P.not(", 1000) + "P.eq(1)" + strings.Repeat(")", 1001), "too deep"},
		"open calls":        {"g.V()" + strings.Repeat(".filter(out()", 100_000), "too deep"},
		"long predicate":    {"g.V().is(P.eq(1)" + strings.Repeat(".or(P.eq(1))", 1000) + ")", "parts"},
		"steps":             {"g.V()" + strings.Repeat(".out()", 150_000), "too long"},
		"statements":        {strings.Repeat("g.V();", 100_000), "more than 10000 statements"},
		"text":              {"g.V('" + strings.Repeat("x", 11<<20) + "')", "more than the limit"},
		"string":            {"g.V('" + strings.Repeat("x", 1<<20+1) + "')", "longer than the limit"},
		"range":             {"g.inject(0..2000000)", "too wide"},
		"string range":      {"g.inject('" + strings.Repeat("x", 10_000) + "\u0001'..'" + strings.Repeat("x", 10_000) + "\uf000')", "too wide"},
		"digits":            {"g.inject(" + strings.Repeat("9", 5000) + ")", "longer than 4096"},
		"not UTF-8":         {"g.V('\xff')", "not valid UTF-8"},
		"half a pair":       {`g.V('\ud800')`, "half of a surrogate pair"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse(tc.text, Options{})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("got %v, want %q", err, tc.want)
			}
			if len(err.Error()) > 500 {
				t.Errorf("the message has %d bytes", len(err.Error()))
			}
		})
	}
}

// A literal that looks like an attack stays a literal.
func TestParse_Injection(t *testing.T) {
	for _, s := range []string{`a').drop().V('`, `a").drop().V("`, "a\n').drop()", `\u0027).drop()`, "\x00", "🎈é"} {
		q, err := Parse("g.V().has('name', x)", Options{Variables: func(string) (value.Value, bool) { return value.String(s), false }})
		if err == nil {
			t.Fatalf("%q: an unknown variable passed: %v", s, q)
		}
		b := &traversal.Bytecode{Steps: []traversal.Instruction{{Name: "V", Args: []value.Value{value.String(s)}}}}
		q, err = Parse(Print(b), Options{})
		if err != nil || len(q.Statements) != 1 || q.Last().Bytecode.Steps[0].Args[0].Str() != s {
			t.Errorf("%q reads back as %v, %v", s, q, err)
		}
	}
}

func TestParse_Evaluate(t *testing.T) {
	var ran []string
	o := Options{Evaluate: func(s *Statement) (value.Value, error) {
		ran = append(ran, Print(s.Bytecode)+" "+s.Terminal)
		return value.Int(3), nil
	}}
	q, err := Parse("g.inject([g.V().count().next()], g.E().toList())", o)
	if err != nil || Print(q.Last().Bytecode) != "g.inject([3], 3)" {
		t.Fatal(q, err)
	}
	if want := []string{"g.V().count() next", "g.E() toList"}; !reflect.DeepEqual(ran, want) {
		t.Errorf("ran %v", ran)
	}
	ran = nil
	if _, err := Parse("g.inject(g.addV().next()).oops()", o); err == nil || len(ran) != 0 {
		t.Errorf("a text with an error ran %v", ran)
	}
	if _, err := Parse("g.inject(g.V().next())", Options{}); err == nil {
		t.Error("accepted without Evaluate")
	}
}

func TestParse_Options(t *testing.T) {
	o := Options{
		Steps:   func(name string) bool { return name == "shout" },
		Sources: func(name string) bool { return strings.HasPrefix(name, "g") },
	}
	q, err := Parse("gmodern.V().shout(1, out(), P.eq(2), 'x')", o)
	if err != nil || PrintFrom(q.Last().Source, q.Last().Bytecode) != `gmodern.V().shout(1, __.out(), P.eq(2), "x")` {
		t.Fatal(q, err)
	}
}

func TestParse_Now(t *testing.T) {
	q, err := Parse("g.inject(datetime(), UUID())", Options{})
	if err != nil {
		t.Fatal(err)
	}
	args := q.Last().Bytecode.Steps[0].Args
	if d := time.Since(args[0].Time()); d < 0 || d > time.Minute || args[1].UUID() == (uuid.UUID{}) {
		t.Errorf("got %v", args)
	}
}

func TestError_Place(t *testing.T) {
	_, err := Parse("g.V().\n  has('é', 'x').\n  bogus()", Options{})
	e, ok := err.(*Error)
	if !ok || e.Line != 3 || e.Column != 3 || e.JavaClass() != parserException {
		t.Errorf("got %#v", err)
	}
	_, err = Parse("g.V('é', y)", Options{})
	if e, ok = err.(*Error); !ok || e.Column != 10 || e.JavaClass() != variableException {
		t.Errorf("got %#v", err)
	}
}

func TestPrint_WithoutLiteral(t *testing.T) {
	lambda := value.Object(value.KindLambda, &traversal.Lambda{Script: "it.get()"})
	b := &traversal.Bytecode{Steps: []traversal.Instruction{
		{Name: "map", Args: []value.Value{lambda}},
		{Name: "is", Args: []value.Value{value.Char('x'), value.Object(value.KindBinding, &traversal.Binding{Key: "k", Value: value.Int(1)})}},
	}}
	if got := Print(b); got != "g.map({it.get()}).is(<x>, 1)" {
		t.Error(got)
	}
}

// What is printed of a date is read as the same date, whatever its offset.
func TestPrint_Offsets(t *testing.T) {
	for _, offset := range []int{0, 1, -1, 60, -60, 3599, -3601, 18 * 3600, -18 * 3600} {
		at := value.OffsetDateTime(time.Date(1969, 12, 31, 23, 0, 7, 1, time.FixedZone("", offset)))
		text := Print(&traversal.Bytecode{Steps: []traversal.Instruction{{Name: "inject", Args: []value.Value{at}}}})
		q, err := Parse(text, Options{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if back := q.Last().Bytecode.Steps[0].Args[0]; !value.Identical(back, at) {
			t.Errorf("%s came back as %v, want %v", text, back, at)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`g.V().has("person","name",within('a','b')).out().by(T.id, desc)`, `g.inject([a:1,(T.id):{1,2}],1..3,-0x1fL,1.5e3f)`,
		`g.withStrategies(new SeedStrategy(seed: 1)).V().property(single('x'))`, `''.toString();g.tx().commit()`,
		`g.V().filter(not(not(eq(1).or(gt(2)).negate())))`, "g.V()//x\n.next(2).toString()",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := Parse(text, Options{Variables: variables})
		if err != nil {
			return
		}
		for i := range q.Statements {
			describe(t, &q.Statements[i], Options{Variables: variables})
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for name, text := range map[string]string{
		"short":  `g.V(1).values('name')`,
		"filter": `g.V().has("person","name","marko").out("knows").values("name")`,
		"nested": `g.V(1).repeat(__.out("created").simplePath()).times(2).path().by("name").limit(10)`,
		"merge":  `g.mergeV([(T.label): "person", "name": "marko"]).option(Merge.onCreate, ["age": 29]).option(onMatch, ["age": 30, "seen": true])`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(text, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
