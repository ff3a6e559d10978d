package differential

import (
	"regexp"
	"strings"
)

// Indexed is the part of the grammar that asks for what indexes hold, as people write it, of
// a graph with texts, several values of a key and numbers on edges. What order().by().limit()
// finds is defined: what ties comes in insertion order, and so does what is looked up for one
// text.
const Indexed = `
start > v: V().has({label},"name",{name}) | V().has({label},"name",{name}).has("age",{P}) | V().has("name",{name}).has("age",{P}) | V().hasLabel({label}).has("age",{P}).has("lang",{lang}) | V().has("age",{P}).has("lang",{lang})
start > v: V().has("nick",{nick}) | V().has({label},"nick",{nick}) | V().has("nick",P.within("n1","n5","n1",null)) | V().has({label},"nick",{nick}).has("age",{P}) | V().has("age",{n}).has("name",{name}).has("lang",{lang})
start > v: V().has("text",{T}) | V().has("text",{T}).has("name",{name}) | V().has({label},"text",{T}) | V().has("name",{T}) | V().has("text",{T}).has("text",{T}) | V().has("age",{P}).has("text",{T}) | V().has("text",P.eq("a red cable, not a blue one"))
start > v: V().order().by("rank").limit({k}) | V().order().by("rank",desc).limit({k}) | V().has({label},"name",{name}).order().by("grade").limit({k}) | V().has({label},"name",{name}).order().by("grade",desc).limit({k}) | V().has("name",{name}).order().by("grade",desc).limit(2)
start > v: V().has("name",{name}).has("grade",{G}).order().by("grade",desc).limit({k}) | V().hasLabel({label}).order().by("title").limit({k}) | V().order().by("title",desc).limit({k}) | V().has("name",{name}).order().by("nick").limit({k}) | V().has("name",{name}).has("age",{P}).order().by("grade").limit({k})
start > v: V().has("grade",{G}).order().by("grade").limit({k}) | V().order().by("nick").limit({k}) | V().has({label},"rank",{n}) | V().has("title",P.lt("marko")).has("rank",{P}) | V().has("rank",{P}).has("title",P.gte("b")) | V().has("text",{T}).order().by("grade").limit({k})
start > v: V().has("age",P.within({n},29,29)) | V().has("age",P.gt(20).and(P.lt(30))).has("age",{P}) | V().has("name",TextP.startingWith("l")).has("age",{P}) | V().has("name",P.gt("k").and(P.lt("n"))) | V().has("age",P.within([])) | V().has({label},"name",P.within("lop","josh"))
start > v: mergeV([(T.label): {label}, "name": {name}, "age": {n}]) | mergeV(["name": {name}, "lang": {lang}]) | mergeV(["nick": {nick}]).option(onMatch,["met": 1])
start > v: V().has("name",{name}).property("age",{n}).barrier().V().has("age",{P}).has("lang",{lang}) | V().has("age",{P}).property(list,"text","a cable again").barrier().V().has("text",{T}) | V().has("text",{T}).drop().barrier().V().has("text",{T})
start > v: V().has("age",{P}).properties("age","text").drop().barrier().V().has("text",{T}).has("age",{P}) | V().has("text",{T}).property("name",{name}).barrier().V().has("name",{name}).order().by("grade").limit({k}) | V().hasLabel({label}).property("rank",{n}).barrier().V().order().by("rank").limit({k})
start > e: E().has("weight",{W}).property("weight",{n}).barrier().V().outE({edge}).has("weight",{W}) | E().has("weight",{W}).drop().barrier().V({id}).outE({edge}).order().by("weight").limit({k}) | V({id}).as("a").V({id}).addE({edge}).to("a").property("weight",{n}).barrier().V({id}).inE({edge}).has("weight",{W})
start > e: E().has("weight",{P}) | E().has({edge},"weight",{W}) | E().hasLabel({edge}).has("weight",{W}).has("since",{P}) | E().order().by("weight").limit({k}) | E().has({edge},"since",{n}).order().by("at",desc).limit({k}) | E().has("since",{n}).has("weight",{W})
start > e: V({id}).outE({edge}).order().by("weight",desc).limit({k}) | V({id}).inE({edge}).order().by("weight").limit({k}) | V({id}).outE({edge}).has("since",{n}).order().by("at").limit({k}) | V({id}).outE({edge}).has("at",{G}).order().by("at",desc).limit({k})
v > e: outE({edge}).has("weight",{W}) | inE({edge}).has("weight",{W}) | bothE({edge}).has("weight",{W}) | outE({edge}).has("since",{n}).has("weight",{W}) | inE({edge}).has("since",{P}) | outE({edge}).has("weight",P.within(0.5d,1,2)) | outE({edge}).has("weight")
v > e: local(__.outE({edge}).order().by("weight").limit(2)) | local(__.inE({edge}).order().by("weight",desc).limit(1)) | local(__.outE({edge}).has("since",{n}).order().by("at").limit(2)) | outE({edge}).has("weight",{W}).property("weight",{n}) | toE(IN,{edge}).has("weight",{W})
v > v: outE({edge}).has("weight",{W}).inV() | V().has({label},"name",{name}).has("age",{P}) | where(__.outE({edge}).has("weight",{W})) | V().has("text",{T})
v > v: property(list,"age",{n}).property(set,"lang",{lang}) | property("weight",{n}) | sideEffect(__.outE().property("since",{n})) | sideEffect(__.outE({edge}).has("weight",{W}).drop()) | property("where",[1.5d,2.5d]) | sideEffect(__.properties("text").drop())
v > x: outE({edge}).has("weight",{W}).count() | V().has("text",{T}).count() | V().has("age",{P}).has("name",{name}).count() | V().has("nick",{nick}).values("age").sum() | V().has("age",{P}).has("lang",{lang}).drop() | addE({edge}).to(__.V({id})).property("weight",{n}).property("since",{n})
`

// Interferes reports whether what the traversal finds may depend on the order in which it
// writes: it looks at the graph while it does.
func (q Query) Interferes() bool {
	text := q.Text
	if i := strings.Index(text, ".barrier().V("); i >= 0 && !strings.Contains(text[:i], "__") {
		text = text[i+len(".barrier().V("):] // all that comes before is done then
	}
	return writing.MatchString(text) && rereading.MatchString(text) || writing.MatchString(q.Text) && strings.Contains(q.Text, "LazyBarrierStrategy")
}

// ShowsFirst reports whether it shows which of equal objects came to dedup() first, by their
// paths, or by() takes the first of some edges, which come as an index has them.
func (q Query) ShowsFirst() bool {
	return pathOfFirst.MatchString(q.Text) || firstEdge.MatchString(q.Text)
}

var (
	pathOfFirst = regexp.MustCompile(`dedup\(.*(tree|[pP]ath|select|otherV)\(`)
	firstEdge   = regexp.MustCompile(`\.by\(__\.(in|out|both|to)E\([^()]*\)\.has\(`)
)

var rereading = regexp.MustCompile(`[._][VE]\(`)
