package lang

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/traversal"
)

// TestStopped has the meter end each line of the test texts behind each of its tokens: what is
// there then is the meter's error, whatever was being read.
func TestStopped(t *testing.T) {
	stops := 0
	for _, line := range testLines(t) {
		for k := 1; k < meteredTokens; k++ {
			p := &parser{lexer: lexer{src: line}, o: Options{Limits: Limits{}.withDefaults(), Meter: &traversal.Meter{Account: account.New(nil, "queryMemory", 1)}}}
			p.tokens = meteredTokens - k
			_, err := p.metered()
			if p.stopped == nil {
				break
			}
			if stops++; !errors.Is(err, account.ErrLimit) {
				t.Fatalf("%s: behind %d tokens: %v", line, k, err)
			}
		}
	}
	if stops < 2_000 {
		t.Errorf("only %d stops", stops)
	}
}

// testLines are the lines of the texts that the tests read, those that are none too.
func testLines(t *testing.T) (lines []string) {
	files, err := filepath.Glob("testdata/*")
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
