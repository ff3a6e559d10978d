package differential

import "strings"

// rule is one way to write a step: what it takes, what it gives and its text. Places in
// braces are filled in: {c:v>x} is a child traversal from vertices to anything.
//
// The types are v vertex, e edge, p vertex property, n number, s string, l list, m map,
// and x for anything.
type rule struct{ from, to, text string }

// grammar has a line for each pair of types: from > to: forms between bars.
const grammar = `
start > v: V() | V({id}) | V({id},{id}) | V().hasLabel({label}) | V().has("name",{name}) | V().has("age",{P})
start > v: addV({label}) | mergeV([(T.label): {label}, "name": {name}])
start > e: E() | E().hasLabel({edge}) | addE({edge}).from(__.V({id})).to(__.V({id})) | mergeE([(T.label): {edge}, (Direction.OUT): {id}, (Direction.IN): {id}])
start > n: inject(1,2,2,3) | inject(5)
start > s: inject("a","b","a")
start > l: inject([1,2,3],[2,3])
start > x: inject(null,1) | union(__.V(),__.E()) | call("--list")
start > p: call("tinker.search",["search": "mar"]) | call("tinker.search").with("search","a").with("type","Vertex")
v > v: out() | in() | both() | out({edge}) | in({edge}) | both({edge}) | out({edge},{edge}) | to(OUT) | to(IN,{edge})
v > v: V().has("age",{P}) | V({id}) | addV({label}) | property("age",{n}) | property("seen",__.out().count())
v > v: has("age",{P}) | has("name",{name}) | hasLabel({label}) | hasNot("age") | has("lang") | hasId({id},{id}) | has({label},"age",{P})
v > v: repeat({c:v>v}).times({k}) | repeat({c:v>v}).emit().times({k}) | until({c:v>x}).repeat(__.out()) | emit().repeat(__.out({edge})).times(2)
v > v: repeat(__.both().simplePath()).until(__.loops().is(2)) | repeat("a",__.out()).times(2) | order().by("name") | order().by("age",desc) | order().by(id) | order().by(id,desc)
v > v: mergeV([(T.label): {label}, "name": {name}]).option(onCreate,["made": 1]).option(onMatch,["met": 1])
v > e: outE() | inE() | bothE() | outE({edge}) | bothE({edge}) | toE(OUT) | toE(IN,{edge}) | addE({edge}).to(__.V({id})) | addE({edge})
v > p: properties() | properties("name") | properties("name","age")
v > n: values("age") | out().count() | outE().count() | loops() | math("2 + _").by({by:v>n})
v > s: values("name") | label() | values("name","lang")
v > x: id() | values() | value() | element()
v > m: valueMap() | valueMap("name") | valueMap("age").by(__.unfold()) | elementMap() | elementMap("name") | propertyMap() | valueMap("name","age").with("~tinkerpop.valueMap.tokens")
v > v: local({c:v>v}) | optional({c:v>v}) | coalesce({c:v>v},{c:v>v}) | flatMap({c:v>v}) | map({c:v>v}) | union({c:v>v},{c:v>v}) | choose({c:v>x},{c:v>v},{c:v>v})
v > v: branch(__.label()).option("person",{c:v>v}).option("software",{c:v>v}) | choose(__.values("age")).option(29,__.out()).option(none,__.identity())
v > v: filter({c:v>x}) | not({c:v>x}) | where({c:v>x}) | and({c:v>x},{c:v>x}) | or({c:v>x},{c:v>x}) | where(__.out().count().is({P})) | filter(__.bothE().count().is(0))
v > v: simplePath() | cyclicPath() | dedup().by({by:v>x}) | aggregate("x") | local(aggregate("x")) | where(P.without("x")) | where(P.within("x")) | sideEffect({c:v>x})
v > x: match(__.as("m").out().as("n"),__.as("n").in().as("o")) | match(__.as("m").out({edge}).as("n"),__.as("n").out().as("o")).select("m","o").by("name")
v > x: pageRank() | connectedComponent() | peerPressure() | shortestPath() | read() | write() | drop()
v > m: call("tinker.degree.centrality") | call("tinker.degree.centrality").with("direction",OUT)
v > l: group().by({by:v>x}).by({by:v>x}).unfold() | groupCount().by({by:v>x}).unfold()
v > m: group().by({by:v>x}) | groupCount().by({by:v>x}) | group().by(label).by(__.values("age").sum()) | project("p","q").by({by:v>x}).by({by:v>x})
v > x: tree().by({by:v>x}) | tree() | subgraph("sg").cap("sg").count()
v > v: group("g").by(label) | groupCount("c").by({by:v>x}) | as({lab}) | as({lab}) | sack(sum).by("age") | sack(assign).by(__.out().count())
e > v: inV() | outV() | bothV() | otherV() | toV(OUT)
e > e: has("weight",{P}) | hasLabel({edge}) | where(__.inV().has("age",{P})) | property("w",{n}) | order().by("weight") | order().by(id)
e > n: values("weight") | values()
e > x: label() | elementMap() | valueMap() | properties() | id() | drop()
p > x: key() | value() | element() | hasKey("name") | hasValue({name}) | properties() | label() | valueMap() | drop()
p > v: element()
n > n: sum() | max() | min() | mean() | count() | is({P}) | math("_ * 2") | constant({n}) | fold().sum(local) | asNumber() | unfold()
n > s: asString() | asString().concat("z")
n > x: asBool() | asDate().dateAdd(DT.day,1) | asDate().dateDiff(datetime("2020-01-01T00:00:00Z")) | choose(__.is(gt(30)),__.constant("old"),__.constant("new")) | coin(1.0) | coin(0.0)
n > n: order() | order().by(desc) | inject({n}) | none(P.gt(99))
s > s: toUpper() | toLower() | trim() | lTrim() | rTrim() | reverse() | substring(1,3) | concat("x",null) | replace("a","b") | is(TextP.containing("o")) | format("%{_}")
s > n: length()
s > l: split("a") | fold()
l > x: unfold() | index() | conjoin("-") | any({P}) | all({P}) | none({P}) | reverse()
l > n: count(local) | sum(local) | max(local) | min(local) | mean(local)
l > l: combine([1,9]) | difference([1,9]) | disjunct([1,9]) | intersect([1,9]) | merge([1,9]) | product([1,9]) | limit(local,1) | tail(local,1) | range(local,0,2) | skip(local,1) | order(local) | dedup(local) | sample(local,99)
m > x: select(keys) | select(values) | unfold() | count(local) | select("name") | order(local).by(keys) | select(keys).unfold()
x > n: count() | sack() | constant(1)
x > l: fold() | path() | path().by(label) | cap("x") | aggregate("y").cap("y")
x > x: identity() | as({lab}) | select({lab}) | select(last,{lab}) | select(all,{lab}) | select({lab},{lab}) | dedup({lab}) | dedup() | barrier() | barrier(2) | timeLimit(60000) | sample(999)
x > x: limit({k}) | range(1,3) | skip(1) | tail({k}) | where({lab},neq({lab})) | where(eq({lab})) | where(P.neq({lab})) | fail("f") | discard() | profile() | local(__.limit(1)) | sack(assign)
x > v: V({id}) | select({lab}).out() | select({lab}).by("name")
`

