package main

import "slices"

// query is one line of the table: a traversal over seeds.
type query struct {
	row  string
	name string
	// text is gremlin-lang with the variables v and w (vertex ids), n (a name) and
	// names (ten of them).
	text   string
	source string
	// clients are the numbers of concurrent clients.
	clients []int
	// barRaw and barDriver are the ratios to Gremlin Server that gremlind must reach
	// with raw clients and with gremlin-go; 0 stands for 1: no slower. A write that is
	// committed has a bar for its deep clients alone: Gremlin Server syncs nothing, and
	// what one client waits for is measured against the sync.
	barRaw, barDriver float64
	// deep adds a line of clients that have eight requests under way each.
	deep bool
	// slow marks a query that the peer answers in seconds: one seed and one round.
	slow bool
	// write marks a query that changes the graph; its answers are not compared.
	write bool
	// times makes a transaction of a session that sends text so often; raw alone.
	times int
	// every20 is sent in place of text by one request of twenty.
	every20 string
	// noDriver leaves gremlin-go out.
	noDriver bool
	// elements marks answers that are elements with their properties.
	elements bool
	// canned lets the reference with a fixed answer take part: the answer has its size. A
	// point read is held to that reference's rate.
	canned, point bool
	// committed lets the reference take part that answers behind a bare commit, and has
	// syncs measured between the rounds.
	committed bool
}

var (
	one     = []int{1}
	few     = []int{1, 16}
	writers = []int{1, 16, 64}
)

// transactionSize is the number of elements that a session's transaction adds.
const transactionSize = 1000

