package complete

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/conformance/bench/cputime"
)

var schema = Schema{
	VertexLabels: []string{"person", "software"}, EdgeLabels: []string{"created", "knows"}, Keys: []string{"age", "na'me", "имя", "名前"},
	Services: []string{"gremlind.names", "tinker.search"}, Sources: []string{"g", "gmodern"},
}

func TestPropose(t *testing.T) {
	c := New()
	for _, x := range []struct {
		text, from string
		want, not  []string
	}{
		{"", "", []string{"g", "gmodern"}, []string{"out"}},
		{"gm", "gm", []string{"gmodern"}, []string{"g"}},
		{"g.", "", []string{"V", "E", "addV", "withSideEffect", "inject"}, []string{"out", "next"}},
		{"gmodern.V", "V", []string{"V"}, nil},
		{"g.V().", "", []string{"out", "has", "toList"}, []string{"withSideEffect"}},
		{"g.V().ha", "ha", []string{"has", "hasLabel", "hasNext"}, []string{"out"}},
		{"g.V()\n  .ou", "ou", []string{"out", "outE"}, []string{"in"}},
		{"g.V().has('", "", schema.Keys[:1], []string{"person"}},
		{"g.V().has('na", "na", []string{`na\'me`}, []string{"age"}},
		{`g.V().values("`, "", []string{"na'me", "имя"}, nil},
		{"g.V().values('име', 'имя', '名", "名", []string{"名前"}, []string{"имя"}},
		{"g.V().has('age', '", "", nil, []string{"age"}},
		{"g.V().hasLabel(", "", []string{"'person'", "'knows'"}, []string{"'age'"}},
		{"g.V().hasLabel('person').out('", "", []string{"created", "knows"}, []string{"person"}},
		{"g.V().has('age', g", "g", []string{"gt", "gte"}, []string{"g"}},
		{"g.V().has('age', P.", "", []string{"gt", "within"}, []string{"containing"}},
		{"g.V().has('age', TextP.st", "st", []string{"startingWith"}, nil},
		{"g.V().order().by('age', Order.", "", []string{"asc", "desc"}, nil},
		{"g.V().by(T.l", "l", []string{"label"}, nil},
		{"g.V().where(__.", "", []string{"out", "is"}, []string{"withSack"}},
		{"g.V().where(ou", "ou", []string{"out", "outE"}, nil},
		{"g.call('t", "t", []string{"tinker.search"}, []string{"gremlind.names"}},
		{"g.V().project('a').by(", "", []string{"'age'", "'имя'"}, nil},
		{"g.V().has('a)(', [", "", nil, nil},
		{"g.V(')').", "", []string{"out"}, nil},
	} {
		p := c.Propose(x.text, schema)
		if got := x.text[p.From:]; got != x.from {
			t.Errorf("%q: the word is %q", x.text, got)
		}
		var texts []string
		for _, c := range p.Candidates {
			texts = append(texts, c.Text)
		}
		for _, w := range x.want {
			if !slices.Contains(texts, w) {
				t.Errorf("%q: %q is not among %.300q", x.text, w, texts)
			}
		}
		for _, n := range x.not {
			if slices.Contains(texts, n) {
				t.Errorf("%q: %q is among %.300q", x.text, n, texts)
			}
		}
	}
}

// TestPropose_Quick proposes out of 10,000 names within 50 ms.
func TestPropose_Quick(t *testing.T) {
	c, s := New(), schema
	s.Keys = nil
	for i := range namesMax {
		s.Keys = append(s.Keys, strings.Repeat("k", i%20)+"x")
	}
	best := time.Hour // whatever else the machine does meanwhile
	for range 20 {
		began := cputime.Own()
		c.Propose(strings.Repeat("g.V().has('name', 'marko')\n.", 100)+"values('k", s)
		best = min(best, cputime.Own()-began)
	}
	if best > 50*time.Millisecond {
		t.Errorf("%s", best)
	}
}

func FuzzPropose(f *testing.F) {
	c := New()
	for _, text := range []string{"g.V().", "g.V('", "((([", "\\'\"", "é.", "'é", ")].", "P."} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if p := c.Propose(text, schema); p.From < 0 || p.From > len(text) {
			t.Fatalf("%q: from %d", text, p.From)
		}
	})
}
