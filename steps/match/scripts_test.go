package match_test

import (
	"testing"

	"github.com/gremlind/gremlind/conformance/queryhost"
)

// Steps go through all rooms: each runs all scripts where it is tested alone.
func TestScripts(t *testing.T) { queryhost.RunAlone(t, "../testdata") }

func TestScripts_Faults(t *testing.T) { queryhost.FaultsAlone(t, "../testdata", queryhost.Uncached) }
