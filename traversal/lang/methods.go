package lang

import (
	"maps"
	"slices"
	"strings"
)

// What a call takes is written as in the table below: signatures separated by |, one
// letter for each argument, * behind the last letter for any number of it.
//
//	s string       S string or null        v string or variable   w all three
//	i integer      l integer, as Long      I integer or variable, as Long
//	n number, as Double                    b boolean
//	o literal      O literal or variable   m map, null, variable  M map or variable
//	t traversal    p predicate             D datetime
//	T T  C Column  F T or Column  P Pop  r Order  e Scope  c Cardinality  d Direction
//	x Operator  g GType  u DT  k Barrier  G Merge  W option key  X option value
var letters = map[byte]parameter{
	's': {accept: classString},
	'S': {accept: classString | classNull},
	'v': {accept: classString | classVariable, convert: toString},
	'w': {accept: classString | classNull | classVariable, convert: toString},
	'i': {accept: classInteger, convert: toInt},
	'l': {accept: classInteger, convert: toLong},
	'I': {accept: classInteger | classVariable, convert: toLong},
	'n': {accept: classNumber, convert: toDouble},
	'b': {accept: classBool},
	'o': {accept: classLiteral},
	'O': {accept: classArgument},
	'm': {accept: classMap | classNull | classVariable, convert: toMap},
	'M': {accept: classMap | classVariable, convert: toMap},
	't': {accept: classTraversal},
	'p': {accept: classPredicate},
	'D': {accept: classDate},
	'T': {accept: classT},
	'C': {accept: classColumn},
	'F': {accept: classT | classColumn},
	'P': {accept: classPop},
	'r': {accept: classOrder},
	'e': {accept: classScope},
	'c': {accept: classCardinality | classCardinalityValue},
	'd': {accept: classDirection},
	'x': {accept: classOperator},
	'g': {accept: classGType},
	'u': {accept: classDT},
	'k': {accept: classBarrier},
	'G': {accept: classMerge},
	'W': {accept: classString | classWithKey},
	'X': {accept: classLiteral | classWithValue},
}

// conversion brings an argument to the type of the Java method's parameter.
type conversion uint8

const (
	asIs conversion = iota
	toInt
	toLong
	toDouble
	toString
	toMap
)

type parameter struct {
	accept  class
	convert conversion
}

// signature is one way to call a method.
type signature struct {
	params []parameter
	repeat bool // the last parameter any number of times
}

// at returns the i-th parameter, false when there is none.
func (s *signature) at(i int) (parameter, bool) {
	if i < len(s.params) {
		return s.params[i], true
	}
	if s.repeat {
		return s.params[len(s.params)-1], true
	}
	return parameter{}, false
}

// takes reports whether a call may have n arguments.
func (s *signature) takes(n int) bool {
	if s.repeat {
		return n >= len(s.params)-1
	}
	return n == len(s.params)
}

// method is a step, a source instruction, a predicate or a terminal. It has at most
// 16 signatures, so that a set of them is 16 bits.
type method struct {
	name       string
	signatures []signature
}

func newMethod(name, text string) *method {
	m := &method{name: name}
	for _, s := range strings.Split(text, "|") {
		sig := signature{repeat: strings.HasSuffix(s, "*")}
		for _, c := range []byte(strings.TrimSuffix(s, "*")) {
			sig.params = append(sig.params, letters[c])
		}
		m.signatures = append(m.signatures, sig)
	}
	return m
}

// accepts is the union of what the candidate signatures take in place i.
func (m *method) accepts(candidates uint16, i int) class {
	var c class
	for k := range m.signatures {
		if candidates&(1<<k) != 0 {
			if p, ok := m.signatures[k].at(i); ok {
				c |= p.accept
			}
		}
	}
	return c
}

// table makes methods of lines "name signatures"; the signatures may be missing.
func table(text string) map[string]*method {
	methods := map[string]*method{}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		names, sigs, _ := strings.Cut(strings.TrimSpace(line), ":")
		for _, name := range strings.Fields(names) {
			methods[name] = newMethod(name, strings.TrimSpace(sigs))
		}
	}
	return methods
}

// unchecked is what a step takes that only Options.Steps knows.
func unchecked(name string) *method {
	any := parameter{accept: ^class(0)}
	return &method{name: name, signatures: []signature{{params: []parameter{any}, repeat: true}}}
}

