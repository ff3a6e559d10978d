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
	list spool.List
	buf  []byte
	// Whether the ids ascend so far, which those that number edges do.
	last     string
	shuffled bool
}

// add holds an edge that stands at a place of its file. An error is that of the record,
// unless it is a *Stop.
func (h *heldEdges) add(place int, e *blueprints.EdgeRecord) (err error) {
	h.buf, err = AppendEdgeRecord(binary.AppendUvarint(h.buf[:0], uint64(place)), e)
	if err != nil {
		return err
	}
	if id := e.ID.Str(); id != "" && !h.shuffled {
		h.shuffled = len(id) < len(h.last) || len(id) == len(h.last) && id <= h.last
		h.last = id
	}
	if err := h.list.Write(h.buf); err != nil {
		return &Stop{err}
	}
	return nil
}

// each visits the edges in the order in which they came.
func (h *heldEdges) each(ctx context.Context, fn func(place int, e *blueprints.EdgeRecord) error) error {
	if err := h.list.Seal(); err != nil {
		return err
	}
	r := h.list.Reader(spool.Mark{})
	for n := 0; ; n++ {
		if n%heldPoll == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		b, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		place, size := binary.Uvarint(b)
		p := recordParser{b: b[size+1:]}
		if e := p.edge(); p.err == nil {
			err = fn(int(place), e)
		}
		if err = firstError(p.err, err); err != nil {
			return err
		}
	}
}

// heldPoll is how many edges are read between two looks at the context.
const heldPoll = 1024

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
