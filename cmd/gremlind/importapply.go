package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/graphio"
)

// importing is the note of an import that is not finished.
const importing = "importing"

// importState says how far an import came. It is the note, and commits with the records.
type importState struct {
	Name    string `json:"name"`    // which files, in which order
	Records uint64 `json:"records"` // done with, also those that were refused
	// Of them:
	Vertices int64 `json:"vertices"`
	Edges    int64 `json:"edges"`
	Refused  int64 `json:"refused"`
	// Last are those that were refused of the last batch: whoever sent it may have been
	// stopped before it took note of them.
	Last []refusal `json:"last,omitempty"`
}

// refusal is a record that the graph did not take.
type refusal struct {
	Record uint64 `json:"record"` // counted from 0 through the whole import
	Reason string `json:"reason"`
}

// importBatch is records that are committed together.
type importBatch struct {
	Name  string
	First uint64 // number of the first record
	Merge bool
	// Refusals are how many records may be refused, -1 for any number. With more the
	// batch is not committed.
	Refusals int64
	Finish   bool   // forget the import
	Records  []byte // as graphio.EachRecord reads them
}

// importOutcome is what became of a batch.
type importOutcome struct {
	State     importState `json:"state"`
	Committed bool        `json:"committed"`
}

// importTarget is a graph that takes batches: of this process or of a running server.
type importTarget interface {
	// begin makes what is missing, graph and indexes, and returns how far an earlier
	// run of the same import came.
	begin(ctx context.Context, name string, forget bool) (importState, error)
	apply(ctx context.Context, b *importBatch) (importOutcome, error)
}

// localTarget is a graph that nobody else uses.
type localTarget struct{ g *blueprints.Graph }

func (l localTarget) begin(ctx context.Context, name string, forget bool) (importState, error) {
	return beginImport(ctx, l.g, name, forget)
}

func (l localTarget) apply(ctx context.Context, b *importBatch) (importOutcome, error) {
	return applyBatch(ctx, l.g, b)
}

// beginImport finds out how far an earlier run came.
func beginImport(ctx context.Context, g *blueprints.Graph, name string, forget bool) (state importState, err error) {
	err = g.Update(ctx, func(tx *blueprints.Tx) error {
		known, err := readState(tx)
		switch {
		case err != nil:
			return err
		case known == nil:
			state = importState{Name: name}
			return nil
		case forget:
			state = importState{Name: name}
			return tx.SetNote(importing, nil)
		case known.Name != name:
			return fmt.Errorf("another import was stopped half way (%s): finish it first, with the same files in the same order, or give it up with --forget", known.Name)
		}
		state = *known
		return nil
	})
	return state, err
}

// readState returns the note, nil for none.
func readState(tx *blueprints.Tx) (*importState, error) {
	note, err := tx.Note(importing)
	if err != nil || note == nil {
		return nil, err
	}
	s := &importState{}
	if note[0] == '{' {
		err = json.Unmarshal(note, s)
	} else { // as it was written first: a number and the name
		records, name, _ := strings.Cut(string(note), " ")
		s.Name = name
		s.Records, err = strconv.ParseUint(records, 10, 64)
	}
	if err != nil {
		return nil, fmt.Errorf("the note of an import that was stopped cannot be read; --forget gives that import up: %w", err)
	}
	return s, nil
}

// errTooManyRefused keeps a batch from being committed.
var errTooManyRefused = errors.New("too many records were refused")

// applyBatch commits a batch, each record of it once: the note says which comes next.
func applyBatch(ctx context.Context, g *blueprints.Graph, b *importBatch) (out importOutcome, err error) {
	err = g.UpdateBy(ctx, &blueprints.Author{By: "gremlind import"}, func(tx *blueprints.Tx) error {
		known, err := readState(tx)
		if err != nil {
			return err
		}
		if known == nil {
			known = &importState{Name: b.Name}
		}
		if known.Name != b.Name || known.Records != b.First {
			return fmt.Errorf("somebody else goes on with an import (%s), which is at record %d", known.Name, known.Records)
		}
		j := &joining{ctx: ctx, sink: graphio.JoinSink(tx, b.Merge), state: *known, allowed: b.Refusals}
		j.state.Last = nil
		err = graphio.EachRecord(b.Records, j)
		out = importOutcome{State: j.state}
		if err != nil {
			return err
		}
		return tx.SetNote(importing, j.note(b.Finish))
	})
	if errors.Is(err, errTooManyRefused) {
		return out, nil
	}
	out.Committed = err == nil
	return out, err
}

// joining counts the records of a batch.
type joining struct {
	ctx     context.Context
	sink    blueprints.RecordSink
	state   importState
	allowed int64
}

// Vertex adds a vertex.
func (j *joining) Vertex(v *blueprints.VertexRecord) error {
	return j.count(j.sink.Vertex(v), &j.state.Vertices)
}

// Edge adds an edge.
func (j *joining) Edge(e *blueprints.EdgeRecord) error {
	return j.count(j.sink.Edge(e), &j.state.Edges)
}

func (j *joining) count(err error, taken *int64) error {
	var reason *graphio.Refused
	switch {
	case err == nil:
		*taken++
	case errors.As(err, &reason):
		j.state.Last = append(j.state.Last, refusal{j.state.Records, err.Error()})
		j.state.Refused++
		if j.allowed >= 0 && int64(len(j.state.Last)) > j.allowed {
			return errTooManyRefused
		}
	default:
		return err
	}
	j.state.Records++
	return j.ctx.Err()
}

// note is what the graph keeps, nil when the import is finished.
func (j *joining) note(finish bool) []byte {
	if finish {
		return nil
	}
	b, _ := json.Marshal(j.state) // of numbers and texts
	return b
}
