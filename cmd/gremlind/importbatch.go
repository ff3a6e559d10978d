package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/graphio"
	"github.com/gremlind/gremlind/storage/value"
)

// importing is the note of a running import: how many records are committed, a space,
// and its name.
const importing = "importing"

// batchSink adds records to a graph that is not empty, a batch at a time.
type batchSink struct {
	ctx  context.Context
	g    *blueprints.Graph
	size int
	name string
	// rejects are on disk before the batch that they were found with; nil for none.
	rejects *rejectFile

	tx   *blueprints.Tx
	sink blueprints.RecordSink
	seen uint64 // records met, also those that were refused
	done uint64 // of them, those that an earlier run is done with
	held int    // records in the open transaction
	ids  *value.Map
}

// resume finds out how far an earlier run came.
func (b *batchSink) resume() error {
	b.ids = value.NewMap()
	return b.g.View(b.ctx, func(tx *blueprints.Tx) error {
		note, err := tx.Note(importing)
		if err != nil || note == nil {
			return err
		}
		records, name, _ := strings.Cut(string(note), " ")
		if name != b.name {
			return fmt.Errorf("another import was stopped half way (%s): finish it first, with the same files in the same order", name)
		}
		b.done, err = strconv.ParseUint(records, 10, 64)
		return err
	})
}

// Vertex adds a vertex, or only learns its id when an earlier run added it.
func (b *batchSink) Vertex(v *blueprints.VertexRecord) error {
	if err := b.begin(); err != nil {
		return err
	}
	if b.seen++; b.seen <= b.done {
		return graphio.KnownVertex(b.sink, b.tx, v.ID)
	}
	if err := b.sink.Vertex(v); err != nil {
		return err
	}
	return b.step()
}

// Edge adds an edge.
func (b *batchSink) Edge(e *blueprints.EdgeRecord) error {
	if err := b.begin(); err != nil {
		return err
	}
	if b.seen++; b.seen <= b.done {
		return nil
	}
	if err := b.sink.Edge(e); err != nil {
		return err
	}
	return b.step()
}

func (b *batchSink) begin() error {
	if b.tx != nil {
		return nil
	}
	tx, err := b.g.Begin(b.ctx, blueprints.TxOptions{Alone: true})
	if err != nil {
		return errors.Join(errSink, err)
	}
	b.tx = tx
	b.sink = graphio.TxSinkKnowing(tx, b.g.Options(), b.ids)
	return nil
}

func (b *batchSink) step() error {
	if b.held++; b.held < b.size {
		return nil
	}
	return b.commit(fmt.Appendf(nil, "%d %s", b.seen, b.name))
}

func (b *batchSink) commit(note []byte) error {
	err := b.rejects.sync()
	if err == nil {
		err = b.tx.SetNote(importing, note)
	}
	if err == nil {
		err = b.tx.Commit(b.ctx)
	}
	err = errors.Join(err, b.abandon())
	if err != nil {
		return errors.Join(errSink, err)
	}
	b.held = 0
	return nil
}

// abandon rolls the open batch back.
func (b *batchSink) abandon() error {
	if b.tx == nil {
		return nil
	}
	err := b.tx.Close()
	b.tx, b.sink = nil, nil
	return err
}

// finish commits the last batch and forgets the import.
func (b *batchSink) finish() error {
	if err := b.begin(); err != nil {
		return err
	}
	return b.commit(nil)
}
