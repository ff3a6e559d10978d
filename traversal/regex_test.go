package traversal

import (
	"strings"
	"testing"

	"github.com/gremlind/gremlind/storage/value"
)

// TestRegex_Bound: what a pattern comes to when its repetitions are written out is
// bounded, not only its length.
func TestRegex_Bound(t *testing.T) {
	for pattern, ok := range map[string]bool{
		"^ma.*o$": true, "a{1000}": true, "(": false,
		strings.Repeat("a{1000}", 200):  false,
		strings.Repeat("x", regexMax+1): false,
	} {
		if _, err := NewRegex(nil, pattern); (err == nil) != ok {
			t.Errorf("%.20s: %v", pattern, err)
		}
	}
}

// TestRegex_Search: a text is bounded by the pattern that looks through it, and what is
// looked through counts as work before it is done.
func TestRegex_Search(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	for pattern, most := range map[string]int{"a": 1 << 40, "(a|b)*c": 1 << 22, "(a?){1000}b": 1 << 14} {
		w := &work{}
		x, err := NewRegex(w, pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{100, len(long)} {
			w.done = 0
			_, err := x.Finds(long[:n])
			if (err == nil) != (n <= most) {
				t.Errorf("%s in %d bytes: %v", pattern, n, err)
			}
			if err == nil && w.done < n {
				t.Errorf("%s in %d bytes: %d bytes of work", pattern, n, w.done)
			}
		}
	}
}

// work counts, and has enough after some.
type work struct{ done, most int }

func (w *work) Work(bytes int) error {
	if w.done += bytes; w.most > 0 && w.done > w.most {
		return ErrTimeout
	}
	return nil
}

// TestCompile_Works: predicates of great size, and texts of great size, count as work.
func TestCompile_Works(t *testing.T) {
	many := make([]value.Value, 100_000)
	for i := range many {
		many[i] = value.Double(float64(i))
	}
	list, text := value.List(many), value.String(strings.Repeat("a", 1<<20))
	for _, p := range []*P{
		{Name: "eq", Args: []value.Value{list}}, {Name: "gt", Args: []value.Value{list}}, {Name: "within", Args: many},
		{Name: "between", Args: []value.Value{list, list}}, {Name: "eq", Args: []value.Value{text}},
		{Name: "containing", Text: true, Args: []value.Value{value.String("b")}}, {Name: "regex", Text: true, Args: []value.Value{value.String("b+")}},
		{Name: "not", Args: []value.Value{(&P{Name: "eq", Args: []value.Value{list}}).Value()}},
	} {
		w := &work{most: 1 << 24}
		test, err := p.Compile(w)
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; err == nil; n++ {
			if _, err = test(text); n == 1000 {
				t.Errorf("P.%s: %d bytes of work after %d evaluations", p.Name, w.done, n)
				break
			}
		}
	}
}
