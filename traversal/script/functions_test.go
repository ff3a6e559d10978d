package script_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/heap"
	"github.com/gremlind/gremlind/traversal/script"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

func define(t *testing.T, s machine.Scope, text string) error {
	t.Helper()
	_, err := script.NewSession(nil, machine.Options{Functions: s}).Eval(t.Context(), text, nil)
	return err
}

func has(t *testing.T, s machine.Scope, name string) bool {
	t.Helper()
	return define(t, s, name+"()") == nil
}

func TestFunctions_AreSeenByTheirOwnerAlone(t *testing.T) {
	fs := &machine.Functions{}
	mine, session, theirs := fs.Of("a"), fs.Session("a"), fs.Of("b")
	if err := define(t, mine, "def f() { 1 }"); err != nil {
		t.Fatal(err)
	}
	if err := define(t, session, "def inSession() { 1 }"); err != nil {
		t.Fatal(err)
	}
	if !has(t, mine, "f") || has(t, theirs, "f") || has(t, session, "f") || !has(t, session, "inSession") || has(t, mine, "inSession") {
		t.Error("a function is missing, or seen by another")
	}
	session.Forget()
	if has(t, session, "inSession") || !has(t, mine, "f") {
		t.Error("the session's are not what was forgotten")
	}
}

// TestFunctions_AreBounded floods as one user: another user's stay.
func TestFunctions_AreBounded(t *testing.T) {
	fs := &machine.Functions{Max: 64 << 10}
	quiet, loud := fs.Of("quiet"), fs.Of("loud")
	if err := define(t, quiet, "def mine() { 1 }"); err != nil {
		t.Fatal(err)
	}
	for i := range 1000 {
		if err := define(t, loud, fmt.Sprintf("def f%d() { 1 }", i)); err != nil {
			t.Fatal(err)
		}
		if i > 0 && !has(t, loud, "f0") { // used again and again
			t.Fatalf("f0 is forgotten with f%d", i)
		}
	}
	if !has(t, quiet, "mine") || has(t, loud, "f1") || !has(t, loud, "f999") {
		t.Error("the wrong functions were forgotten")
	}
	if err := define(t, loud, "def big() { '"+strings.Repeat("x", 64<<10)+"' }"); err == nil || !strings.Contains(err.Error(), "functionMemory") {
		t.Errorf("a function beyond the limit: %v", err)
	}
	if err := define(t, loud, "def small() { 1 }; '"+strings.Repeat("x", 64<<10)+"'"); err == nil || !strings.Contains(err.Error(), "functionMemory") {
		t.Errorf("a function that keeps a text beyond the limit: %v", err)
	}
}

// TestFunctions_TakeWhatIsSaid keeps large functions and looks at the heap.
func TestFunctions_TakeWhatIsSaid(t *testing.T) {
	const max = 8 << 20
	for name, body := range map[string]string{
		"statements": "x = 1; ", "lists": "[1,2,[3]];", "calls": "g.V().out();", "text": "'x';", "closures": "{it};", "numbers": "1\n",
	} {
		if err := define(t, (&machine.Functions{Max: max}).Of("a"), "def f() { "+body+" }"); err != nil {
			t.Fatal(err)
		}
		fs := &machine.Functions{Max: max}
		before := heap.InUse()
		for i := range 40 {
			if err := define(t, fs.Of("a"), fmt.Sprintf("def f%d() { %s }", i, strings.Repeat(body, 4000/len(body)))); err != nil {
				t.Fatal(err)
			}
		}
		if used := heap.InUse() - before; used > max {
			t.Errorf("%s: %d bytes are kept, functionMemory is %d", name, used, max)
		}
		runtime.KeepAlive(fs)
	}
}
