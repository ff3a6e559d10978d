package script

import (
	"errors"
	"fmt"
	"testing"

	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// TestKept fills a session's variables: what they keep is charged, what is given up is
// given back, and what is too much is forgotten.
func TestKept(t *testing.T) {
	server := account.New(nil, "memory", account.Unlimited)
	kept := account.New(server, "sessionMemory", 1<<20)
	s := NewSession(nil, machine.Options{Kept: kept})
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
		{"m = []; 20000.times{ m << it }; 1", 20_000 * machine.ValueBytes, 600_000},
		{"m.clear(); a = 1", 0, 20_000},
		{"a = { def big = 'x' * 400000; { -> big } }()", 400_000, 420_000}, // what is around a closure
		{"a = a.curry('y' * 100000)", 500_000, 520_000},
		{"a = new StringBuilder('x' * 300000)", 300_000, 620_000},
		{"a = ('x' * 300000) =~ /y/", 300_000, 320_000},
		{"a = [:].withDefault { def big = 'x' * it; { -> big } }; a[300000]; 1", 300_000, 320_000},
		{"a = 1", 0, 20_000},
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

// TestMapKinds wants what is beside the entries of maps forgotten with the maps.
func TestMapKinds(t *testing.T) {
	s := NewSession(nil, machine.Options{Kept: account.New(nil, "sessionMemory", 1<<20)})
	for _, c := range []struct {
		text             string
		defaults, sorted int
	}{
		{"d = [:].withDefault { 1 }; 'x' * 2", 1, 0},
		{"t = new TreeMap(); f = { x -> { -> x } }(t); t.b = 1; t.a = 2", 1, 1},
		{"t = 1; 'x' * 2", 1, 1}, // f has it
		{"f().c = 3; f().keySet().join()", 1, 1},
		{"100.times { new TreeMap(); [:].withDefault { 2 } }", 1, 1},
		{"d = 1; f = 1; 'x' * 2", 0, 0},
	} {
		if _, err := s.Eval(t.Context(), c.text, nil); err != nil {
			t.Fatalf("%s: %v", c.text, err)
		}
		if d, o := len(s.Kinds.Defaults), len(s.Kinds.Sorted); d != c.defaults || o != c.sorted {
			t.Errorf("%s: %d maps with a default and %d sorted, want %d and %d", c.text, d, o, c.defaults, c.sorted)
		}
	}
}
