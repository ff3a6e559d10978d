package match_test

import (
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/queryhost"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Clients may send predicates that no text has. Those that compare with nothing, or negate
// anything but one predicate, are refused.
func TestWhere_RefusesWhatIsNoPredicate(t *testing.T) {
	g, err := queryhost.New(t).Get(t.Context(), "modern")
	if err != nil {
		t.Fatal(err)
	}
	p := func(name string, args ...value.Value) value.Value {
		return (&traversal.P{Name: name, Args: args}).Value()
	}
	a := value.String("a")
	for _, c := range []struct {
		p    value.Value
		want string // of the error; "" for none
	}{
		{p("neq", a), ""},
		{p("not", p("eq", a)), ""},
		{p("not", p("not", p("neq", a))), ""},
		{p("and", p("neq", a), p("not", p("eq", a))), ""},
		{p("not"), "compare with labels"},
		{p("not", a), "P.not takes predicates"},
		{p("not", p("eq", a), p("eq", a)), "compare with labels"},
		{p("or", p("eq", a), p("not")), "compare with labels"},
		{p("eq"), "compare with labels"},
		{p("eq", value.Int(1)), "compare with labels"},
		{p("eq", p("eq", a)), "compare with labels"},
		{p("near", a), "unknown predicate P.near"},
	} {
		code := &traversal.Bytecode{Steps: []traversal.Instruction{
			{Name: "V"}, {Name: "as", Args: []value.Value{a}}, {Name: "out"}, {Name: "where", Args: []value.Value{c.p}},
		}}
		if err := first(t, g, code); c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("where(%s): %v, want %q", c.p.JavaString(), err, c.want)
		}
	}
}

// first takes the first results of a traversal.
func first(t *testing.T, g *blueprints.Graph, code *traversal.Bytecode) error {
	return g.View(t.Context(), func(tx *blueprints.Tx) error {
		p, err := steps.Prepare(code, tx)
		if err != nil {
			return err
		}
		run, err := traversal.Open(p, traversal.Env{Ctx: t.Context(), Registry: steps.Registry(), View: tx})
		if err != nil {
			return err
		}
		var b traversal.Batch
		return run.Next(&b, 1)
	})
}
