package machine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestFunctions defines, calls and forgets at random: what is kept is what its owner defined last,
// no other owner's, never more than allowed, and counted as it is.
func TestFunctions(t *testing.T) {
	const most = 20_000
	r := rand.New(rand.NewPCG(1, 2))
	fs := &Functions{Max: most}
	owners := []Scope{fs.Of("a"), fs.Of("b"), fs.Session("a"), fs.Session("b")}
	last := make([]map[string]*Function, len(owners))
	for i := range last {
		last[i] = map[string]*Function{}
	}
	for range 3000 {
		i := r.IntN(len(owners))
		name := fmt.Sprint("f", r.IntN(4))
		switch r.IntN(20) {
		case 0:
			owners[i].Forget()
			if owners[i].session != 0 {
				clear(last[i])
			}
		default:
			fn := &Function{Name: name, Text: strings.Repeat("x", r.IntN(30)), Source: r.IntN(500)}
			if err := owners[i].define(name, fn); err != nil {
				t.Fatal(err)
			}
			last[i][name] = fn
			if owners[i].Lookup(name) != fn {
				t.Fatal("what was defined last is not there")
			}
		}
		for i, s := range owners {
			for _, fn := range s.All() {
				if last[i][fn.Name] != fn || s.Lookup(fn.Name) != fn {
					t.Fatalf("owner %d has a function that he did not define last", i)
				}
			}
		}
		checkKept(t, fs, most)
	}
}

// checkKept counts what is kept anew.
func checkKept(t *testing.T, fs *Functions, most int64) {
	t.Helper()
	all := int64(0)
	for user, u := range fs.users {
		of := int64(0)
		for _, k := range u.byName {
			of += k.fn.bytes()
		}
		if of != u.bytes || of == 0 {
			t.Fatalf("the functions of %s take %d bytes, not %d", user, of, u.bytes)
		}
		all += of
	}
	if all != fs.bytes || all > most {
		t.Fatalf("all take %d bytes, not %d of %d", all, fs.bytes, most)
	}
}

// TestFunctions_Evict: beyond the limit, the one goes that was used least recently, of who holds
// most.
func TestFunctions_Evict(t *testing.T) {
	one := (&Function{}).bytes()
	fs := &Functions{Max: 4 * one}
	a, b := fs.Of("a"), fs.Of("b")
	must := func(s Scope, name string) {
		t.Helper()
		if err := s.define(name, &Function{Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	must(b, "f")
	for _, name := range []string{"f", "g", "h"} {
		must(a, name)
	}
	a.Lookup("f")
	must(b, "g")
	names := func(s Scope) string {
		var all []string
		for _, fn := range s.All() {
			all = append(all, fn.Name)
		}
		slices.Sort(all)
		return strings.Join(all, " ")
	}
	if names(a) != "f h" || names(b) != "f g" {
		t.Errorf("a has %s, b has %s", names(a), names(b))
	}
}
