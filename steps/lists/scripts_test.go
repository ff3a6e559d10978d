package lists_test

import (
	"testing"

	"github.com/gremlind/gremlind/conformance/queryhost"
)

// Steps go through all rooms: each runs all scripts.
func TestScripts(t *testing.T) { queryhost.Run(t, "../testdata") }
