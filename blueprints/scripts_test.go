package blueprints_test

import (
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/conformance/queryhost"
)

// What steps are asked is asked of graphs.
func TestScripts(t *testing.T) {
	if raced.Detector() { // one behind the other, as where the steps are
		return
	}
	queryhost.RunAlone(t, "../steps/testdata")
}

func TestScripts_Faults(t *testing.T) {
	if raced.Detector() {
		return
	}
	queryhost.FaultsAlone(t, "../steps/testdata", queryhost.Uncached, queryhost.Cached)
}
