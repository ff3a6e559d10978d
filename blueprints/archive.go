package blueprints

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/past"
	"github.com/gremlind/gremlind/storage/table"
)

// An archive is one graph as it is stored, with its ids, indexes, schema and options, for
// another name or another directory: a line that says so, the graph's catalog entry on a
// line, then every key without the number of the graph and its value, each behind its length, in
// order; a key without a length, which is none, and the SHA-256 of all that was before.
const archiveLine = "gremlind graph archive 1\n"

// Bounds of what is read of an archive, in bytes.
const (
	archiveEntryMax = 1 << 20
	archiveKeyMax   = 1 << 20
	archiveValueMax = 1 << 31
)

// ErrArchive is wrapped by the errors of archives that are not whole, or none at all.
var ErrArchive = errors.New("not a whole archive of a graph")

// numberBytes is the part of a key that is not archived.
const numberBytes = 4

// Archive writes one state of a graph, while it is used.
func (g *Graph) Archive(ctx context.Context, to io.Writer) error {
	if g.db == nil {
		return errScratch
	}
	snap, err := g.store.Snapshot()
	if err != nil {
		return err
	}
	defer snap.Close()
	entry, err := g.entryIn(snap)
	if err != nil {
		return err
	}
	sum := sha256.New()
	w := bufio.NewWriterSize(io.MultiWriter(to, sum), 64<<10)
	fmt.Fprintf(w, "%s%s\n", archiveLine, entry) // its error shows at the end
	from := table.AppendGraph(nil, g.number)
	it := snap.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from)})
	defer it.Close()
	var length []byte
	for n := 0; it.Next(); n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for _, part := range [][]byte{it.Key()[numberBytes:], it.Value()} {
			length = binary.AppendUvarint(length[:0], uint64(len(part)))
			w.Write(length)
			if _, err := w.Write(part); err != nil {
				return err
			}
		}
	}
	if err := it.Err(); err != nil {
		return err
	}
	w.WriteByte(0)
	if err := w.Flush(); err != nil {
		return err
	}
	_, err = to.Write(sum.Sum(nil))
	return err
}

// entryIn is the graph's entry in the catalog, of the same state where that is kept beside it.
func (g *Graph) entryIn(snap storage.Snapshot) ([]byte, error) {
	if g.store != g.db.store {
		return newCatalogEntry(g.number, g.Options()).encode()
	}
	b, err := snap.Get(table.AppendCatalog(nil, g.name))
	if errors.Is(err, storage.ErrNotFound) {
		return nil, fmt.Errorf("%w: %q", ErrGraphDropped, g.name)
	}
	return bytes.Clone(b), err
}

// RestoreGraph makes a graph of an archive: all of it, or none.
func (db *Database) RestoreGraph(ctx context.Context, name string, from io.Reader) (err error) {
	in := &archiveReader{r: bufio.NewReaderSize(from, 64<<10), sum: sha256.New()}
	o, err := in.begin(name)
	if err != nil {
		return fmt.Errorf("restore graph %q: %w", name, err)
	}
	c := &catalogued{name: name, options: o}
	if c.number, err = db.begun(name, o); err != nil {
		return fmt.Errorf("restore graph %q: %w", name, err)
	}
	s := db.store
	if o.InMemory {
		s = db.memory
	}
	prefix := table.AppendGraph(nil, c.number)
	if err = s.Ingest(ctx, prefix, table.PrefixEnd(nil, prefix), in.keys(ctx, prefix)); err == nil && o.History != NoHistory {
		if err = past.Adopt(ctx, s, c.number); err == nil {
			err = renewed(ctx, s, func(tx storage.Tx) error { return renewLineage(tx, c.number) })
		}
	}
	if err == nil {
		err = db.restored(c)
	}
	if err != nil {
		return fmt.Errorf("restore graph %q: %w", name, errors.Join(err, db.forgetRestore(s, c.number)))
	}
	return nil
}

// begun takes a number for a graph that is restored, and notes that it is under way: what a
// crash leaves is removed at the next start.
func (db *Database) begun(name string, o Options) (uint32, error) {
	if err := checkGraphName(name); err != nil {
		return 0, err
	}
	if o.InMemory && db.memory == nil {
		return 0, errors.New("no store for graphs in memory")
	}
	db.catalog.Lock()
	defer db.catalog.Unlock()
	switch {
	case db.isClosed():
		return 0, storage.ErrClosed
	case db.HasGraph(name):
		return 0, fmt.Errorf("%w: %q", ErrGraphExists, name)
	}
	number, err := db.nextNumber()
	if err != nil {
		return 0, err
	}
	return number, db.update(func(tx storage.Tx) error { return tx.Set(restoreKey(number), []byte{1}) })
}

const restorePrefix = "restore/"

func restoreKey(number uint32) []byte {
	return binary.BigEndian.AppendUint32(table.AppendMeta(nil, table.StoreGraph, restorePrefix), number)
}

