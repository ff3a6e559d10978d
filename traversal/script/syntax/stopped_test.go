package syntax

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// TestStopped has the meter end each line of the test scripts behind each of its tokens: what is
// there then is the meter's error, whatever was being read.
func TestStopped(t *testing.T) {
	stops := 0
	for _, line := range testLines(t) {
		for k := 1; k < meteredTokens; k++ {
			p := newParser(&traversal.Meter{Account: account.New(nil, "queryMemory", 1)}, &machine.Source{Text: line}, nil, machine.Limits{Depth: 200})
			p.tokens = meteredTokens - k
			_, err := p.program(readScript)
			if p.stopped == nil {
				break
			}
			if stops++; !errors.Is(err, account.ErrLimit) {
				t.Fatalf("%s: behind %d tokens: %v", line, k, err)
			}
		}
	}
	if stops < 10_000 {
		t.Errorf("only %d stops", stops)
	}
}

// testLines are the lines of the scripts that the tests run, those that are no script too.
func testLines(t *testing.T) (lines []string) {
	files, err := filepath.Glob("../testdata/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, strings.Split(string(text), "\n")...)
	}
	return lines
}
