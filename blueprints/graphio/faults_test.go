package graphio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

var errBroken = errors.New("broken")

// formatFiles has a file of each format, and of each program that writes JSON.
func formatFiles(t *testing.T) map[string]struct {
	format Format
	file   string
} {
	t.Helper()
	files := map[string]struct {
		format Format
		file   string
	}{
		"csv, vertices":     {CSV, "~id,~label,\"na\"\"me\":String,tags:String[]\n1,person,\"ma\nrko\",x;y\n\n2,,,\n"},
		"csv, edges":        {CSV, "~id,~from,~to,~label,weight:Double\n3,1,2,knows,0.5\n4,2,1,,\n"},
		"csv, its own sign": {CSV, "sep=|\r\n~id|~label\r\n1|person\r\n"},
	}
	for _, f := range []Format{GraphML, GraphSON, Gryo} {
		var b bytes.Buffer
		if err := Write(context.Background(), f, &b, sample()); err != nil {
			t.Fatal(err)
		}
		files[string(f)] = struct {
			format Format
			file   string
		}{f, b.String()}
	}
	for name, n := range networkFiles {
		files[name] = struct {
			format Format
			file   string
		}{Network, n.file}
	}
	return files
}

// A stream that breaks, wherever it does, is never taken for a file that ends, nor for
// one with a bad record in it.
func TestRead_StreamBreaksAnywhere(t *testing.T) {
	for name, c := range formatFiles(t) {
		for n := range len(c.file) + 1 {
			r := io.MultiReader(strings.NewReader(c.file[:n]), iotest.ErrReader(errBroken))
			if n%2 == 1 {
				r = iotest.OneByteReader(r)
			}
			h := Handler{Reject: func(int, []string, error) error { return nil }}
			if err := ReadRecords(context.Background(), c.format, r, &memory{}, h); !errors.Is(err, errBroken) {
				t.Fatalf("%s, broken behind %d of %d bytes: %v", name, n, len(c.file), err)
			}
		}
	}
}

