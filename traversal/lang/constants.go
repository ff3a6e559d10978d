package lang

import (
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// enumeration is one of TinkerPop's enumerations as the text names it.
type enumeration struct {
	name  string
	kind  value.Kind
	class class
}

// enumerations in the order in which a short constant that several have is looked up;
// the first seven in the grammar's order of genericLiteral.
var enumerations = []enumeration{
	{"T", value.KindT, classT},
	{"Cardinality", value.KindCardinality, classCardinality},
	{"Direction", value.KindDirection, classDirection},
	{"Merge", value.KindMerge, classMerge},
	{"Pick", value.KindPick, classPick},
	{"DT", value.KindDT, classDT},
	{"GType", value.KindGType, classGType},
	{"Scope", value.KindScope, classScope},
	{"Order", value.KindOrder, classOrder},
	{"Column", value.KindColumn, classColumn},
	{"Pop", value.KindPop, classPop},
	{"Operator", value.KindOperator, classOperator},
	{"Barrier", value.KindBarrier, classBarrier},
}

// constant is a name with what it stands for and where it may stand.
type constant struct {
	value value.Value
	class class
}

// shortConstants are the constants without their class: desc, local, list.
var shortConstants = shortNames()

// longConstants are the constants with their class: Order.desc, WithOptions.tokens.
var longConstants = longNames()

// constantClasses are the names that may stand before the dot of a long constant.
var constantClasses = classesOf(longConstants)

func shortNames() map[string][]constant {
	m := map[string][]constant{}
	for _, e := range enumerations {
		for name, v := range namesOf(e.kind) {
			m[name] = append(m[name], constant{v, e.class})
		}
	}
	return m
}

// namesOf returns the ways to write the constants of an enumeration.
func namesOf(k value.Kind) map[string]value.Value {
	m := map[string]value.Value{}
	for _, name := range value.EnumNames(k) {
		v := value.Enum(k, name)
		m[name] = v
		if k == value.KindGType {
			m[lowerGType(name)] = v
		}
	}
	if k == value.KindDirection {
		m["from"], m["to"] = value.Enum(k, "OUT"), value.Enum(k, "IN")
	}
	return m
}

func lowerGType(name string) string {
	switch name {
	case "BIGDECIMAL":
		return "bigDecimal"
	case "BIGINT":
		return "bigInt"
	}
	return strings.ToLower(name)
}

func longNames() map[string]constant {
	m := map[string]constant{}
	for _, e := range enumerations {
		for name, v := range namesOf(e.kind) {
			m[e.name+"."+name] = constant{v, e.class}
		}
	}
	for class, names := range optionKeys {
		for name, text := range names {
			m[class+"."+name] = constant{value.String(text), classWithKey}
		}
	}
	m["WithOptions.tokens"] = constant{value.String(optionKeys["WithOptions"]["tokens"]), classWithKey | classWithValue}
	for name, n := range map[string]int32{"none": 0, "ids": 1, "labels": 2, "keys": 4, "values": 8, "all": 15, "list": 0, "map": 1} {
		m["WithOptions."+name] = constant{value.Int(n), classWithValue}
	}
	for _, name := range []string{"gryo", "graphson", "graphml"} {
		m["IO."+name] = constant{value.String(name), classWithValue}
	}
	return m
}

// optionKeys are the names of TinkerPop's option constants and their text.
var optionKeys = map[string]map[string]string{
	"WithOptions": {"tokens": "~tinkerpop.valueMap.tokens", "indexer": "~tinkerpop.index.indexer"},
	"IO":          {"reader": "~tinkerpop.io.reader", "writer": "~tinkerpop.io.writer"},
	"ShortestPath": {
		"target":       "~tinkerpop.shortestPath.target",
		"edges":        "~tinkerpop.shortestPath.edges",
		"distance":     "~tinkerpop.shortestPath.distance",
		"maxDistance":  "~tinkerpop.shortestPath.maxDistance",
		"includeEdges": "~tinkerpop.shortestPath.includeEdges",
	},
	"PageRank": {
		"edges":        "~tinkerpop.pageRank.edges",
		"times":        "~tinkerpop.pageRank.times",
		"propertyName": "~tinkerpop.pageRank.propertyName",
	},
	"PeerPressure": {
		"edges":        "~tinkerpop.peerPressure.edges",
		"times":        "~tinkerpop.peerPressure.times",
		"propertyName": "~tinkerpop.peerPressure.propertyName",
	},
	"ConnectedComponent": {
		"component":    "gremlin.connectedComponentVertexProgram.component",
		"edges":        "~tinkerpop.connectedComponent.edges",
		"propertyName": "~tinkerpop.connectedComponent.propertyName",
	},
}

func classesOf(long map[string]constant) map[string]bool {
	m := map[string]bool{}
	for name := range long {
		class, _, _ := strings.Cut(name, ".")
		m[class] = true
	}
	return m
}

// Constant returns what Class.name stands for: Order.desc, WithOptions.tokens.
func Constant(class, name string) (value.Value, bool) {
	c, ok := longConstants[class+"."+name]
	return c.value, ok
}

// HasConstants reports whether class is one of Constant's classes.
func HasConstants(class string) bool { return constantClasses[class] }

// EnumKind returns the kind of the constants of one of TinkerPop's enumerations, by its
// simple name.
func EnumKind(name string) (value.Kind, bool) {
	for _, e := range enumerations {
		if e.name == name {
			return e.kind, true
		}
	}
	return value.KindNull, false
}

// StaticConstant returns what a constant stands for that Groovy scripts name without
// its class: desc, local, INT. Of several the first enumeration in order has it.
func StaticConstant(name string) (value.Value, bool) {
	for _, c := range shortConstants[name] {
		if c.class == classGType && c.value.Str() != name {
			continue // the grammar's lower-case forms are no Java names
		}
		return c.value, true
	}
	return value.Null, false
}

// IsPredicate reports whether name is one of P's or TextP's, and which.
func IsPredicate(name string) (is, text bool) {
	if textPredicates[name] != nil {
		return true, true
	}
	return predicates[name] != nil || name == "not", false
}
