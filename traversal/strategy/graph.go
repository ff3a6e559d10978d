package strategy

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// graphStep folds has-filters into V() and E(), where they choose the way in: ids, a
// key index, or the label ranges.
//
//	V().has("name", "marko").has("age", gt(3)) => [GraphStep(vertex,[name.eq(marko), age.gt(3)]) by index name [marko, marko]]
//	V().hasLabel("person").has("age", 3)      => [GraphStep(vertex,[~label.eq(person), age.eq(3)]) by label]
//	V().hasId(1, "2")                          => [GraphStep(vertex,[1, 2])]
//	V(1).hasLabel("person")                    => [GraphStep(vertex,[1],[~label.eq(person)])]
//	V().has("person", "city", "Rome").has("age", gt(3)) => [GraphStep(vertex,[~label.eq(person), city.eq(Rome), age.gt(3)]) by composite city_age [Rome, (3, inf)]]
//	V().has("name", "marko").has("born", gt(1980)) => [GraphStep(vertex,[name.eq(marko), born.gt(1980)]) by index name [marko, marko] and composite born [(1980, inf)]]
//	V().has("city", "Rome")                    => [GraphStep(vertex,[city.eq(Rome)])]
//	V().has("title", endingWith("able"))       => [GraphStep(vertex,[title.endingWith(able)]) by text t [able]]
//	V().has("email", "a@b").has("city", "Rome") => [GraphStep(vertex,[email.eq(a@b), city.eq(Rome)])]
//	V().has("title", "cable")                  => [GraphStep(vertex,[title.eq(cable)]) by text t [cable]]
//	V().has("title", containing("ab"))         => [GraphStep(vertex,[title.containing(ab)]), not by text t: fewer than 3 letters]
//	V().has("title", notContaining("able"))    => [GraphStep(vertex,[title.notContaining(able)])]
//	V().has("person", "age", 3)                => [GraphStep(vertex,[~label.eq(person), age.eq(3)]) by label]
//	V().barrier().hasLabel("person").barrier().has("name", "marko") => [GraphStep(vertex,[~label.eq(person), name.eq(marko)]) by index name [marko, marko], NoOpBarrierStep, NoOpBarrierStep]
//	V().barrier(normSack).has("name", "marko") => [GraphStep(vertex,[]), NoOpBarrierStep(normSack), HasStep([name.eq(marko)])]
//
// Tolerates: bulks and barriers without labels, for what is filtered before them is filtered
// behind them; effects and side effects of steps behind, for has-filters have neither, and no
// children. Folding ends at the first label. Hidden properties are not looked up in an
// index.
var graphStep = Strategy{Name: "TinkerGraphStepStrategy", On: []string{"V", "E"}, Category: Provider, Default: true, Rewrite: rewriteGraphStep}

func rewriteGraphStep(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	var out []*traversal.Node
	for i := 0; i < len(p.Nodes); i++ {
		n := p.Nodes[i]
		g := graphStart(n)
		if g == nil || n.Name() != "V" && n.Name() != "E" {
			out = append(out, n)
			continue
		}
		folded := *g
		folded.Has = slices.Clone(g.Has)
		labels := n.Labels
		var passed []*traversal.Node
		for j := i + 1; len(labels) == 0 && j < len(p.Nodes); j++ {
			if pureHas(p.Nodes[j]) {
				folded.Has = append(folded.Has, p.Nodes[j].Data.([]traversal.Has)...)
				labels = p.Nodes[j].Labels
				passed = append(passed, p.Nodes[i+1:j]...)
				i = j
			} else if p.Nodes[j].Name() != "barrier" || p.Nodes[j].HasLabels() || !plainBarrier(p.Nodes[j]) {
				break
			}
		}
		if !folded.ByID {
			foldIDs(&folded)
		}
		if !folded.ByID {
			folded.Index = c.access(&folded)
			if c.Graph != nil && !folded.Index.LooksUp() {
				folded.Short = textScan(c.Graph, &folded)
			}
		}
		out = append(append(out, n.WithData(&folded).WithLabels(labels)), passed...)
	}
	return p.With(out), nil
}

