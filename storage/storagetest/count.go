package storagetest

import (
	"context"
	"sync/atomic"

	"github.com/gremlind/gremlind/storage"
)

// PageCells is how many keys one round trip brings.
const PageCells = 1000

// Reads are what was asked of a store, as if it stood on another machine.
type Reads struct {
	// Trips are round trips one behind the other: one for a key or many at once, one for
	// each page of a scan or of many.
	Trips int64
	// Pages are those of Trips that a scan took because its first page was full.
	Pages int64
	// Keys are the keys that came, and those that were asked for one by one.
	Keys int64
}

// Counting is a Store that counts what transactions read. What a store is asked beside them,
// such as by the builder of indexes, is not counted.
type Counting struct {
	storage.Store
	trips, pages, keys atomic.Int64
}

// Reads returns what was read so far.
func (c *Counting) Reads() Reads {
	return Reads{Trips: c.trips.Load(), Pages: c.pages.Load(), Keys: c.keys.Load()}
}

// Reset forgets what was read.
func (c *Counting) Reset() {
	c.trips.Store(0)
	c.pages.Store(0)
	c.keys.Store(0)
}

// Begin implements storage.Store.
func (c *Counting) Begin(ctx context.Context, o storage.TxOptions) (storage.Tx, error) {
	tx, err := c.Store.Begin(ctx, o)
	if err != nil {
		return nil, err
	}
	return &countingTx{Tx: tx, c: c}, nil
}

func (c *Counting) get(r storage.Reader, key []byte) ([]byte, error) {
	c.trips.Add(1)
	c.keys.Add(1)
	return r.Get(key)
}

// page counts the n-th key that one call brings, from 0.
func (c *Counting) page(n int64) {
	c.keys.Add(1)
	if n > 0 && n%PageCells == 0 {
		c.trips.Add(1)
		c.pages.Add(1)
	}
}

func (c *Counting) getMany(r storage.Reader, keys [][]byte, fn func(int, []byte) error) error {
	if len(keys) > 0 {
		c.trips.Add(1)
	}
	n := int64(0)
	return r.GetMany(keys, func(i int, value []byte) error {
		c.page(n)
		n++
		return fn(i, value)
	})
}

func (c *Counting) scanMany(r storage.Reader, ranges []storage.ScanOptions, fn func(int, []byte, []byte) (bool, error)) error {
	if len(ranges) > 0 {
		c.trips.Add(1)
	}
	n := int64(0)
	return r.ScanMany(ranges, func(i int, key, value []byte) (bool, error) {
		c.page(n)
		n++
		return fn(i, key, value)
	})
}

type countingTx struct {
	storage.Tx
	c *Counting
}

func (t *countingTx) Get(key []byte) ([]byte, error) { return t.c.get(t.Tx, key) }

func (t *countingTx) GetMany(keys [][]byte, fn func(int, []byte) error) error {
	return t.c.getMany(t.Tx, keys, fn)
}

func (t *countingTx) ScanMany(ranges []storage.ScanOptions, fn func(int, []byte, []byte) (bool, error)) error {
	return t.c.scanMany(t.Tx, ranges, fn)
}

func (t *countingTx) Scan(o storage.ScanOptions) storage.Iterator {
	return &countingIterator{Iterator: t.Tx.Scan(o), c: t.c}
}

func (t *countingTx) Snapshot() storage.Snapshot {
	return &countingSnapshot{Snapshot: t.Tx.Snapshot(), c: t.c}
}

type countingSnapshot struct {
	storage.Snapshot
	c *Counting
}

func (s *countingSnapshot) Get(key []byte) ([]byte, error) { return s.c.get(s.Snapshot, key) }

func (s *countingSnapshot) GetMany(keys [][]byte, fn func(int, []byte) error) error {
	return s.c.getMany(s.Snapshot, keys, fn)
}

func (s *countingSnapshot) ScanMany(ranges []storage.ScanOptions, fn func(int, []byte, []byte) (bool, error)) error {
	return s.c.scanMany(s.Snapshot, ranges, fn)
}

// Fork counts what it reads as well.
func (s *countingSnapshot) Fork() (storage.Snapshot, error) {
	f, err := s.Snapshot.Fork()
	return &countingSnapshot{Snapshot: f, c: s.c}, err
}

func (s *countingSnapshot) Scan(o storage.ScanOptions) storage.Iterator {
	return &countingIterator{Iterator: s.Snapshot.Scan(o), c: s.c}
}

type countingIterator struct {
	storage.Iterator
	c     *Counting
	n     int64
	asked bool
}

// Seek is a trip of its own.
func (i *countingIterator) Seek(key []byte) {
	i.asked, i.n = false, 0
	i.Iterator.Seek(key)
}

func (i *countingIterator) Next() bool {
	if !i.asked {
		i.asked = true
		i.c.trips.Add(1)
	}
	if !i.Iterator.Next() {
		return false
	}
	i.c.page(i.n)
	i.n++
	return true
}
