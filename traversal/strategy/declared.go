package strategy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// declaredChoice binds filters to the first keys of a composite index, as many as there
// are; score 0 means that it cannot help.
func declaredChoice(d *blueprints.IndexDefinition, has []traversal.Has) (*traversal.IndexChoice, int) {
	switch d.Kind {
	case keyindex.Text:
		return textChoice(d, has)
	case keyindex.EdgeCentric, keyindex.Geo:
		return nil, 0
	}
	choice := &traversal.IndexChoice{Key: d.Keys[0], Declared: d, At: -1, LabelAt: -1, Exact: true}
	score := 0
	if d.Label != "" {
		if choice.LabelAt = labelFilter(has, d.Label); choice.LabelAt < 0 {
			return nil, 0
		}
		score += scoreLabel
	}
	bound, exact, by := bindKeys(d, has)
	if by == 0 || d.Unique && len(bound) < len(d.Keys) { // which has none that lacks a key
		return nil, 0
	}
	choice.Serves, choice.Exact = bound, exact
	if score += by; d.Unique && by == scoreEqual*len(d.Keys) {
		score += scoreUnique
	}
	return choice, score
}

// bindKeys returns the positions of the filters on the first keys of an index: all but the
// last ask for one value.
func bindKeys(d *blueprints.IndexDefinition, has []traversal.Has) (at []int, exact bool, score int) {
	exact = true
	for _, key := range d.Keys {
		i, s := bestFilter(has, key)
		if i < 0 {
			return at, exact, score
		}
		at, score = append(at, i), score+s
		if s != scoreEqual {
			return at, has[i].P.Name != "and", score // the ranges of and() are those of one operand
		}
	}
	return at, exact, score
}

// bestFilter finds the filter on a key that an index serves best, -1 for none.
func bestFilter(has []traversal.Has, key string) (at, score int) {
	at = -1
	for i, h := range has {
		if !h.Token.IsNull() || h.Key != key {
			continue
		}
		if _, s := Ranges(h.P); s > score {
			at, score = i, s
		}
	}
	return at, score
}

// labelFilter finds the filter that lets one label alone through, -1 for none.
func labelFilter(has []traversal.Has, label string) int {
	return slices.IndexFunc(has, func(h traversal.Has) bool {
		if h.Token.Kind() != value.KindT || h.Token.Str() != "label" || h.P.Text || h.P.Name != "eq" && h.P.Name != "within" {
			return false
		}
		members := h.P.Members()
		return len(members) == 1 && members[0].Kind() == value.KindString && members[0].Str() == label
	})
}

// Columns returns what is looked up in a declared index, walk by walk.
func Columns(c *traversal.IndexChoice, has []traversal.Has) []blueprints.IndexColumns {
	if c.Declared.Kind == keyindex.Text {
		return textColumns(has[c.Serves[0]].P)
	}
	last := len(c.Serves) - 1
	var equal []value.Value
	for _, i := range c.Serves[:last] {
		equal = append(equal, has[i].P.Args[0])
	}
	p := has[c.Serves[last]].P
	if points, ok := Points(p); ok {
		all := make([]blueprints.IndexColumns, len(points))
		for i, v := range points {
			all[i] = blueprints.IndexColumns{Equal: append(equal[:last:last], v)}
		}
		return all
	}
	ranges, _ := Ranges(p)
	all := make([]blueprints.IndexColumns, len(ranges))
	for i, r := range ranges {
		all[i] = blueprints.IndexColumns{Equal: equal, Range: r, Ranged: true}
	}
	return all
}

// OrderedColumns returns the walk of an index that delivers an order: everything behind the
// keys that are bound to one value, or a range of that.
func OrderedColumns(c *traversal.IndexChoice, has []traversal.Has) blueprints.IndexColumns {
	w := blueprints.IndexColumns{Ranged: true, Reverse: c.Reverse}
	for _, i := range c.Serves {
		if _, points := Points(has[i].P); points {
			w.Equal = append(w.Equal, has[i].P.Args[0])
			continue
		}
		ranges, _ := Ranges(has[i].P)
		w.Range = ranges[0]
	}
	return w
}

// OrderedText names a declared index that delivers an order, and what is walked of it: in order
// of composite city_age, first 10 of [Rome, (-inf, inf)].
func OrderedText(c *traversal.IndexChoice, has []traversal.Has) string {
	text := fmt.Sprintf("in order of %s %s, first %d", c.Declared.Kind, c.Declared.Name, c.Limit)
	if len(c.Serves) == 0 {
		return text
	}
	return text + " of [" + strings.Join(ColumnTexts(OrderedColumns(c, has)), ", ") + "]"
}

// DeclaredText names a declared index and what is looked up in it: composite na [marko, (20, inf)].
func DeclaredText(c *traversal.IndexChoice, has []traversal.Has) string {
	kind := string(c.Declared.Kind)
	if c.Declared.Unique {
		kind = "unique"
	}
	var walks []string
	for _, w := range Columns(c, has) {
		walks = append(walks, "["+strings.Join(ColumnTexts(w), ", ")+"]")
	}
	return kind + " " + c.Declared.Name + " " + strings.Join(walks, ", ")
}

// ColumnTexts prints what is looked up, key by key.
func ColumnTexts(w blueprints.IndexColumns) []string {
	texts := textTexts(w)
	for _, v := range w.Equal {
		texts = append(texts, v.Brief())
	}
	if w.Ranged {
		texts = append(texts, w.Range.String())
	}
	return texts
}
