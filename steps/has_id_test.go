package steps_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/conformance/queryhost"
)

// Ids that are looked up once let the same vertices through as the ids of all vertices
// that are compared with more than would be looked up.
func TestHasID_LookedUpOrCompared(t *testing.T) {
	g, err := queryhost.New(t).Get(t.Context(), "grateful")
	if err != nil {
		t.Fatal(err)
	}
	for _, ids := range []string{`1`, `1L`, `"1"`, `"01"`, `2,99`, `"2","99"`, `2,"2"`, `"x"`, `2,"x"`, `2.0d`, `2.5d`, `null`, `3000000000L`} {
		among := func(padding string) int64 {
			return longOf(t, g, fmt.Sprintf(`g.V().both().hasId(%s).count()`, ids+strings.Repeat(padding, 20)))
		}
		padding := `,9999`
		if strings.HasPrefix(ids, `"`) {
			padding = `,"9999"`
		}
		if got, want := among(``), among(padding); got != want {
			t.Errorf("hasId(%s): %d, want %d", ids, got, want)
		}
	}
	if n := longOf(t, g, `g.V().both().hasId(1L).count()`); n == 0 {
		t.Error("nothing is compared")
	}
}
