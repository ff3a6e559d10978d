package syntax

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// TestShape_Of: texts have one shape where they differ in the values of literals alone, not in
// what else they say nor in the kinds of literals.
func TestShape_Of(t *testing.T) {
	many := func(n int) string { return "[" + strings.Repeat("7, ", n-1) + "7]" }
	of := map[string]string{} // key -> the group
	for group, texts := range map[string][]string{
		"none":        {"", ""},
		"sum":         {"1 + 2", "30 + 4000000000"},
		"difference":  {"1 - 2", "3 - 4"},
		"spaces":      {"1  - 2"},
		"decimals":    {"1.5 + 2", "1e3 + 3"},
		"texts":       {"'a' + \"b\"", "'' + 'it\\'s'", "'''x\ny''' + 'z'"},
		"comment":     {"1 - 2 // 3", "4 - 2 // 3"},
		"call":        {"g.V(1).has('age', 29L)", "g.V(25).has('name', 3)"},
		"names":       {"f(x)"},
		"other names": {"f(y)"},
		"eight":       {many(8), strings.ReplaceAll(many(8), "7", "11")},
		"nine":        {many(9), strings.ReplaceAll(many(9), "7", "11")},
		"most":        {many(literalsMax)},
	} {
		var key []byte
		for _, text := range texts {
			s := NewShape()
			if !s.Of(text) {
				t.Errorf("%s: %s has no shape", group, text)
				continue
			}
			if other, ok := of[string(s.Key)]; ok && other != group {
				t.Errorf("%s has the shape of %s", group, other)
			}
			if key == nil {
				key = bytes.Clone(s.Key)
			}
			of[string(s.Key)] = group
			if !bytes.Equal(key, s.Key) {
				t.Errorf("%s: %s has another shape than %s", group, text, texts[0])
			}
			checkLiterals(t, s, text)
		}
	}
	for _, text := range []string{"1 / 2", "/a/", ".5", "1 + .5", "x = 'a", "'\xff'", "1 ` 2", many(literalsMax + 1)} {
		if s := NewShape(); s.Of(text) {
			t.Errorf("%s has the shape %q", text, s.Key)
		}
	}
}

// checkLiterals reads each literal of a shape anew, alone, where it stands.
func checkLiterals(t *testing.T, s *Shape, text string) {
	t.Helper()
	behind := 0
	for i, v := range s.Literals {
		from, to := s.Starts[i], s.Ends[i]
		alone := NewShape()
		if from < behind || to <= from || !alone.Of(text[from:to]) || len(alone.Literals) != 1 || !value.Identical(alone.Literals[0], v) {
			t.Errorf("%s: literal %d, %v, is said to stand at %d to %d", text, i, v, from, to)
		}
		behind = to
	}
}

// TestInterpolated_Limit: a text that there is no memory for is an error where it is made, and not
// only at the end of the script.
func TestInterpolated_Limit(t *testing.T) {
	for text, fits := range map[string]bool{`"a${'b'}c"`: true, `"a${'` + strings.Repeat("b", 1000) + `'}c"`: false} {
		p, err := Parse(nil, text, machine.Limits{}.WithDefaults())
		if err != nil {
			t.Fatal(err)
		}
		s := machine.NewState(nil, machine.Options{Limits: machine.Limits{Bytes: 500}}, nil)
		v, _, err := p.Body(machine.NewFrame(s.Machine(t.Context()), nil, p.Scope))
		if fits && (err != nil || v.Str() != "abc") || !fits && !errors.Is(err, machine.ErrLimit) {
			t.Errorf("%.10s..: %v, %v", text, v, err)
		}
	}
}
