package value

import "slices"

// enumNames lists the constants of TinkerPop's enumerations in their Java order,
// which is also how they sort.
var enumNames = [kindLastEnum - kindFirstEnum - 1][]string{
	KindT - KindT:           {"label", "id", "key", "value"},
	KindDirection - KindT:   {"OUT", "IN", "BOTH"},
	KindOrder - KindT:       {"shuffle", "asc", "desc"},
	KindScope - KindT:       {"global", "local"},
	KindPop - KindT:         {"first", "last", "all", "mixed"},
	KindCardinality - KindT: {"single", "list", "set"},
	KindColumn - KindT:      {"keys", "values"},
	KindOperator - KindT: {"sum", "minus", "mult", "div", "min", "max", "assign", "and", "or",
		"addAll", "sumLong"},
	KindPick - KindT:    {"any", "none", "unproductive"},
	KindBarrier - KindT: {"normSack"},
	KindMerge - KindT:   {"onCreate", "onMatch", "outV", "inV"},
	KindDT - KindT:      {"second", "minute", "hour", "day"},
	KindGType - KindT: {"BIGDECIMAL", "BIGINT", "BINARY", "BOOLEAN", "BYTE", "CHAR", "DATETIME",
		"DOUBLE", "DURATION", "EDGE", "FLOAT", "GRAPH", "INT", "LIST", "LONG", "MAP", "NULL",
		"NUMBER", "PATH", "PROPERTY", "SET", "SHORT", "STRING", "TREE", "UUID", "VERTEX", "VPROPERTY"},
}

// EnumNames returns the constants of an enumeration kind, nil for other kinds.
func EnumNames(k Kind) []string {
	if !k.IsEnum() {
		return nil
	}
	return enumNames[k-KindT]
}

// ParseEnum returns the constant of k called name. Direction also knows from and to,
// which are OUT and IN.
func ParseEnum(k Kind, name string) (Value, bool) {
	if !k.IsEnum() {
		return Null, false
	}
	if k == KindDirection {
		switch name {
		case "from", "out":
			name = "OUT"
		case "to", "in":
			name = "IN"
		case "both":
			name = "BOTH"
		}
	}
	if i := slices.Index(enumNames[k-KindT], name); i >= 0 {
		return Enum(k, enumNames[k-KindT][i]), true
	}
	return Null, false
}

func enumOrdinal(v Value) int { return slices.Index(enumNames[v.kind-KindT], v.Str()) }
