package conformance

import (
	"go/ast"
	"os"
	"regexp"
	"testing"
)

// A name of the code in the list of words is one that the code has.
func TestWords_AreNamesOfTheCode(t *testing.T) {
	page, err := os.ReadFile("../docs/words.md")
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string]bool{}
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			for _, name := range declares(d) {
				declared[s.file.Name.Name+"."+name] = true
			}
		}
	}
	for _, m := range regexp.MustCompile("`([a-z]+\\.[A-Za-z]+)(?:\\.[A-Za-z]+)?`").FindAllStringSubmatch(string(page), -1) {
		if !declared[m[1]] {
			t.Errorf("docs/words.md names %s, which is not declared", m[1])
		}
	}
}

// declares are the names that a declaration makes.
func declares(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		names = append(names, d.Name.Name)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					names = append(names, n.Name)
				}
			}
		}
	}
	return names
}
