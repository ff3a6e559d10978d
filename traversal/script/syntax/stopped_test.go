package syntax

import (
	"testing"

	"github.com/gremlind/gremlind/conformance/scriptfiles"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// TestStopped has the meter end each line of the test scripts behind each of its tokens.
func TestStopped(t *testing.T) {
	scriptfiles.Stopped(t, "../testdata", meteredTokens, 10_000, func(line string, tokens int) (bool, error) {
		meter := &traversal.Meter{Account: account.New(nil, "queryMemory", 1)}
		p := newParser(meter, &machine.Source{Text: line}, nil, machine.Limits{Depth: 200})
		p.tokens = meteredTokens - tokens
		_, err := p.program(readScript)
		return p.stopped != nil, err
	})
}
