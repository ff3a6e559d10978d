package main

import "testing"

// TestMisses wants every listed statement to be one of those that are asked, and a
// thousand that are not listed.
func TestMisses(t *testing.T) {
	blocks, err := readBlocks("testdata/statements.txt")
	if err != nil {
		t.Fatal(err)
	}
	misses, err := readMisses()
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	for _, b := range blocks {
		for _, s := range b.statements {
			asked[key(b, s.text)] = true
		}
	}
	for k := range misses {
		if !asked[k] {
			t.Errorf("misses.tsv lists a statement that is not asked: %s", k)
		}
	}
	if n := len(asked) - len(misses); n < 1000 {
		t.Errorf("only %d statements are wanted as recorded", n)
	}
}

func TestSplit(t *testing.T) {
	got := split([]string{
		"g.V().has('name','a//b'). // a comment", "  out()  <1>", "g.E()", "", "x = [1,", "", "2]", "{ it", "}", ":exit",
	})
	want := []string{"g.V().has('name','a//b').\n  out()", "g.E()", "x = [1,\n2]", "{ it\n}"}
	if len(got) != len(want) {
		t.Fatalf("%d statements: %q", len(got), got)
	}
	for i, s := range got {
		if s.text != want[i] {
			t.Errorf("%q, not %q", s.text, want[i])
		}
	}
}
