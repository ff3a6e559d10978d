package graphio

import (
	"context"
	"io"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/bench/heap"
	"github.com/gremlind/gremlind/storage/value"
)

// hub is a vertex with many loops, which exist only while they are given.
type hub struct{ edges int }

func (h hub) EachVertex(fn func(*blueprints.VertexRecord) error) error {
	return fn(&blueprints.VertexRecord{ID: value.Int(1), Label: "hub"})
}

func (h hub) EachEdge(fn func(*blueprints.EdgeRecord) error) error {
	for i := range h.edges {
		e := blueprints.EdgeRecord{ID: value.Int(int32(i)), Label: "loop", Out: value.Int(1), In: value.Int(1),
			Properties: []blueprints.PropertyRecord{{Key: "n", Value: value.Int(int32(i))}}}
		if err := fn(&e); err != nil {
			return err
		}
	}
	return nil
}

func (h hub) EachLoose(fn func(*blueprints.EdgeRecord) error) error { return h.EachEdge(fn) }

func (h hub) EachStar(fn func(*blueprints.Star) error) error {
	return h.EachVertex(func(v *blueprints.VertexRecord) error {
		return fn(&blueprints.Star{Vertex: v, Edges: func(_ blueprints.Direction, fn func(*blueprints.EdgeRecord) error) error { return h.EachEdge(fn) }})
	})
}

// heapPeak is a writer that looks now and then how much memory is in use.
type heapPeak struct {
	written, looked int
	peak            int64
}

func (h *heapPeak) Write(b []byte) (int, error) {
	if h.written += len(b); h.written-h.looked > 1<<20 {
		h.looked = h.written
		h.peak = max(h.peak, heap.InUse())
	}
	return len(b), nil
}

// TestWrite_MemoryDoesNotGrowWithEdges writes a graph whose edges would take some
// hundred megabytes if they were kept.
func TestWrite_MemoryDoesNotGrowWithEdges(t *testing.T) {
	source := hub{edges: 300_000}
	writers := map[string]func(io.Writer) error{
		"vertices": func(w io.Writer) error { return WriteVertexCSV(context.Background(), w, source) },
		"edges":    func(w io.Writer) error { return WriteEdgeCSV(context.Background(), w, source) },
	}
	for _, f := range []Format{GraphML, GraphSON, Gryo} {
		writers[string(f)] = func(w io.Writer) error { return Write(context.Background(), f, w, source) }
	}
	for name, write := range writers {
		before := heap.InUse()
		w := &heapPeak{}
		if err := write(w); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if w.peak > before+8<<20 {
			t.Errorf("%s: %d bytes are in use while writing, %d before", name, w.peak, before)
		}
	}
}
