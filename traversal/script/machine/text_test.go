package machine

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/value"
)

// TestClip: a short text is quoted whole, of a long one the most characters that have room.
func TestClip(t *testing.T) {
	for _, character := range []string{"x", "é", "語", "🂡"} {
		for before := range 4 {
			for n := range 2 * clipBytes {
				text := strings.Repeat("x", before) + strings.Repeat(character, n)
				got := Clip(text)
				if len(text) <= clipBytes {
					if got != text {
						t.Fatalf("%q: %q", text, got)
					}
					continue
				}
				begins, cut := strings.CutSuffix(got, "...")
				if !cut || !strings.HasPrefix(text, begins) || !utf8.ValidString(begins) || len(begins) > clipBytes || len(begins)+len(character) <= clipBytes {
					t.Fatalf("%q: %q", text, got)
				}
			}
		}
	}
}

// TestString_Charged: a text is charged with what it holds whenever it is looked at while it grows.
func TestString_Charged(t *testing.T) {
	p := &value.Path{}
	for i := range 5000 {
		p.Objects = append(p.Objects, value.String(fmt.Sprint("object ", i)))
		p.Labels = append(p.Labels, nil)
	}
	held := 0
	text := value.JavaText{Grown: func(n int) error { held = n; return nil }}
	want, err := text.Append(nil, p.Value())
	if err != nil {
		t.Fatal(err)
	}
	s := NewState(nil, Options{}, nil)
	m := s.Machine(t.Context())
	if got := m.String(p.Value()); got != string(want) || held == 0 || m.Bytes != int64(held) {
		t.Errorf("%d bytes are charged of %d, want %d", m.Bytes, len(got), held)
	}
}
