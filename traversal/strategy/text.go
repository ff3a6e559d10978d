package strategy

import (
	"slices"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// scoreText is for texts that hold a part: fewer than a range, more than a beginning.
const scoreText = 3

// textChoice serves a filter on the text of a key by an index of texts, score 0 when none
// can be. What is found is tested again.
func textChoice(d *blueprints.IndexDefinition, has []traversal.Has) (*traversal.IndexChoice, int) {
	if d.Analyzer != keyindex.Trigram {
		return nil, 0
	}
	choice := &traversal.IndexChoice{Declared: d, At: -1, LabelAt: -1}
	if d.Label != "" {
		if choice.LabelAt = labelFilter(has, d.Label); choice.LabelAt < 0 {
			return nil, 0
		}
	}
	for i, h := range has {
		if !h.Token.IsNull() || !slices.Contains(d.Keys, h.Key) {
			continue
		}
		if len(textColumns(h.P)) > 0 {
			choice.Key, choice.Serves = h.Key, []int{i}
			return choice, scoreText
		}
	}
	return nil, 0
}

// textColumns is what is looked up for a predicate in an index of texts, walk by walk; none
// when an alternative has too few letters.
func textColumns(p *traversal.P) []blueprints.IndexColumns {
	if !p.Text && p.Name == "eq" && p.Args[0].Kind() == value.KindString && keyindex.Grams(p.Args[0].Str()) {
		return []blueprints.IndexColumns{{Texts: []string{p.Args[0].Str()}}}
	}
	alternatives, _ := p.TextParts()
	var walks []blueprints.IndexColumns
	for _, parts := range alternatives {
		w := blueprints.IndexColumns{}
		for _, s := range parts {
			if keyindex.Grams(s) {
				w.Texts = append(w.Texts, s)
			}
		}
		if len(w.Texts) == 0 {
			return nil
		}
		walks = append(walks, w)
	}
	return walks
}

// textScan names an index of texts that would serve a filter whose text is too short for it:
// "" when there is none.
func textScan(x Indexes, g *traversal.GraphStart) string {
	class := blueprints.VertexClass
	if g.Edges {
		class = blueprints.EdgeClass
	}
	for _, d := range x.DeclaredIndexes(class) {
		if d.Kind != keyindex.Text || d.Analyzer != keyindex.Trigram || d.Label != "" && labelFilter(g.Has, d.Label) < 0 {
			continue
		}
		for _, h := range g.Has {
			if !h.Token.IsNull() || !slices.Contains(d.Keys, h.Key) {
				continue
			}
			if _, ok := h.P.TextParts(); ok {
				return d.Name
			}
		}
	}
	return ""
}

// textTexts prints the parts of texts that are looked up.
func textTexts(w blueprints.IndexColumns) []string {
	texts := make([]string, len(w.Texts))
	for i, s := range w.Texts {
		texts[i] = strings.ReplaceAll(value.String(s).Brief(), "\n", " ")
	}
	return texts
}
