package conformance

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const (
	module          = "github.com/gremlind/gremlind/"
	functionLines   = 70
	fileLines       = 600
	medianFileLines = 150
)

// layers lists the packages from the bottom up. A package may import its own layer
// and those before it.
var layers = []string{"docs", "storage", "keyindex", "blueprints", "traversal", "steps", "protocol", "cmd"}

// longFunctions are functions over the limit that stood when the test was written,
// with their length. Entries may only shrink or go.
var longFunctions = map[string]int{}

type source struct {
	path string // slash-separated, relative to the repository
	text string
	file *ast.File
	fset *token.FileSet
}

func (s source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

func (s source) at(p token.Pos) string {
	return fmt.Sprintf("%s:%d", s.path, s.fset.Position(p).Line)
}

func sources(t *testing.T) []source {
	t.Helper()
	all, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// parsed reads all sources once, for all tests.
var parsed = sync.OnceValues(func() (all []source, err error) {
	err = filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != ".." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, b, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel("..", path)
		if err != nil {
			return err
		}
		all = append(all, source{path: filepath.ToSlash(rel), text: string(b), file: f, fset: fset})
		return nil
	})
	return all, err
})

func layerOf(path string) int {
	for i, l := range layers {
		if path == l || strings.HasPrefix(path, l+"/") {
			return i
		}
	}
	return -1
}

func TestStyle_ImportsGoOneWay(t *testing.T) {
	for _, s := range sources(t) {
		from := layerOf(s.path)
		if from < 0 || s.isTest() {
			continue
		}
		for _, i := range s.file.Imports {
			path, _ := strconv.Unquote(i.Path.Value)
			own, ok := strings.CutPrefix(path, module)
			if !ok {
				continue
			}
			if to := layerOf(own); to > from || to < 0 {
				t.Errorf("%s: %s may not import %s", s.at(i.Pos()), layers[from], own)
			}
		}
	}
}

func TestStyle_Sizes(t *testing.T) {
	var lengths []int
	seen := map[string]bool{}
	for _, s := range sources(t) {
		n := strings.Count(s.text, "\n")
		if n > fileLines {
			t.Errorf("%s has %d lines, the limit is %d", s.path, n, fileLines)
		}
		if !s.isTest() {
			lengths = append(lengths, n)
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || s.isTest() {
				continue
			}
			lines := s.fset.Position(f.End()).Line - s.fset.Position(f.Pos()).Line + 1
			name := s.path + " " + f.Name.Name
			seen[name] = seen[name] || lines > functionLines
			if limit := max(functionLines, longFunctions[name]); lines > limit {
				t.Errorf("%s: %s has %d lines, the limit is %d", s.at(f.Pos()), f.Name.Name, lines, limit)
			}
		}
	}
	for name := range longFunctions {
		if !seen[name] {
			t.Errorf("%s is within the limit: take it off the list", name)
		}
	}
	sort.Ints(lengths)
	if m := lengths[len(lengths)/2]; m > medianFileLines {
		t.Errorf("the median file has %d lines, the limit is %d", m, medianFileLines)
	}
}

func TestStyle_BannedCalls(t *testing.T) {
	for _, s := range sources(t) {
		if s.file.Name.Name == "util" || s.file.Name.Name == "utils" {
			t.Errorf("%s: a package says what it is about, not that it is useful", s.path)
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			if f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s: no init(): make it a value that someone hands down", s.at(f.Pos()))
			}
			checkCalls(t, s, f)
		}
	}
}

func checkCalls(t *testing.T, s source, f *ast.FuncDecl) {
	must := strings.HasPrefix(strings.ToLower(f.Name.Name), "must")
	ast.Inspect(f.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch fun := call.Fun.(type) {
		case *ast.Ident:
			if fun.Name == "panic" && !must && !s.isTest() {
				t.Errorf("%s: panic outside a must-helper", s.at(n.Pos()))
			}
		case *ast.SelectorExpr:
			if pkg, ok := fun.X.(*ast.Ident); ok && pkg.Name == "time" && fun.Sel.Name == "Sleep" && s.isTest() {
				t.Errorf("%s: time.Sleep in a test: wait for the event", s.at(n.Pos()))
			}
		}
		return true
	})
}

