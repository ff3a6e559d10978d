package lang

import (
	"strings"
	"testing"
)

// TestEscape: what stands behind a backslash, which is something.
func TestEscape(t *testing.T) {
	for text, want := range map[string]string{`n`: "\n", `\`: `\`, `101`: "A", `u0041`: "A", `7x`: "\a"} {
		var b strings.Builder
		if n, err := escape(&b, text); err != nil || b.String() != want || n > len(text) {
			t.Errorf("%q: %q, %d bytes, %v", text, b.String(), n, err)
		}
	}
	for _, text := range []string{"", "q", "u", "u12", "u00zz"} {
		if n, err := escape(&strings.Builder{}, text); err == nil || n != 0 {
			t.Errorf("%q is read, %d bytes", text, n)
		}
	}
}

// TestReadDate reads dates with each part of each length.
func TestReadDate(t *testing.T) {
	digits := "123456789012"
	for _, y := range []int{0, 3, 4, 5, 9, 10} {
		for m := range 4 {
			for d := range 4 {
				for _, sign := range []string{"", "+", "-"} {
					_, _, _, ok := readDate(sign+digits[:y]+"-"+digits[:m]+"-"+digits[:d], true)
					if want := y >= 4 && y <= 9 && (y == 4 || sign != "") && m == 2 && d == 2; ok != want {
						t.Errorf("%s%d-%d-%d digits: %t", sign, y, m, d, ok)
					}
				}
			}
		}
	}
}
