package answer

import (
	"strings"
	"testing"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// TestMisfits: bytecode whose step takes no such arguments is told so in the reference's
// words; an error about what the arguments say is not.
func TestMisfits(t *testing.T) {
	local := value.Enum(value.KindScope, "local")
	x, one := value.String("x"), value.Int(1)
	call := func(name string, args ...value.Value) traversal.Instruction {
		return traversal.Instruction{Name: name, Args: args}
	}
	v := call("V")
	for want, list := range map[string][]traversal.Instruction{
		"DefaultGraphTraversal.aggregate(Scope, String): ": {v, call("aggregate", local, x)},
		"DefaultGraphTraversal.out(Integer): ":             {v, call("out", one)},
		"DefaultGraphTraversal.limit(String): ":            {v, call("limit", x)},
		"DefaultGraphTraversal.count(Integer): ":           {v, call("count", one)},
		"DefaultGraphTraversal.has(): ":                    {v, call("has")},
		"DefaultGraphTraversal.by(Integer): ":              {v, call("order"), call("by", one)},
		"DefaultGraphTraversal.times(String): ":            {v, call("repeat", (&traversal.Bytecode{Steps: []traversal.Instruction{call("out")}}).Value()), call("times", x)},
		"":                                                 {v, call("range", value.Int(5), one)},
	} {
		_, err := traversal.Compile(nil, steps.Registry(), &traversal.Bytecode{Steps: list})
		if err == nil {
			t.Errorf("%s compiles", want)
			continue
		}
		misfit := misfitting(err)
		switch {
		case want == "" && misfit != nil:
			t.Errorf("%v is a misfit: %v", err, misfit)
		case want == "":
		case misfit == nil || !strings.HasPrefix(misfit.Error(), "Could not locate exact method given the supplied arguments: "+want):
			t.Errorf("%s: %v (%v)", want, misfit, err)
		case classOf(misfit) != message.ClassIllegalArgument:
			t.Errorf("%s: class %s", want, classOf(misfit))
		}
	}
}
