package plancache_test

import (
	"testing"

	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/plancache"
)

// withStrategy is the traversal V(id).values("age") of a source with one strategy.
func withStrategy(class string, id int32, config ...value.Value) *traversal.Bytecode {
	spec := &traversal.StrategySpec{Class: "org.apache.tinkerpop." + class}
	if len(config) > 0 {
		spec.Config = value.NewMap()
	}
	for i := 0; i < len(config); i += 2 {
		spec.Config.Put(config[i], config[i+1])
	}
	return &traversal.Bytecode{
		Source: []traversal.Instruction{{Name: "withStrategies", Args: []value.Value{value.Object(value.KindStrategy, spec)}}},
		Steps: []traversal.Instruction{{Name: "V", Args: []value.Value{value.Int(id)}},
			{Name: "values", Args: []value.Value{value.String("age")}}},
	}
}

// TestCache_Options: what with() says to the endpoint makes no other plan, in either form
// that drivers send it in; what it asks of the graph does.
func TestCache_Options(t *testing.T) {
	text := value.String
	for _, c := range []struct {
		name   string
		of     func(i int32) *traversal.Bytecode
		cached bool
	}{
		{"timeout", func(i int32) *traversal.Bytecode {
			return withStrategy("OptionsStrategy", i, text("evaluationTimeout"), value.Long(int64(i)))
		}, true},
		{"several, of any kind", func(i int32) *traversal.Bytecode {
			return withStrategy("OptionsStrategy", i, text("userAgent"), text("x"), text("tags"), value.List([]value.Value{value.Int(i)}))
		}, true},
		{"text", func(i int32) *traversal.Bytecode {
			b := parse(t, `g.with("evaluationTimeout", 7).V(1).values("age")`)
			b.Source[0].Args[1], b.Steps[0].Args[0] = value.Int(i), value.Int(i)
			return b
		}, true},
		{"of the graph", func(i int32) *traversal.Bytecode {
			return withStrategy("OptionsStrategy", i, text("asOf"), value.Long(5))
		}, true},
		{"of the graph, each another", func(i int32) *traversal.Bytecode {
			return withStrategy("OptionsStrategy", i, text("asOf"), value.Long(int64(i)))
		}, false},
		{"without configuration", func(i int32) *traversal.Bytecode { return withStrategy("ReadOnlyStrategy", i) }, true},
		{"with another's configuration", func(i int32) *traversal.Bytecode {
			return withStrategy("SeedStrategy", i, text("seed"), value.Long(int64(i)))
		}, false},
	} {
		cache := plancache.New(steps.Registry())
		for i := range int32(5) {
			got, hit := plan(t, cache, c.of(i), indexes)
			if want := fresh(t, c.of(i)); !plancache.SamePlan(got, want) {
				t.Errorf("%s: %v, want %v", c.name, got, want)
			}
			if want := c.cached && i >= 2; hit != want {
				t.Errorf("%s, time %d: cached %v, want %v", c.name, i, hit, want)
			}
		}
	}
}

// TestCache_OptionsTellPlansApart: a plan for one value of what changes the view is not
// that for another, nor that without.
func TestCache_OptionsTellPlansApart(t *testing.T) {
	cache := plancache.New(steps.Registry())
	for range 3 {
		for _, at := range []value.Value{value.Long(5), value.Long(6), value.Int(5), value.String("5"), value.Null} {
			got, _ := plan(t, cache, withStrategy("OptionsStrategy", 1, value.String("asOf"), at), indexes)
			if have := got.Options.With["asOf"]; !value.Identical(have, at) {
				t.Errorf("as of %v the plan has %v", at, have)
			}
		}
		got, _ := plan(t, cache, withStrategy("OptionsStrategy", 1, value.String("evaluationTimeout"), value.Long(5)), indexes)
		if len(got.Options.With) != 0 {
			t.Errorf("a timeout is part of the plan: %v", got.Options.With)
		}
	}
}
