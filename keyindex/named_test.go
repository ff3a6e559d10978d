package keyindex_test

import (
	"errors"
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

// put is an entry that a client made by hand.
type put struct {
	index, key uint32
	element    uint64
	value      int // of few
}

func (p put) entry() table.NamedEntry {
	return table.NamedEntry{Graph: graph, Index: p.index, Key: p.key, Element: p.element}
}

// find are the elements with an entry of an index and key whose value passes.
func find(model map[put]bool, index, key uint32, test func(value.Value) bool) []uint64 {
	found := map[uint64]bool{}
	for p := range model {
		if p.index == index && p.key == key && test(few[p.value]) {
			found[p.element] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// What was put is found until it is taken, by values that are equal; what shares a form
// with it stays.
func TestNamed_KeepsWhatWasPut(t *testing.T) {
	s := open(t)
	setup := begin(t, s)
	for _, name := range []string{"x", "y"} {
		_, err := keyindex.DefineNamed(setup, graph, table.VertexClass, name)
		must(t, err)
	}
	defs, err := keyindex.Load(setup, graph)
	must(t, err)
	rapid.Check(t, func(t *rapid.T) {
		tx, err := s.Begin(ctx, storage.TxOptions{})
		must(t, err)
		defer tx.Close()
		model := map[put]bool{}
		draw := func() put {
			return put{rapid.Uint32Range(1, 2).Draw(t, "index"), rapid.Uint32Range(1, 2).Draw(t, "key"),
				rapid.Uint64Range(1, 3).Draw(t, "element"), rapid.IntRange(0, len(few)-1).Draw(t, "value")}
		}
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				p := draw()
				must(t, keyindex.Put(tx, p.entry(), few[p.value]))
				model[p] = true
			},
			"take": func(t *rapid.T) {
				p := draw()
				must(t, keyindex.Take(tx, p.entry(), few[p.value]))
				maps.DeleteFunc(model, func(m put, _ bool) bool {
					return m.index == p.index && m.key == p.key && m.element == p.element && value.Equal(few[m.value], few[p.value])
				})
			},
			"remove element": func(t *rapid.T) {
				p := draw()
				var scratch keyindex.Scratch
				must(t, scratch.RemoveElement(tx, graph, table.VertexClass, p.element, defs, false))
				maps.DeleteFunc(model, func(m put, _ bool) bool { return m.element == p.element })
			},
			"remove edge": func(t *rapid.T) {
				var scratch keyindex.Scratch
				must(t, scratch.RemoveElement(tx, graph, table.EdgeClass, draw().element, defs, true))
			},
			"": func(t *rapid.T) { compareNamed(t, tx, model, draw()) },
		})
	})
}

func compareNamed(t *rapid.T, tx storage.Reader, model map[put]bool, p put) {
	v := few[p.value]
	equal := func(x value.Value) bool { return value.Equal(x, v) }
	want := find(model, p.index, p.key, equal)
	h := keyindex.Get(tx, graph, p.index, p.key, v, nil)
	if got := sorted(collect(t, h)); !slices.Equal(got, want) || !h.Exact() {
		t.Fatalf("get %v: %v, want %v", v, got, want)
	}
	h = keyindex.Get(tx, graph, p.index, p.key, v, func(id uint64) bool { return id == 2 })
	want2 := slices.DeleteFunc(slices.Clone(want), func(id uint64) bool { return id == 2 })
	if got := sorted(collect(t, h)); !slices.Equal(got, want2) {
		t.Fatalf("get %v without 2: %v, want %v", v, got, want2)
	}
	n, err := keyindex.Count(tx, graph, p.index, p.key, v)
	if must(t, err); n != int64(len(want)) {
		t.Fatalf("count %v: %d, want %d", v, n, len(want))
	}
	all := keyindex.Range{}
	if got := sorted(collect(t, keyindex.Query(tx, graph, p.index, p.key, all, nil, equal))); !slices.Equal(got, want) {
		t.Fatalf("all that equal %v: %v, want %v", v, got, want)
	}
	below := func(x value.Value) bool { c, ok := value.Compare(x, v); return ok && c < 0 }
	want = find(model, p.index, p.key, below)
	h = keyindex.Query(tx, graph, p.index, p.key, keyindex.Range{Max: v, HasMax: true, MaxOpen: true}, nil, below)
	if got := sorted(collect(t, h)); !slices.Equal(got, want) || !h.Exact() {
		t.Fatalf("below %v: %v, want %v", v, got, want)
	}
}

func sorted(ids []uint64) []uint64 {
	slices.Sort(ids)
	return ids
}

// Without a test a query says that it finds more than it was asked for.
func TestQuery_WithoutTestIsNotExact(t *testing.T) {
	tx := begin(t, open(t))
	e := table.NamedEntry{Graph: graph, Index: 1, Key: symbol, Element: 5}
	must(t, keyindex.Put(tx, e, few[7]))
	r := keyindex.Range{Min: few[8], Max: few[8], HasMin: true, HasMax: true}
	if h := keyindex.Query(tx, graph, 1, symbol, keyindex.Range{Min: few[7], HasMin: true, MinOpen: true}, nil, nil); h.Exact() {
		t.Error("exact")
	} else if got := collect(t, h); !slices.Equal(got, []uint64{5}) {
		t.Error(got)
	}
	if got := collect(t, keyindex.Query(tx, graph, 1, symbol, r, nil, nil)); len(got) != 0 {
		t.Error("another text of the same beginning is found by equality:", got)
	}
}

// Entries that another program, or a fault, wrote are named as corrupt.
func TestNamed_Corrupt(t *testing.T) {
	form := func(v value.Value) []byte {
		b, _, err := value.AppendOrdered(nil, v)
		must(t, err)
		return b
	}
	for name, c := range map[string]struct{ form, cell []byte }{
		"a cell that is no value":           {form(few[7]), []byte{0xc1}},
		"a long text without a cell":        {form(few[7]), nil},
		"a form with something behind it":   {append(form(few[0]), 1), nil},
		"a form that is none":               {[]byte{0xff, 0xff}, nil},
		"a value and then what is no value": {form(few[7]), []byte{1, 0xc1}},
	} {
		t.Run(name, func(t *testing.T) {
			tx := begin(t, open(t))
			e := table.NamedEntry{Graph: graph, Index: 1, Key: symbol, Element: 5, Value: c.form}
			must(t, tx.Set(table.AppendNamedEntry(nil, e), c.cell))
			must(t, tx.Set(table.AppendNamedOwnedEntry(nil, e), nil))
			if err := keyindex.CheckEntry(e, c.cell); !errors.Is(err, storage.ErrCorrupt) {
				t.Error("check:", err)
			}
			if err := keyindex.Take(tx, e, few[0]); !errors.Is(err, storage.ErrCorrupt) {
				t.Error("take:", err)
			}
		})
	}
	tx := begin(t, open(t))
	e := table.NamedEntry{Graph: graph, Index: 1, Key: symbol, Element: 5}
	must(t, keyindex.Put(tx, e, few[7]))
	e.Value = form(few[7])
	must(t, tx.Set(table.AppendNamedEntry(nil, e), []byte{0xc1}))
	if err := keyindex.Put(tx, e, few[7]); !errors.Is(err, storage.ErrCorrupt) {
		t.Error("put:", err)
	}
	if _, err := keyindex.Count(tx, graph, 1, symbol, few[7]); !errors.Is(err, storage.ErrCorrupt) {
		t.Error("count:", err)
	}
	must(t, tx.Set(append(table.AppendNamedOwnedRow(nil, graph, 1, 5), 1), nil))
	if err := keyindex.Take(tx, e, few[0]); !errors.Is(err, storage.ErrCorrupt) {
		t.Error("take behind a bad reverse row:", err)
	}
}

// An entry of every storable kind is sound.
func TestCheckEntry_OfWhatWasPut(t *testing.T) {
	tx := begin(t, open(t))
	for i, v := range few {
		e := table.NamedEntry{Graph: graph, Index: 1, Key: symbol, Element: uint64(i)}
		must(t, keyindex.Put(tx, e, v))
	}
	from := table.AppendNamedIndex(nil, graph, 1)
	it := tx.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from)})
	defer it.Close()
	n := 0
	for ; it.Next(); n++ {
		e, err := table.DecodeNamedEntry(it.Key())
		must(t, err)
		must(t, keyindex.CheckEntry(e, it.Value()))
	}
	if n != len(few) {
		t.Error(n, "entries")
	}
}

