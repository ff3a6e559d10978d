package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/graphio"
)

// batchBytes is how much of records goes to the graph at once, unless one has more.
const batchBytes = 4 << 20

// batcher gathers records for a target and says what became of them.
type batcher struct {
	ctx    context.Context
	target importTarget
	o      *importOptions
	p      *progress
	// rejects are on disk before the batch behind theirs is sent.
	rejects *rejectFile
	state   importState

	file   string // being read
	here   place  // of the record being read
	seen   uint64 // records met in this run
	buf    []byte
	places []place    // of the records in buf
	bad    []rejected // by the parser, since the last batch
	badAll int64      // by the parser
}

// place is where a record stands in its file.
type place struct {
	line   int
	fields []string // nil when nobody keeps rejects
}

// rejected is a record that the parser did not take.
type rejected struct {
	place
	before uint64 // how many records came before it
	reason error
}

// begin finds out how far an earlier run came.
func (b *batcher) begin(name string, forget bool) error {
	var err error
	b.state, err = b.target.begin(b.ctx, name, forget)
	b.count()
	return err
}

// count tells the progress where the import is.
func (b *batcher) count() {
	b.p.vertices, b.p.edges, b.p.rejected = b.state.Vertices, b.state.Edges, b.state.Refused+b.badAll
	b.p.publish()
}

// handler gathers places and bad records.
func (b *batcher) handler() graphio.Handler {
	h := graphio.Handler{At: b.at, VertexLabel: b.o.label, Held: b.o.held}
	if b.o.toleratesErrors() {
		h.Reject = b.reject
	}
	return h
}

func (b *batcher) at(line int, fields []string) {
	b.here = place{line: line}
	if b.rejects != nil {
		b.here.fields = slices.Clone(fields)
	}
}

func (b *batcher) reject(_ int, _ []string, reason error) error {
	b.bad = append(b.bad, rejected{b.here, b.seen, reason})
	b.badAll++
	if n := int64(b.o.errors); n > 0 && b.state.Refused+b.badAll > n {
		if err := b.settle(nil); err != nil {
			return err
		}
		return tooManyBad(b.here.line, reason, b.o.errors)
	}
	if len(b.bad) >= b.o.batch {
		return b.flush(false)
	}
	return nil
}

// Vertex takes a vertex, unless an earlier run is done with it.
func (b *batcher) Vertex(v *blueprints.VertexRecord) error {
	return b.add(func() (err error) { b.buf, err = graphio.AppendVertexRecord(b.buf, v); return err })
}

// Edge takes an edge, unless an earlier run is done with it.
func (b *batcher) Edge(e *blueprints.EdgeRecord) error {
	return b.add(func() (err error) { b.buf, err = graphio.AppendEdgeRecord(b.buf, e); return err })
}

func (b *batcher) add(encode func() error) error {
	if b.seen < b.state.Records {
		b.skip()
		return nil
	}
	size := len(b.buf)
	if err := encode(); err != nil {
		b.buf = b.buf[:size]
		return err
	}
	b.seen++
	b.places = append(b.places, b.here)
	if len(b.places) >= b.o.batch || len(b.buf) >= batchBytes {
		return b.flush(false)
	}
	return nil
}

// skip passes a record that an earlier run is done with, which perhaps did not keep why
// the last ones were refused.
func (b *batcher) skip() {
	for _, r := range b.state.Last {
		if r.Record == b.seen {
			b.bad = append(b.bad, rejected{b.here, b.seen, fmt.Errorf("%s", r.Reason)})
		}
	}
	b.seen++
}

// flush sends what was gathered.
func (b *batcher) flush(finish bool) error {
	switch {
	case finish && b.seen < b.state.Records:
		return fmt.Errorf("the files have %d records, and %d of them were imported before: are they the same files?", b.seen, b.state.Records)
	case len(b.places) == 0 && !finish:
		return b.settle(nil)
	}
	if err := b.rejects.sync(); err != nil {
		return stopped(err)
	}
	first := b.seen - uint64(len(b.places))
	batch := &importBatch{
		Name: b.state.Name, First: first, Merge: b.o.merge, Refusals: b.refusals(), Finish: finish, Records: b.buf,
	}
	out, err := b.target.apply(b.ctx, batch)
	if err != nil {
		return stopped(err)
	}
	if err := b.settle(out.State.Last); err != nil {
		return err
	}
	if !out.Committed {
		last := out.State.Last[len(out.State.Last)-1]
		return &graphio.Stop{Err: b.givesUp(b.places[last.Record-first].line, last.Reason)}
	}
	b.state = out.State
	b.buf, b.places = b.buf[:0], b.places[:0]
	b.count()
	return nil
}

// refusals is how many records of the next batch may be refused.
func (b *batcher) refusals() int64 {
	switch {
	case b.o.errors > 0:
		return max(0, int64(b.o.errors)-b.state.Refused-b.badAll)
	case b.o.toleratesErrors():
		return -1
	}
	return 0
}

// stopped is an error after which no record can be taken.
func stopped(err error) error {
	return &graphio.Stop{Err: fmt.Errorf("the graph cannot be written: %w", err)}
}

func (b *batcher) givesUp(line int, reason string) error {
	if b.o.errors > 0 {
		return tooManyBad(line, fmt.Errorf("%s", reason), b.o.errors)
	}
	return fmt.Errorf("line %d: %s", line, reason)
}

func tooManyBad(line int, reason error, limit int) error {
	return fmt.Errorf("line %d: %w; more than %d records are bad", line, reason, limit)
}

// settle keeps the records that were refused, by the parser and by the graph, in the
// order in which they stand in the file.
func (b *batcher) settle(refusals []refusal) error {
	first := b.seen - uint64(len(b.places))
	for _, r := range refusals {
		for len(b.bad) > 0 && b.bad[0].before <= r.Record {
			if err := b.keep(b.bad[0]); err != nil {
				return err
			}
			b.bad = b.bad[1:]
		}
		if err := b.keep(rejected{b.places[r.Record-first], r.Record, fmt.Errorf("%s", r.Reason)}); err != nil {
			return err
		}
	}
	for _, r := range b.bad {
		if err := b.keep(r); err != nil {
			return err
		}
	}
	b.bad = b.bad[:0]
	b.count()
	return nil
}

func (b *batcher) keep(r rejected) error {
	at := fmt.Sprintf("%s:%d", b.file, r.line)
	if b.rejects.keeps(at) {
		return nil
	}
	if err := b.rejects.add(at, r.reason, r.fields); err != nil {
		return stopped(err)
	}
	return nil
}
