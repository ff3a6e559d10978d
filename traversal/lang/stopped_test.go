package lang

import (
	"testing"

	"github.com/gremlind/gremlind/conformance/scriptfiles"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/traversal"
)

// TestStopped has the meter end each line of the test texts behind each of its tokens.
func TestStopped(t *testing.T) {
	scriptfiles.Stopped(t, "testdata", meteredTokens, 2_000, func(line string, tokens int) (bool, error) {
		meter := &traversal.Meter{Account: account.New(nil, "queryMemory", 1)}
		p := &parser{lexer: lexer{src: line}, o: Options{Limits: Limits{}.withDefaults(), Meter: meter}, tokens: meteredTokens - tokens}
		_, err := p.metered()
		return p.stopped != nil, err
	})
}
