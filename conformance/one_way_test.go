package conformance

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// neighbours are the types of running steps and of their parts.
var neighbours = map[string]bool{"Source": true, "Objects": true, "Cursor": true, "Expander": true, "Reducer": true}

// A faster way is a strategy, which explain() shows: no running step looks at the type of
// another one to choose it.
func TestStyle_NoStepAssertsItsNeighbour(t *testing.T) {
	for _, s := range sources(t) {
		if s.isTest() || !strings.HasPrefix(s.path, "traversal/") && !strings.HasPrefix(s.path, "steps/") {
			continue
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			for _, at := range assertions(f) {
				t.Errorf("%s: %s asserts the type of a running step: make the choice a strategy", s.at(at), f.Name.Name)
			}
		}
	}
}

// assertions finds assertions on parameters that are running steps, also under another name,
// and on what a step pulls from.
func assertions(f *ast.FuncDecl) (at []token.Pos) {
	running := map[string]bool{}
	isRunning := func(e ast.Expr) bool {
		switch x := e.(type) {
		case *ast.Ident:
			return running[x.Name]
		case *ast.SelectorExpr:
			return strings.EqualFold(x.Sel.Name, "up") || x.Sel.Name == "tail" || x.Sel.Name == "cursor" || x.Sel.Name == "expander"
		}
		return false
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType:
			for _, p := range n.Params.List {
				for _, id := range p.Names {
					running[id.Name] = running[id.Name] || neighbours[typeName(p.Type)]
				}
			}
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if id, ok := to.(*ast.Ident); ok && len(n.Rhs) == len(n.Lhs) && isRunning(n.Rhs[i]) {
					running[id.Name] = true
				}
			}
		case *ast.TypeAssertExpr:
			if isRunning(n.X) {
				at = append(at, n.Pos())
			}
		}
		return true
	})
	return at
}

// The test above would find a step that looks at another one.
func TestStyle_AssertedNeighboursAreFound(t *testing.T) {
	for body, want := range map[string]int{
		`h, ok := up.(*hop)`:                                 1,
		`switch up.(type) { case *hop: }`:                    1,
		`source := up; if _, ok := source.(*hop); ok {}`:     1,
		`_ = s.in.Up.(*hop)`:                                 1,
		`u := s.in.Up; _, ok := u.(interface{ Skip() })`:     1,
		`l, ok := n.Data.(*loop)`:                            0,
		`func(c traversal.Cursor) { c.(*scan).skip() }(nil)`: 1,
	} {
		text := "package p\nfunc open(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {\n" + body + "\nreturn nil, nil }"
		file, err := parser.ParseFile(token.NewFileSet(), "p.go", text, 0)
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		if got := len(assertions(file.Decls[0].(*ast.FuncDecl))); got != want {
			t.Errorf("%s: %d assertions were found, want %d", body, got, want)
		}
	}
}

// planFacts are what a run knows of its plan before anything runs.
var planFacts = map[string]bool{"Strict": true, "Profile": true, "Writes": true, "OneBulk": true}

// chosenInOpen is what looks at such a fact, and why. Entries may only go.
var chosenInOpen = map[string]string{
	"steps/profile.go openProfile": "it is what was measured",
}

// What a plan says is decided before it opens, by a strategy, and explain() shows it: what
// opens a step does not branch on the facts of the plan. What a step decides while it runs,
// by what came and how much is asked for, no plan could say.
func TestStyle_NoOpenChooses(t *testing.T) {
	found := map[string]bool{}
	for _, s := range sources(t) {
		if s.isTest() || !strings.HasPrefix(s.path, "steps/") {
			continue
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil || !strings.HasPrefix(f.Name.Name, "open") && !strings.HasPrefix(f.Name.Name, "new") {
				continue
			}
			ast.Inspect(f.Body, func(n ast.Node) bool {
				branch, ok := n.(*ast.IfStmt)
				if !ok || !mentions(branch.Cond, planFacts) {
					return true
				}
				name := s.path + " " + f.Name.Name
				if found[name] = true; chosenInOpen[name] == "" {
					t.Errorf("%s: %s chooses by what the plan says: make the choice a strategy", s.at(n.Pos()), f.Name.Name)
				}
				return true
			})
		}
	}
	for name := range chosenInOpen {
		if !found[name] {
			t.Errorf("%s chooses nothing: take it off the list", name)
		}
	}
}