// queries are the workloads, by their row of the plan.
var queries = []query{
	{row: "1", name: "vertex by id, one property", text: `g.V(v).values("age")`, clients: few, deep: true, canned: true, point: true},
	{row: "2", name: "vertex by indexed name", text: `g.V().has("name", n).values("age")`, clients: few, deep: true, canned: true, point: true},
	{row: "2", name: "ten vertices by indexed name", text: `g.V().has("name", within(names)).values("age")`, clients: few, deep: true, barRaw: 3},
	{row: "3", name: "degree", text: `g.V(v).out("knows").count()`, clients: few, deep: true, canned: true, barRaw: 3},
	{row: "3", name: "neighbours with properties", text: `g.V(v).out("knows")`, elements: true, clients: few, deep: true, barRaw: 3},
	{row: "3", name: "neighbours, one property", text: `g.V(v).out("knows").values("age")`, clients: few, deep: true, barRaw: 3},
	{row: "4", name: "two hops, count", text: `g.V(v).out().out().count()`, clients: one, barRaw: 12.5, barDriver: 7.5},
	{row: "4", name: "two hops, distinct, count", text: `g.V(v).out().out().dedup().count()`, clients: one, barRaw: 9, barDriver: 12.5},
	{row: "5", name: "three hops, count", text: `g.V(v).out().out().out().count()`, clients: one, barRaw: 150, barDriver: 150},
	{row: "5", name: "three hops by repeat, count", text: `g.V(v).repeat(__.out()).times(3).count()`, clients: one, barRaw: 150, barDriver: 150},
	{row: "6", name: "all two-hop paths, count", text: `g.V().out().out().count()`, clients: one, slow: true, noDriver: true, barRaw: 500},
	{row: "7", name: "a path of three hops", text: `g.V(v).repeat(__.out().simplePath()).until(__.hasId(w).or().loops().is(3)).hasId(w).limit(1).path().count(local)`, clients: one, slow: true, noDriver: true, barRaw: 100},
	{row: "8", name: "group and count by age", text: `g.V().groupCount().by("age")`, clients: one, barRaw: 6, barDriver: 6},
	{row: "8", name: "group and count by label", text: `g.V().groupCount().by(label)`, clients: one, barRaw: 6, barDriver: 6},
	{row: "9", name: "first ten by indexed name", text: `g.V().order().by("name").limit(10).values("name")`, clients: one, barRaw: 500, barDriver: 500},
	{row: "9", name: "first ten by age", text: `g.V().order().by("age").limit(10).values("age")`, clients: one, barRaw: 12.5, barDriver: 12.5},
	{row: "10", name: "triangles at a vertex", text: `g.V(v).match(__.as("a").out().as("b"), __.as("b").out().as("c"), __.as("c").out().as("a")).count()`, clients: one, barRaw: 75, barDriver: 75},
	{row: "10", name: "Grateful Dead: triangles", source: "ggrateful", text: `g.V().match(__.as("a").out().as("b"), __.as("b").out().as("c"), __.as("c").out().as("a")).count()`, clients: one, slow: true, barRaw: 500, barDriver: 500},
	{row: "16", name: "sum of a property", text: `g.V().hasLabel("person").values("age").sum()`, clients: one, barRaw: 15, barDriver: 15},
	{row: "16", name: "count of edges", text: `g.E().count()`, clients: one, barRaw: 0.5, barDriver: 0.5},
	{row: "11", name: "pageRank, 20 rounds", text: `g.withStrategies(VertexProgramStrategy).V().pageRank(0.85).with("~tinkerpop.pageRank.times", 20).count()`, clients: one, slow: true, noDriver: true, barRaw: 50},
	{row: "11", name: "connected components", text: `g.withStrategies(VertexProgramStrategy).V().connectedComponent().groupCount().by("gremlin.connectedComponentVertexProgram.component").count(local)`, clients: one, slow: true, noDriver: true, barRaw: 45},
	{row: "17", name: "Grateful Dead: out().out()", source: "ggrateful", text: `g.V().out().out().count()`, clients: one},
	{row: "17", name: "Grateful Dead: out().in().out()", source: "ggrateful", text: `g.V().out().in().out().count()`, clients: one},
	{row: "17", name: "Grateful Dead: both() three times", source: "ggrateful", text: `g.V().both().both().both().count()`, clients: one},
	{row: "17", name: "Grateful Dead: repeat(out()).times(4).dedup()", source: "ggrateful", text: `g.V().repeat(__.out()).times(4).dedup().count()`, clients: one},
	{row: "17", name: "Grateful Dead: groupCount by label", source: "ggrateful", text: `g.V().groupCount().by(label)`, clients: one},
	{row: "17", name: "Grateful Dead: 1,000 paths", source: "ggrateful", text: `g.V().out().out().path().limit(1000).count()`, clients: one},
	{row: "17", name: "air routes: out().out()", source: "gair", text: `g.V().out().out().count()`, clients: one},
	{row: "17", name: "air routes: out().in().out()", source: "gair", text: `g.V().out().in().out().count()`, clients: one},
	{row: "17", name: "air routes: both() three times", source: "gair", text: `g.V().both().both().both().count()`, clients: one},
	{row: "17", name: "air routes: repeat(out()).times(4).dedup()", source: "gair", text: `g.V().repeat(__.out()).times(4).dedup().count()`, clients: one},
	{row: "12", name: "add a vertex", text: `g.addV("w").property("name", n).property("age", 1).count()`, clients: writers, write: true, deep: true, committed: true},
	{row: "12", name: "add an edge", text: `g.V(v).addE("w").to(__.V(w)).count()`, clients: writers, write: true, deep: true, committed: true},
	{row: "12", name: "set a property", text: `g.V(v).property("seen", 1).count()`, clients: writers, write: true, deep: true, committed: true},
	{row: "13", name: "100 vertices in one request", text: `g.inject(1).repeat(__.addV("w")).times(100).count()`, clients: one, write: true},
	{row: "13", name: "100 edges in one request", text: `g.V(v).repeat(__.addE("w").to(__.V(w)).outV()).times(100).count()`, clients: one, write: true},
	{row: "13", name: "session of 1,000 vertices (1)", text: `g.addV("w").property("name", n).property("age", 1).count()`, clients: one, write: true, times: transactionSize, noDriver: true},
	{row: "13", name: "transaction of 1,000 vertices (2)", source: "gtx", text: `g.addV("w").property("name", n).property("age", 1).count()`, clients: one, write: true, times: transactionSize, noDriver: true},
	{row: "15", name: "95 reads, 5 updates", text: `g.V(v).values("age")`, every20: `g.V(v).property("seen", 2).count()`, clients: few, write: true},
}

// notes explain the numbers in the names of queries.
const notes = `
(1) 1,000 requests in one session, each answered before the next is sent, then a commit; Gremlin Server holds a plain TinkerGraph,
which has no transactions: nothing is committed there.
(2) The same on an empty graph that has transactions at both: TinkerTransactionGraph in memory at Gremlin Server.
`

// notesOn are the notes that the lines need.
func notesOn(lines []line) string {
	if slices.ContainsFunc(lines, func(l line) bool { return l.query.times > 0 }) {
		return notes
	}
	return ""
}
