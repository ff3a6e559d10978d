package keyindex_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// elementsOf are elements by their numbers: an Elements.
type elementsOf map[uint64]properties

func (m elementsOf) Element(c table.Class, id uint64) (keyindex.Element, bool, error) {
	return keyindex.Element{Class: c, ID: id, Out: id + 100, In: id + 200}, m[id] != nil, nil
}

func (m elementsOf) Values(dst []value.Value, _ table.Class, id uint64, symbol uint32) ([]value.Value, error) {
	return append(dst, m[id][symbol]...), nil
}

// one makes elements of which each has one value of each of two keys.
func one(values ...value.Value) elementsOf {
	m := elementsOf{}
	for i, v := range values {
		m[uint64(i+1)] = properties{1: {v}, 2: {value.Int(int32(i % 2))}}
	}
	return m
}

// everyKind are indexes of every kind, each with elements to put into it.
func everyKind() map[*keyindex.Definition]elementsOf {
	plain := one(few[0], few[3], few[4], few[5], few[7], few[8])
	texts := one(value.String("a tale"), value.String("tales of two cities"), value.String("abc"))
	points := one(value.Of([]any{1.5, 2}), value.Of([]any{-89.5, 180}), value.Of([]any{0, -180}))
	both := []uint32{1, 2}
	return map[*keyindex.Definition]elementsOf{
		{Name: "key", Class: table.VertexClass, Symbol: 1}:                                                               plain,
		{Name: "key of edges", Class: table.EdgeClass, Symbol: 1}:                                                        plain,
		{Name: "composite", Class: table.VertexClass, Kind: keyindex.Composite, Symbols: both}:                           plain,
		{Name: "unique", Class: table.VertexClass, Kind: keyindex.Composite, Symbols: both[:1], Unique: true}:            plain,
		{Name: "out", Class: table.EdgeClass, Kind: keyindex.EdgeCentric, Symbols: both, Direction: "OUT"}:               plain,
		{Name: "in", Class: table.EdgeClass, Kind: keyindex.EdgeCentric, Symbols: both, Direction: "IN"}:                 plain,
		{Name: "both", Class: table.EdgeClass, Kind: keyindex.EdgeCentric, Symbols: both, Direction: "BOTH"}:             plain,
		{Name: "trigrams", Class: table.VertexClass, Kind: keyindex.Text, Symbols: both[:1], Analyzer: keyindex.Trigram}: texts,
		{Name: "words", Class: table.VertexClass, Kind: keyindex.Text, Symbols: both[:1], Analyzer: keyindex.Words}:      texts,
		{Name: "points", Class: table.VertexClass, Kind: keyindex.Geo, Symbols: both[:1], Analyzer: keyindex.Points}:     points,
	}
}

// entriesOf are the entries of an element in an index.
func entriesOf(t *testing.T, d *keyindex.Definition, m elementsOf, id uint64) (*keyindex.Element, *keyindex.Entries) {
	t.Helper()
	e, _, err := m.Element(d.Class, id)
	must(t, err)
	n := &keyindex.Entries{}
	must(t, n.Find(d, &e, m))
	if n.Len() == 0 {
		t.Fatalf("%s: element %d has no entries", d.Name, id)
	}
	return &e, n
}

func putAll(t *testing.T, tx storage.Tx, x keyindex.Index, m elementsOf) {
	t.Helper()
	for id := range m {
		e, n := entriesOf(t, x.Definition(), m, id)
		for i := range n.Len() {
			must(t, x.Put(tx, m, e, n.At(i), n.Exact(i)))
			must(t, x.Put(tx, m, e, n.At(i), n.Exact(i))) // once more is no duplicate
		}
	}
}

// owned lists the entries in the range of an index that are its own, as their owners see them, and
// calls fn for each.
func owned(t *testing.T, tx storage.Tx, x keyindex.Index, fn func(key, val []byte)) map[string]bool {
	t.Helper()
	from, to := x.Range()
	it := tx.Scan(storage.ScanOptions{From: from, To: to})
	defer it.Close()
	all := map[string]bool{}
	for it.Next() {
		ids, values, own, err := x.Owner([]uint64{7}, it.Key(), it.Value())
		must(t, err)
		if !own {
			continue
		}
		for _, id := range ids[1:] {
			all[fmt.Sprintf("%d %x", id, values)] = true
		}
		if fn(slices.Clone(it.Key()), slices.Clone(it.Value())); ids[0] != 7 {
			t.Errorf("%s: what was found before is lost", x.Definition().Name)
		}
	}
	must(t, it.Err())
	return all
}

func nothing(key, val []byte) {}

