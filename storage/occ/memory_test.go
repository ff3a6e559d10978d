package occ_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/occ"
)

// memory is the least that a Base can be: sorted cells in memory. It holds the Store to
// what Base promises, and can be held up.
type memory struct {
	mu     sync.Mutex
	cells  []cell // ascending; shared with states, and so never changed
	seq    uint64
	stamp  storage.Stamp
	states int // open ones
	broken []string

	hold func() // called in Write, when set
}

type cell struct{ key, value []byte }

func byKey(c cell, key []byte) int { return bytes.Compare(c.key, key) }

var _ occ.Base = (*memory)(nil)

func (m *memory) mustHold(ok bool, format string, args ...any) {
	if !ok {
		m.broken = append(m.broken, fmt.Sprintf(format, args...))
	}
}

func (m *memory) State() occ.State {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.states++
	return &memoryState{m: m, cells: m.cells}
}

func (m *memory) Writable() error { return nil }

// Prepare asks what it may ask, and keeps what it learned for Write.
func (m *memory) Prepare(c *occ.Commit) error {
	covered := 0
	for _, s := range c.Ranges {
		it := c.Beneath().Scan(storage.ScanOptions{From: s.From, To: s.To})
		for it.Next() {
			covered++
		}
		if err := it.Close(); err != nil {
			return err
		}
	}
	c.Prepared = covered
	return nil
}

