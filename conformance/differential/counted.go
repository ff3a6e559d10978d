package differential

import (
	"regexp"
	"strings"
)

// Counted is the part of the grammar that counts, and asks for what was counted, under the
// key views of vertices and edges. What is added to comes from a dedup(): a traverser that
// stands for several adds as many times, and property() sets once. Barriers keep apart what
// writes and what reads.
const Counted = `
start > v: V().has("views",{count}) | V().has({label},"views",{count}) | V().order().by("views",desc).by(id).limit(4) | V({id}).{inc} | V().hasLabel({label}).{inc} | V().has("views",{count}).{inc}
start > v: V().{inc}.V().has("views",{count}) | V({id}).{set}.{inc} | V().has("views",{count}).{inc}.{inc} | addV({label}).{inc} | V({id}).{inc}.{set} | V().has("views",{count}).{unset}.{inc} | V().{unset}.{inc} | V().hasNot("views").{inc}
start > e: E().has("views",{count}) | E().hasLabel({edge}).{inc} | V({id}).outE({edge}).{inc} | E().has("views",{count}).{inc}.{set} | E().has("views",{count}).{inc}.E().has("views",{count})
start > e: E().hasLabel({edge}).{unset}.{inc} | V({id}).addE({edge}).to(__.V({id})).{inc}
v > v: has("views",{count}) | hasNot("views") | {inc} | {inc} | {set} | {unset} | order().by("views").by(id) | where(__.values("views").is({count})) | repeat(__.out().{inc}).times(2)
v > v: barrier().local(__.{inc}).barrier() | barrier().sideEffect(__.out().{inc}).barrier()
v > n: values("views") | out().values("views") | properties("views").value() | local(__.outE().values("views").sum())
v > e: outE().{inc} | outE().has("views",{count}) | bothE().has("views",{count})
v > m: valueMap("views") | valueMap("views","age") | groupCount().by("views") | group().by("views").by(__.count()) | project("p").by("views") | elementMap("views")
v > l: valueMap("views").select("views")
v > x: properties("views").key() | sack(sum).by("views") | aggregate("x").by("views") | properties().hasKey("views").value() | hasNot("views").count() | values("views").sum() | {unset}.values("views") | barrier().drop()
e > e: has("views",{count}) | {inc} | {set} | order().by("views",desc).by(id) | where(__.values("views").is({count})) | {unset}
e > n: values("views") | properties("views").value()
e > x: valueMap("views") | elementMap("views") | values("views").max()
`

// countedWrites fill the places of what writes views.
var countedWrites = map[string][]string{
	"inc": {
		`barrier().dedup().call("gremlind.increment",["key":"views","by":1l]).barrier()`, `barrier().dedup().call("gremlind.increment",["key":"views","by":5l]).barrier()`,
		`barrier().dedup().call("gremlind.increment",["key":"views","by":-2l]).barrier()`,
	},
	"set":   {`barrier().property("views",0l).barrier()`, `barrier().property("views",3l).barrier()`, `barrier().property("views",-2l).barrier()`},
	"unset": {`barrier().sideEffect(__.properties("views").drop()).barrier()`},
}

// Uncounted is the query as it is for a graph in which views is a property like others.
func (q Query) Uncounted() Query {
	q.Text = increment.ReplaceAllString(q.Text, `property("views",__.union(__.values("views"),__.constant($1)).sum())`)
	return q
}

var increment = regexp.MustCompile(`call\("gremlind\.increment",\["key":"views","by":([^\]]*)\]\)`)

// Counts reports whether the query adds to counters.
func (q Query) Counts() bool { return strings.Contains(q.Text, "gremlind.increment") }

// Besides is the query without what writes views.
func (q Query) Besides() Query {
	for _, forms := range countedWrites {
		for _, form := range forms {
			q.Text = strings.ReplaceAll(q.Text, form, "identity()")
		}
	}
	return q
}
