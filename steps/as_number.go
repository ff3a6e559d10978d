package steps

import (
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// asNumber() turns texts and dates into numbers, and numbers into another type.
//
//	inject("12").asNumber()          12, an Int; a Long or BigInteger when it is too large
//	inject("3.5").asNumber()         a Float where that is exact, else a Double or BigDecimal
//	inject(3.9).asNumber(GType.INT)  3
//
// A date gives milliseconds since 1970.
var asNumberSpec = step.Mapped(traversal.Spec{
	Name: "asNumber", Class: "AsNumberStep", Doc: "Turns objects into numbers.",
	Prepare: func(n *traversal.Node) error {
		if len(n.Args) == 0 {
			return nil
		}
		k, ok := numberTypes[n.Value(0).Str()]
		if n.Value(0).Kind() != value.KindGType || !ok && n.Value(0).Str() != "NUMBER" {
			return step.IllegalArgument("asNumber() requires a numeric type token, got %s", n.Value(0).Brief())
		}
		n.Data = k
		return nil
	},
}, func(n *traversal.Node, _ *traversal.Run) (traversal.Func, error) {
	kind, cast := n.Data.(value.Kind)
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		v, err := asNumber(t.Value)
		if err == nil && cast && !v.IsNull() {
			v, err = castNumber(v, kind)
		}
		return v, err == nil, err
	}, nil
})

// numberTypes maps the constants of GType that stand for one type of number.
var numberTypes = map[string]value.Kind{
	"BYTE": value.KindByte, "SHORT": value.KindShort, "INT": value.KindInt, "LONG": value.KindLong,
	"FLOAT": value.KindFloat, "DOUBLE": value.KindDouble, "BIGINT": value.KindBigInteger, "BIGDECIMAL": value.KindBigDecimal,
}

func asNumber(v value.Value) (value.Value, error) {
	switch k := v.Kind(); {
	case v.IsNull() || k.IsNumber():
		return v, nil
	case k == value.KindString:
		return parseNumber(v.Str())
	case k == value.KindOffsetDateTime || k == value.KindDate || k == value.KindTimestamp:
		return value.Long(v.Time().UnixMilli()), nil
	}
	return value.Null, step.IllegalArgument("Can't parse type %s as number.", step.SimpleClass(v))
}