// What a sink refuses is told, or ends the reading; it never goes missing, and behind it
// come the others.
func TestRead_SinkRefusesAny(t *testing.T) {
	for name, c := range formatFiles(t) {
		all := &refusing{at: -1}
		if err := ReadRecords(context.Background(), c.format, strings.NewReader(c.file), all, Handler{}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for n := range all.seen {
			err := ReadRecords(context.Background(), c.format, strings.NewReader(c.file), &refusing{at: n}, Handler{})
			if !errors.Is(err, errBroken) {
				t.Errorf("%s, record %d of %d refused: %v", name, n, all.seen, err)
			}
			told, sink := 0, &refusing{at: n}
			err = ReadRecords(context.Background(), c.format, strings.NewReader(c.file), sink, Handler{Reject: func(_ int, _ []string, reason error) error {
				if told++; !errors.Is(reason, errBroken) {
					return reason
				}
				return nil
			}})
			if err != nil || told != 1 || sink.seen != all.seen {
				t.Errorf("%s, record %d refused: told %d times, %d of %d records, %v", name, n, told, sink.seen, all.seen, err)
			}
		}
	}
}

// refusing is a sink that refuses the record at a number.
type refusing struct{ at, seen int }

func (s *refusing) Vertex(*blueprints.VertexRecord) error { return s.next() }
func (s *refusing) Edge(*blueprints.EdgeRecord) error     { return s.next() }

func (s *refusing) next() error {
	s.seen++
	if s.seen-1 == s.at {
		return errBroken
	}
	return nil
}

// A file that cannot be written to its end is an error, wherever that is.
func TestWrite_FullAnywhere(t *testing.T) {
	writers := map[string]func(io.Writer) error{
		"csv, vertices": func(w io.Writer) error { return WriteVertexCSV(context.Background(), w, sample()) },
		"csv, edges":    func(w io.Writer) error { return WriteEdgeCSV(context.Background(), w, sample()) },
	}
	for _, f := range []Format{GraphML, GraphSON, Gryo} {
		writers[string(f)] = func(w io.Writer) error { return Write(context.Background(), f, w, sample()) }
	}
	for name, write := range writers {
		var file bytes.Buffer
		if err := write(&file); err != nil {
			t.Fatal(err)
		}
		for n := range file.Len() {
			if err := write(&full{left: n}); !errors.Is(err, errBroken) {
				t.Fatalf("%s, %d of %d bytes fit: %v", name, n, file.Len(), err)
			}
		}
	}
}

// full takes so many bytes.
type full struct{ left int }

func (f *full) Write(b []byte) (int, error) {
	if len(b) > f.left {
		return 0, errBroken
	}
	f.left -= len(b)
	return len(b), nil
}

// A source that fails at a record ends the writing.
func TestWrite_SourceFails(t *testing.T) {
	for _, f := range []Format{GraphML, GraphSON, Gryo} {
		for n := range 3 {
			if err := Write(context.Background(), f, io.Discard, &failing{memory: sample(), left: n}); !errors.Is(err, errBroken) {
				t.Errorf("%s, %d records: %v", f, n, err)
			}
		}
	}
}

// failing is a source that gives so many records of a visit.
type failing struct {
	*memory
	left int
}

func (s *failing) EachVertex(fn func(*blueprints.VertexRecord) error) error {
	n := s.left
	return s.memory.EachVertex(func(v *blueprints.VertexRecord) error {
		if n--; n < 0 {
			return errBroken
		}
		return fn(v)
	})
}

func (s *failing) EachEdge(func(*blueprints.EdgeRecord) error) error { return errBroken }

func (s *failing) EachLoose(fn func(*blueprints.EdgeRecord) error) error { return s.EachEdge(fn) }

func (s *failing) EachStar(fn func(*blueprints.Star) error) error {
	n := s.left
	return s.memory.EachStar(func(star *blueprints.Star) error {
		if n--; n < 0 {
			return errBroken
		}
		if n == 0 {
			star.Edges = func(blueprints.Direction, func(*blueprints.EdgeRecord) error) error { return errBroken }
		}
		return fn(star)
	})
}

// Records on their way through a file of the program's own come out as they went in, and
// a piece of them is an error.
func TestEachRecord(t *testing.T) {
	want := sample()
	want.vs[0].Properties[0].Meta = append(want.vs[0].Properties[0].Meta, value.Property{Key: "since", Value: value.Long(3)})
	want.es[0].Properties[0].ID = value.Null // those of edges have none
	var b []byte
	var ends []int
	said := &copying{}
	for i := range want.vs {
		b, _ = AppendVertexRecord(b, &want.vs[i])
		_ = said.Vertex(&want.vs[i])
		ends = append(ends, len(b))
	}
	for i := range want.es {
		b, _ = AppendEdgeRecord(b, &want.es[i])
		_ = said.Edge(&want.es[i])
		ends = append(ends, len(b))
	}
	for n := range len(b) + 1 {
		got := &copying{}
		err := EachRecord(b[:n], got)
		if whole := n == 0 || slices.Contains(ends, n); (err == nil) != whole {
			t.Errorf("%d of %d bytes: %v", n, len(b), err)
		}
		if n == len(b) && got.String() != said.String() {
			t.Errorf("got %s, want %s", got, said)
		}
	}
	for n := range len(ends) {
		if err := EachRecord(b, &refusing{at: n}); !errors.Is(err, errBroken) {
			t.Errorf("record %d refused: %v", n, err)
		}
	}
}

// copying keeps what records said while they were valid.
type copying struct{ vs, es []string }

func (c *copying) Vertex(v *blueprints.VertexRecord) error {
	c.vs = append(c.vs, fmt.Sprint(*v))
	return nil
}
func (c *copying) Edge(e *blueprints.EdgeRecord) error {
	c.es = append(c.es, fmt.Sprint(*e))
	return nil
}
func (c *copying) String() string { return fmt.Sprint(c.vs, c.es) }
