package methods_test

import (
	"testing"

	"github.com/gremlind/gremlind/conformance/scripthost"
)

// A script goes through all rooms: each runs all scripts.
func TestScripts(t *testing.T) { scripthost.Run(t, "../testdata") }