// A named index goes with its entries and leaves those of others; its number is not used
// again.
func TestUndefineNamed(t *testing.T) {
	tx := begin(t, open(t))
	for i, name := range []string{"a", "b", "c"} {
		_, err := keyindex.DefineNamed(tx, graph, table.EdgeClass, name)
		must(t, err)
		must(t, keyindex.Put(tx, table.NamedEntry{Graph: graph, Index: uint32(i + 1), Key: symbol, Element: 5}, few[0]))
	}
	must(t, keyindex.UndefineNamed(tx, graph, "b"))
	must(t, keyindex.UndefineNamed(tx, graph, "nothing"))
	for index, want := range map[uint32]int64{1: 1, 2: 0, 3: 1} {
		if n, err := keyindex.Count(tx, graph, index, symbol, few[0]); err != nil || n != want {
			t.Errorf("index %d: %d entries, %v", index, n, err)
		}
	}
	if n := len(rows(t, tx, table.NamedIndexOwned)); n != 2 {
		t.Errorf("%d reverse rows", n)
	}
	_, err := keyindex.DefineNamed(tx, graph, table.VertexClass, "b")
	must(t, err)
	d, err := keyindex.Load(tx, graph)
	must(t, err)
	var all []string
	for _, def := range d.AllNamed() {
		all = append(all, fmt.Sprintf("%s%d%s", def.Name, def.Number, def.Class))
	}
	if got := strings.Join(all, " "); got != "a1edge b4vertex c3edge" {
		t.Error(got)
	}
}
