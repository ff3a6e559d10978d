package keyindex_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// few values, some of which are equal without being one, or share a form's beginning.
var few = []value.Value{
	value.Int(1), value.Long(1), value.Double(1), value.Int(2), value.String("a"), value.String("ab"),
	value.Of([]any{1}), value.String(strings.Repeat("x", 300) + "1"), value.String(strings.Repeat("x", 300) + "2"),
}

// unstorable has no form in an index.
var unstorable = value.VertexRef(1)

type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func must(t failer, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// rows are the keys of a table.
func rows(t failer, r storage.Reader, c table.Code) []string {
	t.Helper()
	from := table.AppendTable(nil, graph, c)
	it := r.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from)})
	defer it.Close()
	var all []string
	for it.Next() {
		all = append(all, string(it.Key()))
	}
	must(t, it.Err())
	return all
}

// entry is one entry of the model: an element of a class with a value of a key.
type entry struct {
	class   table.Class
	key     uint32
	element uint64
	form    string
}

func (e entry) cells() (forward, reverse string) {
	k := table.KeyIndex{Graph: graph, Class: e.class, Key: e.key, Value: []byte(e.form), Element: e.element}
	return string(table.AppendKeyIndex(nil, k)), string(table.AppendKeyOwned(nil, k))
}

// Forward and reverse rows are those of the entries, whatever is added and removed.
func TestEntries_AreInBothTables(t *testing.T) {
	s := open(t)
	rapid.Check(t, func(t *rapid.T) {
		tx, err := s.Begin(ctx, storage.TxOptions{})
		must(t, err)
		defer tx.Close()
		must(t, keyindex.Define(tx, graph, table.VertexClass, "name", symbol))
		must(t, keyindex.Define(tx, graph, table.EdgeClass, "name", symbol))
		defs, err := keyindex.Load(tx, graph)
		must(t, err)
		var scratch keyindex.Scratch
		model := map[entry]bool{}
		draw := func() (table.KeyIndex, value.Value, entry) {
			e := table.KeyIndex{Graph: graph, Class: rapid.SampledFrom([]table.Class{table.VertexClass, table.EdgeClass}).Draw(t, "class"),
				Key: rapid.Uint32Range(symbol, symbol+1).Draw(t, "key"), Element: rapid.Uint64Range(1, 3).Draw(t, "element")}
			v := rapid.SampledFrom(few).Draw(t, "value")
			form, err := scratch.Form(v)
			must(t, err)
			return e, v, entry{e.Class, e.Key, e.Element, string(form)}
		}
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				e, v, m := draw()
				must(t, scratch.Add(tx, e, v))
				model[m] = true
			},
			"remove": func(t *rapid.T) {
				e, v, m := draw()
				must(t, scratch.Remove(tx, e, v))
				delete(model, m)
			},
			"remove element": func(t *rapid.T) {
				e, _, _ := draw()
				must(t, scratch.RemoveElement(tx, graph, e.Class, e.Element, defs, rapid.Bool().Draw(t, "fence")))
				maps.DeleteFunc(model, func(m entry, _ bool) bool { return m.class == e.Class && m.element == e.Element })
			},
			"shrink": func(t *rapid.T) { scratch.Shrink(rapid.IntRange(0, 1000).Draw(t, "max")) },
			"": func(t *rapid.T) {
				var forward, reverse []string
				for m := range model {
					f, r := m.cells()
					forward, reverse = append(forward, f), append(reverse, r)
				}
				gotForward := slices.Concat(rows(t, tx, table.VertexKeyIndex), rows(t, tx, table.EdgeKeyIndex))
				gotReverse := slices.Concat(rows(t, tx, table.VertexKeyOwned), rows(t, tx, table.EdgeKeyOwned))
				slices.Sort(gotForward)
				slices.Sort(gotReverse)
				if slices.Sort(forward); !slices.Equal(gotForward, forward) {
					t.Fatalf("forward rows\n%q, want\n%q", gotForward, forward)
				}
				if slices.Sort(reverse); !slices.Equal(gotReverse, reverse) {
					t.Fatalf("reverse rows\n%q, want\n%q", gotReverse, reverse)
				}
			},
		})
	})
}

