package traversal_test

import (
	"testing"

	"github.com/gremlind/gremlind/conformance/queryhost"
)

// What steps are asked goes through traversals.
func TestScripts(t *testing.T) { queryhost.RunAlone(t, "../steps/testdata") }

func TestScripts_Faults(t *testing.T) {
	queryhost.FaultsAlone(t, "../steps/testdata", queryhost.Uncached)
}
