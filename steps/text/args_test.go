package text_test

import (
	"testing"

	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Bytecode may have arguments that no text has: the steps on strings say which they take.
func TestSteps_RefuseArguments(t *testing.T) {
	local, a, one := value.Enum(value.KindScope, "local"), value.String("a"), value.Int(1)
	for _, c := range []struct {
		step string
		args []value.Value
		want string
	}{
		{"toUpper", nil, ""}, {"toUpper", []value.Value{local}, ""},
		{"toUpper", []value.Value{local, a}, "toUpper() takes no arguments but a Scope"},
		{"toLower", []value.Value{a}, "toLower() takes no arguments but a Scope"},
		{"length", []value.Value{one}, "length() takes no arguments but a Scope"},
		{"trim", []value.Value{local, local}, "trim() takes no arguments but a Scope"},
		{"lTrim", []value.Value{value.Null}, "lTrim() takes no arguments but a Scope"},
		{"rTrim", []value.Value{one, one}, "rTrim() takes no arguments but a Scope"},
		{"split", []value.Value{local, a}, ""}, {"split", []value.Value{value.Null}, ""},
		{"split", []value.Value{local}, "split() needs 1 arguments"},
		{"split", []value.Value{one}, "split() takes a String, not 1"},
		{"replace", []value.Value{a}, "replace() needs 2 arguments"},
		{"replace", []value.Value{a, one}, "replace() takes a String, not 1"},
	} {
		_, err := traversal.Compile(nil, steps.Registry(), &traversal.Bytecode{Steps: []traversal.Instruction{
			{Name: "inject", Args: []value.Value{a}}, {Name: c.step, Args: c.args},
		}})
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s%v: %q, want %q", c.step, c.args, got, c.want)
		}
	}
}
