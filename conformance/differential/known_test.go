package differential_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// difference is one from the reference that is meant, or that no definition forbids.
type difference struct {
	// row is the first cell of the line in docs/compatibility.md that has it; where there is
	// none, reason says what is not defined.
	row, reason string
	// Regular expressions, all of which must be found in the traversal and the two answers.
	query, have, want string
}

func (d difference) is(query, have, want string) bool {
	for _, p := range [][2]string{{d.query, query}, {d.have, have}, {d.want, want}} {
		if !regexp.MustCompile(p[0]).MatchString(p[1]) {
			return false
		}
	}
	return true
}

func (d difference) String() string {
	if d.row != "" {
		return d.row
	}
	return d.reason
}

const (
	begins  = `^g\.(with\w*\([^)]*\)\.)*` // what comes behind the source
	some    = `^[^!]|^$`                  // an answer that is no error
	anError = `^!`
	ranking = "the order of filters"

	// Both servers refuse. More than some of them would be another thing.
	twoErrors    = "two errors, of which another came first"
	twoErrorsMax = 0.005 // of what is compared
)

var known = []difference{
	{row: "`loops()` outside repeat()", query: `loops\(\)`, want: `UnsupportedOperationException`},
	{row: "`barrier(normSack)` and a closure's `sack()` without withSack()", query: `sack\(\)|normSack`, want: `UnsupportedOperationException`},
	{row: "order() of collections within a collection, `order(local)`", query: `order\(local\)`, want: `ClassCastException`},
	{row: ranking, query: `where\(`, have: some + `|KeyNotFound`, want: `KeyNotFound`},
	{row: ranking, query: `where\(`, have: `KeyNotFound`},
	{row: ranking, query: `(not|filter|where|and|or)\(.*(addV|addE|merge[VE]|property|drop|aggregate|group|groupCount)\(`},
	{row: ranking, query: `where\((P\.)?\w+\("(\w)"\)\)\.as\("\w"\)\.(is|has|not|or|and|filter|where)`},
	{row: ranking, query: `(order|dedup)\(.*(where|filter|is|has|not|or|and)\(`, have: anError, want: some},
	{row: "call() of n equal traversers", query: `call\("tinker.degree.centrality"\)`, have: some, want: some},
	{row: "mergeV(), mergeE(), addV(), addE() that begin a traversal", query: begins + `(add|merge)[VE]\(`, have: `NullPointerException`, want: `ClassCastException`},
	{row: "mergeV(), mergeE(), addV(), addE() that begin a traversal", query: begins + `merge[VE]\(.*(path|tree|Path|it\.path|as\("\w"\).*select\()`},
	{row: "math() with by() of values(), id(), label() or identity()", query: `math\("[^"]*"\)\.by\(__\.(values\("\w+"\)|identity\(\)|id\(\)|label\(\))\)`, want: `IllegalStateException`},
	{row: "equal traversers where there are closures", query: `it\.bulk\(\)`},
	{row: "`path()` in a closure, as `map{it.path().size()}`", query: `it\.path\(\)`, want: `\b0Integer`},
	{row: "what count() is compared with", query: `count\(\)(\.as\("\w"\)|\.order\(\)(\.by\(\w+\))?)*\.is\(P\.within`, want: `ClassCastException`},
	{row: "a label on count() or is(), or where() between them, as `count().as('a').is(gt(1))`", have: some, want: some,
		query: `count\(\)(\.as\("\w"\)\.(as\("\w"\)\.)*is|(\.as\("\w"\))*\.(where|filter)\(__\.is)\(|count\(\)\.is\([^()]*(\([^()]*\))?\)\.as\(`},
	{row: "local() with a reducing step that nothing reaches", have: some, want: some,
		query: `local\(__\..*(fold|count|sum|mean|min|max|tree|group|groupCount)\(.*\)\..*(fold|count|sum|mean|min|max|tree|group|groupCount)\(`},
	{row: "local() with a reducing step that nothing reaches", have: some, want: `ClassCastException`,
		query: `local\(__\..*(fold|count|sum|mean|min|max|tree|group|groupCount)\(.*\)\.fold\(\).*normSack`},
	{row: "lists and maps as sacks, and side effects that cap() or select() takes while they grow", have: some, want: `StackOverflowError`,
		query: `(cap|select)\("x"\).*\b(tree|group|groupCount)\("x"\)`},
	{row: "infix and() and or() within repeat()", query: `repeat\(__\..*(and|or)\(\)`, want: `ClassCastException`},
	{row: "a label on null, as `constant(null).as('a')`", query: `null|sack\(\)`, have: some, want: `NullPointerException`},
	{row: "a label on null, as `constant(null).as('a')`", query: `null.*select\(all`, have: `null`, want: `(null\w*, ){1,}null`},
	{row: "lists and maps as sacks, and side effects that cap() or select() takes while they grow", have: some, want: some,
		query: `(group|groupCount|tree)\("(\w)"\).*select\("x"\)`},
	{row: "lists and maps as sacks, and side effects that cap() or select() takes while they grow", have: some, want: some,
		query: `\(__\..*\b(group|groupCount|tree)\("(\w)"\).*cap\("\w"\).*(path|fold|as)\(`},
	{row: "TextP of what is no text", query: `TextP`, want: `ClassCastException`},
	{row: "match() within where()", query: `where\(__\.match\(`, want: `IllegalArgumentException`},
	{row: "infix and() and or() behind what begins a traversal, but V() and E()", query: begins + `(add|merge|inject|union|call).*\.(and|or)\(\)`},
	{row: "memory", query: `(aggregate\("(\w)"\).*){2}`, have: `StackOverflowError`},
	{row: "and() and or() within match() whose start no other pattern binds, as `match(as('a').out().as('b'), or(as('c').out().as('d')))`", query: `match\(.*__\.(and|or)\(__\.as`, want: anError},
	{row: "where(P) without a label behind match(), as `V(1).as('a').match(..).where(neq('a'))`", query: `match\(.*\)(\.as\("\w"\))*\.where\(P\.`, have: some, want: some},
	{row: "`by(values('k'))` of a vertex with several k", query: `by\(__\.values\("`, have: some, want: `IllegalStateException`},
	{row: "what is written before `count().is(P)`", query: `(property|addV|addE|merge[VE]|drop|aggregate|group|groupCount)\(.*count\(\)\.(is|where\(__\.is)\(`, want: some},
	{row: "a label on count() or is(), or where() between them, as `count().as('a').is(gt(1))`", have: anError, want: some,
		query: `count\(\)\.where\(__\.is\(`},
	{reason: "the order in which match() tries patterns that cost the same", have: some, want: some,
		query: `match\(.*(index\(|limit|range|skip|tail|sample|\[0\])|by\(__\.match\(`},
	{row: "conjoin() of nulls alone, `hasId(1, [2])`, keys of group() whose values are filtered away behind a barrier, `.5` in gremlin-lang", have: some, want: `null`, query: `conjoin\(`},
	{reason: "the order of a Java HashSet", have: some, want: some,
		query: `(difference|disjunct|intersect|merge|tree)\(.*(limit|range|skip|tail|sample|index|conjoin|reverse|unfold|asString)\(`},
	{reason: "the order of a Java HashSet", query: `(difference|disjunct|intersect|merge)\(.*(limit|range|skip|tail)\(local.*(max|min|sum|mean)\(local`, want: `ClassCastException`},
	{reason: "by() takes the first of several results", have: some, want: some, query: `by\(__\.(as\("\w"\)\.)?(out|in|both|properties|values|bothE|outE|inE|V|union|repeat)\(`},
	{reason: twoErrors, have: anError, want: anError},
	{reason: "a HashSet of Java takes an empty BulkSet for an empty Set, but not the other way", query: `dedup\(local\).*dedup\(\)`, have: `\(\)`, want: `bulk\(\)`},
	{reason: "skip(local) of an empty map is refused by a Java collection", query: `skip\(local`, want: `IllegalArgumentException`},
	{reason: "Groovy has no method or name for what gremlin-lang reads", want: `MissingMethodException|MissingPropertyException|MultipleCompilationErrorsException`},
}

// TestKnownDifferencesAreSaid holds that each has a line that users find, or a reason.
func TestKnownDifferencesAreSaid(t *testing.T) {
	page, err := os.ReadFile("../../docs/compatibility.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range known {
		if d.row == "" && d.reason == "" || d.row != "" && !strings.Contains(string(page), "\n| "+d.row+" |") {
			t.Errorf("docs/compatibility.md has no line %q for traversals with %s", d.row, d.query)
		}
	}
}
