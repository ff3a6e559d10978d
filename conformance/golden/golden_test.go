package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDifference(t *testing.T) {
	for _, c := range []struct {
		want, got string
		line      int
		is, was   string
	}{
		{"a\nb\n", "a\nb\n", 0, "", ""},
		{"a\nb\n", "a\nc\n", 2, "c", "b"},
		{"a\n", "a\nb\n", 2, "b", ""},
		{"a\nb", "a", 2, "(the end)", "b"},
		{"", "a", 1, "a", ""},
	} {
		line, is, was, differ := difference(c.want, c.got)
		if line != c.line || is != c.is || was != c.was || differ != (c.want != c.got) {
			t.Errorf("%q and %q: line %d, %q and %q, %t", c.want, c.got, line, is, was, differ)
		}
	}
}

// told keeps what a test would have said.
type told struct {
	testing.TB
	errors int
}

func (x *told) Helper()               {}
func (x *told) Name() string          { return "TestIt" }
func (x *told) Error(...any)          { x.errors++ }
func (x *told) Errorf(string, ...any) { x.errors++ }

// A file that is not there or differs fails; -rewrite writes it, with its folder.
func TestCheck(t *testing.T) {
	file := filepath.Join(t.TempDir(), "folder", "file")
	x := &told{TB: t}
	was := flag.Lookup("rewrite").Value.String()
	defer flag.Set("rewrite", was)
	for i, step := range []struct {
		rewrite bool
		text    string
		errors  int
	}{{false, "a", 1}, {true, "a", 1}, {false, "a", 1}, {false, "b", 2}, {true, "b", 2}, {false, "b", 2}} {
		if err := flag.Set("rewrite", map[bool]string{true: "true", false: "false"}[step.rewrite]); err != nil {
			t.Fatal(err)
		}
		if Check(x, file, step.text); x.errors != step.errors {
			t.Errorf("step %d: %d errors, want %d", i, x.errors, step.errors)
		}
	}
	if text, err := os.ReadFile(file); err != nil || strings.TrimSpace(string(text)) != "b" {
		t.Errorf("%q, %v", text, err)
	}
	if err := flag.Set("rewrite", "false"); err != nil || Rewriting() {
		t.Error(err)
	}
	if Rewrite(t); !Rewriting() {
		t.Error("the flag is not set")
	}
}
