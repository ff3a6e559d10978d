package corpus

import (
	"fmt"
	"strings"
)

// receivers are what methods are called on, by the table that they stand in.
var receivers = map[string][]string{
	"strings":    {`("a, " * 1000000)`, `("%99999s" * 1000)`, `"1"`},
	"numbers":    {`3`, `(7G ** 30000)`, `1e-999999999G`, `9223372036854775807L`},
	"lists":      {`(1..500000).toList()`, `(1..100000).collect { "text $it" }`, `[[1, 2]] * 50000`},
	"cursors":    {`(1..500000).toList().iterator()`, `(("ab" * 100000) =~ "a")`},
	"fixedLists": {`(1..500000)`, `g.V().toList().asImmutable()`},
	"maps":       {`(1..100000).collectEntries { [it, it] }`, `[a: 1].withDefault { 1 }`},
	"sets":       {`((1..100000) as Set)`},
	"entries":    {`(1..100000).collectEntries { [it, it] }.entrySet().first()`},
	"elements":   {`g.V().next()`, `g.E().next()`, `g.V().properties().next()`},
	"paths":      {`g.V().out().out().path().next()`},
	"enums":      {`T.id`, `desc`},
	"classes":    {`Integer`, `Math`},
	"predicates": {`P.within((1..100000).toList())`, `TextP.regex("(a|b)*c{900}")`},
	"trees":      {`g.V().out().out().tree().next()`},
	"any":        {`(1..300000).toList()`, `("a" * 1000000)`, `3`, `[a: 1]`},
	"iterables":  {`(1..300000).toList()`, `g.V().out().out()`, `((1..100000) as Set)`},
	"traversals": {`g.V().out().out().out()`, `g.V().V().V().V()`, `g.inject(1).repeat(identity()).emit()`, `g.inject(1).repeat(union(identity(), identity())).times(60)`},
	"statics":    {""},
	"streams":    {`(1..500000).stream()`},
	"times":      {`new Date(0)`, `java.time.LocalDate.of(2020, 1, 1)`, `java.time.OffsetDateTime.now()`},
	"durations":  {`java.time.Duration.ofDays(1)`},
	"metrics":    {`g.V().out().profile().next()`},
	"explained":  {`g.V().out().explain()`},
	"effects":    {`g.V().aggregate("x").iterate().getSideEffects()`},
	"calls":      {""},
	// of graphs that scripts open
	"graphs":         {`TinkerGraph.open()`, `TinkerFactory.createGratefulDead()`},
	"variables":      {`TinkerFactory.createModern().variables()`},
	"configurations": {`new BaseConfiguration()`},
	"computers":      {`TinkerFactory.createGratefulDead().compute()`},
	"results":        {ranked},
	"memories":       {ranked + ".memory()"},
}

const ranked = `TinkerFactory.createModern().compute().program(PageRankVertexProgram.build().create()).submit().get()`

// Receivers are what methods of a table are called on.
func Receivers(table string) []string { return receivers[table] }

// Operands are what methods are called with.
func Operands() []string { return operands }

// operands are what methods are called with.
var operands = []string{
	``, `3`, `30000000`, `9223372036854775807L`, `"a"`, `",\\s"`, `"x" * 100000`, `(1..100000).toList()`, `{ it }`, `{ a, b -> a <=> b }`,
	`{ while (true) { } }`, `{ [it, it] }`, `"(a|, )*c", "x"`, `3, 3`, `3, "a"`, `1, 2000000`, `0, { a, b -> [a, b] }`, `"%99999s", 1`, `((1..100000) as Set)`,
}

// Call is a script that calls a method in a loop without end, on an object of the table
// that it stands in and with arguments that pick chooses, as rand.IntN does.
func Call(table, method string, pick func(n int) int) string {
	on, args := "1", operands[pick(len(operands))]
	if list := receivers[table]; len(list) > 0 {
		on = list[pick(len(list))]
	}
	call := fmt.Sprintf("x.%s(%s)", method, args)
	if table == "statics" || table == "calls" {
		call, on = fmt.Sprintf("%s(%s)", method, args), "1"
	}
	switch pick(4) {
	case 0:
		return fmt.Sprintf("x = %s; %s", on, call)
	case 1:
		return fmt.Sprintf("x = %s; l = []; while (true) { l << %s }", on, call)
	case 2:
		return fmt.Sprintf("x = %s; while (true) { x = %s }", on, call)
	}
	return fmt.Sprintf("x = %s; while (true) { try { %s } catch (e) { } }", on, call)
}

