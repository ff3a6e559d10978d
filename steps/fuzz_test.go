package steps

import "testing"

// FuzzFormula looks for formulas that break the parser or its stack machine.
func FuzzFormula(f *testing.F) {
	for _, s := range []string{"_ + 1", "sin(a) ^ -2", "((1))", "cos _ * 2 - 3 % x", "1e5+.5", "-+-3", "π/2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := parseFormula(s)
		if err != nil {
			return
		}
		vars := make([]float64, len(p.names))
		if _, err := p.eval(vars, nil); err != nil && err != error(errDivision) {
			t.Errorf("%q: %v", s, err)
		}
	})
}

// FuzzNumber looks for texts that break asNumber().
func FuzzNumber(f *testing.F) {
	for _, s := range []string{"12", "-0x1F", "010", "1e-400", "1.5f", "99999999999999999999L", "+.5d", "5."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := parseNumber(s)
		if err == nil && !v.Kind().IsNumber() {
			t.Errorf("%q gives %s", s, v.Kind())
		}
	})
}
