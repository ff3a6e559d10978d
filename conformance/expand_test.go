package conformance

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// expanders implement Expand: the transaction that reads, what filters and sorts in front
// of it, and the View that has nothing.
var expanders = []string{"blueprints Restricted", "blueprints Tx", "blueprints nothing", "traversal guardedView", "traversal referenceOrder"}

// adjacencyKeys are what makes the keys under which adjacency is stored.
var adjacencyKeys = []string{"AppendAdjacent", "AppendAdjacentLabel", "AppendAdjacency"}

// adjacencyKeyUsers are the files that make them: for Expand, for the upkeep of edges, for
// loading, which writes them in order, and for the checker, which trusts nothing above.
var adjacencyKeyUsers = []string{
	"blueprints/adjacent.go", "blueprints/adjacentcache.go", "blueprints/load/emit.go", "blueprints/write.go", "blueprints/check/elements.go",
}

// Expand is the one way from vertices to edges, so that whatever is to come, past states,
// visibility, a remote store, is taught to it alone.
func TestStyle_ThereIsOneExpand(t *testing.T) {
	view, seen := 0, []string{}
	for _, s := range sources(t) {
		if s.isTest() || layerOf(s.path) < layerOf("blueprints/") || layerOf(s.path) > layerOf("steps/") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				if it, ok := n.Type.(*ast.InterfaceType); ok && s.path == "blueprints/view.go" && n.Name.Name == "View" {
					view = viewMethods(t, s, it)
				}
			case *ast.FuncDecl:
				if of := receiver(n); of != "" && expandsVertices(n.Type) && ast.IsExported(n.Name.Name) {
					if n.Name.Name != "Expand" {
						t.Errorf("%s: %s is a second way from a vertex to its edges: make it a use of View.Expand", s.at(n.Pos()), n.Name.Name)
					}
					seen = append(seen, s.file.Name.Name+" "+of)
				}
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "table" && slices.Contains(adjacencyKeys, n.Sel.Name) && !slices.Contains(adjacencyKeyUsers, s.path) {
					t.Errorf("%s: adjacency is read through View.Expand, not with keys of one's own", s.at(n.Pos()))
				}
			}
			return true
		})
	}
	if view == 0 {
		t.Error("no method of blueprints.View was looked at")
	}
	slices.Sort(seen)
	if !slices.Equal(seen, expanders) {
		t.Errorf("Expand is implemented by %s; the test knows %s", strings.Join(seen, ", "), strings.Join(expanders, ", "))
	}
}

// viewMethods checks the methods of View and returns how many there are.
func viewMethods(t *testing.T, s source, view *ast.InterfaceType) int {
	for _, m := range view.Methods.List {
		if f, ok := m.Type.(*ast.FuncType); ok && expandsVertices(f) && m.Names[0].Name != "Expand" {
			t.Errorf("%s: View.%s leads from a vertex to its edges, as Expand does", s.at(m.Pos()), m.Names[0].Name)
		}
	}
	return len(view.Methods.List)
}

// expandsVertices reports whether a function is given vertices and says something of
// their edges: it takes a direction, an expansion or a sink, or answers edges.
func expandsVertices(f *ast.FuncType) bool {
	results := ""
	if f.Results != nil {
		results = names(f.Results)
	}
	params := names(f.Params)
	if !strings.Contains(params, " VertexID") {
		return false
	}
	for _, n := range []string{" Direction", " Expansion", " Sink", " Adjacent"} {
		if strings.Contains(params, n) {
			return true
		}
	}
	for _, n := range []string{" Adjacent", " [EdgeID", " EdgeIterator"} {
		if strings.Contains(results, n) {
			return true
		}
	}
	return false
}

// names returns the identifiers in the types of fields, each behind a space, and [ before
// what there are many of.
func names(l *ast.FieldList) string {
	var b strings.Builder
	for _, field := range l.List {
		ast.Inspect(field.Type, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ArrayType:
				if id, ok := n.Elt.(*ast.Ident); ok {
					b.WriteString(" [" + id.Name)
				}
			case *ast.Ident:
				b.WriteString(" " + n.Name)
			}
			return true
		})
	}
	return b.String()
}

// receiver returns the name of a method's type, "" for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	typ := f.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if id, ok := typ.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}
