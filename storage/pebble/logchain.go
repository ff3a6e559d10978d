package pebble

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/batchrepr"
	"github.com/cockroachdb/pebble/v2/record"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/wal"

	"github.com/gremlind/gremlind/storage"
)

// logChain finds what is missing in the write-ahead log before it is replayed: Pebble
// replays the files that it finds, and a missing or emptied one leaves a hole.
//
// Every batch says which commit was the last before it (appendLink). The first batch
// behind what lies in tables must follow that, and every other the one before. Batches
// of earlier programs do not say it; of those, the numbers that Pebble gives to single
// writes must go on without a gap.
type logChain struct {
	seqKey   []byte // Layout.Seq
	flushed  uint64 // last commit that is in tables
	at       uint64 // last commit in tables or in the log so far
	seen     bool   // one behind the tables has come
	ingested bool   // since then tables were taken in, by a commit of their own
	next     uint64 // Pebble's number of the write that must follow
}

// linkMark begins what appendLink writes. Pebble keeps it in the log alone.
const linkMark = "gremlink"

// appendLink has a batch say which commit is the last before it.
func appendLink(b *pebble.Batch, before uint64) error {
	var buf [len(linkMark) + 8]byte
	return b.LogData(binary.BigEndian.AppendUint64(append(buf[:0], linkMark...), before), nil)
}

// checkLog refuses a database whose log has a hole.
func (s *Store) checkLog() error {
	if s.opts.InMemory {
		return nil
	}
	dir := s.path(dbName)
	logs, err := logsWithin(s.fs, dir)
	if err != nil || len(logs) == 0 {
		return err
	}
	c := logChain{seqKey: s.opts.Layout.Seq}
	if c.flushed, err = s.flushedSeq(); err != nil {
		return err
	}
	c.at = c.flushed
	for _, l := range logs {
		if err := c.read(l); err != nil {
			return err
		}
	}
	return nil
}

// logsWithin returns the files of the log that hold anything, in their order.
func logsWithin(fs vfs.FS, dir string) (wal.Logs, error) {
	if desc, err := pebble.Peek(dir, fs); err != nil || !desc.Exists {
		return nil, nil // pebble.Open says what is wrong, or makes a new one
	}
	logs, err := wal.Scan(wal.Dir{FS: fs, Dirname: dir})
	if err != nil {
		return nil, databaseError(err)
	}
	return slices.DeleteFunc(logs, func(l wal.LogicalLog) bool {
		r := l.OpenForRead()
		_, _, err := r.NextRecord()
		_ = r.Close() // it was only read
		return err != nil
	}), nil
}

// flushedSeq returns the last commit that the tables hold, without the log.
func (s *Store) flushedSeq() (uint64, error) {
	o := s.pebbleOptions()
	o.FS, o.ReadOnly, o.CacheSize = noLogs{s.fs}, true, 1<<20
	db, err := openDB(s.path(dbName), o)
	if err != nil {
		return 0, databaseError(err)
	}
	n, err := readCounter(db, s.opts.Layout.Seq)
	if cerr := db.Close(); err == nil {
		err = cerr
	}
	return uint64(n), openError(err)
}

// noLogs hides the log.
type noLogs struct{ vfs.FS }

// List implements vfs.FS.
func (n noLogs) List(dir string) ([]string, error) {
	names, err := n.FS.List(dir)
	return slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, logSuffix) }), err
}

// Unwrap implements vfs.FS.
func (n noLogs) Unwrap() vfs.FS { return n.FS }

// read follows one file of the log up to its end, or to damage: what that is worth is
// pebble.Open's to say.
func (c *logChain) read(l wal.LogicalLog) error {
	r := l.OpenForRead()
	defer func() { _ = r.Close() }() // it was only read
	var buf bytes.Buffer
	for {
		rec, _, err := r.NextRecord()
		if err == nil {
			buf.Reset()
			_, err = io.Copy(&buf, rec)
		}
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, record.ErrUnexpectedEOF),
			errors.Is(err, record.ErrInvalidChunk), errors.Is(err, record.ErrZeroedChunk):
			return nil
		case err != nil:
			return fmt.Errorf("read the log %s: %w", l.Num, openError(err))
		}
		if err := c.follow(buf.Bytes(), l.Num); err != nil {
			return err
		}
	}
}

// link is what a batch says about its place.
type link struct {
	first, next uint64 // Pebble's numbers: of its first write, of the first behind it
	before      uint64 // commit, if says
	last        uint64 // its own last commit; 0 for none
	says        bool
	ingests     bool
}

func linkOf(batch, seqKey []byte) (link, error) {
	header, ok := batchrepr.ReadHeader(batch)
	if !ok {
		return link{}, fmt.Errorf("%w: a batch of %d bytes", storage.ErrCorrupt, len(batch))
	}
	out := link{first: uint64(header.SeqNum), next: uint64(header.SeqNum) + uint64(header.Count)}
	for r := batchrepr.Read(batch); ; {
		kind, key, value, ok, err := r.Next()
		switch {
		case err != nil:
			return link{}, fmt.Errorf("%w: %w", storage.ErrCorrupt, err)
		case !ok:
			return out, nil
		case kind == pebble.InternalKeyKindIngestSST:
			out.ingests = true
		case kind == pebble.InternalKeyKindLogData && len(key) == len(linkMark)+8 && string(key[:len(linkMark)]) == linkMark:
			out.says, out.before = true, binary.BigEndian.Uint64(key[len(linkMark):])
		case kind == pebble.InternalKeyKindSet && bytes.Equal(key, seqKey):
			n, ok := storage.Count(value)
			if !ok {
				return link{}, fmt.Errorf("%w: the commit number in the log has %d bytes", storage.ErrCorrupt, len(value))
			}
			out.last = uint64(n)
		}
	}
}

// follow takes the next batch.
func (c *logChain) follow(batch []byte, file wal.NumWAL) error {
	l, err := linkOf(batch, c.seqKey)
	if err != nil {
		return fmt.Errorf("read the log %s: %w", file, err)
	}
	switch {
	case l.ingests:
		if c.seen && l.first != c.next {
			return c.hole(l, file)
		}
		c.ingested = true
	case l.last <= c.flushed: // in tables already
	case !c.follows(l):
		return c.hole(l, file)
	default:
		c.at, c.seen, c.ingested = l.last, true, false
	}
	c.next = l.next
	return nil
}

func (c *logChain) follows(l link) bool {
	switch {
	case !l.says:
		return !c.seen || l.first == c.next
	case c.ingested && l.before == c.at+1:
		return l.first == c.next
	}
	return l.before == c.at
}

func (c *logChain) hole(l link, file wal.NumWAL) error {
	return fmt.Errorf("%w: DATA LOSS: behind commit %d the log goes on with a later one in %s.log, up to commit %d: "+
		"a file of the log in between was removed, emptied or cut; put it back, or restore a backup",
		storage.ErrCorrupt, c.at, file, l.last)
}
