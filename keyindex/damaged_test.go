package keyindex

import (
	"errors"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/storage"
)

// TestDamaged: what is damaged is told as such, with what was found.
func TestDamaged(t *testing.T) {
	if damaged(nil) != nil {
		t.Error("nothing is damaged")
	}
	found := errors.New("found")
	if err := damaged(found); !errors.Is(err, storage.ErrCorrupt) || !errors.Is(err, found) || !strings.HasSuffix(err.Error(), "found") {
		t.Error(err)
	}
	if err := unknownState(&Definition{Name: "people", State: "ASLEEP"}); !errors.Is(err, storage.ErrCorrupt) || !strings.HasPrefix(err.Error(), `index "people" has unknown state "ASLEEP": `) {
		t.Error(err)
	}
}

// TestGrams: a text can be looked up that has three bytes in a row of which none is 0.
func TestGrams(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "ab": false, "abc": true, "ab\x00": false, "\x00ab": false, "a\x00b": false, "ab\x00cd": false, "ab\x00cde": true, "é1": true,
	} {
		if got := Grams(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
