package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// printed is what the suite prints for a scenario that passes, one that fails and
// one with an undefined step; two share a name.
const printed = "=== RUN   TestCucumberFeatures\n" +
	"\x1b[1;37mFeature:\x1b[0m Step - a()\n" +
	"=== RUN   TestCucumberFeatures/one\n\n" +
	"  \x1b[1;37mScenario:\x1b[0m one \x1b[1;30m# /f/map/A.feature:21\x1b[0m\n" +
	"    \x1b[32mGiven\x1b[0m \x1b[32mthe modern graph\x1b[0m \x1b[1;30m# x:1 -> y\x1b[0m\n" +
	"=== RUN   TestCucumberFeatures/one#01\n\n" +
	"  \x1b[1;37mScenario:\x1b[0m one \x1b[1;30m# /f/map/A.feature:35\x1b[0m\n" +
	"    \x1b[31mThen\x1b[0m \x1b[31mthe result should be ordered\x1b[0m\n" +
	"    \x1b[1;31mactual result does not match expected\nActual: [1]\nExpected: [2]\x1b[0m\nmore\n" +
	"=== RUN   TestCucumberFeatures/tree\n\n" +
	"  \x1b[1;37mScenario:\x1b[0m tree \x1b[1;30m# /f/B.feature:9\x1b[0m\n" +
	"    \x1b[33mThen\x1b[0m \x1b[33mthe result should be a tree\x1b[0m\n" +
	"--- FAIL: TestCucumberFeatures (1.0s)\n" +
	"    --- PASS: TestCucumberFeatures/one (0.00s)\n" +
	"    --- FAIL: TestCucumberFeatures/one#01 (0.00s)\n" +
	"    --- PASS: TestCucumberFeatures/tree (0.00s)\n"

func TestParse(t *testing.T) {
	got := parse([]byte(printed), "/f")
	want := []result{
		{file: "map/A.feature", name: "one", line: 21, status: passed},
		{file: "map/A.feature", name: "one", line: 35, status: failed, message: "actual result does not match expected Actual: [1] Expected: [2] "},
		{file: "B.feature", name: "tree", line: 9, status: undefined},
	}
	if len(got) != len(want) {
		t.Fatalf("got %d scenarios, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("scenario %d: got %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestRatchet(t *testing.T) {
	list := filepath.Join(t.TempDir(), "passed.txt")
	good := result{file: "A.feature", name: "a", line: 1, status: passed}
	bad := result{file: "A.feature", name: "b", line: 2, status: failed}
	if err := ratchet(io.Discard, list, []result{good, bad}, true); err != nil {
		t.Fatalf("a scenario that never passed may fail: %v", err)
	}
	if err := ratchet(io.Discard, list, nil, true); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(list); err != nil || strings.TrimSpace(string(b)) != good.key() {
		t.Fatalf("the list is %q, %v", b, err)
	}
	good.status = undefined
	if err := ratchet(io.Discard, list, []result{good}, true); err == nil || !strings.Contains(err.Error(), good.key()) {
		t.Errorf("a scenario that passed before does not any more, but: %v", err)
	}
}
