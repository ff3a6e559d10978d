package pebble

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/occ"
)

// Tables implements occ.Base: tables as those of Ingest, among keys of others.
func (e *engine) Tables(ctx context.Context, sources []storage.KeySource) (occ.Tables, error) {
	s := e.s
	if !s.enter() {
		return nil, storage.ErrClosed
	}
	t := &readyTables{s: s, in: s.ingestion(nil, nil)}
	err := t.in.write(ctx, sources)
	if err == nil {
		t.paths, t.keys, err = t.in.tables()
	}
	if err == nil {
		err = t.findSpans()
	}
	if err == nil {
		err = s.flushSome(ctx)
	}
	if err != nil {
		t.Discard()
		return nil, err
	}
	return t, nil
}

// readyTables are the tables of one transaction, which keep the database open.
type readyTables struct {
	s     *Store
	in    *ingestion
	paths []string
	keys  int64
	spans []occ.Span
	taken bool
}

// findSpans reads from the tables of each source where its keys lie.
func (t *readyTables) findSpans() error {
	for _, w := range t.in.writers {
		if len(w.tables) == 0 {
			continue
		}
		first, err := w.tables[0].out.Metadata()
		if err != nil {
			return err
		}
		last, err := w.tables[len(w.tables)-1].out.Metadata()
		if err != nil {
			return err
		}
		end := append(bytes.Clone(last.LargestPoint.UserKey), 0)
		t.spans = append(t.spans, occ.Span{From: bytes.Clone(first.SmallestPoint.UserKey), To: end})
	}
	return nil
}

// Spans implements occ.Tables.
func (t *readyTables) Spans() []occ.Span { return t.spans }

// flushFrom is how much in memory is worth a flush ahead of tables, in bytes.
const flushFrom = 1 << 20

// flushSome writes to tables what stands in memory, if it is much and there is no log. Tables that are
// taken in have it written then, if they lie among it: better before others wait than meanwhile. With
// a log they stand in it until that is done, and nobody waits.
// A flush that fails is tried again for as long as the disk is full, so ctx ends the wait.
func (s *Store) flushSome(ctx context.Context) error {
	if !s.opts.InMemory || s.db.Metrics().MemTable.Size < flushFrom {
		return nil
	}
	done, err := s.db.AsyncFlush()
	if err != nil {
		return s.readError(err)
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// TakeIn implements occ.Tables.
func (t *readyTables) TakeIn(seq uint64, along []occ.Write) error {
	paths := t.paths
	if len(along) > 0 {
		path := t.s.fs.PathJoin(t.in.dir, "along.sst")
		if err := t.s.smallTable(path, along); err != nil {
			return err
		}
		paths = append(slices.Clip(paths), path)
	}
	err := t.s.takeIn(t.in.dir, paths, t.spans, seq)
	if err == nil {
		t.taken = true
		t.s.metrics.ingestedKeys.Add(t.keys)
	}
	return err
}

// Discard implements occ.Tables.
func (t *readyTables) Discard() {
	t.in.clean()
	if t.taken {
		t.s.awaitWritten()
	}
	t.s.leave()
}

// Bounds of the wait of awaitWritten.
const (
	writtenEach = 2 * time.Millisecond
	writtenMax  = 500 * time.Millisecond
)

// awaitWritten waits until what was in memory when tables were taken in is on disk, but not for long. Who
// reads earlier keeps that memory, which Pebble uses again for the writes after the next ones: it would
// have to have the system find 16 MiB while all commits wait, which takes up to 100 ms.
func (s *Store) awaitWritten() {
	for end := time.Now().Add(writtenMax); s.db.Metrics().MemTable.Count > 1 && time.Now().Before(end); {
		time.Sleep(writtenEach)
	}
}