// restored gives the graph its name.
func (db *Database) restored(c *catalogued) error {
	entry := newCatalogEntry(c.number, c.options)
	text, err := entry.encode()
	if err != nil {
		return err
	}
	db.catalog.Lock()
	defer db.catalog.Unlock()
	if db.isClosed() {
		return storage.ErrClosed
	}
	if db.HasGraph(c.name) { // since a moment ago
		return fmt.Errorf("%w: %q", ErrGraphExists, c.name)
	}
	if err := db.store.RaiseFormat(entry.Version); err != nil {
		return err
	}
	err = db.update(func(tx storage.Tx) error {
		if err := tx.Delete(restoreKey(c.number)); err != nil {
			return err
		}
		return tx.Set(table.AppendCatalog(nil, c.name), text)
	})
	if err != nil {
		return err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	db.graphs[c.name] = c
	return nil
}

// forgetRestore removes what a restore left.
func (db *Database) forgetRestore(s storage.Store, number uint32) error {
	db.catalog.Lock()
	defer db.catalog.Unlock()
	if db.isClosed() {
		return nil // the next start does
	}
	prefix := table.AppendGraph(nil, number)
	remove := func(tx storage.Tx) error { return tx.DeleteRange(prefix, table.PrefixEnd(nil, prefix)) }
	if s != db.store {
		tx, err := s.Begin(context.Background(), storage.TxOptions{})
		if err != nil {
			return err
		}
		defer tx.Close()
		if err := remove(tx); err != nil {
			return err
		}
		if _, err := tx.Commit(context.Background()); err != nil {
			return err
		}
		remove = func(storage.Tx) error { return nil }
	}
	return db.update(func(tx storage.Tx) error {
		if err := remove(tx); err != nil {
			return err
		}
		return tx.Delete(restoreKey(number))
	})
}

// forgetRestores removes what restores left that a crash ended.
func (db *Database) forgetRestores(r storage.Reader) error {
	from := table.AppendMeta(nil, table.StoreGraph, restorePrefix)
	it := r.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from)})
	defer it.Close()
	for it.Next() {
		if len(it.Key()) != len(from)+numberBytes {
			return corrupt("restore", nil)
		}
		if err := db.forgetRestore(db.store, binary.BigEndian.Uint32(it.Key()[len(from):])); err != nil {
			return err
		}
	}
	return it.Err()
}

// archiveReader reads an archive.
type archiveReader struct {
	r   *bufio.Reader
	sum hash.Hash
}

// begin reads what stands before the keys.
func (a *archiveReader) begin(name string) (Options, error) {
	line, err := a.line(len(archiveLine))
	if err != nil || line != archiveLine {
		return Options{}, fmt.Errorf("%w: it does not begin as one that this program wrote", ErrArchive)
	}
	if line, err = a.line(archiveEntryMax); err != nil {
		return Options{}, fmt.Errorf("%w: %w", ErrArchive, err)
	}
	if !json.Valid([]byte(line)) {
		return Options{}, fmt.Errorf("%w: its second line says nothing of a graph", ErrArchive)
	}
	_, o, err := decodeCatalogEntry(name, []byte(line))
	return o, err
}

func (a *archiveReader) line(max int) (string, error) {
	var b []byte
	for len(b) < max {
		c, err := a.r.ReadByte()
		if err != nil {
			return "", err
		}
		if b = append(b, c); c == '\n' {
			a.sum.Write(b)
			return string(b), nil
		}
	}
	return "", errors.New("a line is too long")
}

// keys are those of the archive, behind the number of a graph.
func (a *archiveReader) keys(ctx context.Context, prefix []byte) storage.KeySource {
	return func(add func(key, value []byte) error) error {
		var key, val bytes.Buffer
		var last []byte
		for n := 0; ; n++ {
			if n%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			key.Reset()
			key.Write(prefix)
			size, err := a.part(&key, archiveKeyMax)
			if err != nil {
				return err
			}
			if size == 0 {
				return a.end()
			}
			if bytes.Compare(last, key.Bytes()) >= 0 {
				return fmt.Errorf("%w: its keys are out of order", ErrArchive)
			}
			last = append(last[:0], key.Bytes()...)
			val.Reset()
			if _, err := a.part(&val, archiveValueMax); err != nil {
				return err
			}
			if err := add(key.Bytes(), val.Bytes()); err != nil {
				return err
			}
		}
	}
}

// part appends a key or a value, whose length stands before it.
func (a *archiveReader) part(to *bytes.Buffer, max uint64) (uint64, error) {
	n, err := binary.ReadUvarint(a.r)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrArchive, err)
	}
	if n > max {
		return 0, fmt.Errorf("%w: a part of it has %d bytes", ErrArchive, n)
	}
	a.sum.Write(binary.AppendUvarint(nil, n))
	start := to.Len()
	if _, err := io.CopyN(to, a.r, int64(n)); err != nil {
		return 0, fmt.Errorf("%w: %w", ErrArchive, err)
	}
	a.sum.Write(to.Bytes()[start:])
	return n, nil
}

func (a *archiveReader) end() error {
	var want [sha256.Size]byte
	if _, err := io.ReadFull(a.r, want[:]); err != nil {
		return fmt.Errorf("%w: %w", ErrArchive, err)
	}
	if !bytes.Equal(want[:], a.sum.Sum(nil)) {
		return fmt.Errorf("%w: it was changed or damaged, its checksum is another", ErrArchive)
	}
	return nil
}
