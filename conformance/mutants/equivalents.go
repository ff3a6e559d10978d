package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// key names a change without the number of its line.
type key struct{ file, function, line, what string }

func (c change) key() key { return key{c.file, c.function, c.line, c.what} }

// equivalents are the changes that nobody could notice.
type equivalents struct {
	reasons map[key]string
	matched map[key]bool
}

// readEquivalents reads the list: file, function, line, change and reason, with tabs between.
func readEquivalents(root, name string) (*equivalents, error) {
	e := &equivalents{reasons: map[key]string{}, matched: map[key]bool{}}
	f, err := os.Open(filepath.Join(root, name))
	if errors.Is(err, fs.ErrNotExist) {
		return e, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		if lines.Text() == "" || strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		parts := strings.Split(lines.Text(), "\t")
		if len(parts) != 5 || strings.TrimSpace(parts[4]) == "" {
			return nil, fmt.Errorf("%s:%d: want file, function, line, change and reason, with a tab between each", name, n)
		}
		k := key{parts[0], parts[1], parts[2], parts[3]}
		if _, twice := e.reasons[k]; twice {
			return nil, fmt.Errorf("%s:%d: the change is listed twice", name, n)
		}
		e.reasons[k] = parts[4]
	}
	return e, lines.Err()
}

// without takes the listed changes out.
func (e *equivalents) without(all []*mutant) []*mutant {
	var rest []*mutant
	for _, m := range all {
		if _, listed := e.reasons[m.key()]; listed {
			e.matched[m.key()] = true
			continue
		}
		rest = append(rest, m)
	}
	return rest
}

// unmatched are entries whose code is gone, among the files of the given mutants.
func (e *equivalents) unmatched(files map[string]bool) []key {
	var gone []key
	for k := range e.reasons {
		if files[k.file] && !e.matched[k] {
			gone = append(gone, k)
		}
	}
	return gone
}
