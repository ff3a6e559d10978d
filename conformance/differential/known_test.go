package differential_test

import "regexp"

// difference is one from the reference that is meant, or that no definition forbids.
type difference struct {
	reason string
	// All of these must be found in the traversal and the two answers.
	query, have, want *regexp.Regexp
}

func (d difference) is(query, have, want string) bool {
	for _, p := range []struct {
		re   *regexp.Regexp
		text string
	}{{d.query, query}, {d.have, have}, {d.want, want}} {
		if p.re != nil && !p.re.MatchString(p.text) {
			return false
		}
	}
	return true
}

// known are the differences that docs/compatibility.md has under "On purpose", and orders of
// Java's hash tables that show.
var known = []difference{
	{"loops() and a closure's sack() where the class of the reference's traverser has none",
		regexp.MustCompile(`loops\(\)|sack\(\)`), nil, regexp.MustCompile(`UnsupportedOperationException`)},
	{"order(local) of what Java does not compare", regexp.MustCompile(`order\(local\)`), nil, regexp.MustCompile(`ClassCastException`)},
	{"the reference ranks filters in another order, and one that misses a label raises or has nothing to look at",
		regexp.MustCompile(`where\(`), regexp.MustCompile(`^[^!]|^$|KeyNotFound`), regexp.MustCompile(`KeyNotFound`)},
	{"the reference ranks filters in another order, and one that misses a label raises or has nothing to look at",
		regexp.MustCompile(`where\(`), regexp.MustCompile(`KeyNotFound`), nil},
	{"the reference ranks filters in another order, and one that writes sees other traversers",
		regexp.MustCompile(`(not|filter|where|and|or)\(.*(addV|addE|merge[VE]|property|drop|aggregate|group|groupCount)\(`), nil, nil},
	{"call() gives what it gives of n equal traversers n times n times in the reference",
		regexp.MustCompile(`call\("tinker.degree.centrality"\)`), regexp.MustCompile(`^[^!]`), regexp.MustCompile(`^[^!]`)},
	{"what begins a traversal has an object of its own in the reference: false, of which properties are asked for",
		regexp.MustCompile(`^g\.(with\w+\([^)]*\)\.)*(add|merge)[VE]\(`), regexp.MustCompile(`NullPointerException`), regexp.MustCompile(`ClassCastException`)},
	{"mergeV() and mergeE() that begin a traversal leave a false in the reference's paths",
		regexp.MustCompile(`^g\.(with\w+\([^)]*\)\.)*merge[VE]\(.*(path|tree|Path|it\.path)`), nil, nil},
	{"math() refuses what the reference's own strategy makes of its by()",
		regexp.MustCompile(`math\("[^"]*"\)\.by\(__\.(values\("\w+"\)|identity\(\)|id\(\)|label\(\))\)`), nil, regexp.MustCompile(`IllegalStateException`)},
	{"the order of a Java HashSet", regexp.MustCompile(`(difference|disjunct|intersect|merge)\(.*(limit|range|skip|tail|sample|index|conjoin|reverse|unfold|asString)\(`),
		regexp.MustCompile(`^[^!]`), regexp.MustCompile(`^[^!]`)},
	{"a side effect that comes to hold itself", regexp.MustCompile(`(aggregate\("(\w)"\).*){2}`), regexp.MustCompile(`StackOverflowError`), nil},
	{"where closures may look at paths, equal traversers do not merge", regexp.MustCompile(`it\.bulk\(\)`), nil, nil},
	{"two errors, of which another came first", regexp.MustCompile(`inject\(|(order|where|filter|not|is)\(|\bby\(|map\("?\{`), regexp.MustCompile(`^!`), regexp.MustCompile(`^!`)},
	{"the reference's CountStrategy casts what count() is compared with", regexp.MustCompile(`count\(\)(\.as\("\w"\))?\.is\(P\.within`), nil, regexp.MustCompile(`ClassCastException`)},
	{"TextP of what is no text is not true", regexp.MustCompile(`TextP`), nil, regexp.MustCompile(`ClassCastException`)},
	{"equal values of inject() under withSack() are one traverser, and fold(seed, operator) takes it once",
		regexp.MustCompile(`withSack.*inject\(.*fold\([^)]`), nil, nil},
	{"the reference ranks filters in another order, and moves one that has a label before another that asks for it",
		regexp.MustCompile(`where\((P\.)?\w+\("(\w)"\)\)\.as\("\w"\)\.(is|has|not|or|and|filter|where)`), nil, nil},
	{"where() refuses the labels of a match() in it", regexp.MustCompile(`where\(__\.match\(`), nil, regexp.MustCompile(`IllegalArgumentException`)},
	{"infix and() and or() take what begins the traversal into their first operand in the reference, unless it is V() or E()",
		regexp.MustCompile(`^g\.(with\w+\([^)]*\)\.)*(add|merge|inject|union|call).*\.(and|or)\(\)`), nil, nil},
	{"Groovy finds no method for what gremlin-lang reads", nil, nil, regexp.MustCompile(`MissingMethodException|MissingPropertyException|MultipleCompilationErrorsException`)},
}