func TestStyle_ExportedNamesAreDocumented(t *testing.T) {
	documented := map[string]bool{} // package folder -> has a package comment
	for _, s := range sources(t) {
		dir := filepath.Dir(s.path)
		documented[dir] = documented[dir] || s.file.Doc != nil || s.isTest()
		if s.isTest() || s.file.Name.Name == "main" {
			continue
		}
		for _, d := range s.file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) {
					t.Errorf("%s: %s has no comment", s.at(d.Pos()), d.Name.Name)
				}
			case *ast.GenDecl:
				checkDeclaration(t, s, d)
			}
		}
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("%s has no package comment", dir)
		}
	}
}

// exportedReceiver reports whether godoc shows the function; a method whose name is
// given by an interface (String, Error, Unwrap) explains itself.
func exportedReceiver(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	switch f.Name.Name {
	case "String", "Error", "Unwrap", "Len", "Less", "Swap", "Next", "Close":
		return false
	}
	typ := f.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if generic, ok := typ.(*ast.IndexExpr); ok {
		typ = generic.X
	}
	name, ok := typ.(*ast.Ident)
	return ok && name.IsExported()
}

func checkDeclaration(t *testing.T, s source, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if spec.Name.IsExported() && d.Doc == nil && spec.Doc == nil && spec.Comment == nil {
				t.Errorf("%s: %s has no comment", s.at(spec.Pos()), spec.Name.Name)
			}
		case *ast.ValueSpec:
			if spec.Names[0].IsExported() && d.Doc == nil && spec.Doc == nil && spec.Comment == nil {
				t.Errorf("%s: %s has no comment", s.at(spec.Pos()), spec.Names[0].Name)
			}
		}
	}
}

// stepFilesWithoutScript hold no step of their own.
var stepFilesWithoutScript = map[string]bool{"doc.go": true, "registry.go": true}

func TestStyle_StepsHaveScripts(t *testing.T) {
	for _, s := range sources(t) {
		dir, name := filepath.Split(s.path)
		if !strings.HasPrefix(dir, "steps/") || s.isTest() || stepFilesWithoutScript[name] || !declaresStep(s.file) {
			continue
		}
		script := strings.TrimSuffix(name, ".go")
		room := filepath.Base(dir) + "_" + script // steps/merge/edge.go: merge_edge
		if !isThere("../steps/testdata/"+script) && !isThere("../steps/testdata/"+room) {
			t.Errorf("%s: the step has no script steps/testdata/%s nor %s", s.path, script, room)
		}
	}
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// A file does not say again which room it is in.
func TestStyle_FilesDoNotStutter(t *testing.T) {
	for _, s := range sources(t) {
		dir, name := filepath.Split(s.path)
		room := filepath.Base(dir)
		if layerOf(s.path) >= 0 && (strings.HasPrefix(name, room+"_") || strings.HasPrefix(name, strings.TrimSuffix(room, "s")+"_")) && name != room+"_test.go" && !s.isTest() {
			t.Errorf("%s: %s says %s twice", s.path, name, room)
		}
	}
}

// declaresStep reports whether the file makes a traversal.Spec with a Gremlin name;
// names that begin with ~ belong to steps that only strategies make.
func declaresStep(f *ast.File) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		if sel, ok := lit.Type.(*ast.SelectorExpr); !ok || sel.Sel.Name != "Spec" {
			return true
		}
		for _, e := range lit.Elts {
			kv, ok := e.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Name" {
				text, ok := kv.Value.(*ast.BasicLit)
				found = found || ok && !strings.HasPrefix(text.Value, `"~`)
			}
		}
		return true
	})
	return found
}
