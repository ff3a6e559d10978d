package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/graphio"
)

// importFile is one of the files of an import.
type importFile struct {
	name   string
	format graphio.Format
	edges  bool          // CSV that has no vertices
	stdin  *bufio.Reader // when it is standard input
}

// eachFile visits the files: those that have nothing but edges, which need the vertices
// of others, behind the others.
func (im *importer) eachFile(fn func(importFile) error) error {
	files, err := im.sortedFiles()
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := fn(f); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return nil
}

func (im *importer) sortedFiles() ([]importFile, error) {
	var first, behind []importFile
	for _, name := range im.o.files {
		f, err := im.look(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if f.edges {
			behind = append(behind, f)
		} else {
			first = append(first, f)
		}
	}
	return append(first, behind...), nil
}

// look finds out what is in a file.
func (im *importer) look(name string) (f importFile, err error) {
	f.name = name
	in := im.stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return f, err
		}
		defer file.Close()
		in = file
	}
	plain, err := graphio.Opened(in)
	if err != nil {
		return f, err
	}
	if f.format, err = im.formatOf(name, plain); err != nil {
		return f, err
	}
	if f.format == graphio.CSV {
		f.edges = graphio.IsEdgeCSV(plain)
	}
	if name == "-" {
		f.stdin = plain
	}
	return f, nil
}

// read streams the file into sink.
func (f *importFile) read(ctx context.Context, sink blueprints.RecordSink, h graphio.Handler) error {
	if f.stdin != nil {
		return graphio.ReadRecords(ctx, f.format, f.stdin, sink, h)
	}
	file, err := os.Open(f.name)
	if err != nil {
		return err
	}
	defer file.Close()
	r, err := graphio.Opened(file)
	if err != nil {
		return err
	}
	return graphio.ReadRecords(ctx, f.format, r, sink, h)
}

// formatOf returns the format that was said, or that name or content tell.
func (im *importer) formatOf(name string, content *bufio.Reader) (graphio.Format, error) {
	if im.o.format != "" {
		return graphio.Format(im.o.format), nil
	}
	named, _ := graphio.FormatOf(filepath.Base(name))
	return graphio.FormatIn(content, named)
}
