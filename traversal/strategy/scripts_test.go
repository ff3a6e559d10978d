package strategy_test

import (
	"testing"

	"github.com/gremlind/gremlind/conformance/queryhost"
)

// What steps are asked goes through strategies.
func TestScripts(t *testing.T) { queryhost.RunAlone(t, "../../steps/testdata") }

func TestScripts_Plans(t *testing.T) { queryhost.Plans(t, "../../steps/testdata", "testdata/plans") }
