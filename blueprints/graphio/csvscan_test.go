package graphio

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gremlind/gremlind/blueprints"
)

// sameAsCSV compares the scanner with encoding/csv on text, read through reader.
func sameAsCSV(t *testing.T, text string, reader func(io.Reader) io.Reader) {
	t.Helper()
	c := csv.NewReader(strings.NewReader(text))
	c.FieldsPerRecord = -1
	s := &csvScanner{r: reader(strings.NewReader(text)), line: 1, sep: ','}
	for {
		want, werr := c.Read()
		got, line, err := s.next()
		if (err == nil) != (werr == nil) || err != nil && err.Error() != werr.Error() {
			t.Fatalf("%q: error %v, want %v", text, err, werr)
		}
		if errors.Is(err, io.EOF) {
			return
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", text, got, want)
		}
		if err == nil {
			if n, _ := c.FieldPos(0); n != line {
				t.Fatalf("%q: %q stands in line %d, want %d", text, got, line, n)
			}
		}
	}
}

func whole(r io.Reader) io.Reader { return r }

func TestCSVScanner_SameAsEncodingCSV(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "bc", ",", ",", "\n", "\n", "\r\n", "\r", `"`, `"`, `""`, `"x,y"`, "\"z\n\"", " ", "é"}
	for range 5_000 {
		var b strings.Builder
		for range r.IntN(12) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		sameAsCSV(t, b.String(), whole)
		sameAsCSV(t, b.String(), iotest.OneByteReader)
	}
}

func FuzzCSVScanner(f *testing.F) {
	f.Add("a,\"b\r\nc\",d\n\n\"e\"\"\"\r")
	f.Fuzz(func(t *testing.T, text string) { sameAsCSV(t, text, iotest.HalfReader) })
}

// A record that is longer than a chunk, in quotes over many lines.
func TestCSVScanner_LongRecord(t *testing.T) {
	long := strings.Repeat("line\n", csvChunk)
	s := &csvScanner{r: strings.NewReader("a,b\n1,\"" + long + "\"\n2,3\n"), line: 1, sep: ','}
	for _, want := range [][]string{{"a", "b"}, {"1", long}, {"2", "3"}} {
		if got, _, err := s.next(); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%d fields, %v", len(got), err)
		}
	}
}

// An error of the stream ends the reading even where bad records are allowed.
func TestReadCSV_StreamError(t *testing.T) {
	broken := errors.New("broken")
	r := io.MultiReader(strings.NewReader("~id\n1\n2\n"), iotest.ErrReader(broken))
	var g memory
	reject := func(int, []string, error) error { return nil }
	if err := ReadCSV(t.Context(), r, &g, Handler{Reject: reject}); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if len(g.vs) != 2 {
		t.Errorf("%d vertices came before the error, want 2", len(g.vs))
	}
}

// Records go to the sink before a slow reader gives more.
func TestReadCSV_SlowReader(t *testing.T) {
	r, w := io.Pipe()
	seen := make(chan struct{}, 10)
	g := notifySink{seen: seen}
	done := make(chan error, 1)
	go func() { done <- ReadCSV(t.Context(), r, &g, Handler{}) }()
	for _, text := range []string{"~id\n", "1\n", "2\n"} {
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if text != "~id\n" {
			<-seen
		}
	}
	w.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

type notifySink struct {
	memory
	seen chan struct{}
}

func (s *notifySink) Vertex(v *blueprints.VertexRecord) error {
	s.seen <- struct{}{}
	return s.memory.Vertex(v)
}

func BenchmarkReadCSV(b *testing.B) {
	var file bytes.Buffer
	file.WriteString("~id,~from,~to,~label,weight:Double\n")
	for range 10_000 {
		file.WriteString("131072,5140,10496,knows,1.344\n")
	}
	b.SetBytes(int64(file.Len()))
	b.ReportAllocs()
	for range b.N {
		if err := ReadCSV(b.Context(), bytes.NewReader(file.Bytes()), nothing{}, Handler{}); err != nil {
			b.Fatal(err)
		}
	}
}

type nothing struct{}

func (nothing) Vertex(*blueprints.VertexRecord) error { return nil }
func (nothing) Edge(*blueprints.EdgeRecord) error     { return nil }

// BenchmarkCSVScanner reads the same text with the scanner and with encoding/csv.
func BenchmarkCSVScanner(b *testing.B) {
	text := strings.Repeat("12345,person,marko,29,\"a, b\",0.5\n67890,software,lop,,java,1.0\n", 20_000)
	b.Run("scanner", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			s := &csvScanner{r: strings.NewReader(text), line: 1, sep: ','}
			for {
				if _, _, err := s.next(); err != nil {
					break
				}
			}
		}
	})
	b.Run("encoding", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			c := csv.NewReader(strings.NewReader(text))
			c.ReuseRecord = true
			for {
				if _, err := c.Read(); err != nil {
					break
				}
			}
		}
	})
}
