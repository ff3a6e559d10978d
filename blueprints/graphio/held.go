package graphio

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/maphash"
	"io"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/spool"
	"github.com/gremlind/gremlind/storage/value"
)

// heldEdges are edges that wait for the end of the file, because their vertices may
// come behind them. What does not fit into memory waits in a temporary file.
type heldEdges struct {
	list        spool.List
	buf, record []byte
	// Whether the ids ascend so far, which those that number edges do.
	last     string
	shuffled bool
}

// add holds an edge that stands at a place of its file. An error is that of the record,
// unless it is a *Stop.
func (h *heldEdges) add(place int, e *blueprints.EdgeRecord) (err error) {
	if h.record, err = AppendEdgeRecord(h.record[:0], e); err != nil {
		return err
	}
	return h.hold(place, e.ID.Str(), h.record)
}

// hold is add for an edge that is a record already; id is its id when that is a text.
func (h *heldEdges) hold(place int, id string, record []byte) error {
	h.buf = append(binary.AppendUvarint(h.buf[:0], uint64(place)), record...)
	if id != "" && !h.shuffled {
		h.shuffled = len(id) < len(h.last) || len(id) == len(h.last) && id <= h.last
		h.last = id
	}
	if err := h.list.Write(h.buf); err != nil {
		return &Stop{err}
	}
	return nil
}

// heldBatch is some of the edges, read back: texts, of which parse makes records.
type heldBatch struct {
	b      []byte
	ends   []int
	edges  []heldEdge
	props  []blueprints.PropertyRecord
	failed error // behind the edges
}

type heldEdge struct {
	place int
	edge  blueprints.EdgeRecord
}

func (b *heldBatch) parse() {
	b.edges, b.props, b.failed = b.edges[:0], b.props[:0], nil
	from := 0
	for _, end := range b.ends {
		place, size := binary.Uvarint(b.b[from:end])
		p := recordParser{b: b.b[from+size+1 : end]}
		e := heldEdge{place: int(place)}
		b.props = p.edge(&e.edge, b.props)
		if p.err != nil {
			b.failed = p.err
			return
		}
		b.edges = append(b.edges, e)
		from = end
	}
}

// each visits the edges in the order in which they came.
func (h *heldEdges) each(ctx context.Context, fn func(place int, e *blueprints.EdgeRecord) error) error {
	if err := h.list.Seal(); err != nil {
		return err
	}
	return inOrder(ctx, h.read, (*heldBatch).parse, func(b *heldBatch) error {
		for i := range b.edges {
			if err := fn(b.edges[i].place, &b.edges[i].edge); err != nil {
				return err
			}
		}
		return b.failed
	})
}

// read fills batches.
func (h *heldEdges) read(b *heldBatch, next func() *heldBatch) error {
	r := h.list.Reader(spool.Mark{})
	for ; b != nil; b = next() {
		b.b, b.ends = b.b[:0], b.ends[:0]
		for len(b.b) < aheadBytes/4 {
			text, err := r.Read()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			b.b = append(b.b, text...)
			b.ends = append(b.ends, len(b.b))
		}
	}
	return nil
}

// push hands the edges to sink, without their ids unless they are named, and tells to of
// them. What a place counts is said by at.
func (h *heldEdges) push(ctx context.Context, at string, sink blueprints.RecordSink, to Handler, named bool) error {
	return h.each(ctx, func(place int, e *blueprints.EdgeRecord) error {
		if !named {
			e.ID = value.Null
		}
		return to.edge(at, place, e, sink)
	})
}

// namesEdges reports whether the ids of edges, which are texts, are ids. In networkx
// they are keys, which tell edges apart that have the same ends: other edges have them
// too.
func (h *heldEdges) namesEdges(ctx context.Context) (bool, error) {
	if !h.shuffled {
		return true, nil
	}
	seed, ends := maphash.MakeSeed(), map[uint64]uint64{}
	named := true
	suspect := map[string]uint64{} // ids whose hash came before with other ends
	hashOf := func(e *blueprints.EdgeRecord) uint64 {
		return maphash.String(seed, e.Out.Str()) ^ 31*maphash.String(seed, e.In.Str())
	}
	err := h.each(ctx, func(_ int, e *blueprints.EdgeRecord) error {
		if e.ID.IsNull() {
			return nil
		}
		id, between := maphash.String(seed, e.ID.Str()), hashOf(e)
		if known, ok := ends[id]; ok && known != between {
			suspect[e.ID.Str()] = 0
		}
		ends[id] = between
		return nil
	})
	if err != nil || len(suspect) == 0 {
		return true, err
	}
	// Hashes may agree by chance: the ids themselves say.
	err = h.each(ctx, func(_ int, e *blueprints.EdgeRecord) error {
		known, ok := suspect[e.ID.Str()]
		if !ok || e.ID.IsNull() {
			return nil
		}
		if between := hashOf(e) | 1; known == 0 {
			suspect[e.ID.Str()] = between
		} else if known != between {
			named = false
			return io.EOF
		}
		return nil
	})
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return named, err
}
