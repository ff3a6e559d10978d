package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// Type is what a value may be: one kind, or any number. The zero Type allows everything.
type Type struct {
	kind   value.Kind // 0 unless it is one kind
	number bool
}

// kinds are what properties hold, under the simple names of their Java classes.
var kinds = []value.Kind{
	value.KindString, value.KindBool, value.KindByte, value.KindShort, value.KindInt, value.KindLong, value.KindFloat,
	value.KindDouble, value.KindBigInteger, value.KindBigDecimal, value.KindChar, value.KindUUID, value.KindDate,
	value.KindTimestamp, value.KindInstant, value.KindOffsetDateTime, value.KindZonedDateTime, value.KindLocalDateTime,
	value.KindLocalDate, value.KindLocalTime, value.KindOffsetTime, value.KindZoneOffset, value.KindDuration,
	value.KindMonthDay, value.KindPeriod, value.KindYear, value.KindYearMonth, value.KindInetAddress, value.KindBinary,
	value.KindList, value.KindSet, value.KindMap,
}

const anyNumber = "Number"

// aliases are what TinkerPop's GType and HGraphDB's ValueType call some of them.
var aliases = map[string]value.Kind{
	"int": value.KindInt, "char": value.KindChar, "bool": value.KindBool, "bigint": value.KindBigInteger,
	"datetime": value.KindOffsetDateTime, "binary": value.KindBinary,
}

// parseType reads the name of a type in any case, as Java, GType or HGraphDB write it.
func parseType(name string) (Type, error) {
	short := strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	if short == strings.ToLower(anyNumber) {
		return Type{number: true}, nil
	}
	if k, ok := aliases[short]; ok {
		return Type{kind: k}, nil
	}
	i := slices.IndexFunc(kinds, func(k value.Kind) bool { return strings.ToLower(k.String()) == short })
	if i < 0 {
		return Type{}, fmt.Errorf("there is no type %s: want %s", value.Brief(name), typeNames())
	}
	return Type{kind: kinds[i]}, nil
}

func typeNames() string {
	names := []string{anyNumber}
	for _, k := range kinds {
		names = append(names, k.String())
	}
	return strings.Join(names, ", ")
}

// Any reports whether every value is of the type.
func (t Type) Any() bool { return t == Type{} }

// String is the simple name of the Java class, empty when every value is of the type.
func (t Type) String() string {
	switch {
	case t.number:
		return anyNumber
	case t.Any():
		return ""
	}
	return t.kind.String()
}

// Has reports whether a value is of the type.
func (t Type) Has(v value.Value) bool {
	switch {
	case t.number:
		return v.Kind().IsNumber()
	case t.Any():
		return true
	}
	return v.Kind() == t.kind
}

// within reports whether every value of the type is one of another, too.
func (t Type) within(u Type) bool {
	return u.Any() || t == u || u.number && !t.Any() && t.kind.IsNumber()
}

// article is the type as messages name it: an Integer, a String.
func (t Type) article() string { return value.Article(t.String()) }
