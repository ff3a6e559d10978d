package pebble

import (
	"bytes"
	"context"
	"fmt"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
	"golang.org/x/sync/errgroup"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

const (
	// ingestTableBytes is the size, before compression, at which Ingest starts a new
	// table. So much is gathered in memory for each table that is being written.
	ingestTableBytes = 16 << 20
	// ingestWriters is how many tables are written at once.
	ingestWriters = 2
)

// Ingest implements storage.Store. The tables are written outside the database and
// enter it, with their commit number, as one version edit, so a crash leaves all or
// nothing.
func (s *Store) Ingest(ctx context.Context, from, to []byte, next func() (key, value []byte, ok bool, err error)) error {
	if err := s.alive(); err != nil {
		return err
	}
	if err := s.writable(); err != nil {
		return err
	}
	if !s.enter() {
		return storage.ErrClosed
	}
	defer s.leave()
	w := &tableWriter{s: s, from: from, to: to, dir: s.fs.PathJoin(s.path(ingestName), fmt.Sprint(s.metrics.ingests.Add(1)))}
	defer w.clean()
	if err := w.writeAll(ctx, next); err != nil {
		return fmt.Errorf("ingest: %w", err)
	}
	if len(w.paths) == 0 {
		return nil
	}
	r := &request{
		kind: commitIngest, start: s.Seq(), ingest: w.paths, done: make(chan struct{}),
		ranges: []span{{bytes.Clone(from), bytes.Clone(to)}},
	}
	if _, err := s.committer.submit(ctx, r); err != nil {
		return fmt.Errorf("ingest: %w", err)
	}
	s.metrics.ingestedKeys.Add(w.keys)
	return nil
}

// tableWriter gathers ascending keys and writes them into tables, several at once.
type tableWriter struct {
	s        *Store
	from, to []byte
	dir      string
	paths    []string
	cur      *tableContent
	free     chan *tableContent
	writers  errgroup.Group
	failed   atomic.Bool
	keys     int64
	last     []byte
}

// tableContent is the keys and values of one table, in one piece of memory.
type tableContent struct {
	mem  []byte
	ends []uint32 // of key, value, key, ...
}

func (w *tableWriter) writeAll(ctx context.Context, next func() (key, value []byte, ok bool, err error)) (err error) {
	w.free = make(chan *tableContent, ingestWriters+1)
	w.writers.SetLimit(ingestWriters)
	defer func() {
		if err == nil {
			w.dispatch()
		}
		if werr := w.writers.Wait(); err == nil {
			err = werr
		}
	}()
	for {
		if w.keys%4096 == 0 && (ctx.Err() != nil || w.failed.Load()) {
			return ctx.Err()
		}
		key, value, ok, err := next()
		if err != nil || !ok {
			return err
		}
		if bytes.Compare(key, w.from) < 0 || !before(key, w.to) {
			return fmt.Errorf("key %x is outside the range", key)
		}
		if w.keys > 0 && bytes.Compare(w.last, key) >= 0 {
			return fmt.Errorf("key %x is not behind the key before it", key)
		}
		w.last = append(w.last[:0], key...)
		w.add(key, value)
	}
}

func (w *tableWriter) add(key, value []byte) {
	c := w.cur
	if c == nil {
		select {
		case c = <-w.free:
			c.mem, c.ends = c.mem[:0], c.ends[:0]
		default:
			c = &tableContent{}
		}
		w.cur = c
	}
	c.mem = append(c.mem, key...)
	c.ends = append(c.ends, uint32(len(c.mem)))
	c.mem = append(c.mem, value...)
	c.ends = append(c.ends, uint32(len(c.mem)))
	w.keys++
	if len(c.mem) >= ingestTableBytes {
		w.dispatch()
	}
}

// dispatch has the gathered keys written, once a writer is free.
func (w *tableWriter) dispatch() {
	c := w.cur
	if c == nil {
		return
	}
	w.cur = nil
	path := w.s.fs.PathJoin(w.dir, fmt.Sprintf("%06d.sst", len(w.paths)))
	w.paths = append(w.paths, path)
	w.writers.Go(func() error {
		err := w.s.writeTable(w.dir, path, c)
		if err != nil {
			w.failed.Store(true)
		}
		select {
		case w.free <- c:
		default:
		}
		return err
	})
}

// writeTable writes and syncs one table.
func (s *Store) writeTable(dir, path string, c *tableContent) error {
	if err := s.fs.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := s.fs.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	out := sstable.NewWriter(objstorageprovider.NewFileWritable(f), s.writerOptions)
	start := uint32(0)
	for i := 0; i < len(c.ends) && err == nil; i += 2 {
		err = out.Set(c.mem[start:c.ends[i]], c.mem[c.ends[i]:c.ends[i+1]])
		start = c.ends[i+1]
	}
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	return err
}

func (w *tableWriter) clean() {
	if err := w.s.fs.RemoveAll(w.dir); err != nil {
		w.s.log.Error("remove ingested tables", "err", err)
	}
}

// ingest takes tables into the database, as a commit of its own.
func (c *committer) ingest(r *request) {
	if c.alone != nil {
		c.held = append(c.held, r)
		return
	}
	if !r.state.CompareAndSwap(waiting, taken) {
		return
	}
	s := c.store
	if err := c.mustBeEmpty(r.ranges[0]); err != nil {
		r.fail(err)
		return
	}
	number, err := s.seqTable(r.ingest[0]+".seq", c.seq+1)
	if err == nil {
		err = s.db.Ingest(context.Background(), append(r.ingest, number))
	}
	if err != nil {
		r.fail(fmt.Errorf("take the tables in: %w", s.readError(err)))
		return
	}
	c.seq++
	r.seq = c.seq
	c.recent.add(r, c.seq, s.lifetimes.oldest())
	c.counters.forget(r)
	s.publish([]*request{r})
	r.answer()
}

// seqTable writes a table that holds the commit number of an ingestion, so that number
// and tables become durable together.
func (s *Store) seqTable(path string, seq uint64) (string, error) {
	f, err := s.fs.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return "", err
	}
	w := sstable.NewWriter(objstorageprovider.NewFileWritable(f), s.writerOptions)
	err = w.Set(seqKey, table.AppendCount(nil, int64(seq)))
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	return path, err
}

// mustBeEmpty refuses a range that holds keys: the committer has published
// everything, so that the current state is the newest.
func (c *committer) mustBeEmpty(sp span) error {
	snap, err := c.store.Snapshot()
	if err != nil {
		return err
	}
	it := snap.Scan(storage.ScanOptions{From: sp.from, To: sp.to})
	found := it.Next()
	key := bytes.Clone(it.Key())
	err = it.Close()
	if cerr := snap.Close(); err == nil {
		err = cerr
	}
	if err == nil && found {
		err = fmt.Errorf("the range is not empty: it holds key %x", key)
	}
	return err
}
