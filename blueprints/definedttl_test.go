package blueprints_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
)

// TestDefine_TTL: definitions that say nothing but how long a label's elements are there have things
// expire; what is said twice is said once, and another time is refused.
func TestDefine_TTL(t *testing.T) {
	g := newGraph(t, blueprints.Options{})
	define := func(class, ttl string) error {
		return g.Define(ctx, &blueprints.Definitions{TTL: []blueprints.DefinedTTL{{Class: class, Label: "saw", TTL: ttl}}})
	}
	for range 2 {
		if err := define("edge", "PT1H"); err != nil {
			t.Fatal(err)
		}
	}
	ttls, err := g.LabelTTLs(ctx, blueprints.EdgeClass)
	if err != nil || !g.Uses(blueprints.TTL) || len(ttls) != 1 || ttls["saw"] != time.Hour {
		t.Error(ttls, err)
	}
	if err := define("edge", "PT2H"); err == nil || !strings.Contains(err.Error(), "the graph has another one for label saw of edge: PT1H") {
		t.Error(err)
	}
	if err := define("vertex", "soon"); err == nil || !strings.HasPrefix(err.Error(), "label saw: ") {
		t.Error(err)
	}
	if err := define("label", "PT1H"); err == nil {
		t.Error("there are elements of a third class")
	}
	if ttls, err = g.LabelTTLs(ctx, blueprints.EdgeClass); err != nil || ttls["saw"] != time.Hour {
		t.Error(ttls, err)
	}
}
