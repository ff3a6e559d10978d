package token

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// TestRevoked: a token counts until it stands in the list, by its id or by the time it was made.
func TestRevoked(t *testing.T) {
	k := newKeyring(t)
	o := k.options(t)
	o.RevokedFile = k.write(t, "revoked", []byte("# none yet\n"))
	v, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	made := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	ed := func(changes ...any) string { return sign(t, jose.EdDSA, k.ed, claims(changes...)) }
	one, other, old, timeless, eve := ed("jti", "a 7"), ed("jti", "8"), ed("iat", made.Unix()), ed("iat", nil), ed("sub", "eve", "iat", made.Unix())
	for _, step := range []struct {
		list string
		gone []string
	}{
		{"", nil},
		{"jti a 7\n\n  # ann's laptop\n", []string{one}},
		{"before 2026-01-01T00:00:00Z ann\n", []string{timeless}},
		{"before 2026-01-01T00:00:01Z ann\nbefore 2025-01-01T00:00:00Z ann\njti 8", []string{timeless, old, other}},
		{"before 2026-01-01T01:00:01+01:00 eve\n", []string{eve}},
	} {
		k.write(t, "revoked", []byte(step.list))
		if err := v.Reread(); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{one, other, old, timeless, eve} {
			_, _, err := v.Verify(text)
			gone := false
			for _, g := range step.gone {
				gone = gone || g == text
			}
			if gone != (errors.Is(err, ErrToken) && strings.Contains(err.Error(), "called back")) || !gone && err != nil {
				t.Errorf("%q: %v", step.list, err)
			}
		}
	}
	before := v.Changes()
	for _, bad := range []string{"7\n", "jti\n", "before now ann\n", "before 2026-01-01T00:00:00Z\n", "jti 1\nrevoke 2\n"} {
		k.write(t, "revoked", []byte(bad))
		if err := v.Reread(); err == nil || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, _, err := v.Verify(eve); err == nil || v.Changes() != before {
		t.Error("a bad list has taken the place of a good one")
	}
	if err := os.Remove(o.RevokedFile); err != nil {
		t.Fatal(err)
	}
	if _, err := New(o); err == nil {
		t.Error("a list that is not there")
	}
}

func FuzzParseRevoked(f *testing.F) {
	f.Add([]byte("jti 7\nbefore 2026-01-01T00:00:00Z ann\n# x"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if r, err := parseRevoked(b); (r == nil) == (err == nil) {
			t.Errorf("%v %v", r, err)
		}
	})
}
