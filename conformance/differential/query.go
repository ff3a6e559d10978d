package differential

import (
	"regexp"
	"strings"
)

// Query is a traversal as text.
type Query struct {
	Text string
	// Ordered is set when the order of the results is defined: an order() by what tells
	// all results apart, and behind it only steps that keep the order.
	Ordered bool
	// Picks is set when it depends on an order that is not defined which results there are.
	Picks bool
}

var (
	writing = regexp.MustCompile(`\b(addV|addE|mergeV|mergeE|drop|property|read)\(`)
	adding  = regexp.MustCompile(`\b(addV|addE|mergeV|mergeE)\(`)
	// ids are the steps that make numbers of ids, some of them with what takes the values of a map, or makes a text of it.
	ids = regexp.MustCompile(`[._]id\(|\b(path|tree|group|groupCount|project|select)\([^()]*\)(\.by\([^()]*\))*\.by\(id\)|(elementMap|WithOptions\.tokens|valueMap\.tokens|valueMap\(true)\b.*(\bvalues\)|asString\(|format\(|conjoin\(|concat\()`)
	// gathering are the steps whose collections come in the order of the traversers, or of a
	// hash table, where none is defined.
	gathering = regexp.MustCompile(`\b(fold|aggregate|cap|group|groupCount|tree|subgraph|match|difference|disjunct|intersect|merge|pageRank|select)\(|withSideEffect`)
	closure   = regexp.MustCompile(`"(\{[^"]*\})"`)
)

// Writes reports whether the traversal has a step that changes the graph.
func (q Query) Writes() bool { return writing.MatchString(q.Text) }

// Adds reports whether it has a step that makes elements.
func (q Query) Adds() bool { return adding.MatchString(q.Text) }

// ShowsNewIDs reports whether its results may be ids of elements that it makes, as numbers:
// each run gives others.
func (q Query) ShowsNewIDs() bool { return q.Adds() && ids.MatchString(q.Text) }

// Gathers reports whether collections in its results may be in any order.
func (q Query) Gathers() bool { return gathering.MatchString(q.Text) && !q.Ordered }

// ShowsCount reports whether its results may be of a count() that is() has tested. Such a
// count goes on, in the reference too, only until is() can decide: CountStrategy is seen.
func (q Query) ShowsCount() bool {
	text := q.Text
	for _, asked := range []string{"(__.out().count().is(", "(__.bothE().count().is(", "(__.outE().count().is("} {
		text = strings.ReplaceAll(text, asked, "(")
	}
	return strings.Contains(text, "count().is(")
}

// Groovy returns the text as Groovy has it: closures without the quotes that stand around
// them where there are none.
func (q Query) Groovy() string { return closure.ReplaceAllString(q.Text, "$1") }

// HasClosures reports whether only Groovy can say it.
func (q Query) HasClosures() bool { return closure.MatchString(q.Text) }

// orders reports whether a form puts its results in an order that tells them apart.
func orders(form string) bool {
	return form == "order()" || form == "order().by(desc)" || strings.HasPrefix(form, "order().by(id")
}

// keeping are steps that keep the order of what they take, and give the same for the same.
var keeping = regexp.MustCompile(`^(has|hasLabel|hasNot|hasId|is|values|label|id|valueMap|elementMap|constant|identity|limit|range|skip|tail|asString|toUpper|toLower|length|fold|dedup\(\)|math)\b`)

func keepsOrder(form string) bool { return keeping.MatchString(form) }

// picking are steps that take some of what comes, and steps that see what came before.
var picking = regexp.MustCompile(`^(limit|range|tail|skip|sample|coin)\((\{|\d|local)|^(index|conjoin|reverse)\(|^dedup\(\{|dedup\(\)\.by|map\(\{c|local\((__\.)?(aggregate|limit)|with(out|in)\("x"\)`)

func picks(form string) bool { return picking.MatchString(form) }
