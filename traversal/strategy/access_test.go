package strategy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// filters are the has() behind the V() of a traversal.
func filters(t *testing.T, text string) (all []traversal.Has) {
	t.Helper()
	for _, n := range compile(t, text, "").Nodes[1:] {
		all = append(all, n.Data.([]traversal.Has)...)
	}
	return all
}

// inside reports whether one of the intervals holds v.
func inside(ranges []blueprints.ValueRange, v value.Value) bool {
	return slices.ContainsFunc(ranges, func(r blueprints.ValueRange) bool {
		if r.Prefix != "" {
			return v.Kind() == value.KindString && strings.HasPrefix(v.Str(), r.Prefix)
		}
		for _, end := range []struct {
			at        value.Value
			has, open bool
			side      int // where v must not be
		}{{r.Min, r.HasMin, r.MinOpen, -1}, {r.Max, r.HasMax, r.MaxOpen, 1}} {
			c, comparable := value.Compare(v, end.at)
			if end.has && (!comparable || c == end.side || c == 0 && end.open) {
				return false
			}
		}
		return true
	})
}

// TestRanges: the intervals of a predicate hold what it lets through and nothing else; those
// of and() are its most selective operand's and may hold more.
func TestRanges(t *testing.T) {
	values := []value.Value{value.String(""), value.String("a"), value.String("ab"), value.String("b"), value.String("c"), value.Bool(true)}
	for i := range 16 {
		values = append(values, value.Int(int32(i/2)), value.Double(float64(i)/2))
	}
	scores := map[string]int{}
	for _, text := range []string{
		"eq(3)", "eq(2.5)", "gt(2)", "gte(2)", "lt(5)", "lte(5)", "between(1, 4)", "inside(1, 4)", "inside(4, 1)", `between("a", "b")`,
		`between(1, "b")`, "within(1, 3, 9)", `within(1, "b")`, "within([])", `gt("a")`, `startingWith("a")`,
		"gt(1).and(eq(3))", "eq(3).and(gt(1))", "lt(5).and(within(1, 7))", "within(1, 7).and(lt(5))",
		"gt(1).and(lt(5))", `startingWith("a").and(gt("a"))`, "neq(2).and(gt(3))", "gt(1).and(lt(6)).and(eq(4))",
	} {
		p := filters(t, fmt.Sprintf(`has("k", %s)`, text))[0].P
		test, err := p.Compile(nil)
		if err != nil {
			t.Fatal(err)
		}
		ranges, score := strategy.Ranges(p)
		scores[text] = score
		for _, v := range values {
			passes, err := test(v)
			if err != nil {
				t.Fatal(err)
			}
			if in := inside(ranges, v); score > 0 && in != passes && (passes || p.Name != "and") {
				t.Errorf("%s: %v passes: %v, and %v hold it: %v", text, v, passes, ranges, in)
			}
		}
	}
	for _, order := range [][]string{
		{"eq(3)", "within(1, 3, 9)", `startingWith("a")`, "gt(2)", `between(1, "b")`},
		{"gt(1).and(eq(3))", "lt(5).and(within(1, 7))", `startingWith("a").and(gt("a"))`, "neq(2).and(gt(3))"},
		{"eq(3).and(gt(1))", "within(1, 7).and(lt(5))", "gt(1).and(lt(5))"},
		{"gt(1).and(lt(6)).and(eq(4))", "gt(1).and(lt(5))"},
	} {
		for i, text := range order[1:] {
			if scores[text] >= scores[order[i]] {
				t.Errorf("%s is not more selective than %s", order[i], text)
			}
		}
	}
	for _, none := range []string{"neq(2)", "without(2)", "gt(1).or(lt(0))", "eq(NaN)", "gt(NaN)", "eq(null)", "within(1, null)", "inside(1, NaN)", `startingWith("")`, `endingWith("a")`} {
		if ranges, score := strategy.Ranges(filters(t, fmt.Sprintf(`has("k", %s)`, none))[0].P); score != 0 {
			t.Errorf("%s has the intervals %v", none, ranges)
		}
	}
}

// TestAccess: equality beats a range, more equalities beat fewer, a unique index of which all
// keys are given beats all, and all beat labels.
func TestAccess(t *testing.T) {
	declared := func(name string, unique bool, keys ...string) *blueprints.IndexDefinition {
		return &blueprints.IndexDefinition{Name: name, Kind: keyindex.Composite, Class: blueprints.VertexClass, Keys: keys, Unique: unique}
	}
	indexes := strategy.IndexedKeys{Vertex: []string{"key"}, Declared: []*blueprints.IndexDefinition{
		declared("a", false, "a"), declared("abc", false, "a", "b", "c"), declared("unique", true, "u", "w"), declared("u", false, "u"),
	}}
	for _, x := range []struct{ filters, first, second string }{
		{`has("a", 1)`, "a", ""},
		{`has("b", 1)`, "", ""},
		{`hasLabel("l").has("b", 1)`, "[l]", ""},
		{`hasLabel("l").has("a", gt(1))`, "a", ""},
		{`has("a", 1).has("b", 1)`, "abc", ""},
		{`has("a", gt(1)).has("key", 1)`, "key", "a"},
		{`has("a", 1).has("key", gt(1))`, "a", "key"},
		{`has("a", 1).has("b", 1).has("c", 1).has("key", 1)`, "abc", "key"},
		{`has("a", 1).has("b", 1).has("c", 1).has("key", 1).has("u", 1).has("w", 1)`, "unique", ""},
		{`has("a", 1).has("b", 1).has("u", 1).has("w", gt(1))`, "abc", "unique"},
		{`has("key", 1).has("u", 1).has("w", within(1, 2))`, "unique", "key"},
		{`has("a", 1).has("b", 1).has("u", gt(1)).has("w", 1)`, "abc", "u"},
	} {
		first, second := strategy.Access(indexes, false, filters(t, x.filters)), ""
		if first != nil && first.And != nil {
			second = named(first.And)
		}
		if named(first) != x.first || second != x.second {
			t.Errorf("%s: %q and %q, want %q and %q", x.filters, named(first), second, x.first, x.second)
		}
	}
}

// named is the name of what a choice walks.
func named(c *traversal.IndexChoice) string {
	switch {
	case c == nil:
		return ""
	case c.Declared != nil:
		return c.Declared.Name
	case len(c.Labels) > 0:
		return fmt.Sprint(c.Labels)
	}
	return c.Key
}

// TestRepeatUnroll_Limits: a repeat() is written out while its passes are at most 64, and the
// steps that they come to at most 1024.
func TestRepeatUnroll_Limits(t *testing.T) {
	for _, x := range []struct {
		hops, times int
		unrolled    bool
	}{{1, 0, false}, {1, 1, true}, {1, 64, true}, {1, 65, false}, {16, 64, true}, {17, 64, false}, {512, 2, true}, {513, 2, false}, {1025, 1, false}} {
		body := strings.TrimSuffix(strings.Repeat("out().", x.hops), ".")
		p, err := row{strategy: "RepeatUnrollStrategy", before: fmt.Sprintf("V().repeat(%s).times(%d)", body, x.times)}.apply(t)
		if err != nil {
			t.Fatal(err)
		}
		want, first := 2, "repeat"
		if x.unrolled {
			want, first = 1+x.times*x.hops, "out"
		}
		if len(p.Nodes) != want || p.Nodes[1].Name() != first {
			t.Errorf("%d times %d hops are %d steps, want %d", x.times, x.hops, len(p.Nodes), want)
		}
	}
}
