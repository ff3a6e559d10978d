package engine

import (
	"regexp"
	"slices"
	"testing"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/steps/services"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
)

var meantForm = regexp.MustCompile(`did you mean ([\w.~-]+)(\(\))?\?`)

// misspelt are the slips of a name: a letter changed, one missing, two in each other's
// place. A name of one letter can be anything.
func misspelt(name string) []string {
	var out []string
	for _, i := range []int{0, len(name) / 2, len(name) - 1} {
		changed := []byte(name)
		changed[i] = 'q'
		out = append(out, string(changed))
		if len(name) > 2 {
			out = append(out, name[:i]+name[i+1:])
		}
	}
	for i := range len(name) - 1 {
		if name[i] != name[i+1] && i%3 == 0 {
			out = append(out, name[:i]+name[i+1:i+2]+name[i:i+1]+name[i+2:])
		}
	}
	return out
}

// asks has a query made of each slip of each name, and wants the name in the error, or
// one that is as near. A slip that is a name itself is none.
func asks(t *testing.T, e *Engine, what string, names []string, make func(slip string) *contract.Query) {
	t.Helper()
	for _, name := range names {
		if len(name) < 2 {
			continue
		}
		for _, slip := range misspelt(name) {
			if slices.Contains(names, slip) || slip == "as" || // which is Groovy's own
				!regexp.MustCompile(`^[A-Za-z_]`).MatchString(slip) {
				continue
			}
			got := auto(t, e, make(slip))
			m := meantForm.FindStringSubmatch(got)
			if m == nil {
				t.Errorf("%s %s for %s: %s", what, slip, name, got)
				continue
			}
			if m[1] != name && traversal.Nearest(slip, []string{m[1]}) == "" {
				t.Errorf("%s %s for %s: %s", what, slip, name, m[1])
			}
		}
	}
}

// TestMeant misspells every name there is, in each form of request.
func TestMeant(t *testing.T) {
	e := open(t)
	text := func(language, before, behind string) func(string) *contract.Query {
		return func(slip string) *contract.Query { return query(language, before+slip+behind) }
	}
	code := func(source bool) func(string) *contract.Query {
		return func(slip string) *contract.Query {
			b := &traversal.Bytecode{Steps: []traversal.Instruction{{Name: "V"}, {Name: slip}}}
			if source {
				b = &traversal.Bytecode{Source: []traversal.Instruction{{Name: slip}}}
			}
			return &contract.Query{Source: "g", Bytecode: b}
		}
	}
	var after []string
	registry := steps.Registry()
	for _, name := range registry.Names() {
		if s, _ := registry.Lookup(name); name[0] != '~' && s.Kind != traversal.SourceStep {
			after = append(after, name)
		}
	}
	asks(t, e, "step of bytecode", after, code(false))
	asks(t, e, "source step of bytecode", traversal.SourceInstructions(), code(true))
	for _, language := range []string{languageGroovy, languageLang} {
		asks(t, e, language+" step", lang.StepNames(), text(language, "g.V().", "()"))
		asks(t, e, language+" source step", lang.SourceNames(), text(language, "g.", "()"))
		asks(t, e, language+" nested step", lang.StepNames(), text(language, "g.V().where(__.", "())"))
		for _, class := range []string{"P", "TextP"} {
			asks(t, e, language+" predicate", lang.PredicateNames(class), text(language, "g.V().has('a', "+class+".", "(1))"))
		}
		asks(t, e, language+" bare predicate", lang.PredicateNames(""), text(language, "g.V().has('a', ", "(1))"))
		for _, class := range lang.ClassNames() {
			asks(t, e, language+" "+class, lang.ConstantNames(class), text(language, "g.V().by("+class+".", ")"))
		}
		asks(t, e, language+" class", lang.ClassNames(), text(language, "g.V().by(", ".x)"))
		asks(t, e, language+" constant", []string{"asc", "desc", "shuffle"}, text(language, "g.V().order().by('a', ", ")"))
		asks(t, e, language+" service", services.Names(), text(language, "g.call('", "')"))
		asks(t, e, language+" source", e.globalNames(traversal.Anyone), text(language, "", ".V()"))
	}
	asks(t, e, "transaction", []string{"begin", "commit", "rollback"}, text(languageLang, "gtx.tx().", "()"))
}

// TestMeant_Rightly says nothing where the name is right, or nothing is near.
func TestMeant_Rightly(t *testing.T) {
	e := open(t)
	for _, script := range []string{"g.V().out(1, 2)", "g.V().something()", "g.V().by(Order.nowhere)", "g.call('nobody')", "y", "try { gg } catch (x) { throw x }"} {
		for _, language := range []string{languageGroovy, languageLang} {
			if got := auto(t, e, query(language, script)); meantForm.MatchString(got) {
				t.Errorf("%s: %s", script, got)
			}
		}
	}
}
