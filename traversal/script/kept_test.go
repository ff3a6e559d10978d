package script

import (
	"errors"
	"fmt"
	"testing"

	"github.com/gremlind/gremlind/storage/account"
)

// TestKept fills a session's variables: what they keep is charged, what is given up is
// given back, and what is too much is forgotten.
func TestKept(t *testing.T) {
	server := account.New(nil, "memory", account.Unlimited)
	kept := account.New(server, "sessionMemory", 1<<20)
	s := NewSession(nil, Options{Kept: kept})
	run := func(text string) error {
		_, err := s.Eval(t.Context(), text, nil)
		return err
	}
	within := func(what string, min, max int64) {
		t.Helper()
		if used := kept.Used(); used < min || used > max {
			t.Errorf("%s: %d bytes kept, want %d to %d", what, used, min, max)
		}
	}
	for _, c := range []struct {
		text     string
		min, max int64
	}{
		{"a = 'x' * 400000", 400_000, 401_000},
		{"b = a", 400_000, 402_000}, // one text
		{"b = a + 'y'", 800_000, 802_000},
		{"a = 1; b = 2", 0, 2000},
		{"l = [1]; 60.times{ l = [l, l] }; 1", 1000, 20_000}, // one list at each level
		{"m = []; 20000.times{ m << it }; 1", 20_000 * valueBytes, 600_000},
		{"m.clear(); a = 1", 0, 20_000},
	} {
		if err := run(c.text); err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
		within(c.text, c.min, c.max)
	}
	for i := range 20 {
		err := run(fmt.Sprintf("v%d = 'z' * 150000", i))
		if i >= 7 && !errors.Is(err, account.ErrLimit) {
			t.Errorf("variable %d: %v", i, err)
		}
		within("many", 0, 1<<20)
	}
	if err := run("a + 1"); err != nil {
		t.Errorf("a small variable is there still: %v", err)
	}
	kept.Clear()
	if used := server.Used(); used != 0 {
		t.Errorf("%d bytes left", used)
	}
}