// TestIndex_Holds: an index of any kind has the entries that were put into it, and no others, until
// they are taken out of it or erased; another index of its kind has none of them.
func TestIndex_Holds(t *testing.T) {
	for d, m := range everyKind() {
		tx := begin(t, open(t))
		other := *d
		d.Number, other.Number, other.Symbol = 1, 2, d.Symbol+1
		x, y := d.Open(graph), other.Open(graph)
		putAll(t, tx, x, m)
		if got := owned(t, tx, y, nothing); len(got) > 0 || x.Definition() != d {
			t.Errorf("%s: another one has %v", d.Name, got)
		}
		want := map[string]bool{}
		for id := range m {
			e, n := entriesOf(t, d, m, id)
			for i := range n.Len() {
				want[fmt.Sprintf("%d %x", id, n.At(i))] = true
				holds, err := x.Holds(tx, e, n.At(i))
				must(t, err)
				wrong, err := x.Holds(tx, &keyindex.Element{Class: d.Class, ID: 99, Out: e.Out, In: e.In}, n.At(i))
				if must(t, err); !holds || wrong {
					t.Errorf("%s holds %x: %t, of an element that has none: %t", d.Name, n.At(i), holds, wrong)
				}
			}
		}
		if got := owned(t, tx, x, nothing); !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", d.Name, got, want)
		}
		e, n := entriesOf(t, d, m, 2)
		for i := range n.Len() {
			must(t, x.Take(tx, e, n.At(i)))
			must(t, x.Take(tx, e, n.At(i))) // it is not there any more
			holds, err := x.Holds(tx, e, n.At(i))
			if must(t, err); holds {
				t.Errorf("%s holds what was taken", d.Name)
			}
		}
		maps.DeleteFunc(want, func(entry string, _ bool) bool { return strings.HasPrefix(entry, "2 ") })
		if got := owned(t, tx, x, func(key, val []byte) { must(t, x.Erase(tx, key, val)) }); !maps.Equal(got, want) {
			t.Errorf("%s without element 2: %v, want %v", d.Name, got, want)
		}
		if got := owned(t, tx, x, nothing); len(got) > 0 {
			t.Errorf("%s: %v is left", d.Name, got)
		}
		if left := slices.Concat(rows(t, tx, table.VertexKeyOwned), rows(t, tx, table.EdgeKeyOwned)); len(left) > 0 {
			t.Errorf("%s: the reverse has %x", d.Name, left)
		}
	}
}

// TestIndex_Damaged: a key or a value that is none of the index is told as damage.
func TestIndex_Damaged(t *testing.T) {
	for d := range everyKind() {
		d.Number = 1
		x := d.Open(graph)
		from, _ := x.Range()
		if _, _, _, err := x.Owner(nil, from, nil); !errors.Is(err, storage.ErrCorrupt) {
			t.Errorf("%s: %v", d.Name, err)
		}
		if err := x.Erase(begin(t, open(t)), from, nil); d.Kind == "" && !errors.Is(err, storage.ErrCorrupt) {
			t.Errorf("%s: %v", d.Name, err)
		}
	}
}

// TestIndex_Faults: what fails beneath an index comes back from it.
func TestIndex_Faults(t *testing.T) {
	var f storagetest.Faulty
	for d, m := range everyKind() {
		tx := begin(t, open(t))
		d.Number = 1
		x := d.Open(graph)
		putAll(t, tx, x, m)
		var key, val []byte
		owned(t, tx, x, func(k, v []byte) { key, val = k, v })
		e, n := entriesOf(t, d, m, 1)
		for name, do := range map[string]func(tx storage.Tx) error{
			"put": func(tx storage.Tx) error {
				return x.Put(tx, m, &keyindex.Element{Class: d.Class, ID: 50}, []byte("new"), true)
			},
			"holds": func(tx storage.Tx) error { _, err := x.Holds(tx, e, n.At(0)); return err },
			"take":  func(tx storage.Tx) error { return x.Take(tx, e, n.At(0)) },
			"erase": func(tx storage.Tx) error { return x.Erase(tx, key, val) },
		} {
			for call := int64(0); ; call++ {
				fault := f.At(call, func() error { return do(f.Tx(tx)) })
				if fault.Happened != errors.Is(fault.Err, storagetest.ErrDisk) || !fault.Happened && fault.Err != nil || !fault.Happened && call == 0 {
					t.Errorf("%s of %s, call %d: %+v", name, d.Name, call, fault)
				}
				if !fault.Happened {
					break
				}
			}
		}
	}
}

// TestUnique_Duplicate: two elements with the same values are refused, also where the form of the
// values is too short to tell, and two that only share the form are not.
func TestUnique_Duplicate(t *testing.T) {
	m := one(few[7], few[8], few[7], few[0], few[2], few[3])
	d := &keyindex.Definition{Name: "x", Class: table.VertexClass, Kind: keyindex.Composite, Symbols: []uint32{1}, Unique: true, Label: "person"}
	tx := begin(t, open(t))
	x := d.Open(graph)
	for id, of := range []uint64{1: 0, 2: 0, 3: 1, 4: 0, 5: 4, 6: 0} {
		if id == 0 {
			continue
		}
		e, n := entriesOf(t, d, m, uint64(id))
		err := x.Put(tx, m, e, n.At(0), n.Exact(0))
		var duplicate *keyindex.DuplicateError
		if of == 0 {
			must(t, err)
		} else if !errors.As(err, &duplicate) || duplicate.Other != of || duplicate.Element != *e || err.Error() != "Index x: another vertex of label person has the same values" {
			t.Errorf("element %d: %v", id, err)
		}
		if holds, err := x.Holds(tx, e, n.At(0)); holds != (of == 0) || err != nil {
			t.Errorf("element %d is held: %t, %v", id, holds, err)
		}
	}
}
