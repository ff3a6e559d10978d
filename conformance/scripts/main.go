package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/conformance/artifact"
	"github.com/gremlind/gremlind/conformance/server"
)

type options struct {
	root, url, reference, docs, book, filter, page, again string
	record, verbose                                       bool
}

func main() {
	var o options
	flag.StringVar(&o.root, "root", ".", "the repository's folder")
	flag.StringVar(&o.url, "url", "", "a running gremlind; empty builds and starts one")
	flag.StringVar(&o.reference, "reference", "", "a real Gremlin Server")
	flag.StringVar(&o.docs, "docs", "", "docs/src of apache/tinkerpop, for -record")
	flag.StringVar(&o.book, "book", "", "book of krlawrence/graph, for -record")
	flag.StringVar(&o.filter, "filter", "", "only blocks with a statement that contains this")
	flag.StringVar(&o.page, "page", "", "record only pages with this in their name and keep the others")
	flag.StringVar(&o.again, "again", "", "record the statements at hand anew, without the pages: the blocks on this graph with a listed one, or all")
	flag.BoolVar(&o.record, "record", false, "write the statements and the reference's answers")
	flag.BoolVar(&o.verbose, "v", false, "print every difference; with -reference in full")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "scripts:", err)
		os.Exit(1)
	}
}

func statementsFile(root string) string {
	return filepath.Join(root, "conformance", "scripts", "testdata", "statements.txt")
}

func run(ctx context.Context, o options, w io.Writer) error {
	if o.again != "" {
		return recordAgain(ctx, o, w)
	}
	if o.record {
		return record(ctx, o, w)
	}
	blocks, err := readBlocks(statementsFile(o.root))
	if err != nil {
		return err
	}
	misses, err := readMisses()
	if err != nil {
		return err
	}
	ours := &player{url: o.url}
	if o.url == "" {
		s, err := start(ctx, o.root)
		if err != nil {
			return err
		}
		defer s.Stop()
		ours.url = s.URL
	}
	var theirs *player
	if o.reference != "" {
		theirs = &player{url: o.reference, reference: true}
	}
	sum, err := compare(ctx, matching(blocks, o.filter), ours, theirs, misses)
	if err != nil {
		return err
	}
	sum.print(w, o.verbose)
	if o.filter == "" && !sum.good() {
		return fmt.Errorf("%d statements differ that misses.tsv does not list, %d are listed and do not", len(sum.unlisted), len(sum.stale))
	}
	return nil
}

// start runs gremlind with the graphs that the blocks name.
func start(ctx context.Context, root string) (*server.Server, error) {
	return server.Start(ctx, server.Options{Root: root, Config: "conformance/scripts/gremlind.yaml", NoFiles: true})
}

func matching(bs []block, part string) []block {
	var out []block
	for _, b := range bs {
		if b.contains(part) {
			out = append(out, b)
		}
	}
	return out
}

func (b block) contains(part string) bool {
	return slices.ContainsFunc(b.statements, func(s statement) bool { return strings.Contains(s.text, part) })
}

const lostMax = 20 // blocks that the reference may fail to run

// record asks the reference every statement. What did not compile there, and what needs
// a variable that another listing sets, is left out.
func record(ctx context.Context, o options, w io.Writer) error {
	blocks, kept, err := toRecord(o)
	if err != nil {
		return err
	}
	p := &player{url: o.reference, reference: true}
	total, lost := 0, 0
	for n, b := range blocks {
		b.statements = keep(b.statements, func(s statement) bool { return !commits(s.text) })
		answers, err := p.play(ctx, b)
		if err != nil {
			fmt.Fprintf(w, "%s: %v\n", b.page, err) // what a server under load loses is left out
			if lost++; lost > lostMax {
				return fmt.Errorf("record: more than %d blocks failed", lostMax)
			}
		}
		b.statements = b.statements[:len(answers)]
		for i, a := range answers {
			b.statements[i].answer = compact(a.answer, a.results)
		}
		if b.statements = keep(b.statements, sound); len(b.statements) > 0 {
			kept = append(kept, b)
			total += len(b.statements)
		}
		if n%50 == 0 {
			fmt.Fprintf(w, "%d of %d blocks, %d statements\n", n, len(blocks), total)
		}
	}
	fmt.Fprintf(w, "%d statements in %d blocks\n", total, len(kept))
	return writeBlocks(statementsFile(o.root), artifact.TinkerPop, kept)
}

// recordAgain asks the reference the blocks at hand on a graph with a statement that
// misses.tsv lists, or all blocks; what the reference cannot answer now stays.
func recordAgain(ctx context.Context, o options, w io.Writer) error {
	blocks, err := readBlocks(statementsFile(o.root))
	if err != nil {
		return err
	}
	misses, err := readMisses()
	if err != nil {
		return err
	}
	listed := func(s statement) bool { return misses[key(block{graph: o.again}, s.text)] != "" }
	p := &player{url: o.reference, reference: true}
	others := 0
	for i, b := range blocks {
		if !b.contains(o.filter) || o.again != "all" && (b.graph != o.again || !slices.ContainsFunc(b.statements, listed)) {
			continue
		}
		answers, err := p.play(ctx, b)
		if err != nil {
			fmt.Fprintf(w, "%s: %v\n", b.page, err)
			continue
		}
		for j, a := range answers {
			answer := compact(a.answer, a.results)
			if st := &b.statements[j]; st.answer != answer && !strings.HasSuffix(answer, "TimeoutException") {
				fmt.Fprintf(w, "%s\n  was %s\n  is  %s\n", st.text, clip(st.answer, o.verbose), clip(answer, o.verbose))
				st.answer = answer
				others++
			}
		}
		blocks[i].statements = keep(b.statements, sound)
	}
	fmt.Fprintf(w, "%d answers are others\n", others)
	return writeBlocks(statementsFile(o.root), artifact.TinkerPop, keepFull(blocks))
}

func keepFull(bs []block) []block {
	var out []block
	for _, b := range bs {
		if len(b.statements) > 0 {
			out = append(out, b)
		}
	}
	return out
}

// toRecord returns the blocks to ask for and those that stay as they are.
func toRecord(o options) (ask, keep []block, err error) {
	if o.page != "" {
		all, err := readBlocks(statementsFile(o.root))
		if err != nil {
			return nil, nil, err
		}
		for _, b := range all {
			if !strings.Contains(b.page, o.page) {
				keep = append(keep, b)
			}
		}
	}
	all, err := ownStatements(o.root)
	if err == nil && o.docs != "" {
		var more []block
		more, err = extract(o.docs, o.book)
		all = append(all, more...)
	}
	for _, b := range all {
		if strings.Contains(b.page, o.page) {
			ask = append(ask, b)
		}
	}
	return ask, keep, err
}

func keep(ss []statement, ok func(statement) bool) []statement {
	var out []statement
	for _, s := range ss {
		if ok(s) {
			out = append(out, s)
		}
	}
	return out
}

// sound reports whether the answer says something about the statement.
func sound(s statement) bool {
	for _, class := range []string{"MultipleCompilationErrorsException", "MissingPropertyException", "GroovyRuntimeException", "TimeoutException"} {
		if strings.HasPrefix(s.answer, "! ") && strings.HasSuffix(s.answer, class) {
			return false
		}
	}
	return true
}
