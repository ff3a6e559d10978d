package script_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/gremlind/gremlind/conformance/scriptfiles"
	"github.com/gremlind/gremlind/conformance/scripthost"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/script"
	"github.com/gremlind/gremlind/traversal/script/machine"
	"github.com/gremlind/gremlind/traversal/script/syntax"
)

// evaluateOnce runs a text as a request does that is no session.
func evaluateOnce(t *testing.T, h *scripthost.Host, programs *script.Programs, text string) string {
	s := scripthost.NewSession(h)
	s.Programs, s.Once = programs, true
	s.Options.Limits.Steps = 50_000 // of other literals a script may take any number
	return h.Evaluate(t.Context(), s, text, nil)
}

// writes are texts whose answer is another the second time.
var writes = regexp.MustCompile(`add|drop|property|tx|random|shuffle|now|current|nanoTime|UUID|\bDate|uuid|@`)

// Every script of the tests answers as it does when nothing was read before it, whatever
// its literals were in the text that its program was read from.
func TestShapes(t *testing.T) {
	compared, found := 0, 0
	scriptfiles.Walk(t, "testdata", func(t *testing.T, path string) {
		h := scripthost.New(t)
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			texts := strings.Split(d.Input, "\n")
			if d.Cmd == "script" {
				texts = []string{d.Input}
			}
			for _, text := range texts {
				if writes.MatchString(text) || d.Cmd == "session" {
					continue
				}
				want := evaluateOnce(t, h, nil, text)
				for _, other := range variants(text) {
					programs := script.NewPrograms()
					evaluateOnce(t, h, programs, other)
					kept := programs.Len()
					got := evaluateOnce(t, h, programs, text)
					if got != want {
						t.Errorf("%s behind %s answers\n%s, alone\n%s", text, other, got, want)
					}
					compared++
					if kept > 0 && programs.Len() == kept {
						found++
					}
				}
			}
			return d.Expected
		})
	})
	t.Logf("%d comparisons, %d with a program of other literals", compared, found)
	if found < compared/4 {
		t.Errorf("a program of other literals ran in %d of %d comparisons", found, compared)
	}
}

// variants are texts of the same shape: with one literal changed, and with all.
func variants(text string) []string {
	s := syntax.NewShape()
	if !s.Of(text) || len(s.Starts) == 0 {
		return nil
	}
	all, one, chosen := text, text, len(text)%len(s.Starts)
	for i := len(s.Starts) - 1; i >= 0; i-- {
		from, to := s.Starts[i], s.Ends[i]
		all = all[:from] + otherLiteral(text[from:to]) + all[to:]
		if i == chosen {
			one = text[:from] + otherLiteral(text[from:to]) + text[to:]
		}
	}
	return []string{one, all}
}

func otherLiteral(l string) string {
	switch {
	case strings.HasPrefix(l, "'''"), strings.HasPrefix(l, `"""`):
		return l[:3] + "other\n" + l[3:]
	case l[0] == '\'' || l[0] == '"':
		return l[:1] + "öther " + l[1:]
	}
	return "1" + l
}

// What decides how a text is read is never taken from another text.
func TestShapes_Programs(t *testing.T) {
	h := scripthost.New(t)
	for _, texts := range [][]string{
		{"[1, 2].'size'()", "[1, 2].'sum'()"},
		{"x = 3; -2 + x", "x = 3; -5 + x", "x = 44; -5 + x"},
		{"f = { 'a' + it }; f('x').toUpperCase() + f.toString()", "f = { 'b' + it }; f('x').toUpperCase() + f.toString()"},
		{"['a': 1, (2): 'b']", "['c': 1, (3): 'd']"},
		{"assert 1 == 2", "assert 1 == 33"},
		{"def f(a = 1) { a + 2 }; f()", "def f(a = 3) { a + 2 }; f()"},
		{"x = ['a' \n , 'b']; System.exit(0)", "x = ['abcd\u00e9' \n , 'b']; System.exit(0)", "x = ['abcd' \n , 'bcdefg']; System.exit(0)"},
		{"'abc'; 1.class.protectionDomain", "'a'; 1.class.protectionDomain"},
		{"x = 'abc'; [1].collect{ System.exit(0) }", "x = 'a'; [1].collect{ System.exit(0) }"},
		{"x = 'abc'; g.V(1).map{ System.exit(0) }", "x = 'a'; g.V(1).map{ System.exit(0) }", "x = 'a'; g.V(2).map{ System.exit(0) }"},
		{"x = 'abc'; try { System.exit(1) } catch (e) { e.message }", "x = 'a'; try { System.exit(1) } catch (e) { e.message }"},
		{"s = 0; for (i in 1..3) { s += i; k = { s } }; k()", "s = 0; for (i in 1..30) { s += i; k = { s } }; k()"},
		{"f('x' ':')", "f('x' 'y')"},
		{"switch ('b') { case 'a': 1; break; case 'b': 2 }", "switch ('a') { case 'a': 1; break; case 'b': 2 }"},
		{"1 / 2", "3 / 4"},
		{"\"a${1 + 1}b\" + 'c'", "\"a${1 + 2}b\" + 'd'"},
		{"g.V(1).'values'('name')", "g.V(2).'values'('age')", "g.V(2).'label'()"},
		{"2147483647 + 1", "21474836470 + 1", "2147483647000000000000 + 1"},
	} {
		programs := script.NewPrograms()
		for range 2 {
			for _, text := range texts {
				if got, want := evaluateOnce(t, h, programs, text), evaluateOnce(t, h, nil, text); got != want {
					t.Errorf("%s answers %s, alone %s", text, got, want)
				}
			}
		}
	}
}

