package keyindex

import (
	"slices"
	"strings"
	"testing"
)

// TestEachWord holds what the words of a text are: what is on disk says so, too, so that a
// difference has to come with other UnicodeTables.
func TestEachWord(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "",
		"A Tale of Two Cities":   "a tale of two cities",
		"Café, CAFÉ; cafe\u0301": "cafe cafe cafe",
		"Straße STRASSE":         "strasse strasse",
		"don't 3.14 a-b":         "don't 3.14 a b",
		"東京":                     "東 京",
		"Ωμέγα ωμεγα":            "ωμεγα ωμεγα",
		"ﬁne ①":                  "fine 1",
		"\x00 a\x00b\xff":        "a b",
		"हिन्दी":                 "हिन्दी",
		strings.Repeat("é", 99):  strings.Repeat("e", 64),
		"!? -- \n":               "",
	} {
		var got []string
		EachWord(text, func(w string) bool { got = append(got, w); return true })
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if slices.ContainsFunc(got, func(w string) bool { return strings.ContainsRune(w, 0) || len(w) > wordBytes }) {
			t.Errorf("%q: %q", text, got)
		}
	}
}
