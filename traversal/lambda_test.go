package traversal

import "testing"

func TestLambdaArity(t *testing.T) {
	for _, c := range []struct {
		script    string
		arguments int32
		want      int
	}{
		{"{ it.get() }", -1, 1}, {"it.get()", -1, 1}, {"{ a, b -> a <=> b }", -1, 2}, {"a,b -> a", -1, 2}, {"{ -> 5 }", -1, 0},
		{"(a, b) -> a", -1, 2}, {"x -> x", -1, 1}, {"{ it.collect{ a, b -> a } }", -1, 1}, {"{ x -> x }", 2, 2},
	} {
		if got := (&Lambda{Script: c.script, Arguments: c.arguments}).Arity(); got != c.want {
			t.Errorf("%s with %d arguments takes %d, not %d", c.script, c.arguments, got, c.want)
		}
	}
}
