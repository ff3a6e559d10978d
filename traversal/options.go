package traversal

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// Option is a key of with() that asks something of the graph. On a source it is said to
// the whole traversal, behind a step that writes to what the step writes. A graph that
// lacks the feature refuses it: to go on as if nothing was said would answer something
// else than what was asked.
//
// All other keys are between a client, its driver and the endpoint (evaluationTimeout,
// batchSize and the like), or unknown, and ignored as in the reference: no plan knows them,
// so that requests that differ in nothing else have one plan.
type Option struct {
	Name string
	// Feature is what the graph has to use.
	Feature blueprints.Feature
	// Lacks says of a graph what it is like without, and how that is changed.
	Lacks string
}

// options are all there are. The features are those that are to come: a graph of this
// program has none of them. Whoever builds one gives blueprints its name, and the graph
// that has it is not refused any more.
var options = []Option{
	{"asOf", "history", "keeps no history (setting: history)"},
	{"ttl", "ttl", "has nothing that expires (setting: ttl)"},
	{"visibility", "visibility", "shows everything to everybody (setting: visibility)"},
	{"authorizations", "visibility", "shows everything to everybody (setting: visibility)"},
	{"hidden", "visibility", "hides nothing (setting: visibility)"},
	{"schema", "schema", "has no schema (setting: schema)"},
}

// IsOption reports whether with() of the key asks something of the graph, so that key and
// value belong to the plan.
func IsOption(key string) bool { return optionNamed(key) != nil }

func optionNamed(key string) *Option {
	for i := range options {
		if options[i].Name == key {
			return &options[i]
		}
	}
	return nil
}

// with takes note of what with(key, v) on a source asks of the graph, if it does.
func (o *SourceOptions) with(key, v value.Value) {
	if n := optionNamed(key.Str()); n != nil {
		if o.With == nil {
			o.With = map[string]value.Value{}
		}
		o.With[n.Name] = v
		o.need(n)
	}
}

// need takes note of an option that stands anywhere in the traversal.
func (o *SourceOptions) need(n *Option) {
	if !slices.Contains(o.needs, n) {
		o.needs = append(o.needs, n)
	}
}

// Admit refuses a traversal with an option that asks for what the graph does not have.
func (o *SourceOptions) Admit(g *blueprints.Graph) error {
	if o == nil || len(o.needs) == 0 {
		return nil
	}
	have := g.Options().Features()
	for _, n := range o.needs {
		if !slices.Contains(have, n.Feature) {
			return illegalArgument("graph %s %s: the option %s needs it", g.Name(), n.Lacks, n.Name)
		}
	}
	return nil
}
