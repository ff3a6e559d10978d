package graphio

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/graphio/gryo"
)

// Format is a file format by the name that io() and the commands use.
type Format string

// The formats.
const (
	GraphML  Format = "graphml"
	GraphSON Format = "graphson"
	Gryo     Format = "gryo"
	CSV      Format = "csv"
)

// FormatOf guesses the format from a file name; ".gz" in the end is looked through.
func FormatOf(name string) (Format, error) {
	switch ext := path.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz")); ext {
	case ".xml", ".graphml":
		return GraphML, nil
	case ".json", ".graphson":
		return GraphSON, nil
	case ".kryo", ".gryo":
		return Gryo, nil
	case ".csv":
		return CSV, nil
	default:
		return "", fmt.Errorf("the file name %q does not tell its format: it ends in none of .xml, .json, .kryo, .csv", name)
	}
}

// Read streams a file into sink.
func Read(ctx context.Context, f Format, r io.Reader, sink blueprints.RecordSink) error {
	switch f {
	case GraphML:
		return ReadGraphML(ctx, r, sink)
	case GraphSON:
		return ReadGraphSON(ctx, r, sink)
	case Gryo:
		return gryo.Read(ctx, r, sink)
	case CSV:
		return ReadCSV(ctx, r, sink, nil)
	}
	return fmt.Errorf("there is no format %q", f)
}

// Write streams source into a file.
func Write(ctx context.Context, f Format, w io.Writer, source blueprints.RecordSource) error {
	switch f {
	case GraphML:
		return WriteGraphML(ctx, w, source)
	case GraphSON:
		return WriteGraphSON(ctx, w, source)
	case Gryo:
		return gryo.Write(ctx, w, source)
	}
	return fmt.Errorf("the format %q cannot be written to one file", f)
}

// gzipMagic begins a gzip stream.
const gzipMagic = "\x1f\x8b"

// Gunzip looks through gzip compression, told by the first bytes.
func Gunzip(r io.Reader) (io.Reader, error) {
	first := make([]byte, 2)
	n, err := io.ReadFull(r, first)
	if err != nil && n == 0 {
		return strings.NewReader(""), nil
	}
	whole := io.MultiReader(strings.NewReader(string(first[:n])), r)
	if string(first[:n]) != gzipMagic {
		return whole, nil
	}
	z, err := gzip.NewReader(whole)
	if err != nil {
		return nil, fmt.Errorf("open gzip stream: %w", err)
	}
	return z, nil
}
