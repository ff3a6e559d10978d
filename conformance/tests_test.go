package conformance

import (
	"go/ast"
	"testing"
)

// A test that fails leaves the others alone.
func TestStyle_FailingTestsLeaveOthersAlone(t *testing.T) {
	for _, s := range sources(t) {
		if !s.isTest() {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			switch name := called(call); {
			case name == "datadriven.Walk" && len(call.Args) == 3 && literal(call.Args[1]) == `"testdata"`:
				t.Errorf("%s: datadriven.Walk takes what a failing test leaves in testdata for scripts: use scriptfiles.Walk", s.at(n.Pos()))
			case name == "rapid.Check" && len(call.Args) == 2:
				checkProperty(t, s, call)
			}
			return true
		})
	}
}

// literal is the text of a literal, "" of other expressions.
func literal(e ast.Expr) string {
	if lit, ok := e.(*ast.BasicLit); ok {
		return lit.Value
	}
	return ""
}

func called(call *ast.CallExpr) string {
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		if pkg, ok := sel.X.(*ast.Ident); ok {
			return pkg.Name + "." + sel.Sel.Name
		}
	}
	return ""
}

// checkProperty wants that a property hides the test around it. What reaches that one ends
// without a seed, is not made smaller, and leaves what each of hundreds of examples opened
// open until all have run.
func checkProperty(t *testing.T, s source, call *ast.CallExpr) {
	outer, ok := call.Args[0].(*ast.Ident)
	property, lit := call.Args[1].(*ast.FuncLit)
	if !ok || !lit {
		return
	}
	if names := property.Type.Params.List[0].Names; len(names) != 1 || names[0].Name != outer.Name {
		t.Errorf("%s: name the property's *rapid.T %s too, so that it cannot reach the test around it", s.at(call.Pos()), outer.Name)
	}
}