// What texts of one shape leave behind is one program, however many come.
func TestShapes_Bounded(t *testing.T) {
	h, programs := scripthost.New(t), script.NewPrograms()
	for i := range 1000 {
		if got, want := evaluateOnce(t, h, programs, fmt.Sprintf("x = [%d, 'a%d']; x.size() + %d", i, i, i)), fmt.Sprintf("%d:Integer", i+2); got != want {
			t.Fatal(got, want)
		}
	}
	if n := programs.Len(); n > 4 {
		t.Errorf("%d entries are kept of 1,000 texts of one shape", n)
	}
	for i := range 10_000 { // a literal that belongs to the program
		evaluateOnce(t, h, programs, fmt.Sprintf("x = [a%d: 1]; x.'a%d'", i, i))
	}
	if n := programs.Len(); n > 2*3*256 {
		t.Errorf("%d entries are kept", n)
	}
}

// FuzzShapes evaluates a text behind others of its shape: it answers as it does alone.
func FuzzShapes(f *testing.F) {
	for _, text := range []string{
		"x = [1, 'a']; x*.toString() + [b: 2.5, 'c': -3].'b'", "def y = 'q'; y['0' as int] + \"${y + 1}\" + 'z'.size()", "assert 1 == 2 : 'no'; 3",
		"for (i in 1..3) { x = { i + 1 }; y = i } ; x(5) - 1", "switch(2) { case 1: 'a'; break; default: 'b' }", "println 'a', 1; 'x'.&size",
		"new A('x', 1); System.exit(2)", "g.V(1).'out'(\"knows\").limit(1)", "f = { a, b = 2 -> a + b + 3 }; f(1) ?: 'n'",
		"'''a\n''' + '\\u0041' + 0x1F + 07 + 1e3 + .5", "x = 1\n-2", "[1, 2][-1..0] << 3",
	} {
		f.Add(text)
	}
	const patience = 5 * time.Second
	limits := machine.Limits{Steps: 10_000, Bytes: 1 << 20}
	answer := func(t *testing.T, programs *script.Programs, text string) string {
		s := script.NewSession(nil, machine.Options{Limits: limits})
		s.Programs, s.Once = programs, true
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		r, err := s.Eval(ctx, text, nil)
		if ctx.Err() != nil {
			t.Skip("it sleeps, or takes long")
		}
		if err != nil {
			return err.Error()
		}
		if r.Traversal != nil || r.Value.Kind() == value.KindForeign {
			return r.Value.Kind().String()
		}
		return lang.PrintValue(r.Value)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if writes.MatchString(text) || strings.Contains(text, "hash") || len(text) > 4096 {
			return
		}
		want := answer(t, nil, text)
		if want != answer(t, nil, text) {
			return // it answers at random
		}
		for _, other := range variants(text) {
			programs := script.NewPrograms()
			answer(t, programs, other)
			if got := answer(t, programs, text); got != want {
				t.Errorf("%q behind %q answers\n%s, alone\n%s", text, other, got, want)
			}
		}
	})
}

// Many evaluate texts of one shape at once, some of them new.
func TestShapes_AtOnce(t *testing.T) {
	programs := script.NewPrograms()
	var wait sync.WaitGroup
	for worker := range 4 {
		wait.Go(func() {
			for i := range 200 {
				s := script.NewSession(nil, machine.Options{})
				s.Programs, s.Once = programs, true
				n := 1000*worker + i
				r, err := s.Eval(t.Context(), fmt.Sprintf("x = [%d, 'a%d']; { it -> x[0] + it }(%d)", n, n, i%3), nil)
				if err != nil || r.Value.Int64() != int64(n+i%3) {
					t.Errorf("%d gives %v, %v", n, r.Value, err)
					return
				}
			}
		})
	}
	wait.Wait()
}