func TestScratch_SameForm(t *testing.T) {
	var s keyindex.Scratch
	for _, a := range few {
		for _, b := range few {
			same, err := s.SameForm(a, b)
			if err != nil || same != value.Identical(a, b) {
				t.Errorf("%v %v: %v, %v", a, b, same, err)
			}
		}
	}
	for _, pair := range [][2]value.Value{{unstorable, few[0]}, {few[0], unstorable}} {
		if same, err := s.SameForm(pair[0], pair[1]); same || err == nil {
			t.Errorf("%v has no form: %v, %v", pair, same, err)
		}
	}
}

func TestScratch_Shrink(t *testing.T) {
	var s keyindex.Scratch
	long, err := s.Form(few[7])
	must(t, err)
	s.Shrink(1 << 20)
	again, err := s.Form(few[8])
	must(t, err)
	if &long[0] != &again[0] {
		t.Error("a buffer within the limit was given up")
	}
	s.Shrink(cap(again) - 1)
	if third, err := s.Form(few[7]); err != nil || &third[0] == &again[0] {
		t.Error("a buffer over the limit was kept", err)
	}
}

// A value without a form changes nothing and says which it is.
func TestEntries_WithoutForm(t *testing.T) {
	tx := begin(t, open(t))
	var s keyindex.Scratch
	e := table.KeyIndex{Graph: graph, Class: table.VertexClass, Key: symbol, Element: 1}
	n := table.NamedEntry{Graph: graph, Index: 1, Key: symbol, Element: 1}
	for what, err := range map[string]error{
		"add": s.Add(tx, e, unstorable), "remove": s.Remove(tx, e, unstorable), "put": keyindex.Put(tx, n, unstorable),
	} {
		if err == nil || !strings.Contains(err.Error(), unstorable.JavaString()) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if tx.Pending() {
		t.Error("something was written")
	}
	h := &keyindex.Hits{}
	v := value.OfTraverser(&value.Bulked{Value: few[0], Bulk: 1})
	var buf [1]uint64
	for _, r := range []keyindex.Range{{Min: v, HasMin: true}, {Max: v, HasMax: true}, {Min: v, Max: v, HasMin: true, HasMax: true}} {
		s.Lookup(h, tx, graph, table.VertexClass, symbol, r, nil)
		if n := h.Next(buf[:]); n != 0 || h.Err() == nil || h.Close() == nil {
			t.Error("looking it up is no error", n, r)
		}
	}
}

// Removing an element with a fence conflicts with an entry that another adds meanwhile.
func TestRemoveElement_Fence(t *testing.T) {
	for _, fence := range []bool{true, false} {
		for _, named := range []bool{true, false} {
			t.Run(fmt.Sprint("fence ", fence, " named ", named), func(t *testing.T) {
				s := open(t)
				setup := begin(t, s)
				var number uint32 = 1
				if named {
					_, err := keyindex.DefineNamed(setup, graph, table.VertexClass, "x")
					must(t, err)
				} else {
					must(t, keyindex.Define(setup, graph, table.VertexClass, "name", symbol))
				}
				commit(t, setup)
				remover, adder := snapshotTx(t, s), snapshotTx(t, s)
				defs, err := keyindex.Load(remover, graph)
				must(t, err)
				var scratch keyindex.Scratch
				must(t, scratch.RemoveElement(remover, graph, table.VertexClass, 1, defs, fence))
				must(t, remover.Set([]byte("other"), nil))
				if named {
					must(t, keyindex.Put(adder, table.NamedEntry{Graph: graph, Index: number, Key: symbol, Element: 1}, few[0]))
				} else {
					must(t, scratch.Add(adder, table.KeyIndex{Graph: graph, Class: table.VertexClass, Key: symbol, Element: 1}, few[0]))
				}
				commit(t, adder)
				if _, err := remover.Commit(ctx); (err != nil) != fence {
					t.Error(err)
				}
			})
		}
	}
}

func snapshotTx(t *testing.T, s storage.Store) storage.Tx {
	t.Helper()
	tx, err := s.Begin(ctx, storage.TxOptions{Isolation: storage.SnapshotIsolation})
	must(t, err)
	t.Cleanup(func() { tx.Close() })
	return tx
}

func commit(t *testing.T, tx storage.Tx) {
	t.Helper()
	_, err := tx.Commit(ctx)
	must(t, err)
}
