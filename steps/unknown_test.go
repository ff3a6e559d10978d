package steps_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/queryhost"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

// TestExplain_Unknown names what nothing in the graph has.
func TestExplain_Unknown(t *testing.T) {
	g, err := queryhost.New(t).Get(t.Context(), "modern")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"g.V().hasLabel('person').out('knows').values('name')":           "",
		"g.V().hasLabel('persn').out('knws').values('nme')":              "vertex label persn person|edge label knws knows|property key nme name",
		"g.V().has('persn', 'name', 'marko')":                            "vertex label persn person",
		"g.V().has('person', 'nam', 'marko')":                            "property key nam name",
		"g.V().hasLabel('person', 'robot')":                              "vertex label robot ",
		"g.V().hasLabel(within('Person', 'software'))":                   "vertex label Person person",
		"g.V().hasLabel(neq('sofware'))":                                 "vertex label sofware software",
		"g.V().out('person')":                                            "edge label person ",
		"g.V().out('created', 'crated', 'crated')":                       "edge label crated created",
		"g.V().where(__.not(__.inE('creates'))).count()":                 "edge label creates created",
		"g.V().hasNot('ag').valueMap('lng').limit(1)":                    "property key ag age|property key lng lang",
		"g.V().has('weigth').properties().hasKey('weigth')":              "property key weigth weight",
		"g.V().order().by('nme').group().by('agee')":                     "property key nme name|property key agee age",
		"g.V().project('a').by('name').order().by('total')":              "",
		"g.V().hasLabel('x').property('y', 1)":                           "",
		"g.V().hasLabel(TextP.startingWith('pers'))":                     "",
		"g.V().has(T.id, 'persn')":                                       "",
		"g.withStrategies(SubgraphStrategy(vertices: __.has('a'))).V()":  "",
		"g.E().hasLabel('knws')":                                         "edge label knws knows",
		"g.E().hasLabel('person')":                                       "edge label person ",
		"g.V().hasLabel('knows')":                                        "vertex label knows ",
		"g.V().outE().hasLabel('creatd').inV().hasLabel('sofware')":      "edge label creatd created|vertex label sofware software",
		"g.V().outE().where(__.hasLabel('person').has('weigh'))":         "edge label person |property key weigh weight",
		"g.V().local(__.hasLabel('created', 'persn'))":                   "label persn person",
		"g.E().has('knows', 'wieght', 1)":                                "property key wieght weight",
		"g.V().outE('knows').order().by('wait').values('weights')":       "property key weights weight",
		"g.inject(1).union(__.V().out('knw'), __.V().values('zzzzzzz'))": "edge label knw knows|property key zzzzzzz ",
	} {
		q, err := lang.Parse(text, lang.Options{})
		if err != nil {
			t.Fatal(text, err)
		}
		for _, readOnly := range []bool{true, false} {
			tx, err := g.Begin(t.Context(), blueprints.TxOptions{ReadOnly: readOnly})
			if err != nil {
				t.Fatal(err)
			}
			p, err := traversal.Compile(nil, steps.Registry(), q.Last().Bytecode)
			if err != nil {
				t.Fatal(text, err)
			}
			x, err := steps.Explain(nil, p, tx)
			tx.Close()
			if err != nil {
				t.Fatal(text, err)
			}
			var got []string
			for _, u := range x.Unknown {
				got = append(got, fmt.Sprint(u.Kind, " ", u.Name, " ", u.Nearest))
			}
			if s := strings.Join(got, "|"); s != want {
				t.Errorf("%s: %s, not %s", text, s, want)
			}
			shown, m := x.JavaString(), x.Map()
			if _, told := m.GetString("unknown"); told != (want != "") || strings.Contains(shown, "Nothing in the graph") != told {
				t.Errorf("%s: %v\n%s", text, told, shown)
			}
		}
	}
}
