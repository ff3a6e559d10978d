package assist

import (
	"strings"
	"testing"

	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/traversal"
)

// writing are uses of every step that can do more than read.
var writing = map[string][]string{
	"addV":     {"addV()", "addV('a')"},
	"addE":     {"addE('a').from(__.V()).to(__.V())", "addE('a').to(__.V(1))"},
	"drop":     {"drop()"},
	"property": {"property('a', 1)", "property(single, 'a', 1)", "property([a: 1])"},
	"mergeV":   {"mergeV([a: 1])", "mergeV([a: 1]).option(Merge.onCreate, [b: 1])"},
	"mergeE":   {"mergeE([(T.label): 'a'])"},
	"io":       {"io('a').read()", "io('a').write()"},
	"call": {
		"call('gremlind.index.createKey', [class: 'vertex', key: 'a'])", "call('gremlind.index.dropKey', [class: 'vertex', key: 'a'])",
		"call('gremlind.schema', [set: [vertex: 'a']])", "call('gremlind.schema', [drop: [vertex: 'a'], dryRun: false])", "call('gremlind.schema').with('set', [vertex: 'a'])",
		"call('gremlind.schema', __.project('set').by(__.constant([vertex: 'a'])))", "call('gremlind.feature', [off: 'schema'])",
		"call('unknown')", "call('unknown', [a: 1])",
	},
}

// TestReadOnly_Writes refuses whatever can do more than read, wherever it stands.
func TestReadOnly_Writes(t *testing.T) {
	for _, name := range steps.Registry().Names() {
		spec, _ := steps.Registry().Lookup(name)
		if spec.Effects&forbidden != 0 && writing[name] == nil {
			t.Errorf("%s() can do more than read, and is not tried here", name)
		}
	}
	tried := 0
	for name, uses := range writing {
		spec, _ := steps.Registry().Lookup(name)
		for _, use := range uses {
			var texts []string
			if spec.Start {
				texts = append(texts, "g."+use)
			}
			if name != "io" {
				child := "__.V()." + use
				texts = append(texts, "g.V()."+use, "g.inject(1).map("+child+")", "g.V().group().by("+child+")", "g.V().choose(__.hasLabel('a'), "+child+")",
					"g.V().repeat("+child+").times(2)", "g.V().where(__.not("+child+"))", "g.V().order().by("+child+")", "g.V().match(__.as('a')."+use+".as('b'))",
					"g.withStrategies(SubgraphStrategy(vertices: "+child+")).V()", "g.withoutStrategies(ReadOnlyStrategy).V()."+use,
					"g.withStrategies(SubgraphStrategy(edges: __.map(__.union("+child+")))).V()")
			}
			for _, text := range texts {
				tried++
				q, err := parse(text, nil)
				if err != nil {
					continue // the grammar has no such use of it
				}
				if r, err := q.readOnly(); err == nil {
					t.Errorf("%s is sent as %s", text, r.text())
				} else if !strings.Contains(err.Error(), "may do more than read") {
					t.Logf("%s: %v", text, err)
				}
			}
		}
	}
	if tried < 100 {
		t.Errorf("only %d were tried", tried)
	}
}

// TestReadOnly_Reads lets reading through, and has the server see to it as well.
func TestReadOnly_Reads(t *testing.T) {
	for text, want := range map[string]string{
		"g.V().out('knows').values('name')":         "g.withStrategies(ReadOnlyStrategy).V().out('knows').values('name')",
		"g.V().toList()":                            "g.withStrategies(ReadOnlyStrategy).V()",
		"g.V().next()":                              "g.withStrategies(ReadOnlyStrategy).V().limit(1l)",
		"g.V().next(3)":                             "g.withStrategies(ReadOnlyStrategy).V().limit(3l)",
		"g.withoutStrategies(ReadOnlyStrategy).V()": "g.withoutStrategies(ReadOnlyStrategy).withStrategies(ReadOnlyStrategy).V()",
		"g.call('gremlind.schema', [get: true])":    "g.withStrategies(ReadOnlyStrategy).call('gremlind.schema', ",
		"g.call('gremlind.schema', [set: [vertex: 'a'], dryRun: true])": "g.withStrategies(ReadOnlyStrategy).call('gremlind.schema', ",
		"g.call('gremlind.names')":                                      "g.withStrategies(ReadOnlyStrategy).call('gremlind.names')",
		"other.V().profile()":                                           "g.withStrategies(ReadOnlyStrategy).V().profile()",
		"g.withSack(1).V().sack()":                                      "g.withSack(1).withStrategies(ReadOnlyStrategy).V().sack()",
		"g.V().has('name', \"a';System.exit(0);'${1+1}\")":              "g.withStrategies(ReadOnlyStrategy).V().has('name', ",
		"g.withStrategies(SubgraphStrategy(vertices: __.has('a')))":     "",
	} {
		q, err := parse(text, nil)
		if err == nil {
			q, err = q.readOnly()
		}
		if want == "" {
			if err == nil {
				t.Errorf("%s is sent", text)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := q.text()
		if !strings.HasPrefix(strings.ReplaceAll(got, `"`, "'"), want) {
			t.Errorf("%s is sent as %s", text, got)
		}
		again, err := parse(got, nil)
		if err != nil || again.text() != got {
			t.Errorf("%s is sent as %s, which reads as something else: %v", text, got, err)
		}
		last := again.code.Source[len(again.code.Source)-1]
		if s, ok := last.Args[0].Object().(*traversal.StrategySpec); !ok || s.SimpleName() != readOnlyStrategy {
			t.Errorf("%s is sent as %s", text, got)
		}
	}
}

// FuzzReadOnly looks for a text that is read one way here and another way where it is sent.
func FuzzReadOnly(f *testing.F) {
	for _, uses := range writing {
		for _, use := range uses {
			f.Add("g.V()." + use)
		}
	}
	f.Add("g.V().has('a', \"\\u0027$\\\\\").math('_ + 1').next()")
	f.Fuzz(func(t *testing.T, text string) {
		q, err := parse(text, nil)
		if err != nil {
			return
		}
		r, err := q.readOnly()
		if err != nil {
			return
		}
		again, err := parse(r.text(), nil)
		if err != nil {
			t.Fatalf("%q is sent as %q: %v", text, r.text(), err)
		}
		if _, err := again.readOnly(); err != nil || again.text() != r.text() {
			t.Fatalf("%q is sent as %q, which is read as %q: %v", text, r.text(), again.text(), err)
		}
	})
}
