package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// block is what one session runs: the statements of one listing of a page, and of those
// after it that go on with its variables.
type block struct {
	page, graph string
	statements  []statement
}

// statement is one statement with the answer of the real server.
type statement struct{ text, answer string }

var (
	callout   = regexp.MustCompile(`\s*(//)?\s*<\d+>\s*$`)
	docsBlock = regexp.MustCompile(`^\[gremlin-groovy ?(?:,(\w+))?\]$`)
	bookBlock = regexp.MustCompile(`^\[source, ?gro+[vy]*y\]$`)
	// opening is how a statement of the book begins; answers stand beside them.
	opening = regexp.MustCompile(`^(g|graph)\s*\.|^(def\s+)?\w+\s*=\s*[^=~>]|^(def|for|if)\b|^\w+\.(each|collect|next|toList|get|size|class|values)\b|^(println|dist|degree)\b|^\[.*\]\.\w|^\(.*\)\.\w`)
)

// pages lists the texts of a folder, without those about other systems.
func pages(folder, suffix string) ([]string, error) {
	var all []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, suffix) && !otherSystems(path) {
			all = append(all, path)
		}
		return err
	})
	slices.Sort(all)
	return all, err
}

func otherSystems(path string) bool {
	for _, part := range []string{"/dev/", "/upgrade/", "hadoop", "spark", "neo4j"} {
		if strings.Contains(filepath.ToSlash(path), part) {
			return true
		}
	}
	return false
}

// extract reads the statements of both folders, each statement once.
func extract(docs, book string) ([]block, error) {
	seen := map[string]bool{}
	var all []block
	for _, from := range []struct {
		folder, suffix string
		read           func(string, []string) []block
	}{{docs, ".asciidoc", docsPage}, {book, ".adoc", bookPage}} {
		paths, err := pages(from.folder, from.suffix)
		if err != nil {
			return nil, fmt.Errorf("list pages: %w", err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, fmt.Errorf("read page: %w", err)
			}
			rel, err := filepath.Rel(from.folder, path)
			if err != nil {
				return nil, fmt.Errorf("name page: %w", err)
			}
			all = append(all, fresh(from.read(filepath.ToSlash(rel), strings.Split(string(text), "\n")), seen)...)
		}
	}
	return all, nil
}

// ownStatements reads testdata/methods.txt: each line is a block.
func ownStatements(root string) ([]block, error) {
	text, err := os.ReadFile(filepath.Join(root, "conformance", "scripts", "testdata", "methods.txt"))
	if err != nil {
		return nil, fmt.Errorf("read statements: %w", err)
	}
	var all []block
	for _, line := range strings.Split(string(text), "\n") {
		if line != "" && line[0] != '#' {
			all = append(all, block{"methods.txt", "modern", []statement{{text: line}}})
		}
	}
	return all, nil
}

// fresh leaves out blocks that hold nothing new, and empty ones.
func fresh(bs []block, seen map[string]bool) []block {
	var out []block
	for _, b := range bs {
		added := false
		for _, s := range b.statements {
			key := b.graph + "\n" + s.text
			added = added || !seen[key]
			seen[key] = true
		}
		if added {
			out = append(out, b)
		}
	}
	return out
}

// docsPage reads listings marked [gremlin-groovy,modern]; "existing" goes on with the
// session before it.
func docsPage(page string, lines []string) []block {
	var out []block
	for i := 0; i < len(lines); i++ {
		match := docsBlock.FindStringSubmatch(lines[i])
		if match == nil {
			continue
		}
		listing, end := listingAfter(lines, i)
		i = end
		statements := split(listing)
		if match[1] == "existing" && len(out) > 0 {
			last := &out[len(out)-1]
			last.statements = append(last.statements, statements...)
			continue
		}
		out = append(out, block{page, docsGraph(match[1]), statements})
	}
	return out
}

func docsGraph(name string) string {
	switch name {
	case "modern", "existing":
		return "modern"
	case "theCrew":
		return "crew"
	}
	return name
}

func bookPage(page string, lines []string) []block {
	var out []block
	for i := 0; i < len(lines); i++ {
		if !bookBlock.MatchString(lines[i]) {
			continue
		}
		listing, end := listingAfter(lines, i)
		i = end
		var kept []statement
		for _, s := range split(listing) {
			if opening.MatchString(s.text) {
				kept = append(kept, s)
			}
		}
		out = append(out, block{page, "airroutes", kept})
	}
	return out
}

// listingAfter is what stands between the lines of dashes after at, and where it ends.
func listingAfter(lines []string, at int) ([]string, int) {
	from := at + 1
	for from < len(lines) && !strings.HasPrefix(lines[from], "----") {
		from++
	}
	to := from + 1
	for to < len(lines) && !strings.HasPrefix(lines[to], "----") {
		to++
	}
	if to >= len(lines) {
		return nil, len(lines)
	}
	return lines[from+1 : to], to
}

// split finds the statements of a listing: lines belong together while brackets are
// open, when a line ends or the next begins in the middle of a chain, and when the next
// is indented.
func split(lines []string) []statement {
	var out []statement
	var current []string
	flush := func() {
		if text := strings.TrimSpace(strings.Join(current, "\n")); text != "" && !strings.HasPrefix(text, ":") {
			out = append(out, statement{text: text})
		}
		current = nil
	}
	for _, line := range lines {
		line = strings.TrimRight(stripComment(callout.ReplaceAllString(line, "")), " \t")
		trimmed := strings.TrimSpace(line)
		if trimmed == "" {
			if open(strings.Join(current, "\n")) <= 0 {
				flush()
			}
			continue
		}
		if len(current) > 0 && !continues(current, line) {
			flush()
		}
		current = append(current, strings.TrimPrefix(strings.TrimPrefix(line, "gremlin> "), "......1> "))
	}
	flush()
	return out
}

func continues(current []string, line string) bool {
	last := strings.TrimSpace(current[len(current)-1])
	return open(strings.Join(current, "\n")) > 0 || strings.ContainsAny(last[len(last)-1:], ".,=+(&|") ||
		line[0] == ' ' || line[0] == '.' || line[0] == ')' || line[0] == '}'
}

// open counts the brackets that are not closed, outside of texts.
func open(text string) int {
	depth := 0
	outside(text, func(_ int, c byte) bool {
		switch {
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		}
		return true
	})
	return depth
}

// stripComment cuts a comment at the end of a line, outside of texts.
func stripComment(line string) string {
	end := len(line)
	outside(line, func(i int, _ byte) bool {
		if strings.HasPrefix(line[i:], "//") {
			end = i
		}
		return end == len(line)
	})
	return line[:end]
}

// outside calls fn for the bytes that are not within quotes, until it returns false.
func outside(text string, fn func(i int, c byte) bool) {
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case !fn(i, c):
			return
		}
	}
}
