package steps

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// A number in any notation is what it is, and ends where an operator begins.
func TestFormula_Numbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := math.Abs(rapid.Float64().Draw(t, "number"))
		notation := rapid.SampledFrom([]byte("eEfgG")).Draw(t, "notation")
		text := strconv.FormatFloat(x, notation, -1, 64)
		for formula, want := range map[string]float64{
			text: x, text + "+1": x + 1, text + "-1": x - 1, text + "*" + text: x * x, "-" + text: -x,
		} {
			f, err := parseFormula(formula)
			if err != nil {
				t.Fatalf("%s: %v", formula, err)
			}
			if got, err := f.eval(nil, nil); err != nil || got != want {
				t.Fatalf("%s is %v (%v), want %v", formula, got, err, want)
			}
		}
	})
}