// foldIDs turns the first hasId() into the ids of V() or E(), which the graph's id
// manager converts one by one, as it does those of V(1, "2").
func foldIDs(g *traversal.GraphStart) {
	for i, h := range g.Has {
		if h.Token.Kind() != value.KindT || h.Token.Str() != "id" || h.P.Text || h.P.Name != "eq" && h.P.Name != "within" {
			continue
		}
		g.ByID = true
		for _, v := range h.P.Members() {
			if !v.IsNull() {
				g.IDs = append(g.IDs, v)
			}
		}
		g.Has = slices.Delete(g.Has, i, i+1)
		return
	}
}

func (c *Context) access(g *traversal.GraphStart) *traversal.IndexChoice {
	if c.Graph == nil || c.root.plan.HidesProperties() {
		return labelChoice(g.Has)
	}
	return Access(c.Graph, g.Edges, g.Has)
}

// Access picks the index that filters of V() or E() are looked up in: the one whose filters
// are expected to let the fewest elements through, else the label ranges, else nil for a
// full scan. Equality beats a range, more equalities beat fewer, a unique index beats all,
// and all beat labels. The best of other filters goes with it, for when neither finds few.
func Access(x Indexes, edges bool, has []traversal.Has) *traversal.IndexChoice {
	var best *traversal.IndexChoice
	bestScore := 0
	eachLookup(x, edges, has, func(choice *traversal.IndexChoice, score int) {
		if score > bestScore {
			best, bestScore = choice, score
		}
	})
	if best == nil {
		return labelChoice(has)
	}
	if bestScore < scoreUnique {
		secondScore := 0
		eachLookup(x, edges, has, func(choice *traversal.IndexChoice, score int) {
			if score > secondScore && !choice.Overlaps(best) {
				best.And, secondScore = choice, score
			}
		})
	}
	return best
}

// eachLookup gives the indexes that filters can be looked up in, and how few elements are
// expected of each.
func eachLookup(x Indexes, edges bool, has []traversal.Has, fn func(choice *traversal.IndexChoice, score int)) {
	keys, class := x.VertexIndexes(), blueprints.VertexClass
	if edges {
		keys, class = x.EdgeIndexes(), blueprints.EdgeClass
	}
	for i, h := range has {
		if !h.Token.IsNull() || !slices.Contains(keys, h.Key) {
			continue
		}
		if _, score := Ranges(h.P); score > 0 {
			exact := h.P.Name != "and" // the ranges are those of one operand
			fn(&traversal.IndexChoice{Key: h.Key, At: i, Exact: exact}, score)
		}
	}
	for _, d := range x.DeclaredIndexes(class) {
		if choice, score := declaredChoice(d, has); score > 0 {
			fn(choice, score)
		}
	}
}

// labelChoice uses hasLabel(eq or within).
func labelChoice(has []traversal.Has) *traversal.IndexChoice {
	for i, h := range has {
		if h.Token.Kind() != value.KindT || h.Token.Str() != "label" {
			continue
		}
		if h.P.Text || h.P.Name != "eq" && h.P.Name != "within" {
			continue
		}
		labels := []string{}
		seen := map[string]bool{}
		ok := true
		for _, a := range h.P.Args {
			traversal.Each(a, func(v value.Value, _ int64) {
				ok = ok && (v.Kind() == value.KindString || v.IsNull())
				if v.Kind() == value.KindString && !seen[v.Str()] {
					seen[v.Str()] = true
					labels = append(labels, v.Str())
				}
			})
		}
		if ok {
			return &traversal.IndexChoice{Labels: labels, At: i, Exact: true}
		}
	}
	return nil
}

