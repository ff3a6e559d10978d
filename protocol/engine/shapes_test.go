package engine

import (
	"context"
	"fmt"
	"testing"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// shaped are texts that clients send again with other constants, and with bindings.
var shaped = []struct{ name, language, text string }{
	{"lang/id", languageLang, "g.V(%v).values('age')"},
	{"lang/hops", languageLang, "g.V().has('person', 'age', gt(%v)).out('knows').order().by('name').limit(10).values('name')"},
	{"script/id", languageGroovy, "g.V(%v).values('age')"},
	{"script/size", languageGroovy, "g.V().has('person', 'age', %v).toList().size()"},
	{"script/statements", languageGroovy, "x = g.V().has('person', 'age', %v).toList(); x.collect { it.value('name') }"},
}

// texts are n requests of one shape, each with a constant of its own: in the text, or bound.
func texts(language, text string, n int, bound bool) []*contract.Query {
	all := make([]*contract.Query, n)
	for i := range all {
		all[i] = query(language, fmt.Sprintf(text, 1000+i))
		if bound {
			all[i] = query(language, fmt.Sprintf(text, "xx"))
			all[i].Bindings = value.NewMap()
			all[i].Bindings.PutString("xx", value.Int(int32(1000+i)))
		}
	}
	return all
}

func evaluated(t testing.TB, e *Engine, q *contract.Query, into []value.Bulked) []value.Bulked {
	w := e.Open(contract.WorkOptions{Identity: traversal.Anyone})
	defer w.Close()
	r, err := w.Run(context.Background(), q)
	if err == nil {
		defer r.Close()
		into, err = r.Next(into[:0], 64)
	}
	if err != nil {
		t.Fatal(err)
	}
	return into
}

// Texts that differ in constants take no more than the same text with bindings does, by
// the number of what is allocated for them.
func TestShapes(t *testing.T) {
	e := open(t)
	for _, c := range shaped {
		var counts [2]float64
		for i, bound := range []bool{false, true} {
			all, next := texts(c.language, c.text, 200, bound), 0
			var results []value.Bulked
			counts[i] = testing.AllocsPerRun(len(all)-2, func() {
				results = evaluated(t, e, all[next], results)
				next++
			})
		}
		if counts[0]*0.8 > counts[1] {
			t.Errorf("%s: %.0f allocations with constants in the text, %.0f with bindings", c.name, counts[0], counts[1])
		}
	}
}

// BenchmarkShapes evaluates texts that differ in constants, and the same texts with
// bindings. The bar is 0.8 of the rate with bindings. For scripts beyond gremlin-lang it
// was 0.45 before their programs were found by shape.
func BenchmarkShapes(b *testing.B) {
	e := open(b)
	for _, c := range shaped {
		for _, bound := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/bound=%v", c.name, bound), func(b *testing.B) {
				all := texts(c.language, c.text, 4096, bound)
				var results []value.Bulked
				b.ReportAllocs()
				for n := 0; b.Loop(); n++ {
					results = evaluated(b, e, all[n%len(all)], results)
				}
			})
		}
	}
}
