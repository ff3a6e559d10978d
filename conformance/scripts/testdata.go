package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// heading opens the file of statements.
const heading = `// Statements of Apache TinkerPop's documentation (docs/src, Apache License 2.0, Copyright
// The Apache Software Foundation) and of Practical Gremlin by Kelvin R. Lawrence
// (github.com/krlawrence/graph, Apache License 2.0), and what Gremlin Server ` + "%s" + ` answers.
// Written by "go run ./conformance/scripts -record"; do not edit.
// "#" names page and graph of a block, ">" are the lines of a statement, "=" its results,
// "~" the texts of those that GraphBinary has no form for, "= #" their number and a digest,
// "!" the code and class of its error.
`

func (b block) write(w *bufio.Writer) {
	graph := b.graph
	if graph == "" {
		graph = "empty"
	}
	fmt.Fprintf(w, "\n# %s %s\n", b.page, graph)
	for _, s := range b.statements {
		for _, line := range strings.Split(s.text, "\n") {
			fmt.Fprintf(w, "> %s\n", line)
		}
		fmt.Fprintln(w, s.answer)
	}
}

func writeBlocks(file, version string, bs []block) error {
	f, err := os.Create(file)
	if err != nil {
		return fmt.Errorf("create statements: %w", err)
	}
	w := bufio.NewWriter(f)
	fmt.Fprintf(w, heading, version)
	for _, b := range bs {
		b.write(w)
	}
	if err := w.Flush(); err != nil {
		f.Close()
		return fmt.Errorf("write statements: %w", err)
	}
	return f.Close()
}

func readBlocks(file string) ([]block, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read statements: %w", err)
	}
	var out []block
	var lines []string
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case line == "" || strings.HasPrefix(line, "//"):
		case strings.HasPrefix(line, "> ") || line == ">":
			lines = append(lines, strings.TrimPrefix(line[1:], " "))
		case len(lines) > 0 && len(out) > 0:
			last := &out[len(out)-1]
			last.statements = append(last.statements, statement{strings.Join(lines, "\n"), line})
			lines = nil
		case strings.HasPrefix(line, "# "):
			page, graph, _ := strings.Cut(line[2:], " ")
			if graph == "empty" {
				graph = ""
			}
			out = append(out, block{page: page, graph: graph})
		default:
			return nil, fmt.Errorf("%s:%d: cannot read %q", file, i+1, line)
		}
	}
	return out, nil
}
