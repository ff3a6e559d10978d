package main

import (
	"testing"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/lang"
)

func TestNaive(t *testing.T) {
	g := &naiveGraph{vertices: map[int32]*naiveVertex{}, edges: map[int32]*naiveEdge{}}
	for i := range int32(3) {
		g.vertices[i] = &naiveVertex{id: i, label: "person", out: map[string][]*naiveEdge{},
			properties: map[string]value.Value{"name": value.String(personName(i)), "age": value.Int(20 + i/2)}}
	}
	for i, ends := range [][2]int32{{0, 1}, {1, 2}, {2, 0}, {0, 2}} {
		e := &naiveEdge{int32(i), "knows", g.vertices[ends[0]], g.vertices[ends[1]]}
		g.edges[e.id] = e
		e.out.out[e.label] = append(e.out.out[e.label], e)
	}
	for text, want := range map[string]string{
		`g.V(0).out("knows").count()`:                                 "[2]",
		`g.V(0).repeat(__.out()).times(2).dedup().count()`:            "[2]",
		`g.V().has("name", within(["p1", "p2"])).values("age").sum()`: "[41]",
		`g.V(0, 1, 2).hasLabel("person").groupCount().by("age")`:      "[{20=2, 21=1}]",
		`g.V().order().by("name").limit(2).values("name")`:            "[p0, p1]",
		`g.E().count()`: "[4]",
		`g.V(1)`:        "[v[1]]",
	} {
		parsed, err := lang.Parse(text, lang.Options{})
		if err != nil {
			t.Fatal(err)
		}
		args := value.NewMap()
		args.PutString("gremlin", parsed.Last().Bytecode.Value())
		results, err := g.answer(&message.Request{Args: args})
		if got := value.List(results).JavaString(); err != nil || got != want {
			t.Errorf("%s: got %s, want %s (%v)", text, got, want, err)
		}
	}
}