// Closures is the part of the grammar with lambdas. They stand in quotes, in which a text
// of gremlin-lang can hold them: Query.Groovy takes those away.
const Closures = `
v > x: map("{it.get().id()}") | map("{it.get().label()}") | map("{it.path().size()}") | map("{it.loops()}")
v > v: filter("{it.get().label() == 'person'}") | sideEffect("{it.get().id()}") | order().by("{a, b -> a.id() <=> b.id()}")
v > v: flatMap("{it.get().vertices(Direction.OUT)}") | until("{it.loops() == 2}").repeat(__.out()) | repeat(__.out()).emit("{it.loops() == 1}").times(2)
v > x: group().by("{it.label()}").by("{it.id()}") | choose("{it.label()}") | branch("{it.label()}").option("person",__.out()).option("software",__.in())
v > m: groupCount().by("{it.label()}") | project("p","q").by("{it.id()}").by({by:v>x})
v > v: dedup().by("{it.label()}") | where("{it.get().id() > 2}") | sack("{a, b -> a}").by("age")
n > n: map("{it.get() * 2}") | filter("{it.get() > 28}") | order().by("{a, b -> b <=> a}") | flatMap("{[it.get(), 1].iterator()}")
s > x: map("{it.get().length()}") | filter("{it.get().contains('o')}")
x > x: filter("{true}") | filter("{false}") | sideEffect("{it.bulk()}") | map("{it.get()}") | map("{it.bulk()}") | map("{it.sack()}")
`

// Files is the part of the grammar that reads and writes files: of the graph named sink,
// whose ids no other has.
const Files = `
start > x: io("out.json").write() | io("out.xml").write() | io("out.kryo").write() | io("sink.json").read() | io("sink.xml").read() | io("sink.kryo").read() | io("none.json").read()
`

// rules takes a grammar apart.
func rules(grammar string) []rule {
	var list []rule
	for _, line := range strings.Split(strings.TrimSpace(grammar), "\n") {
		types, forms, _ := strings.Cut(line, ": ")
		from, to, _ := strings.Cut(types, " > ")
		for _, form := range strings.Split(forms, " | ") {
			list = append(list, rule{from, to, form})
		}
	}
	return list
}
