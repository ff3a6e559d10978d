package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// pack is a package whose code is changed.
type pack struct {
	ImportPath, Dir, Name                        string
	GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
	Module                                       struct{ Path, Dir string }
}

// helpers are packages that exist for the tests of others.
var helpers = []string{"storagetest", "valuetest"}

func list(ctx context.Context, root string, patterns []string) ([]*pack, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-json=ImportPath,Dir,Name,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Module"}, patterns...)...)
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, stderr.Bytes())
	}
	var all []*pack
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		p := &pack{}
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if !slices.Contains(helpers, p.Name) {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b *pack) int { return cmp.Compare(a.ImportPath, b.ImportPath) })
	return all, nil
}

// short is the path of the package below its module.
func (p *pack) short() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, p.Module.Path), "/")
}

func (p *pack) tested() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

// startsProcesses reports whether the tests may run code where no coverage is counted.
func (p *pack) startsProcesses() (bool, error) {
	for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.ImportsOnly)
		if err != nil {
			return false, err
		}
		for _, i := range f.Imports {
			if i.Path.Value == `"os/exec"` {
				return true, nil
			}
		}
	}
	return false, nil
}

// mutants are all changes of the package's code, in the order of its text.
func (p *pack) mutants() ([]*mutant, error) {
	var all []*mutant
	for _, name := range p.GoFiles {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return nil, err
		}
		ms, err := mutantsOf(filepath.ToSlash(filepath.Join(p.short(), name)), text)
		if err != nil {
			return nil, err
		}
		for _, m := range ms {
			m.pack, m.path, m.source = p, filepath.Join(p.Dir, name), text
		}
		all = append(all, ms...)
	}
	return all, nil
}
