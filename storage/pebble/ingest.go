package pebble

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
	"golang.org/x/sync/errgroup"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/occ"
)

// ingestTableBytes is the size, before compression, at which Ingest starts a new table.
const ingestTableBytes = 32 << 20

// ingestClosers is how many tables are synced at once, beside those being written.
const ingestClosers = 2

// Ingest implements storage.Store. The tables are written outside the database, by as
// many goroutines as there are processors, and enter it, with their commit number, as
// one version edit, so a crash leaves all or nothing.
func (s *Store) Ingest(ctx context.Context, from, to []byte, sources ...storage.KeySource) error {
	if err := s.occ.Alive(); err != nil {
		return err
	}
	if err := s.engine.Writable(); err != nil {
		return err
	}
	if !s.enter() {
		return storage.ErrClosed
	}
	defer s.leave()
	in := s.ingestion(from, to)
	defer in.clean()
	if err := in.write(ctx, sources); err != nil {
		return fmt.Errorf("ingest: %w", err)
	}
	paths, keys, err := in.tables()
	if err != nil || len(paths) == 0 {
		return err
	}
	err = s.occ.CommitBy(ctx, bytes.Clone(from), bytes.Clone(to), func(seq uint64) error {
		if err := s.mustBeEmpty(from, to); err != nil {
			return err
		}
		return s.takeIn(in.dir, paths, []occ.Span{{From: from, To: to}}, seq)
	})
	if err != nil {
		return fmt.Errorf("ingest: %w", err)
	}
	s.metrics.ingestedKeys.Add(keys)
	return nil
}

// ingestion is one Ingest under way.
type ingestion struct {
	s        *Store
	from, to []byte
	dir      string
	closers  errgroup.Group
	failed   atomic.Bool // a closer has
	writers  []*tableWriter
}

func (s *Store) ingestion(from, to []byte) *ingestion {
	return &ingestion{s: s, from: from, to: to, dir: s.fs.PathJoin(s.path(ingestName), fmt.Sprint(s.metrics.ingests.Add(1)))}
}

// write runs the sources, as many at once as there are processors.
func (in *ingestion) write(ctx context.Context, sources []storage.KeySource) error {
	if err := in.s.fs.MkdirAll(in.dir, 0o700); err != nil {
		return err
	}
	writers, ctx := errgroup.WithContext(ctx)
	writers.SetLimit(runtime.GOMAXPROCS(0))
	in.closers.SetLimit(ingestClosers)
	in.writers = make([]*tableWriter, len(sources))
	for i, source := range sources {
		w := &tableWriter{in: in, ctx: ctx, source: i}
		in.writers[i] = w
		writers.Go(func() error {
			err := source(w.add)
			w.finish()
			return err
		})
	}
	err := writers.Wait()
	if cerr := in.closers.Wait(); err == nil || errors.Is(err, errClosing) {
		err = cerr
	}
	return err
}

// errClosing ends the sources once a table could not be written.
var errClosing = errors.New("a table cannot be written")

// tables returns the paths of all tables and the number of their keys, once it is
// certain that they stand in order within the range.
func (in *ingestion) tables() (paths []string, keys int64, err error) {
	var last []byte
	for _, w := range in.writers {
		for _, t := range w.tables {
			m, err := t.out.Metadata()
			if err != nil {
				return nil, 0, err
			}
			first := m.SmallestPoint.UserKey
			if bytes.Compare(first, in.from) < 0 || len(in.to) > 0 && bytes.Compare(m.LargestPoint.UserKey, in.to) >= 0 {
				return nil, 0, fmt.Errorf("keys %x to %x are not inside the range", first, m.LargestPoint.UserKey)
			}
			if last != nil && bytes.Compare(last, first) >= 0 {
				return nil, 0, fmt.Errorf("key %x is not behind the key before it", first)
			}
			last = m.LargestPoint.UserKey
			paths, keys = append(paths, t.path), keys+int64(m.Properties.NumEntries)
		}
	}
	return paths, keys, nil
}

func (in *ingestion) clean() {
	if err := in.s.fs.RemoveAll(in.dir); err != nil {
		in.s.log.Error("remove ingested tables", "err", err)
	}
}

// tableWriter writes the keys of one source into tables, which check their order.
type tableWriter struct {
	in     *ingestion
	ctx    context.Context
	source int
	tables []*ingestTable // the last one is open while cur is not nil
	cur    *ingestTable
	bytes  int // of cur, before compression
	keys   int
}

type ingestTable struct {
	path string
	out  *sstable.Writer
}

// ingestPoll is how many keys are written between two looks at the context.
const ingestPoll = 4096

func (w *tableWriter) add(key, value []byte) error {
	if w.keys%ingestPoll == 0 {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if w.in.failed.Load() {
			return errClosing
		}
	}
	w.keys++
	if w.cur == nil {
		if err := w.open(); err != nil {
			return err
		}
	}
	if err := w.cur.out.Set(key, value); err != nil {
		return err
	}
	w.bytes += len(key) + len(value)
	if w.bytes >= ingestTableBytes {
		w.finish()
	}
	return nil
}

func (w *tableWriter) open() error {
	s := w.in.s
	path := s.fs.PathJoin(w.in.dir, fmt.Sprintf("%03d-%06d.sst", w.source, len(w.tables)))
	f, err := s.fs.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	w.cur, w.bytes = &ingestTable{path, sstable.NewWriter(objstorageprovider.NewFileWritable(vfs.NewSyncingFile(f, vfs.SyncingFileOptions{BytesPerSync: bytesPerSync})), s.writerOptions)}, 0
	w.tables = append(w.tables, w.cur)
	return nil
}

// finish has the open table closed and synced, while the source goes on.
func (w *tableWriter) finish() {
	t := w.cur
	if t == nil {
		return
	}
	w.cur = nil
	w.in.closers.Go(func() error {
		err := t.out.Close()
		if err != nil {
			w.in.failed.Store(true)
		}
		return err
	})
}

// takeIn has the database take over tables of keys within spans, as commit seq, whose number
// stands in a table of its own beside them.
func (s *Store) takeIn(dir string, paths []string, spans []occ.Span, seq uint64) error {
	number := s.fs.PathJoin(dir, "seq.sst")
	err := s.smallTable(number, []occ.Write{{Key: s.opts.Layout.Seq, Value: storage.AppendCount(nil, int64(seq))}})
	if err == nil {
		err = s.db.Ingest(context.Background(), append(slices.Clip(paths), number))
	}
	if err != nil {
		return fmt.Errorf("take the tables in: %w", s.readError(err))
	}
	s.engine.counters.forget(spans, nil)
	return nil
}

// smallTable writes a table of a few keys, which ascend.
func (s *Store) smallTable(path string, writes []occ.Write) error {
	f, err := s.fs.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	w := sstable.NewWriter(objstorageprovider.NewFileWritable(f), s.writerOptions)
	for i := range writes {
		if err = w.Set(writes[i].Key, writes[i].Value); err != nil {
			break
		}
	}
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	return err
}

// mustBeEmpty refuses a range that holds keys. No commit is under way: the published
// state is the newest.
func (s *Store) mustBeEmpty(from, to []byte) error {
	snap, err := s.occ.Snapshot()
	if err != nil {
		return err
	}
	it := snap.Scan(storage.ScanOptions{From: from, To: to})
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
