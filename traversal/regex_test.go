package traversal

import (
	"strings"
	"testing"
)

// TestRegex_Bound: what a pattern comes to when its repetitions are written out is
// bounded, not only its length.
func TestRegex_Bound(t *testing.T) {
	for pattern, ok := range map[string]bool{
		"^ma.*o$": true, "a{1000}": true, "(": false,
		strings.Repeat("a{1000}", 200):  false,
		strings.Repeat("x", regexMax+1): false,
	} {
		if _, err := compileRegex(pattern); (err == nil) != ok {
			t.Errorf("%.20s: %v", pattern, err)
		}
	}
}
