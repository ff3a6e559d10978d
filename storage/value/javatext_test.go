package value_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/storage/value"
)

// TestJavaText_Bounds: lists that show one long text again and again end soon after
// Grown says so, and properties look only at the beginning of what they show.
func TestJavaText_Bounds(t *testing.T) {
	long := value.String(strings.Repeat("x", 10_000))
	v := long
	for range 4 {
		elems := make([]value.Value, 100)
		for i := range elems {
			elems[i] = v
		}
		v = value.List(elems)
	}
	m := value.NewMap()
	m.PutString("k", v)
	full := errors.New("full")
	for _, v := range []value.Value{v, m.Value()} {
		text := value.JavaText{Grown: func(n int) error {
			if n > 1<<20 {
				return full
			}
			return nil
		}}
		b, err := text.Append(nil, v)
		if !errors.Is(err, full) || len(b) > 2<<20 {
			t.Errorf("%d bytes: %v, want an end soon after 1 MiB", len(b), err)
		}
	}
	p := value.OfProperty(&value.Property{Key: "k", Value: v})
	if got, want := p.JavaString(), "p[k->[[[["+strings.Repeat("x", 13)+"...]"; got != want {
		t.Errorf("got %.100s, want %s", got, want)
	}
}
