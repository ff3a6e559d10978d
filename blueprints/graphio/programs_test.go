package graphio

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
)

// TestGraphML_Programs reads files as yEd, Gephi, networkx and APOC write them.
func TestGraphML_Programs(t *testing.T) {
	for name, want := range map[string][]string{
		"yed": {
			"v n0::n0 vertex cost=12:Integer description=leads <it>:String label=Ann:String group=n0:String",
			"v n0::n1::n0 vertex cost=7:Integer label=Bob:String label=(away):String group=n0::n1:String",
			"v n0::n1 vertex cost=7:Integer group=n0:String",
			"v n0 vertex cost=7:Integer label=Team:String",
			"v n1 vertex cost=7:Integer",
			"e n0::e0 n0::n0 manages n0::n1::n0",
			"e e0 n0::n1::n0 edge n1 url=http://x:String",
		},
		"gephi": {
			"v 11 vertex label=Valjean:String Modularity Class=1:Integer size=100.0:Float r=245:Integer",
			"v 48 vertex label=Gavroche:String Modularity Class=0:Integer",
			"e 185 48 edge 11 weight=1.5:Double",
			"e 186 11 knows 48",
		},
		"apoc": {
			"v n188 Movie name=The Matrix:String tags=1:Long tags=2:Long",
			"v n189 Person::Actor born=1964:Long name=Keanu Reeves:String",
			"v n190 vertex",
			`e e267 n189 ACTED_IN n188 roles=[Neo, a "b"]:ArrayList born=text:String`,
		},
		"networkx": {
			"v ann person age=41:Long height=1.62:Double ok=true:Boolean",
			"v acme company first name=Acme <& Co>:String",
			"e 0 ann works at acme since=2015:Long",
			"e 1 ann owns acme share=0.5:Double",
		},
		"networkx-labelv": {"v 1 person name=ann:String", "v 2 dog", "e null 1 owns 2 weight=2:Long"},
		"networkx-keys":   {"v a vertex", "v b vertex", "e null a edge b", "e null a edge b", "e null b edge a"},
	} {
		g := readSample(t, name, Handler{})
		if got := g.lines(); !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	if g := readSample(t, "networkx", Handler{VertexLabel: "first name"}); g.vs[0].Label != "vertex" || g.vs[1].Label != "Acme <& Co>" || len(g.vs[0].Properties) != 4 {
		t.Errorf("with a key of the user's: %v", g.lines())
	}
	plain := readSample(t, "networkx", Handler{Plain: true})
	if want := "v ann vertex label=person:String age=41:Long height=1.62:Double ok=true:Boolean"; plain.lines()[0] != want {
		t.Errorf("as io() reads it: %s, want %s", plain.lines()[0], want)
	}
}

func readSample(t *testing.T, name string, h Handler) *memory {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name+".graphml"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	g := &memory{}
	if err := ReadRecords(context.Background(), GraphML, f, g, h); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return g
}

// lines says what is in a graph.
func (g *memory) lines() (all []string) {
	properties := func(ps []blueprints.PropertyRecord) (s string) {
		for _, p := range ps {
			class := p.Value.Kind().JavaClass()
			s += fmt.Sprintf(" %s=%s:%s", p.Key, p.Value.JavaString(), class[strings.LastIndexByte(class, '.')+1:])
		}
		return s
	}
	for _, v := range g.vs {
		all = append(all, fmt.Sprintf("v %s %s%s", v.ID.JavaString(), v.Label, properties(v.Properties)))
	}
	for _, e := range g.es {
		all = append(all, fmt.Sprintf("e %s %s %s %s%s", e.ID.JavaString(), e.Out.JavaString(), e.Label, e.In.JavaString(), properties(e.Properties)))
	}
	return all
}

// TestGraphML_BadRecords has one of each kind; the good ones are taken.
func TestGraphML_BadRecords(t *testing.T) {
	file := `<graphml>
<key id="n" for="node" attr.name="n" attr.type="int"/><key id="d" for="all" attr.name="when" attr.type="date"/>
<graph>
<node id="1"><data key="n"> 5 </data><data key="d">2020-01-01</data></node>
<node id="2"><data key="n">x</data></node>
<node><data key="n">1</data></node>
<hyperedge><endpoint node="1"/></hyperedge>
<edge source="1"/>
<edge source="1" target="1"/>
</graph></graphml>`
	var lines []int
	var g memory
	h := Handler{Reject: func(line int, _ []string, _ error) error { lines = append(lines, line); return nil }}
	if err := ReadGraphML(context.Background(), strings.NewReader(file), &g, h); err != nil {
		t.Fatal(err)
	}
	if want := []int{5, 6, 7, 8}; !slices.Equal(lines, want) {
		t.Errorf("rejected lines %v, want %v", lines, want)
	}
	if want := []string{"v 1 vertex n=5:Integer when=2020-01-01:String", "e null 1 edge 1"}; !slices.Equal(g.lines(), want) {
		t.Errorf("%v, want %v", g.lines(), want)
	}
	if err := ReadGraphML(context.Background(), strings.NewReader(file), &memory{}, Handler{}); err == nil || !strings.Contains(err.Error(), `line 5: node "2": data "n": "x" is no int`) {
		t.Errorf("err = %v", err)
	}
}
