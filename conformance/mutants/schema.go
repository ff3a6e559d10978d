package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// fn is an outermost function of a file. A schema keeps its mutants as copies behind a
// switch:
//
//	func f(a int) int {
//		if mutantOn == 17 {
//			return func(a int) int { the body with the change }(a)
//		}
//		the body
//	}
type fn struct {
	open, close int    // offsets behind the body's brace, and of the other one
	signature   string // of the copy: the parameters that have names
	arguments   string // what it is called with
	results     bool
	recovers    bool // from a panic of the caller, which a copy cannot do
}

// outer describes a function.
func (f *finder) outer(typ *ast.FuncType, b *ast.BlockStmt) *fn {
	o := &fn{open: f.offset(b.Lbrace) + 1, close: f.offset(b.Rbrace), results: typ.Results.NumFields() > 0, recovers: recovers(b)}
	var params, args []string
	for _, field := range typ.Params.List {
		for _, name := range field.Names {
			if name.Name == "_" {
				continue
			}
			arg := name.Name
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				arg += "..."
			}
			params, args = append(params, name.Name+" "+f.raw(field.Type)), append(args, arg)
		}
	}
	o.signature, o.arguments = "("+strings.Join(params, ", ")+")", "("+strings.Join(args, ", ")+")"
	if o.results {
		o.signature += " " + f.raw(typ.Results)
	}
	return o
}

func (f *finder) raw(n ast.Node) string { return string(f.text[f.offset(n.Pos()):f.offset(n.End())]) }

// recovers reports whether a function itself, not one within, calls recover.
func recovers(b *ast.BlockStmt) bool {
	found := false
	ast.Inspect(b, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			id, ok := n.Fun.(*ast.Ident)
			found = found || ok && id.Name == "recover"
		}
		return true
	})
	return found
}

// switched reports whether a mutant can stand in a schema: what is outside of functions is
// changed in a binary of its own.
func (m *mutant) switched() bool { return m.fn != nil && !m.fn.recovers }

// schema is a package with many mutants in it, of which the environment switches one on.
type schema struct {
	pack    *pack
	mutants map[*mutant]int // to their number, from 1 on
	dir     string          // where its files lie
	binary  string          // the tests
	lines   map[string][]span
}

// span are the lines of a generated file that a mutant takes.
type span struct {
	from, to int
	mutant   *mutant
}

// switchVariable is the environment's variable that says which mutant is on. It begins with
// another word than the settings of the server, which refuses one that it does not know.
const switchVariable = "MUTANT_OF_GREMLIND"

// switchFile comes first among the files of a package, so that it is set before all else.
const switchFile = "0_mutant_switch.go"

const switchText = `package %s

import mutantEnvironment "os"

var mutantOn = func() (n int) {
	for _, c := range mutantEnvironment.Getenv("` + switchVariable + `") {
		n = 10*n + int(c-'0')
	}
	return n
}()
`

func newSchema(p *pack, ms []*mutant, dir string) *schema {
	s := &schema{pack: p, mutants: map[*mutant]int{}, dir: dir, binary: filepath.Join(dir, "tests")}
	for _, m := range ms {
		if _, twice := s.mutants[m]; m.switched() && !twice {
			s.mutants[m] = len(s.mutants) + 1
		}
	}
	return s
}

// write generates the files and the overlay.
func (s *schema) write() error {
	files := map[string][]*mutant{}
	for m := range s.mutants {
		files[m.path] = append(files[m.path], m)
	}
	replace := map[string]string{}
	add := func(path string, text []byte) error {
		replace[path] = filepath.Join(s.dir, filepath.Base(path))
		return os.WriteFile(replace[path], text, 0o600)
	}
	s.lines = map[string][]span{}
	for path, ms := range files {
		if err := add(path, s.file(path, ms)); err != nil {
			return err
		}
	}
	if err := add(filepath.Join(s.pack.Dir, switchFile), fmt.Appendf(nil, switchText, s.pack.Name)); err != nil {
		return err
	}
	return writeOverlay(s.dir, replace)
}

// file is the text of a file with its mutants, and notes their lines.
func (s *schema) file(path string, ms []*mutant) []byte {
	slices.SortFunc(ms, func(a, b *mutant) int {
		if a.fn != b.fn {
			return a.fn.open - b.fn.open
		}
		return s.mutants[a] - s.mutants[b]
	})
	var out bytes.Buffer
	line, done := 1, 0
	write := func(text string) {
		out.WriteString(text)
		line += strings.Count(text, "\n")
	}
	for _, m := range ms {
		write(string(m.source[done:m.fn.open]))
		done = m.fn.open
		from := line
		write(m.copy(s.mutants[m]))
		s.lines[filepath.Base(path)] = append(s.lines[filepath.Base(path)], span{from, line, m})
		write("\n")
	}
	write(string(ms[0].source[done:]))
	return out.Bytes()
}

// copy is the function once more, with the change.
func (m *mutant) copy(number int) string {
	before, after := "return ", ""
	if !m.fn.results {
		before, after = "", "; return"
	}
	body := string(m.source[m.fn.open:m.from]) + m.with + string(m.source[m.to:m.fn.close])
	return fmt.Sprintf("\nif mutantOn == %d { %sfunc%s {%s\n}%s%s }", number, before, m.fn.signature, body, m.fn.arguments, after)
}

// drop takes the mutants out that a compiler's messages name, and returns them.
func (s *schema) drop(messages []byte) []*mutant {
	var gone []*mutant
	for _, at := range places(messages) {
		for _, l := range s.lines[at.file] {
			if _, in := s.mutants[l.mutant]; in && l.from < at.line && at.line <= l.to {
				delete(s.mutants, l.mutant)
				gone = append(gone, l.mutant)
			}
		}
	}
	return gone
}