// Preparing does not choose either: who looks into the steps of a child for a faster way says
// ErrUnfit where it does not find it, so that who asked was a strategy.
func TestStyle_NoPrepareChooses(t *testing.T) {
	found := 0
	for _, s := range sources(t) {
		if s.isTest() || !strings.HasPrefix(s.path, "steps/") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			assert, ok := n.(*ast.TypeAssertExpr)
			if !ok {
				return true
			}
			data, ok := assert.X.(*ast.SelectorExpr)
			if !ok || data.Sel.Name != "Data" {
				return true
			}
			if _, child := data.X.(*ast.IndexExpr); child {
				if found++; !strings.Contains(s.text, "traversal.ErrUnfit") {
					t.Errorf("%s: looks into a child: make the choice a strategy", s.at(n.Pos()))
				}
			}
			return true
		})
	}
	if found == 0 {
		t.Error("no step looks into a child: this test has lost what it looks for")
	}
}

// mentions reports whether an expression selects one of the names of a run, which is r.
func mentions(e ast.Expr, of map[string]bool) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		found = found || ok && of[sel.Sel.Name] && typeName(sel.X) == "r"
		return true
	})
	return found
}

// typeName is the name of a type without its package.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// otherTables are the hash tables beside storage/keyed; each says in its file why it is one.
// Entries may only go.
var otherTables = map[string]bool{
	"blueprints/symbols.go":      true, // read without a lock
	"blueprints/load/ids.go":     true,
	"blueprints/load/edgeids.go": true,
}

// TestStyle_OneKeyedTable finds what takes a place in a table of a power of two: an index
// that is masked, or the next one in a loop, and maps from internal ids in what runs for
// each traverser.
func TestStyle_OneKeyedTable(t *testing.T) {
	found := map[string]bool{}
	for _, s := range sources(t) {
		if s.isTest() || layerOf(s.path) < 0 || strings.HasPrefix(s.path, "storage/keyed/") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op != token.AND || !oneMore(n.X) && !lessOne(n.Y) {
					return true
				}
				if found[s.path] = true; !otherTables[s.path] {
					t.Errorf("%s: a hash table of its own: storage/keyed has one", s.at(n.Pos()))
				}
			case *ast.MapType:
				if name := typeName(n.Key); inEngine(s.path) && internalIDs[name] {
					t.Errorf("%s: a map by %s: storage/keyed has tables for that", s.at(n.Pos()), name)
				}
			}
			return true
		})
	}
	for path := range otherTables {
		if !found[path] {
			t.Errorf("%s has no hash table: take it off the list", path)
		}
	}
}

// internalIDs are the types of keys that storage/keyed is for.
var internalIDs = map[string]bool{"VertexID": true, "EdgeID": true, "uint64": true}

// inEngine reports whether a file is of what runs traversals, script and text apart.
func inEngine(path string) bool {
	return strings.HasPrefix(path, "steps/") || strings.HasPrefix(path, "keyindex/") ||
		strings.HasPrefix(path, "traversal/") && strings.Count(path, "/") == 1
}

// oneMore reports whether an expression is (x + 1).
func oneMore(e ast.Expr) bool { return withOne(e, token.ADD) }

// lessOne reports whether an expression is (len(x) - 1).
func lessOne(e ast.Expr) bool {
	if !withOne(e, token.SUB) {
		return false
	}
	call, ok := e.(*ast.ParenExpr).X.(*ast.BinaryExpr).X.(*ast.CallExpr)
	return ok && typeName(call.Fun) == "len"
}

func withOne(e ast.Expr, op token.Token) bool {
	paren, ok := e.(*ast.ParenExpr)
	if !ok {
		return false
	}
	sum, ok := paren.X.(*ast.BinaryExpr)
	if !ok || sum.Op != op {
		return false
	}
	one, ok := sum.Y.(*ast.BasicLit)
	return ok && one.Value == "1"
}

// tables are where numbers are kept by id: the one frontier, and the numbers that a vertex
// program gives its vertices. Entries may only go.
var tables = map[string]bool{"steps/walk/": true, "steps/computer/": true}

// How many walkers stand at which vertex is kept by walk.Frontier alone, so that there is
// one rule of what their sums are.
func TestStyle_OneFrontier(t *testing.T) {
	found := map[string]bool{}
	for _, s := range sources(t) {
		if s.isTest() || layerOf(s.path) < 0 {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); !ok || x.Name != "keyed" || sel.Sel.Name != "Table" {
				return true
			}
			dir := s.path[:strings.LastIndex(s.path, "/")+1]
			if found[dir] = true; !tables[dir] {
				t.Errorf("%s: numbers by id: walk.Frontier keeps those of walkers", s.at(n.Pos()))
			}
			return true
		})
	}
	for dir := range tables {
		if !found[dir] {
			t.Errorf("%s keeps no numbers by id: take it off the list", dir)
		}
	}
}
