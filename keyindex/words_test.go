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

// TestParseTerms: a query has 1 to 64 words, the last of which may be the beginning of others.
func TestParseTerms(t *testing.T) {
	many := func(n int) string { return strings.Repeat("w ", n) }
	for query, want := range map[string][]Term{
		"Tale":         {{"tale", false}},
		"two tal*":     {{"two", false}, {"tal", true}},
		"a-b* c":       {{"a", false}, {"b", true}, {"c", false}},
		"* x":          {{"x", false}},
		many(64):       slices.Repeat([]Term{{"w", false}}, 64),
		"":             nil,
		"* !":          nil,
		many(65):       nil,
		many(64) + "x": nil,
	} {
		got, err := ParseTerms(query)
		if !slices.Equal(got, want) || (err != nil) != (want == nil) || err != nil && !strings.HasPrefix(err.Error(), "a query has 1 to 64 words, not ") {
			t.Errorf("%q: %v, %v, want %v", query, got, err, want)
		}
	}
}