// Scores of access paths: the higher, the fewer elements are expected.
const (
	scoreLabel  = 1 // besides what the index is about
	scoreRange  = 2
	scorePrefix = 4
	scoreWithin = 6
	scoreEqual  = 8    // of each key
	scoreUnique = 1000 // one element at most
)

// Ranges returns the intervals of an ordered index that hold every value for which p
// is true, and how selective they are; score 0 means that the index cannot help.
func Ranges(p *traversal.P) (ranges []blueprints.ValueRange, score int) {
	if p.Text {
		if p.Name == "startingWith" && len(p.Args) == 1 && p.Args[0].Str() != "" {
			return []blueprints.ValueRange{{Prefix: p.Args[0].Str()}}, scorePrefix
		}
		return nil, 0
	}
	switch p.Name {
	case "eq":
		return point(p.Args[0]), scored(p.Args[0], scoreEqual)
	case "within":
		return withinRanges(p)
	case "gt", "gte", "lt", "lte":
		return bound(p.Name, p.Args[0]), scored(p.Args[0], scoreRange)
	case "between", "inside":
		return interval(p)
	case "and":
		return conjunction(p)
	}
	return nil, 0
}

// scored is 0 for values that no index interval stands for.
func scored(v value.Value, score int) int {
	switch v.Kind() {
	case value.KindString, value.KindBool, value.KindUUID, value.KindOffsetDateTime, value.KindDate:
		return score
	case value.KindFloat, value.KindDouble:
		if f := v.Float64(); f != f {
			return 0
		}
		return score
	}
	if v.Kind().IsNumber() {
		return score
	}
	return 0
}

func point(v value.Value) []blueprints.ValueRange {
	return []blueprints.ValueRange{{Min: v, Max: v, HasMin: true, HasMax: true}}
}

func bound(name string, v value.Value) []blueprints.ValueRange {
	switch name {
	case "gt":
		return []blueprints.ValueRange{{Min: v, HasMin: true, MinOpen: true}}
	case "gte":
		return []blueprints.ValueRange{{Min: v, HasMin: true}}
	case "lt":
		return []blueprints.ValueRange{{Max: v, HasMax: true, MaxOpen: true}}
	}
	return []blueprints.ValueRange{{Max: v, HasMax: true}}
}

func withinRanges(p *traversal.P) (ranges []blueprints.ValueRange, score int) {
	score = scoreWithin
	for _, v := range p.Members() {
		score = min(score, scored(v, scoreWithin))
		ranges = append(ranges, point(v)...)
	}
	return ranges, score
}

// Points returns the values that are all for which p is true, and those that equal them.
// ok is false when there are others.
func Points(p *traversal.P) (values []value.Value, ok bool) {
	switch {
	case p.Text:
		return nil, false
	case p.Name == "eq":
		return p.Args[:1], true
	case p.Name == "within":
		return p.Members(), true
	}
	return nil, false
}

func interval(p *traversal.P) ([]blueprints.ValueRange, int) {
	if len(p.Args) != 2 {
		return nil, 0
	}
	if _, comparable := value.Compare(p.Args[0], p.Args[1]); !comparable {
		return nil, 0 // bounds of two types hold nothing between them
	}
	r := blueprints.ValueRange{Min: p.Args[0], Max: p.Args[1], HasMin: true, HasMax: true, MinOpen: p.Name == "inside", MaxOpen: true}
	return []blueprints.ValueRange{r}, min(scored(p.Args[0], scoreRange), scored(p.Args[1], scoreRange))
}

// conjunction uses the most selective operand; the filter is rechecked in any case.
func conjunction(p *traversal.P) (best []blueprints.ValueRange, bestScore int) {
	for _, a := range p.Args {
		q, ok := a.Object().(*traversal.P)
		if !ok {
			continue
		}
		if r, score := Ranges(q); score > bestScore {
			best, bestScore = r, score
		}
	}
	return best, bestScore
}
