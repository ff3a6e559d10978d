package graphio

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/graphio/gryo"
	"github.com/gremlind/gremlind/blueprints/spool"
)

// Format is a file format by the name that io() and the commands use.
type Format string

// The formats.
const (
	GraphML  Format = "graphml"
	GraphSON Format = "graphson"
	Gryo     Format = "gryo"
	CSV      Format = "csv"
	Network  Format = "network" // JSON of networkx, D3, Cytoscape and APOC
)

// Formats are all, for a person.
const Formats = "graphml, graphson, gryo, csv or network"

// Known reports whether there is a format of that name.
func Known(f Format) bool { return slices.Contains([]Format{GraphML, GraphSON, Gryo, CSV, Network}, f) }

// FormatOf guesses the format from a file name; the ending of a compressed file is looked
// through.
func FormatOf(name string) (Format, error) {
	name = strings.ToLower(name)
	if ext := path.Ext(name); ext == ".gz" || ext == ".zst" || ext == ".bz2" {
		name = strings.TrimSuffix(name, ext)
	}
	switch path.Ext(name) {
	case ".xml", ".graphml":
		return GraphML, nil
	case ".json", ".graphson", ".jsonl":
		return GraphSON, nil
	case ".kryo", ".gryo":
		return Gryo, nil
	case ".csv", ".tsv":
		return CSV, nil
	default:
		return "", fmt.Errorf("the file name %q does not tell its format: it ends in none of .xml, .json, .kryo, .csv", name)
	}
}

// FormatIn tells the format by what a file begins with, as Opened opens it. named is what
// its name says, "" for nothing.
func FormatIn(r *bufio.Reader, named Format) (Format, error) {
	if named != "" && named != GraphSON {
		return named, nil
	}
	head, _ := r.Peek(openedBytes)
	plain := bytes.TrimLeft(head, " \t\r\n")
	switch {
	case len(plain) == 0:
		return "", errors.New("the file is empty")
	case bytes.HasPrefix(head, []byte("gio")):
		return Gryo, nil
	case plain[0] == '<' && bytes.Contains(plain, []byte("<gexf")):
		return "", errors.New("this is GEXF, which is not read: have Gephi export GraphML, or tables as CSV")
	case plain[0] == '<':
		return GraphML, nil
	case plain[0] == '[':
		return Network, nil
	case plain[0] == '{':
		return jsonFormat(plain)
	case named == "" && (plain[0] == '~' || bytes.ContainsAny(firstLine(plain), ",;\t")):
		return CSV, nil
	}
	return "", fmt.Errorf("the file begins with %.20q, which none of the formats does: say --format", plain)
}

// jsonFormat tells the formats apart that are JSON.
func jsonFormat(head []byte) (Format, error) {
	keys := jsonKeys(head)
	network, graphSON := isNetwork(keys)
	switch {
	case network && graphSON:
		return "", fmt.Errorf("the file may be GraphSON or JSON of another program, for its first keys are %s: say --format graphson or --format network", keyList(keys))
	case network:
		return Network, nil
	case graphSON || len(keys) == 0:
		return GraphSON, nil
	}
	return "", fmt.Errorf("this JSON is neither GraphSON (id, label, outE) nor that of networkx (nodes, links), Cytoscape (elements) or APOC (type, labels): its first keys are %s", keyList(keys))
}

func keyList(keys []string) string { return strings.Join(keys[:min(len(keys), 12)], ", ") }

func firstLine(b []byte) []byte {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	return line
}

// Handler is told where the records of a file stand. A place is a line, or in GraphSON,
// which need have none, the number of the vertex, and in Gryo, where edges come behind
// the vertices, that of the record, counted from 1.
type Handler struct {
	// At is called before each record, with the fields that a CSV file has there, which
	// are valid during the call; nil when nobody wants to know.
	At func(place int, fields []string)
	// Reject is told of a record that cannot be taken, also of one that the sink
	// refused. An error that it returns ends the reading. With a nil Reject the first
	// bad record is an error.
	Reject func(place int, fields []string, reason error) error
	// VertexLabel names the key that holds the labels of nodes in GraphML, "" where the
	// programs that write it have them.
	VertexLabel string
	// Plain looks for labels in GraphML only where TinkerPop has them.
	Plain bool
	// Held says where edges wait that may come before their vertices.
	Held spool.Options
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

// edge hands an edge to sink; at says what its place counts.
func (h Handler) edge(at string, place int, e *blueprints.EdgeRecord, sink blueprints.RecordSink) error {
	if h.At != nil {
		h.At(place, edgeFields(e))
	}
	if err := sink.Edge(e); err != nil {
		return h.bad(at, place, edgeFields(e), fmt.Errorf("edge %s: %w", e.ID.Brief(), err))
	}
	return nil
}

// edgeFields are the fields of an edge in files that have none.
func edgeFields(e *blueprints.EdgeRecord) []string {
	return []string{"edge", e.ID.JavaString(), e.Out.JavaString(), e.In.JavaString()}
}

func (h Handler) at(place int, fields []string) {
	if h.At != nil {
		h.At(place, fields)
	}
}

// readHeld is how many bytes of edges wait in memory while a request reads a file.
const readHeld = 4 << 20

// Read streams a file into sink as io() does: the first bad record is an error.
func Read(ctx context.Context, f Format, r io.Reader, sink blueprints.RecordSink) error {
	return ReadRecords(ctx, f, r, sink, Handler{Plain: true, Held: spool.Options{Memory: readHeld}})
}

// ReadRecords streams a file into sink and tells h of its records.
func ReadRecords(ctx context.Context, f Format, r io.Reader, sink blueprints.RecordSink, h Handler) error {
	switch f {
	case GraphML:
		return ReadGraphML(ctx, r, sink, h)
	case GraphSON:
		return ReadGraphSON(ctx, r, sink, h)
	case Gryo:
		return readGryo(ctx, r, sink, h)
	case CSV:
		return ReadCSV(ctx, r, sink, h)
	case Network:
		return ReadNetwork(ctx, r, sink, h)
	}
	return fmt.Errorf("there is no format %q: it is one of %s", f, Formats)
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

// readGryo reads Gryo, of which a record can be refused but not be wrong.
func readGryo(ctx context.Context, r io.Reader, sink blueprints.RecordSink, h Handler) error {
	s := &gryoSink{sink: sink, h: h}
	s.edges.list.Options = h.Held
	defer s.edges.list.Close()
	if err := gryo.Read(ctx, r, s); err != nil {
		return err
	}
	return s.edges.push(ctx, gryoRecord, sink, h, true)
}

const gryoRecord = "gryo record"

// gryoSink numbers records, tells of those that its sink refuses, and holds edges back.
type gryoSink struct {
	sink  blueprints.RecordSink
	h     Handler
	n     int
	edges heldEdges
}

// Vertex passes a vertex on.
func (s *gryoSink) Vertex(v *blueprints.VertexRecord) error {
	s.n++
	fields := []string{"vertex", v.ID.JavaString()}
	s.h.at(s.n, fields)
	if err := s.sink.Vertex(v); err != nil {
		return s.h.bad(gryoRecord, s.n, fields, fmt.Errorf("vertex %s: %w", fields[1], err))
	}
	return nil
}

// Edge holds an edge back.
func (s *gryoSink) Edge(e *blueprints.EdgeRecord) error {
	s.n++
	if err := s.edges.add(s.n, e); err != nil {
		fields := edgeFields(e)
		s.h.at(s.n, fields)
		return s.h.bad(gryoRecord, s.n, fields, fmt.Errorf("edge %s: %w", fields[1], err))
	}
	return nil
}
