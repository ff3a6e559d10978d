// Package golden compares what tests make with files of the tree: testdata, and pages of the
// documentation that are made from the code.
//
//	go test ./the/package -rewrite
//
// writes these files anew, as it does datadriven's, whose flag it is: read the diff.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	// The flag belongs to it.
	_ "github.com/cockroachdb/datadriven"
)

// Rewriting reports whether -rewrite was given.
func Rewriting() bool { return flag.Lookup("rewrite").Value.String() == "true" }

// Rewrite sets -rewrite, for tests that have a flag of their own which means it too.
func Rewrite(t testing.TB) {
	t.Helper()
	if err := flag.Set("rewrite", "true"); err != nil {
		t.Fatal(err)
	}
}

// Check fails the test where a file has not the text got, and says in which line; with
// -rewrite it writes the file.
func Check(t testing.TB, file, got string) {
	t.Helper()
	Write(t, file, got)
	want, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
		return
	}
	if line, is, was, differ := difference(string(want), got); differ {
		t.Errorf("%s:%d: want\n%s\ngot\n%s\nwhat else differs shows go test -run '^%s$' -rewrite", file, line, was, is, t.Name())
	}
}

// Write writes a file with -rewrite, and does nothing without.
func Write(t testing.TB, file, text string) {
	t.Helper()
	if !Rewriting() {
		return
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// difference is the first line, from 1 on, in which texts differ.
func difference(want, got string) (line int, is, was string, differ bool) {
	if want == got {
		return 0, "", "", false
	}
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for line < len(a) && line < len(b) && a[line] == b[line] {
		line++
	}
	at := func(lines []string) string {
		if line < len(lines) {
			return lines[line]
		}
		return "(the end)"
	}
	return line + 1, at(b), at(a), true
}
