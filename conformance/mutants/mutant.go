package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// mutant is one change of a file.
type mutant struct {
	pack   *pack
	path   string // of the file
	source []byte // all of it
	fn     *fn    // the outermost function around, nil outside of one
	change
}

// change is what tells a mutant from others, and survives when lines are moved: the file,
// the function, the text of its line and what becomes of it.
type change struct {
	file, function, line, what string

	at       token.Position
	from, to int // offsets in the file
	with     string
}

func (c change) String() string { return fmt.Sprintf("%s:%d %s", c.file, c.at.Line, c.named()) }

// named is the change with its function.
func (c change) named() string {
	if c.function == "" {
		return c.what
	}
	return c.function + ": " + c.what
}

// text is the changed file.
func (m *mutant) text() []byte {
	return slices.Concat(m.source[:m.from], []byte(m.with), m.source[m.to:])
}

// finder walks through a file and notes what can be changed.
type finder struct {
	name      string
	text      []byte
	fset      *token.FileSet
	function  string
	outermost *fn
	results   []*ast.FieldList         // of the functions around, innermost last
	size      map[ast.Expr]bool        // how much room is made
	inFailed  map[*ast.ReturnStmt]bool // right in the body of "if err != nil"
	found     []*mutant
	seen      map[string]int
}

// mutantsOf returns the changes of one file; name is how they call it.
func mutantsOf(name string, text []byte) ([]*mutant, error) {
	f := &finder{name: name, text: text, fset: token.NewFileSet(), size: map[ast.Expr]bool{}, inFailed: map[*ast.ReturnStmt]bool{}, seen: map[string]int{}}
	file, err := parser.ParseFile(f.fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range file.Decls {
		f.function = ""
		switch d := d.(type) {
		case *ast.GenDecl:
			if d.Tok != token.VAR && d.Tok != token.CONST {
				continue
			}
		case *ast.FuncDecl:
			if f.function = functionName(d); d.Body == nil {
				continue
			}
		}
		f.walk(d)
	}
	return f.found, nil
}

func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	typ := d.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	switch generic := typ.(type) {
	case *ast.IndexExpr:
		typ = generic.X
	case *ast.IndexListExpr:
		typ = generic.X
	}
	if id, ok := typ.(*ast.Ident); ok {
		return id.Name + "." + d.Name.Name
	}
	return d.Name.Name
}

// of returns the text of a node in one line.
func (f *finder) of(n ast.Node) string {
	return strings.Join(strings.Fields(string(f.text[f.offset(n.Pos()):f.offset(n.End())])), " ")
}

func (f *finder) offset(p token.Pos) int { return f.fset.Position(p).Offset }

// described is how much of a piece of code a change shows.
const described = 100

func cut(s string) string {
	if len(s) > described {
		return s[:described] + "..."
	}
	return s
}

// replace notes that a node may become other text.
func (f *finder) replace(n ast.Node, with string) {
	f.note(n.Pos(), n.End(), with, cut(f.of(n))+" => "+cut(strings.Join(strings.Fields(with), " ")))
}

// drop notes that a statement may go.
func (f *finder) drop(n ast.Node) { f.note(n.Pos(), n.End(), "", "without "+cut(f.of(n))) }

func (f *finder) note(from, to token.Pos, with, what string) {
	at := f.fset.Position(from)
	start, end := at.Offset, at.Offset
	for start > 0 && f.text[start-1] != '\n' {
		start--
	}
	for end < len(f.text) && f.text[end] != '\n' {
		end++
	}
	c := change{file: f.name, function: f.function, line: strings.TrimSpace(string(f.text[start:end])), what: what,
		at: at, from: at.Offset, to: f.offset(to), with: with}
	id := fmt.Sprint(c.function, "\t", c.line, "\t", c.what)
	if f.seen[id]++; f.seen[id] > 1 {
		c.what += fmt.Sprintf(" (%d)", f.seen[id])
	}
	f.found = append(f.found, &mutant{change: c, fn: f.outermost})
}
