package storagetest

import (
	"context"
	"errors"
	"math"
	"sync/atomic"

	"github.com/gremlind/gremlind/storage"
)

// ErrDisk is what a call of Faulty fails with.
var ErrDisk = errors.New("the disk fails")

// Faulty is a store in which one call fails: the one after as many as are left. All that
// read or write a transaction are calls, each key of a long look-up and step of an iterator
// too.
type Faulty struct {
	storage.Store
	left  atomic.Int64
	armed atomic.Bool
	open  atomic.Int64 // iterators of who is to hear
}

func (f *Faulty) fails() bool { return f.armed.Load() && f.left.Add(-1) == -1 }

type asking struct{}

// Asking marks the context of who is to hear of a fault: background work begins
// transactions too.
func Asking(ctx context.Context) context.Context { return context.WithValue(ctx, asking{}, true) }

// Begin begins a transaction whose calls may fail, if somebody is to hear of it.
func (f *Faulty) Begin(ctx context.Context, o storage.TxOptions) (storage.Tx, error) {
	if ctx.Value(asking{}) == nil {
		return f.Store.Begin(ctx, o)
	}
	if f.fails() {
		return nil, ErrDisk
	}
	tx, err := f.Store.Begin(ctx, o)
	return f.Tx(tx), err
}

// Tx is a transaction whose calls may fail.
func (f *Faulty) Tx(tx storage.Tx) storage.Tx { return &faultyTx{tx, f} }

// Fault is what one run with a fault came to.
type Fault struct {
	Happened bool  // there was such a call
	Open     int64 // iterators that were not closed
	Err      error
}

// At runs do with the call of that number failing, from 0 on.
func (f *Faulty) At(call int64, do func() error) Fault {
	f.left.Store(call)
	f.armed.Store(true)
	err := do()
	f.armed.Store(false)
	return Fault{Happened: f.left.Load() < 0, Open: f.open.Swap(0), Err: err}
}

// Calls counts the calls that do makes.
func (f *Faulty) Calls(do func() error) (int64, error) {
	fault := f.At(math.MaxInt64, do)
	return math.MaxInt64 - f.left.Load(), fault.Err
}

type faultySnapshot struct {
	storage.Snapshot
	f *Faulty
}

func (s faultySnapshot) Get(key []byte) ([]byte, error) { return s.f.get(s.Snapshot, key) }

func (s faultySnapshot) Scan(o storage.ScanOptions) storage.Iterator {
	return s.f.iterator(s.Snapshot.Scan(o))
}

func (s faultySnapshot) Fork() (storage.Snapshot, error) {
	if s.f.fails() {
		return nil, ErrDisk
	}
	fork, err := s.Snapshot.Fork()
	return faultySnapshot{fork, s.f}, err
}

func (f *Faulty) get(r storage.Reader, key []byte) ([]byte, error) {
	if f.fails() {
		return nil, ErrDisk
	}
	return r.Get(key)
}

func (s faultySnapshot) GetMany(keys [][]byte, fn func(i int, v []byte) error) error {
	return s.f.getMany(s.Snapshot, keys, fn)
}

func (s faultySnapshot) ScanMany(ranges []storage.ScanOptions, fn func(i int, key, v []byte) (bool, error)) error {
	return s.f.scanMany(s.Snapshot, ranges, fn)
}

func (f *Faulty) getMany(r storage.Reader, keys [][]byte, fn func(i int, v []byte) error) error {
	if f.fails() {
		return ErrDisk
	}
	return r.GetMany(keys, func(i int, v []byte) error {
		if f.fails() {
			return ErrDisk
		}
		return fn(i, v)
	})
}

func (f *Faulty) scanMany(r storage.Reader, ranges []storage.ScanOptions, fn func(i int, key, v []byte) (bool, error)) error {
	if f.fails() {
		return ErrDisk
	}
	return r.ScanMany(ranges, func(i int, key, v []byte) (bool, error) {
		if f.fails() {
			return false, ErrDisk
		}
		return fn(i, key, v)
	})
}

type faultyTx struct {
	storage.Tx
	f *Faulty
}

func (t *faultyTx) Get(key []byte) ([]byte, error) { return t.f.get(t.Tx, key) }

func (t *faultyTx) Scan(o storage.ScanOptions) storage.Iterator {
	return t.f.iterator(t.Tx.Scan(o))
}

func (t *faultyTx) GetMany(keys [][]byte, fn func(i int, v []byte) error) error {
	return t.f.getMany(t.Tx, keys, fn)
}

func (t *faultyTx) ScanMany(ranges []storage.ScanOptions, fn func(i int, key, v []byte) (bool, error)) error {
	return t.f.scanMany(t.Tx, ranges, fn)
}

func (t *faultyTx) Snapshot() storage.Snapshot { return faultySnapshot{t.Tx.Snapshot(), t.f} }

func (t *faultyTx) unless(write func() error) error {
	if t.f.fails() {
		return ErrDisk
	}
	return write()
}

func (t *faultyTx) Set(key, v []byte) error {
	return t.unless(func() error { return t.Tx.Set(key, v) })
}

func (t *faultyTx) SetSame(key, v []byte) error {
	return t.unless(func() error { return t.Tx.SetSame(key, v) })
}

func (t *faultyTx) SetNew(key, v []byte) error {
	return t.unless(func() error { return t.Tx.SetNew(key, v) })
}

func (t *faultyTx) SetStamped(key, v []byte, at int) error {
	return t.unless(func() error { return t.Tx.SetStamped(key, v, at) })
}

func (t *faultyTx) Delete(key []byte) error {
	return t.unless(func() error { return t.Tx.Delete(key) })
}

func (t *faultyTx) DeleteRange(from, to []byte) error {
	return t.unless(func() error { return t.Tx.DeleteRange(from, to) })
}

func (t *faultyTx) Merge(key []byte, n int64) error {
	return t.unless(func() error { return t.Tx.Merge(key, n) })
}

func (t *faultyTx) Commit(ctx context.Context) (uint64, error) {
	if t.f.fails() {
		return 0, ErrDisk
	}
	return t.Tx.Commit(ctx)
}

type faultyIterator struct {
	storage.Iterator
	f      *Faulty
	err    error
	closed bool
}

func (f *Faulty) iterator(it storage.Iterator) storage.Iterator {
	f.open.Add(1)
	return &faultyIterator{Iterator: it, f: f}
}

func (it *faultyIterator) Next() bool {
	if it.err == nil && it.f.fails() {
		it.err = ErrDisk
	}
	return it.err == nil && it.Iterator.Next()
}

func (it *faultyIterator) Err() error { return errors.Join(it.err, it.Iterator.Err()) }

func (it *faultyIterator) Close() error {
	if !it.closed {
		it.f.open.Add(-1)
	}
	it.closed = true
	return errors.Join(it.err, it.Iterator.Close())
}