// steps are the grammar's traversalMethod rules.
var steps = table(`
V E                                 : O*
addE                                : v|t
addV                                : |v|t
aggregate                           : s
all any none                        : p
and or coalesce match union         : t*
as cap project                      : sS*
asBool asDate bothV cyclicPath      :
asNumber                            : |g
asString count length lTrim rTrim   : |e
max mean min sum toLower toUpper    : |e
order trim                          : |e
barrier                             : k||i
both bothE in inE out outE          : w*
branch flatMap local map not        : t
optional sideEffect                 : t
by                                  : |r|F|Fr|s|sr|t|tr
call                                : s|sM|st|sMt
choose                              : F|pt|ptt|t|tt|ttt
coin                                : n
combine constant difference         : o
disjunct intersect merge product    : o
concat                              : tt*|S*
conjoin format math subgraph        : s
connectedComponent discard drop     :
element id identity inV index key   :
label otherV outV path peerPressure :
read shortestPath simplePath unfold :
value write reverse                 :
dateAdd                             : ui
dateDiff                            : t|D
dedup                               : eS*|S*
elementMap properties propertyMap   : S*
values                              : S*
emit                                : |p|t
fail group groupCount loops tree    : |s
profile                             : |s
filter until                        : p|t
fold                                : |ox
from                                : s|t
has                                 : S|SO|Sp|wSO|wSp|TO|Tp
hasId hasValue                      : OO*|p
hasKey                              : p|SS*
hasLabel                            : p|ww*
hasNot                              : S
inject                              : o*
is                                  : O|p
limit skip                          : eI|I
mergeE mergeV                       : |m|t
option                              : pt|Gm|Gmc|Gt|Ot|t
pageRank                            : |n
property                            : coOO*|cm|oOO*|m
range                               : eII|II
repeat                              : st|t
replace                             : SS|eSS
sack                                : x|
sample                              : ei|i
select                              : C|Ps|PssS*|Pt|s|ssS*|t
split                               : S|eS
substring                           : i|ei|ii|eii
tail                                : |e|eI|I
timeLimit                           : l
times                               : i
to                                  : dw*|s|t
toE                                 : dw*
toV                                 : d
valueMap                            : S*|bS*
where                               : p|sp|t
with                                : W|WX
`)

// spawns are the grammar's traversalSourceSpawnMethod rules.
var spawns = table(`
addE          : v|t
addV          : |v|t
E V           : O*
inject        : o*
io            : s
mergeV mergeE : m|t
call          : |s|sM|st|sMt
union         : t*
`)

// sourceMethods are the grammar's traversalSourceSelfMethod rules; the arguments of
// withStrategies and withoutStrategies have a form of their own.
var sourceMethods = table(`
withBulk          : b
withPath          :
withSack          : o|ox
withSideEffect    : so|sox
withStrategies    :
withoutStrategies :
with              : s|so
`)

// terminals are the grammar's traversalTerminalMethod rules.
var terminals = table(`
explain iterate hasNext tryNext toList toSet toBulkSet :
next                                                   : |i
`)

// predicates are the grammar's traversalPredicate rules; not is in predicate.go.
var predicates = table(`
eq neq lt lte gt gte   : O
inside outside between : OO
typeOf                 : g|s
within without         : O*
`)

// textPredicates are those of TextP.
var textPredicates = table(`
containing notContaining startingWith notStartingWith : v
endingWith notEndingWith regex notRegex               : v
`)

// Terminals returns the names of the grammar's terminals, in order.
func Terminals() []string { return slices.Sorted(maps.Keys(terminals)) }

// IsStep reports whether the grammar has a step of that name.
func IsStep(name string) bool { return steps[name] != nil || spawns[name] != nil }

// IsSpawn reports whether a traversal may begin with the grammar's step of that name.
func IsSpawn(name string) bool { return spawns[name] != nil }

// IsTerminal reports whether name ends a traversal: next, toList, ...
func IsTerminal(name string) bool { return terminals[name] != nil }

// IsSourceMethod reports whether name configures a traversal source: withSack, ...
func IsSourceMethod(name string) bool { return sourceMethods[name] != nil }
