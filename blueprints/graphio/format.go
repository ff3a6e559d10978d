package graphio

import (
	"compress/gzip"
	"context"
	"errors"
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

// Handler is told where the records of a file stand. A place is a line, or in GraphSON
// and Gryo, which need have none, the number of the vertex, counted from 1.
type Handler struct {
	// At is called before each record, with the fields that a CSV file has there, which
	// are valid during the call; nil when nobody wants to know.
	At func(place int, fields []string)
	// Reject is told of a record that cannot be taken, also of one that the sink
	// refused. An error that it returns ends the reading. With a nil Reject the first
	// bad record is an error.
	Reject func(place int, fields []string, reason error) error
}

// Stop is an error of a sink that ends the reading, whatever a Handler says.
type Stop struct{ Err error }

// Error gives the error.
func (s *Stop) Error() string { return s.Err.Error() }

// Unwrap returns the error.
func (s *Stop) Unwrap() error { return s.Err }

// bad says what to do about a record that was not taken: the error, nil to go on.
func (h Handler) bad(at string, place int, fields []string, reason error) error {
	var stop *Stop
	switch {
	case errors.As(reason, &stop):
		return reason
	case h.Reject == nil:
		return fmt.Errorf("%s %d: %w", at, place, reason)
	}
	return h.Reject(place, fields, reason)
}

func (h Handler) at(place int, fields []string) {
	if h.At != nil {
		h.At(place, fields)
	}
}

// Read streams a file into sink; the first bad record is an error.
func Read(ctx context.Context, f Format, r io.Reader, sink blueprints.RecordSink) error {
	return ReadRecords(ctx, f, r, sink, Handler{})
}

// ReadRecords streams a file into sink and tells h of its records.
func ReadRecords(ctx context.Context, f Format, r io.Reader, sink blueprints.RecordSink, h Handler) error {
	switch f {
	case GraphML:
		return ReadGraphML(ctx, r, sink)
	case GraphSON:
		return ReadGraphSON(ctx, r, sink)
	case Gryo:
		return gryo.Read(ctx, r, sink)
	case CSV:
		return ReadCSV(ctx, r, sink, h)
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
