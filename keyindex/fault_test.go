package keyindex_test

import (
	"errors"
	"testing"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

var errDisk = errors.New("the disk fails")

// faulty is a Tx whose operation number left, and no other, fails.
type faulty struct {
	storage.Tx
	left int
}

func (f *faulty) fault() error {
	if f.left--; f.left == 0 {
		return errDisk
	}
	return nil
}

func (f *faulty) Get(key []byte) ([]byte, error) {
	if err := f.fault(); err != nil {
		return nil, err
	}
	return f.Tx.Get(key)
}

func (f *faulty) Set(key, v []byte) error { return errors.Join(f.fault(), f.Tx.Set(key, v)) }
func (f *faulty) Delete(key []byte) error { return errors.Join(f.fault(), f.Tx.Delete(key)) }
func (f *faulty) DeleteRange(a, b []byte) error {
	return errors.Join(f.fault(), f.Tx.DeleteRange(a, b))
}

func (f *faulty) Scan(o storage.ScanOptions) storage.Iterator {
	return &faultyScan{Iterator: f.Tx.Scan(o), f: f}
}

// faultyScan ends early when the fault comes.
type faultyScan struct {
	storage.Iterator
	f   *faulty
	err error
}

func (s *faultyScan) Next() bool {
	if s.err = errors.Join(s.err, s.f.fault()); s.err != nil {
		return false
	}
	return s.Iterator.Next()
}

func (s *faultyScan) Err() error { return errors.Join(s.err, s.Iterator.Err()) }

// indexed makes a transaction over an element in a key index and in two named ones.
func indexed(t *testing.T, s storage.Store) storage.Tx {
	t.Helper()
	tx := begin(t, s)
	must(t, keyindex.Define(tx, graph, table.VertexClass, "name", symbol))
	var scratch keyindex.Scratch
	must(t, scratch.Add(tx, table.KeyIndex{Graph: graph, Class: table.VertexClass, Key: symbol, Element: 1}, few[0]))
	for _, name := range []string{"a", "b"} {
		_, err := keyindex.DefineNamed(tx, graph, table.VertexClass, name)
		must(t, err)
	}
	for index := uint32(1); index <= 2; index++ {
		for _, i := range []int{0, 7, 8} {
			must(t, keyindex.Put(tx, table.NamedEntry{Graph: graph, Index: index, Key: symbol, Element: 1}, few[i]))
		}
	}
	return tx
}

// Whatever fails beneath an operation comes back from it, as itself.
func TestFaults_AreReported(t *testing.T) {
	named := table.NamedEntry{Graph: graph, Index: 1, Key: symbol, Element: 1}
	key := table.KeyIndex{Graph: graph, Class: table.VertexClass, Key: symbol, Element: 1}
	var defs *keyindex.Definitions
	operations := map[string]func(tx storage.Tx) error{
		"define":         func(tx storage.Tx) error { return keyindex.Define(tx, graph, table.EdgeClass, "other", 9) },
		"undefine":       func(tx storage.Tx) error { return keyindex.Undefine(tx, graph, table.VertexClass, "name") },
		"define named":   func(tx storage.Tx) error { _, err := keyindex.DefineNamed(tx, graph, table.EdgeClass, "c"); return err },
		"undefine named": func(tx storage.Tx) error { return keyindex.UndefineNamed(tx, graph, "a") },
		"load":           func(tx storage.Tx) error { _, err := keyindex.Load(tx, graph); return err },
		"add":            func(tx storage.Tx) error { return new(keyindex.Scratch).Add(tx, key, few[3]) },
		"remove":         func(tx storage.Tx) error { return new(keyindex.Scratch).Remove(tx, key, few[0]) },
		"remove element": func(tx storage.Tx) error {
			return new(keyindex.Scratch).RemoveElement(tx, graph, table.VertexClass, 1, defs, true)
		},
		"put":       func(tx storage.Tx) error { return keyindex.Put(tx, named, few[3]) },
		"put long":  func(tx storage.Tx) error { return keyindex.Put(tx, named, few[8]) },
		"take":      func(tx storage.Tx) error { return keyindex.Take(tx, named, few[0]) },
		"take long": func(tx storage.Tx) error { return keyindex.Take(tx, named, few[7]) },
		"count":     func(tx storage.Tx) error { _, err := keyindex.Count(tx, graph, 1, symbol, few[0]); return err },
		"look up": func(tx storage.Tx) error {
			h := &keyindex.Hits{}
			new(keyindex.Scratch).Lookup(h, tx, graph, table.VertexClass, symbol, keyindex.Range{}, nil)
			var buf [4]uint64
			for h.Next(buf[:]) > 0 {
			}
			return errors.Join(h.Err(), h.Close())
		},
	}
	s := open(t)
	for name, operation := range operations {
		for n := 1; ; n++ {
			tx := indexed(t, s)
			var err error
			defs, err = keyindex.Load(tx, graph)
			must(t, err)
			f := &faulty{Tx: tx, left: n}
			err = operation(f)
			tx.Close()
			if f.left > 0 { // it was done before
				must(t, err)
				if n == 1 {
					t.Errorf("%s does nothing", name)
				}
				break
			}
			if !errors.Is(err, errDisk) || errors.Is(err, storage.ErrCorrupt) {
				t.Errorf("%s, operation %d: %v", name, n, err)
			}
		}
	}
}

// An element that goes leaves every index, and what was said about the entries of others
// stays.
func TestRemoveElement_LeavesEveryIndex(t *testing.T) {
	tx := indexed(t, open(t))
	defs, err := keyindex.Load(tx, graph)
	must(t, err)
	other := table.NamedEntry{Graph: graph, Index: 2, Key: symbol, Element: 2}
	must(t, keyindex.Put(tx, other, few[0]))
	must(t, new(keyindex.Scratch).RemoveElement(tx, graph, table.VertexClass, 1, defs, true))
	for c, want := range map[table.Code]int{table.VertexKeyIndex: 0, table.VertexKeyOwned: 0, table.NamedIndex: 1, table.NamedIndexOwned: 1} {
		if got := len(rows(t, tx, c)); got != want {
			t.Errorf("table %x: %d rows, want %d", c, got, want)
		}
	}
}
