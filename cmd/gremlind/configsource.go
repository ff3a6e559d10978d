package main

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/strategy"
)

var sourceKeys = []string{"graph", "with", "strategies"}

// source reads one entry of traversalSources: the name of a graph, or
// {graph: ..., with: {option: value}, strategies: [...]}.
func (f *configFile) source(name string, k, v *yaml.Node) error {
	if v.Kind == yaml.ScalarNode {
		f.c.Sources[name] = v.Value
		return nil
	}
	var config []traversal.Instruction
	err := f.each(v, "traversalSources."+name+".", func(_ string, key, v *yaml.Node) error {
		switch key.Value {
		case "graph":
			f.c.Sources[name] = v.Value
			return nil
		case "with":
			return f.each(v, "", func(option string, k, v *yaml.Node) error {
				in, err := f.sourceOption(name, option, k, v)
				config = append(config, in)
				return err
			})
		case "strategies":
			in, err := f.sourceStrategies(name, v)
			config = append(config, in...)
			return err
		}
		return usage("%s: traversalSources.%s: unknown key %s%s", f.at(key), name, key.Value, traversal.Suggestion(key.Value, "", sourceKeys))
	})
	if err != nil {
		return err
	}
	if f.c.Sources[name] == "" {
		return usage("%s: traversalSources.%s: graph is missing", f.at(k), name)
	}
	f.c.SourceConfig[name] = config
	return nil
}

// sourceOption is with() of an option that a source has.
func (f *configFile) sourceOption(name, option string, k, v *yaml.Node) (traversal.Instruction, error) {
	in := traversal.Instruction{Name: "with"}
	val, err := valueOfYAML(v)
	switch {
	case err != nil:
		return in, usage("%s: traversalSources.%s: %s: %s", f.at(k), name, option, err)
	case option == "evaluationTimeout":
		d, err := readDuration(v.Value)
		if err != nil || d == 0 {
			return in, usage("%s: traversalSources.%s: evaluationTimeout: %q is no time", f.at(k), name, v.Value)
		}
		val = value.Long(d.Milliseconds())
	case !traversal.IsOption(option):
		known := append(traversal.OptionNames(), "evaluationTimeout")
		return in, usage("%s: traversalSources.%s: there is no option %s%s", f.at(k), name, option, traversal.Suggestion(option, "", known))
	}
	in.Args = []value.Value{value.String(option), val}
	return in, nil
}

// sourceStrategies reads strategies as Gremlin writes them: ReadOnlyStrategy, new
// SubgraphStrategy(vertices: hasLabel('person')).
func (f *configFile) sourceStrategies(name string, v *yaml.Node) ([]traversal.Instruction, error) {
	list := []*yaml.Node{v}
	if v.Kind == yaml.SequenceNode {
		list = v.Content
	}
	var all []traversal.Instruction
	for _, n := range list {
		q, err := lang.Parse("g.withStrategies("+n.Value+")", lang.Options{Sources: func(name string) bool { return name == "g" }})
		if err != nil {
			return nil, usage("%s: traversalSources.%s: strategy %s: %s", f.at(n), name, strings.TrimSpace(n.Value), err)
		}
		s := q.Last()
		if len(q.Statements) != 1 || len(s.Bytecode.Source) != 1 || len(s.Bytecode.Steps) > 0 || s.Terminal != "" || s.Tx != "" {
			return nil, usage("%s: traversalSources.%s: %s is no strategy", f.at(n), name, n.Value)
		}
		for _, a := range s.Bytecode.Source[0].Args {
			spec, ok := a.Object().(*traversal.StrategySpec)
			if !ok || !strategy.Known(spec.SimpleName()) {
				return nil, usage("%s: traversalSources.%s: there is no strategy %s%s", f.at(n), name, n.Value, traversal.Suggestion(n.Value, "", strategy.Names()))
			}
		}
		all = append(all, s.Bytecode.Source...)
	}
	return all, nil
}
