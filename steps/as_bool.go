package steps

import (
	"math"
	"strings"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// asBool() turns numbers (0 and NaN are false) and the texts true and false, in any
// case, into booleans.
var asBoolSpec = step.Mapped(traversal.Spec{
	Name: "asBool", Class: "AsBoolStep", Doc: "Turns objects into booleans.",
}, func(*traversal.Node, *traversal.Run) (traversal.Func, error) {
	return func(t *traversal.Traverser) (value.Value, bool, error) {
		b, err := asBool(t.Value)
		return value.Bool(b), err == nil, err
	}, nil
})

func asBool(v value.Value) (bool, error) {
	switch {
	case v.IsNull():
		return false, step.IllegalArgument("Can't parse null as Boolean.")
	case v.Kind() == value.KindBool:
		return v.Bool(), nil
	case v.Kind().IsNumber():
		f := value.AsFloat64(v)
		return f != 0 && !math.IsNaN(f), nil
	case v.Kind() == value.KindString:
		switch s := strings.TrimSpace(v.Str()); {
		case strings.EqualFold(s, "true"):
			return true, nil
		case strings.EqualFold(s, "false"):
			return false, nil
		}
		return false, step.IllegalArgument("Can't parse %s as Boolean.", value.Brief(v.Str()))
	}
	return false, step.IllegalArgument("Can't parse %s as Boolean.", value.JavaClass(v))
}