func (m *memory) Write(group []*occ.Commit) {
	if m.hold != nil {
		m.hold()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cells = slices.Clone(m.cells)
	writers := map[string]*occ.Write{}
	for _, c := range group {
		m.mustHold(c.Seq == m.seq+1, "commit %d follows %d", c.Seq, m.seq)
		m.seq = c.Seq
		m.mustHold(c.Stamp == 0 || c.Stamp > m.stamp, "stamp %d follows %d", c.Stamp, m.stamp)
		m.stamp = max(m.stamp, c.Stamp)
		m.deleteRanges(c)
		deltas := 0
		for i := range c.Writes {
			w := &c.Writes[i]
			m.mustHold(i == 0 || bytes.Compare(c.Writes[i-1].Key, w.Key) < 0, "writes are out of order at %q", w.Key)
			before := writers[string(w.Key)]
			m.mustHold(before == nil || before.Delta && w.Delta || before.Same && w.Same, "two commits of a group write %q", w.Key)
			writers[string(w.Key)] = w
			switch {
			case w.Delta:
				m.mustHold(deltas < len(c.Deltas) && bytes.Equal(c.Deltas[deltas].Key, w.Key), "no delta for %q", w.Key)
				m.add(c.Deltas[deltas])
				deltas++
			default:
				m.put(w.Key, w.Value, w.Delete)
			}
		}
		m.mustHold(deltas == len(c.Deltas), "%d deltas for %d writes", len(c.Deltas), deltas)
	}
}

// deleteRanges removes what is exactly what the transaction saw there, or else it would
// have lost a conflict.
func (m *memory) deleteRanges(c *occ.Commit) {
	before := len(m.cells)
	for i, s := range c.Ranges {
		m.mustHold(i == 0 || len(c.Ranges[i-1].To) > 0 && bytes.Compare(c.Ranges[i-1].To, s.From) < 0, "ranges overlap at %q", s.From)
	}
	m.cells = slices.DeleteFunc(m.cells, func(x cell) bool { return occ.Within(c.Ranges, x.key) })
	m.mustHold(before-len(m.cells) == c.Prepared, "%d keys are deleted by ranges, the transaction saw %d", before-len(m.cells), c.Prepared)
}

func (m *memory) add(d occ.Delta) {
	n := int64(0)
	if i, found := slices.BinarySearchFunc(m.cells, d.Key, byKey); found {
		n, _ = storage.Count(m.cells[i].value)
	}
	m.put(d.Key, storage.AppendCount(nil, n+d.By), false)
}

func (m *memory) put(key, value []byte, gone bool) {
	i, found := slices.BinarySearchFunc(m.cells, key, byKey)
	switch {
	case found && gone:
		m.cells = slices.Delete(m.cells, i, i+1)
	case found:
		m.cells[i].value = bytes.Clone(value)
	case !gone:
		m.cells = slices.Insert(m.cells, i, cell{bytes.Clone(key), bytes.Clone(value)})
	}
}

// memoryState is a state of memory.
type memoryState struct {
	m     *memory
	cells []cell
}

func (s *memoryState) Cursor() (occ.Cursor, error) { return &memoryCursor{all: s.cells}, nil }

func (s *memoryState) Close() error {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	s.m.states--
	return nil
}

type memoryCursor struct {
	all, left []cell // left: what Next has still to show
	reverse   bool
	given     [2][]byte // the bounds of Seek, which stay as they are
	copied    [2][]byte
}

// hold takes note of bounds, and keep sees that they have not changed since.
func (c *memoryCursor) hold(from, to []byte) {
	c.given, c.copied = [2][]byte{from, to}, [2][]byte{bytes.Clone(from), bytes.Clone(to)}
}

func (c *memoryCursor) keep() {
	for i, b := range c.given {
		if !bytes.Equal(b, c.copied[i]) {
			panic(fmt.Sprintf("a bound of Seek was %x and is %x", c.copied[i], b))
		}
	}
}

func (c *memoryCursor) Get(key []byte) ([]byte, error) {
	i, found := slices.BinarySearchFunc(c.all, key, byKey)
	if !found {
		return nil, storage.ErrNotFound
	}
	return c.all[i].value, nil
}

func (c *memoryCursor) Seek(from, to []byte, reverse bool) (key, value []byte, err error) {
	c.keep()
	c.hold(from, to)
	first, _ := slices.BinarySearchFunc(c.all, from, byKey)
	end := len(c.all)
	if len(to) > 0 {
		end, _ = slices.BinarySearchFunc(c.all, to, byKey)
	}
	c.left, c.reverse = c.all[first:max(first, end)], reverse
	return c.Next()
}

func (c *memoryCursor) Forward(from, to []byte) (key, value []byte, err error) {
	return c.Seek(from, to, false)
}

func (c *memoryCursor) Next() (key, value []byte, err error) {
	c.keep()
	n := len(c.left)
	if n == 0 {
		return nil, nil, nil
	}
	x := c.left[0]
	if c.reverse {
		x, c.left = c.left[n-1], c.left[:n-1]
	} else {
		c.left = c.left[1:]
	}
	return x.key, x.value, nil
}

func (c *memoryCursor) Close() error { return nil }

// store is a storage.Store over memory.
type store struct {
	*occ.Store
	base *memory
}

var _ storage.Store = (*store)(nil)

func open(t testing.TB, o occ.Options) *store {
	t.Helper()
	m := &memory{}
	s := &store{occ.New(m, o), m}
	if err := s.Start(0, 0); err != nil {
		t.Fatal(err)
	}
	return s
}

// Close fails when the Store has broken a promise, or left a state open.
func (s *store) Close() error {
	idle, err := s.End()
	if err != nil {
		return err
	}
	<-idle
	if len(s.base.broken) > 0 || s.base.states != 0 {
		return fmt.Errorf("broken: %q; %d states are open", s.base.broken, s.base.states)
	}
	return nil
}

func (s *store) Format() int                              { return 1 }
func (s *store) RaiseFormat(int) error                    { return nil }
func (s *store) LowerFormat(int) error                    { return nil }
func (s *store) Flush() error                             { return nil }
func (s *store) DiskBytes(from, to []byte) (int64, error) { return 0, nil }

var errIngest = errors.New("keys out of order or place")

// cellsOf are the keys of sources, in one range.
func cellsOf(sources []storage.KeySource, within occ.Span) (cells []cell, spans []occ.Span, err error) {
	for _, source := range sources {
		first := len(cells)
		err := source(func(key, value []byte) error {
			if n := len(cells); n > 0 && bytes.Compare(cells[n-1].key, key) >= 0 || !occ.Within([]occ.Span{within}, key) {
				return errIngest
			}
			cells = append(cells, cell{bytes.Clone(key), bytes.Clone(value)})
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
		if len(cells) > first {
			spans = append(spans, occ.Span{From: cells[first].key, To: append(bytes.Clone(cells[len(cells)-1].key), 0)})
		}
	}
	return cells, spans, nil
}

// readyCells are the tables of memory.
type readyCells struct {
	m     *memory
	cells []cell
	spans []occ.Span
}

func (m *memory) Tables(_ context.Context, sources []storage.KeySource) (occ.Tables, error) {
	cells, spans, err := cellsOf(sources, occ.Span{})
	return &readyCells{m, cells, spans}, err
}

func (r *readyCells) Spans() []occ.Span { return r.spans }

func (r *readyCells) TakeIn(seq uint64, along []occ.Write) error {
	m := r.m
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mustHold(seq == m.seq+1, "commit %d follows %d", seq, m.seq)
	m.seq, m.cells = seq, slices.Clone(m.cells)
	for _, c := range r.cells {
		m.put(c.key, c.value, false)
	}
	for _, w := range along {
		m.put(w.Key, w.Value, false)
	}
	return nil
}

func (r *readyCells) Discard() {}

func (s *store) Ingest(ctx context.Context, from, to []byte, sources ...storage.KeySource) error {
	cells, _, err := cellsOf(sources, occ.Span{From: from, To: to})
	if err != nil {
		return err
	}
	return s.CommitBy(ctx, from, to, func(seq uint64) error {
		m := s.base
		m.mu.Lock()
		defer m.mu.Unlock()
		if slices.ContainsFunc(m.cells, func(x cell) bool { return occ.Within([]occ.Span{{From: from, To: to}}, x.key) }) {
			return errIngest
		}
		m.mustHold(seq == m.seq+1, "commit %d follows %d", seq, m.seq)
		m.seq = seq
		i, _ := slices.BinarySearchFunc(m.cells, from, byKey)
		m.cells = slices.Insert(slices.Clone(m.cells), i, cells...)
		return nil
	})
}
