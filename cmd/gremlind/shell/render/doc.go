// Package render writes results for people and for programs: tables, CSV, JSON and
// GraphSON. A Writer takes results as they come and keeps at most the first chunk of them
// back, out of which it learns the columns; what follows is written at once, in constant
// memory.
//
// Nothing that a graph holds reaches a terminal as it is: control characters, which could
// move the cursor or do worse, are written as escapes.
package render

import (
	"io"

	"github.com/gremlind/gremlind/storage/value"
)

// Writer writes results in order.
type Writer interface {
	// Write takes results; it may keep them back until the next call. The caller does not
	// use the slice again.
	Write(rows []value.Value) error
	// Flush writes what was kept back, as far as it is known how. More may follow.
	Flush() error
	// Close writes the end. It does not close what is beneath.
	Close() error
}

// Format names what New can make.
type Format string

// The formats.
const (
	Table    Format = "table"
	CSV      Format = "csv"
	JSON     Format = "json"     // one untyped GraphSON 3 value a line
	GraphSON Format = "graphson" // one typed GraphSON 3 value a line
)

// Formats lists them.
var Formats = []Format{Table, JSON, CSV, GraphSON}

// Options say how results are written.
type Options struct {
	// Width is the terminal's, in columns; 0 knows no end of a line.
	Width int
	// Columns are those of CSV, in order; nil takes what the first results have.
	Columns []string
	// NoHeader leaves the first line of CSV away.
	NoHeader bool
}

// New returns a Writer of a format, nil for one that does not exist.
func New(f Format, w io.Writer, o Options) Writer {
	switch f {
	case Table:
		return &tableWriter{w: w, width: o.Width}
	case CSV:
		return newCSV(w, o)
	case JSON:
		return &lineWriter{w: w, codec: untyped}
	case GraphSON:
		return &lineWriter{w: w, codec: typed}
	}
	return nil
}

// chunkRows is how many results say which columns there are.
const chunkRows = 1000
