package keyindex_test

import (
	"testing"

	"github.com/gremlind/gremlind/conformance/indexhost"
)

// What indexes of every kind promise to graphs.
func TestDeclared(t *testing.T) { indexhost.Run(t) }
