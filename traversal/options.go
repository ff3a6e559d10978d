package traversal

import (
	"slices"
	"strconv"

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
	// SourceOnly is set when it says nothing behind a step.
	SourceOnly bool
	// Holds says why what a source asks for is not so, nil when it can be.
	Holds func(tx *blueprints.Tx, v value.Value) error
}

// options are all there are. The features that blueprints has no name for are to come: a
// graph of this program has none of them. Whoever builds one gives blueprints its name, and
// the graph that has it is not refused any more.
var options = []Option{
	{Name: asOfOption, Feature: blueprints.History, Lacks: "keeps no history (setting: " + blueprints.OptionHistory + ")", SourceOnly: true},
	{Name: "ttl", Feature: blueprints.TTL, Lacks: "has nothing that expires (setting: ttl)", Holds: ttlOfNothing},
	{Name: "visibility", Feature: "visibility", Lacks: "shows everything to everybody (setting: visibility)"},
	{Name: "authorizations", Feature: "visibility", Lacks: "shows everything to everybody (setting: visibility)"},
	{Name: "hidden", Feature: "visibility", Lacks: "hides nothing (setting: visibility)"},
	{Name: "schema", Feature: blueprints.SchemaFeature, Lacks: "has no schema (call('gremlind.schema', [set: ...]) defines one)", Holds: atSchema},
}

// OptionNames are the names of all.
func OptionNames() []string {
	names := make([]string, len(options))
	for i := range options {
		names[i] = options[i].Name
	}
	return names
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
func (o *SourceOptions) Admit(tx *blueprints.Tx) error {
	if o == nil || len(o.needs) == 0 {
		return nil
	}
	have := tx.Options().Features()
	for _, n := range o.needs {
		if !slices.Contains(have, n.Feature) {
			return illegalArgument("graph %s %s: the option %s needs it", tx.Graph().Name(), n.Lacks, n.Name)
		}
		if v, said := o.With[n.Name]; said && n.Holds != nil {
			if err := n.Holds(tx, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// ttlOfNothing refuses a time that is said of no element: a traversal may write many things, and
// whoever forgets that would lose them.
func ttlOfNothing(*blueprints.Tx, value.Value) error {
	return illegalArgument("ttl belongs behind the step that writes, addV('x').with('ttl', 'PT30M'), and not to the source")
}

// atSchema holds a client to the version of the schema that it was written for.
func atSchema(tx *blueprints.Tx, v value.Value) error {
	s, err := tx.Schema()
	if err != nil {
		return err
	}
	if text := v.JavaString(); text != strconv.FormatInt(s.Version, 10) {
		return illegalArgument("the schema of graph %s is at version %d, the client expects %s", tx.Graph().Name(), s.Version, v.Brief())
	}
	return nil
}
