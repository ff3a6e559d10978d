package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// math() evaluates a formula; the result is a Double. _ is the traverser's object,
// other names are what they mean to select(). by() modulators apply to the names in
// the order in which these first occur.
//
//	V().values("age").math("_ / 2")
//	V().as("a").out().as("b").math("a + b").by("age")
//	math("sin(_) ^ 2")
//
// Functions: abs acos asin atan cbrt ceil cos cosh exp floor log log10 log2 signum
// sin sinh sqrt tan tanh. ^ binds to the right and closer than a sign in front.
var mathSpec = traversal.Spec{
	Name: "math", Class: "MathStep", Kind: traversal.MapStep, MaxBy: -1, NeedsOf: mathNeeds,
	Scope: func(n *traversal.Node) ([]string, bool) {
		f, _ := n.Data.(*formula)
		if f == nil {
			return nil, false
		}
		return f.names, true
	},
	Doc: "Evaluates a formula.",
	Prepare: func(n *traversal.Node) error {
		text, err := step.TextArg(n, 0)
		if err != nil {
			return err
		}
		n.Data = newFormula(text)
		return nil
	},
	Open: openMath,
	Print: func(n *traversal.Node) string {
		return "MathStep(" + n.Value(0).Str() + ")"
	},
}

func mathNeeds(n *traversal.Node) traversal.Needs {
	if f, ok := n.Data.(*formula); ok {
		return step.NeedsOf(f.names)
	}
	return 0
}

func openMath(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	f := n.Data.(*formula)
	by, err := step.OpenRing(n, r)
	if err != nil {
		return nil, err
	}
	vars := make([]float64, len(f.names))
	stack := make([]float64, 0, len(f.code))
	return r.Map(up, func(t *traversal.Traverser) (value.Value, bool, error) {
		if f.fault != nil && !f.late {
			return value.Null, false, f.fault
		}
		for i, name := range f.names {
			v, ok, err := mathVariable(r, t, name, by.At(i))
			if !ok || err != nil {
				return value.Null, false, err
			}
			if !v.Kind().IsNumber() {
				return value.Null, false, notNumber(r, name, v)
			}
			vars[i] = value.AsFloat64(v)
		}
		if f.fault != nil {
			return value.Null, false, f.fault
		}
		x, err := f.eval(vars, stack)
		return value.Double(x), err == nil, err
	}), nil
}

// mathVariable returns what a name stands for, and by() of null for a name of nothing;
// false when by() is unproductive.
func mathVariable(r *traversal.Run, t *traversal.Traverser, name string, by traversal.Func) (value.Value, bool, error) {
	if name == step.CurrentObject {
		return by(t)
	}
	v, _, err := step.ScopeValue(r, t, value.String(name), "last")
	if err != nil {
		return value.Null, false, err
	}
	return step.Projected(r, by, v)
}

func notNumber(r *traversal.Run, name string, v value.Value) error {
	class := "null"
	if !v.IsNull() {
		class = value.JavaClass(v)
	}
	return fmt.Errorf("The variable %s for math() step must resolve to a Number - it is instead of type %s with value %s",
		name, class, r.Text(v))
}
