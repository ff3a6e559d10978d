package steps_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/queryhost"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Texts have parts in common, letters of one to four bytes, a zero byte, line ends, and
// nothing at all.
func randomText(r *rand.Rand) string {
	parts := []string{"mar", "ko", "Mår", "år", "κό", "東京", "𝄞", "\x00", "\n", "cable", "a", "able", "ab", ".", "ri", "(x"}
	if r.IntN(40) == 0 { // more trigrams than are kept
		var long strings.Builder
		for range 9000 {
			long.WriteByte(byte(33 + r.IntN(90)))
		}
		return long.String() + parts[r.IntN(len(parts))] + "cable"
	}
	var text strings.Builder
	for range r.IntN(5) {
		text.WriteString(parts[r.IntN(len(parts))])
	}
	return text.String()
}

func textLiteral(s string) string {
	s = strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\x00", `\u0000`).Replace(s)
	return "'" + s + "'"
}

func randomTextPredicate(r *rand.Rand) string {
	text := randomText(r)
	if len(text) > 100 {
		text = "able"
	}
	names := []string{"containing", "startingWith", "endingWith", "notContaining", "notStartingWith", "notEndingWith"}
	p := "TextP." + names[r.IntN(len(names))] + "(" + textLiteral(text) + ")"
	switch r.IntN(8) {
	case 0:
		pattern := []string{"cab.*e", "^mar", "(able|cable)$", "(?i)CABLE", "ko+", "(mar)?ko", "[Mm]år", "(mar){2}", "東.", "mar|.", "a{0,2}ble", "^$", "�ab"}[r.IntN(13)]
		return []string{"TextP.regex(", "TextP.notRegex("}[r.IntN(2)] + textLiteral(pattern) + ")"
	case 1:
		return p + "." + []string{"and", "or"}[r.IntN(2)] + "(" + randomTextPredicate(r) + ")"
	case 2:
		return "P.not(" + p + ")"
	case 3:
		return "P.neq(1).and(" + p + ")"
	}
	return p
}

// TestText_SameAnswers: what an index of texts finds is what a walk of all elements finds,
// whatever texts and patterns are, while elements change.
func TestText_SameAnswers(t *testing.T) {
	for _, source := range []string{"empty", "null"} {
		textSameAnswers(t, source)
	}
}

func textSameAnswers(t *testing.T, source string) {
	g, err := queryhost.New(t).Get(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	seed := rand.Uint64()
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 7))
	specs := []blueprints.IndexSpec{
		{Name: "ta", Class: blueprints.VertexClass, Keys: []string{"a"}, Analyzer: "trigram"},
		{Name: "tb", Class: blueprints.VertexClass, Label: "p", Keys: []string{"b", "c"}, Analyzer: "trigram"},
		{Name: "te", Class: blueprints.EdgeClass, Keys: []string{"w"}, Analyzer: "trigram"},
	}
	declare := func(list []blueprints.IndexSpec) {
		for _, s := range list {
			if i, err := g.DeclareIndex(t.Context(), t.Context(), s); err != nil || i.State != "ACTIVE" {
				t.Fatal(i, err)
			}
		}
	}
	write := func(text string) {
		if err := writeQuery(t, g, text); err != nil {
			t.Fatal(text, err)
		}
	}
	declare(specs[:1]) // the others are built
	for i := range 80 {
		text := fmt.Sprintf("g.addV('%s').property('id', %d)", []string{"p", "q"}[i%2], i)
		for range r.IntN(4) {
			x := textLiteral(randomText(r))
			if r.IntN(10) == 0 {
				x = []string{"17", "null", "true"}[r.IntN(3)]
			}
			text += fmt.Sprintf(".property(list, '%s', %s)", []string{"a", "b", "c"}[r.IntN(3)], x)
		}
		write(text)
		write(fmt.Sprintf("g.V().has('id', %d).addE('e').to(V().has('id', %d)).property('w', %s)", i, r.IntN(i+1), textLiteral(randomText(r))))
	}
	declare(specs[1:])
	looked := 0
	for i := range 600 {
		switch i % 6 {
		case 0:
			write(fmt.Sprintf("g.V().has('id', %d).property(single, '%s', %s)", r.IntN(80), []string{"a", "b", "c"}[r.IntN(3)], textLiteral(randomText(r))))
		case 1:
			write(fmt.Sprintf("g.E().has('w', %s).limit(2).property('w', %s)", randomTextPredicate(r), textLiteral(randomText(r))))
		case 2:
			if i%12 == 2 {
				write(fmt.Sprintf("g.V().has('id', %d).drop()", r.IntN(80)))
			}
		case 3: // what is found is changed while it is walked
			write(fmt.Sprintf("g.V().has('a', %s).property(single, 'a', %s)", randomTextPredicate(r), textLiteral(randomText(r))))
		}
		query := ".V()" + []string{"", ".hasLabel('p')"}[r.IntN(2)] + fmt.Sprintf(".has('%s', %s)", []string{"a", "b", "c"}[r.IntN(3)], randomTextPredicate(r))
		if i%3 == 0 {
			query = fmt.Sprintf(".E().has('w', %s)", randomTextPredicate(r))
		}
		var found [2][]string
		for n, source := range []string{"g", "g.withoutStrategies(TinkerGraphStepStrategy)"} {
			runQuery(t, g, source+query, 0, func(run *traversal.Run) error {
				if n == 0 && strings.Contains(run.Plan.String(), " by text") {
					looked++
				}
				return eachObject(run, func(v value.Value) { found[n] = append(found[n], fmt.Sprint(v.Ref())) })
			})
			slices.Sort(found[n])
		}
		if !slices.Equal(found[0], found[1]) {
			t.Errorf("%s: %v, walking %v", query, found[0], found[1])
		}
	}
	if looked < 50 {
		t.Errorf("%d queries were looked up", looked)
	}
	for _, s := range specs {
		if rep, err := g.VerifyIndex(t.Context(), s.Name); err != nil || rep.Missing+rep.Stale != 0 {
			t.Errorf("%s: %+v, %v", s.Name, rep, err)
		}
	}
}
