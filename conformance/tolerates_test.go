package conformance

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// tolerates begins the paragraph in which a strategy or a fast path says which effects,
// labels, side effects and unproductive children may stand beside it.
const tolerates = "Tolerates:"

// shortcut finds the files of steps that go a faster way when they may: by an index, by what
// a strategy noted at the step, because the run is not strict, or because traversers are
// nothing but their objects. What they decide themselves no plan can say: how much is asked
// for, what came, what a map holds that is made meanwhile. The rest is found by fastPath.
var shortcut = regexp.MustCompile(`\.Strict\b|\bSplitsPlain\(\)|\bIndexChoice\b|\.Index\.(Key|At|Exact)\b|\bModsNamed\("~`)

// fastPath finds the declarations of the others: steps that only strategies make.
var fastPath = regexp.MustCompile(`Name: +"~(\w+)"`)

// notFast are steps with such a name that no strategy puts in to make anything faster.
var notFast = []string{"start"}

func TestStyle_StrategiesAndFastPathsSayWhatTheyTolerate(t *testing.T) {
	registered, documented := map[string]bool{}, map[string]string{}
	shortcuts := false
	for _, s := range sources(t) {
		if s.isTest() {
			continue
		}
		if strings.HasPrefix(s.path, "traversal/strategy/") {
			strategyVars(s.file, registered, documented)
		}
		fast := strings.HasPrefix(s.path, "steps/") && shortcut.MatchString(s.text)
		shortcuts = shortcuts || fast
		for _, m := range fastPath.FindAllStringSubmatch(s.text, -1) {
			fast = fast || !slices.Contains(notFast, m[1])
		}
		if fast && !strings.HasPrefix(s.path, "traversal/strategy/") && !strings.Contains(s.text, "\n// "+tolerates) {
			t.Errorf("%s has a fast path and does not say what it tolerates", s.path)
		}
	}
	if !shortcuts {
		t.Error("no step with a shortcut was found")
	}
	if len(registered) == 0 {
		t.Error("no strategies were found in traversal/strategy/order.go")
	}
	for name := range registered {
		if !strings.Contains("\n"+documented[name], "\n"+tolerates) {
			t.Errorf("the strategy %s in traversal/strategy does not say what it tolerates", name)
		}
	}
}

// strategyVars notes the strategies that a file registers, and the comments of those that
// it declares.
func strategyVars(f *ast.File, registered map[string]bool, documented map[string]string) {
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, spec := range g.Specs {
			v := spec.(*ast.ValueSpec)
			documented[v.Names[0].Name] = g.Doc.Text()
			if v.Names[0].Name != "order" || len(v.Values) == 0 {
				continue
			}
			list, ok := v.Values[0].(*ast.CompositeLit)
			if !ok {
				continue
			}
			for _, e := range list.Elts {
				if id, ok := e.(*ast.Ident); ok {
					registered[id.Name] = true
				}
			}
		}
	}
}
