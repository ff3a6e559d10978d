package occ

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/storage"
)

var errTablesOnly = errors.New("a transaction that has written commits its writes, and no tables")

// CommitTables implements storage.Tx.
func (t *Tx) CommitTables(ctx context.Context, sources ...storage.KeySource) (uint64, error) {
	if err := t.usable(); err != nil {
		return 0, err
	}
	return t.ended(t.commitTables(ctx, sources, nil))
}

// CommitTablesBeside implements storage.Tx.
func (t *Tx) CommitTablesBeside(ctx context.Context, b storage.Beside, sources ...storage.KeySource) (uint64, error) {
	if err := t.usable(); err != nil {
		return 0, err
	}
	return t.ended(t.commitTables(ctx, sources, &b))
}

func (t *Tx) commitTables(ctx context.Context, sources []storage.KeySource, beside *storage.Beside) (uint64, error) {
	t.closeScans()
	switch {
	case t.opts.ReadOnly:
		return 0, fmt.Errorf("transaction is read-only: %w", storage.ErrReadOnly)
	case t.failed != nil:
		return 0, t.failed
	case !t.over.empty():
		return 0, errTablesOnly
	case t.reads.full:
		return 0, t.readSetError()
	}
	if err := t.store.base.Writable(); err != nil {
		return 0, err
	}
	tables, err := t.store.base.Tables(ctx, sources)
	if err != nil {
		return 0, fmt.Errorf("write tables: %w", err)
	}
	defer tables.Discard()
	spans := tables.Spans()
	if len(spans) == 0 && beside == nil {
		return t.Seq(), nil
	}
	r := newRequest(commitBy, t)
	r.start, r.strict, r.guards, r.Ranges = t.Seq(), t.strict(), t.guards, spans
	if r.strict {
		r.reads = t.reads.tidy()
	}
	r.beside = beside
	r.by = func(seq uint64) error { return tables.TakeIn(seq, r.Writes) }
	// Nothing is read any more. What the snapshot keeps in memory may be what the base takes for new
	// writes when it takes the tables in, and would have to allocate while everybody waits.
	if err := t.base.close(); err != nil {
		return 0, fmt.Errorf("release snapshot: %w", err)
	}
	return t.store.committer.submit(ctx, r)
}

// beside validates a request of CommitTablesBeside, and has it say what is set along.
func (c *committer) beside(r *request) error {
	if err := c.recent.reaches(r); err != nil {
		return err
	}
	for _, g := range r.guards {
		if c.recent.wrote(g, r.start) {
			return c.recent.conflict(g)
		}
	}
	along, err := r.beside.Late(c.recent.touched(r))
	if err != nil || along == nil {
		return err
	}
	return along(func(key, value []byte) error {
		r.Writes = append(r.Writes, Write{Key: bytes.Clone(key), Value: bytes.Clone(value)})
		return nil
	})
}