// Scripts ask for much at once.
func Scripts() []string {
	return []string{
		`("a," * 30000000).split(",").size()`,
		`l = (1..1000000).toList(); while (true) { l as Set }`,
		`l = (1..100000).toList(); while (true) { l.intersect(l) }`,
		`s = [1] as Set; t = [1] as Set; 60.times { s = [s, [s]] as Set; t = [t, [t]] as Set }; s == t`,
		`m = [a: 1]; n = [a: 1]; 60.times { m = [(m): 1, 2: m]; n = [(n): 1, 2: n] }; m <=> n`,
		`l = (1..100000).toList(); while (true) { l - l }`,
		`s = "ab" * 4000000; while (true) { s.toUpperCase() }`,
		`s = "ab" * 4000000; while (true) { s =~ "(a|b|ab)*c" }`,
		`("a" * 1000000).matches("(a?){1000}a{1000}")`,
		`x = "((a{100}){100}){100}"; "a" =~ x`,
		`m = [:]; while (true) { m[m.size()] = "x" * 1000 }`,
		`l = []; while (true) { l << (l.size() + 1G) ** 1000 }`,
		`l = [1]; while (true) { l.addAll(l) }`,
		`s = "x"; while (true) { s += s }`,
		`x = 3G; while (true) { x = x * x }`,
		`(1..1000000).collect { (1..1000000) }`,
		`def f(n) { f(n + 1) }; f(1)`,
		`while (true) { try { f() } catch (e) { } }`,
		`b = new StringBuilder(); while (true) { b << "ab" * 1000 }`,
		`b = new StringBuilder("ab" * 4000000); while (true) { b.insert(0, "x") }`,
		`b = new StringBuilder("ab" * 4000000); while (true) { b.deleteCharAt(1) }`,
		`b = new StringBuilder("ab" * 4000000); while (true) { b.toString() }`,
		`b = new StringBuilder("ab" * 4000000); while (true) { "$b" }`,
		`t = new TreeMap(); i = 0; while (true) { t[i--] = 1 }`,
		`while (true) { new TreeMap() }`,
		`l = []; while (true) { l << [:].withDefault { 1 } }`,
		`m = [:].withDefault { m[it + 1] }; m[1]`,
		`s = "ab" * 1000000; while (true) { (s =~ /(a)(b)/).count }`,
		`x = ("ab" * 500000) =~ /(a)(b)/; while (true) { x.collect { it } }`,
		`s = "ab" * 1000000; while (true) { s.replaceAll(/(a)(b)/, '$2$1$2$1') }`,
		`s = "ab" * 1000000; while (true) { s.replaceAll(/(a)(b)/) { all, a, b -> b } }`,
		`while (true) { "x".replaceAll(/(x)/, '$1' * 100000) }`,
		`while (true) { String.format("%99999s", "x") }`,
		`String.format("%s" * 1000000, 1..1000000)`,
		`String.format("%.3f", 1e-999999999G)`,
		`String.format("%.3f", 1e999999999G)`,
		`(1..40).toList().subsequences().size()`,
		`(1..12).toList().permutations().size()`,
		`[(1..100), (1..100), (1..100), (1..100)].combinations().size()`,
		`[1, 2, 3].collate(1, 1); l = (1..100000).toList(); while (true) { l.collate(1) }`,
		`f = { it }; while (true) { f = f >> { it } }`,
		`f = { it }; 100000.times { f = f >> { it } }; f(1)`,
		`f = { Object... a -> a }; while (true) { f(*(1..10000)) }`,
		`r = new Random(1); while (true) { r.nextInt(10) }`,
		`s = (1..1000000).stream(); while (true) { s.map { it + 1 } }`,
		`1.step(2, 0.0000001) { }; 1.step(1000000000, 1) { }`,
		`d = java.time.LocalDate.of(2020, 1, 1); while (true) { d = d.plusDays(1) }`,
		`(a, b) = [1, 2]; while (true) { (a, b) = [b, a] }`,
		`while (true) { println "x" * 100000 }`,
		`sleep(100000000)`,
		`Thread.sleep(100000000)`,
		"x = [" + strings.Repeat("1,", 2_000_000) + "1]; while (true) { }",
	}
}

// GraphScripts reach the graph.
func GraphScripts() []string {
	return []string{
		`while (true) { g.V().out().out().toSet() }`,
		`g.V().V().V().toBulkSet()`,
		`l = []; while (true) { l << g.V().toBulkSet() }`,
		`l = []; while (true) { l << g.V().next(1000) }`,
		`g.inject(1).repeat(identity()).emit().next(2000000000)`,
		`l = []; while (true) { t = g.V().out(); t.next(); l << t }`,
		`l = []; while (true) { l << g.V().out().tryNext() }`,
		`while (true) { g.V().explain().prettyPrint() }`,
		`x = g.V().toList(); while (true) { x.collect { it.value("name") } }`,
		`while (true) { g.V().map { it.get().value("name") }.toList() }`,
		`g.V().map { while (true) { } }`,
		`g.V().map { l = []; while (true) { l << l.toString() } }`,
		`g.V().order().by { a, b -> Thread.sleep(10000); 0 }`,
		`g.withSack([]) { it }.V().both().both().both().sack()`,
		`while (true) { def h(x) { x } }`,
		`x = 1; ` + strings.Repeat(`x = { x }; `, 10000),
		strings.Repeat("(", 100000),
		strings.Repeat("[", 100000) + strings.Repeat("]", 100000),
		"g" + strings.Repeat(".V()", 5000),
		"g" + strings.Repeat(".V()", 200000),
		"g.V()" + strings.Repeat(".where(__.out()", 200) + strings.Repeat(")", 200),
		"g.V()" + strings.Repeat(".where(__.out()", 50000),
		"g.inject(" + strings.Repeat("[", 5000) + "1" + strings.Repeat("]", 5000) + ")",
		"g.inject('" + strings.Repeat("x", 9_000_000) + "')",
		"g.inject(" + strings.Repeat("1,", 4_000_000) + "1)",
		"g.inject(" + strings.Repeat("9", 4_000_000) + ")",
		"g.inject(" + strings.Repeat("'a':1,", 1_000_000) + "1)",
		"g.inject([" + strings.Repeat("'a':[1],", 1_000_000) + "'b':1])",
		strings.Repeat("g.V().count();", 9_999) + "g.V().count()",
		"g.V().as('a')" + strings.Repeat(".as('a')", 4_000) + ".select('a')",
		"g.V().union(" + strings.Repeat("__.out(),", 300_000) + "__.in())",
	}
}
