package keyindex_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/pebble"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

var ctx = context.Background()

const graph, symbol = 7, 3

func open(t testing.TB) storage.Store {
	t.Helper()
	s, err := pebble.Open("", pebble.Options{Layout: table.Layout, InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func begin(t testing.TB, s storage.Store) storage.Tx {
	t.Helper()
	tx, err := s.Begin(ctx, storage.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tx.Close() })
	return tx
}

func collect(t interface{ Fatal(...any) }, h *keyindex.Hits) []uint64 {
	defer h.Close()
	var all []uint64
	var buf [5]uint64
	for n := h.Next(buf[:]); n > 0; n = h.Next(buf[:]) {
		all = append(all, buf[:n]...)
	}
	if err := h.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func drawValue(t *rapid.T) value.Value {
	switch rapid.IntRange(0, 7).Draw(t, "kind") {
	case 0:
		return value.Int(rapid.Int32Range(-5, 5).Draw(t, "int"))
	case 1:
		return value.Long(rapid.Int64().Draw(t, "long"))
	case 2:
		return value.Double(rapid.Float64().Draw(t, "double"))
	case 3:
		return value.Float(rapid.Float32().Draw(t, "float"))
	case 4:
		return value.String(rapid.StringMatching(`[ab]{0,3}`).Draw(t, "text"))
	case 5:
		return value.String(rapid.StringMatching(`a{254,258}[ab]{0,2}`).Draw(t, "long text"))
	case 6:
		return value.Bool(rapid.Bool().Draw(t, "bool"))
	}
	return value.Long(rapid.Int64Range(1<<53-2, 1<<53+2).Draw(t, "large"))
}

// wholeForm reports whether a value's form in the index is all of it.
func wholeForm(t *rapid.T, v value.Value) bool {
	_, whole, err := value.AppendOrdered(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	return whole
}

// A look-up finds every element whose value is in the range, once, in the order of the
// values' forms; what else it finds it admits by not being exact.
func TestLookup_FindsWhatIsInTheRange(t *testing.T) {
	s := open(t)
	rapid.Check(t, func(t *rapid.T) {
		tx, err := s.Begin(ctx, storage.TxOptions{})
		must(t, err)
		defer tx.Close()
		var scratch keyindex.Scratch
		var values []value.Value
		for i := range rapid.IntRange(1, 15).Draw(t, "n") {
			v := drawValue(t)
			values = append(values, v)
			if err := scratch.Add(tx, table.KeyIndex{Graph: graph, Class: table.VertexClass, Key: symbol, Element: uint64(i)}, v); err != nil {
				t.Fatal(err)
			}
		}
		bound := rapid.SampledFrom(values).Draw(t, "bound")
		r := keyindex.Range{Reverse: rapid.Bool().Draw(t, "reverse")}
		var test func(v value.Value) bool
		below := func(v value.Value) (int, bool) { return value.Compare(v, bound) }
		switch rapid.IntRange(0, 4).Draw(t, "range") {
		case 0:
			r.Min, r.Max, r.HasMin, r.HasMax = bound, bound, true, true
			test = func(v value.Value) bool { return value.Equal(v, bound) }
		case 1:
			r.Min, r.HasMin, r.MinOpen = bound, true, true
			test = func(v value.Value) bool { c, ok := below(v); return ok && c > 0 }
		case 2:
			r.Min, r.HasMin = bound, true
			test = func(v value.Value) bool { c, ok := below(v); return ok && c >= 0 }
		case 3:
			r.Max, r.HasMax, r.MaxOpen = bound, true, true
			test = func(v value.Value) bool { c, ok := below(v); return ok && c < 0 }
		case 4:
			r.Max, r.HasMax = bound, true
			test = func(v value.Value) bool { c, ok := below(v); return ok && c <= 0 }
		}
		h := &keyindex.Hits{}
		scratch.Lookup(h, tx, graph, table.VertexClass, symbol, r, nil)
		exact := h.Exact()
		got := collect(t, h)
		for i, v := range values {
			found := slices.Contains(got, uint64(i))
			if test(v) && !found || exact && found && !test(v) {
				t.Fatalf("range %+v: value %#v found %v, exact %v", r, v, found, exact)
			}
		}
		if unique := slices.Compact(slices.Sorted(slices.Values(got))); len(unique) != len(got) {
			t.Fatalf("elements come twice: %v", got)
		}
		for i := 1; i < len(got); i++ {
			if !wholeForm(t, values[got[i-1]]) || !wholeForm(t, values[got[i]]) {
				continue // the index knows the beginning only
			}
			if c := value.Order(values[got[i-1]], values[got[i]]); exact && (c > 0 && !r.Reverse || c < 0 && r.Reverse) {
				t.Fatalf("%#v before %#v", values[got[i-1]], values[got[i]])
			}
		}
	})
}

func TestDefinitions(t *testing.T) {
	s := open(t)
	tx := begin(t, s)
	if err := keyindex.Define(tx, graph, table.VertexClass, "name", symbol); err != nil {
		t.Fatal(err)
	}
	if exists, err := keyindex.DefineNamed(tx, graph, table.EdgeClass, "x"); exists || err != nil {
		t.Fatal(exists, err)
	}
	if exists, err := keyindex.DefineNamed(tx, graph, table.VertexClass, "x"); !exists || err != nil {
		t.Fatal(exists, err)
	}
	d, err := keyindex.Load(tx, graph)
	if err != nil {
		t.Fatal(err)
	}
	if def, ok := d.Key(table.VertexClass, symbol); !ok || def.State != keyindex.Active || def.Name != "name" {
		t.Errorf("%+v", def)
	}
	if _, ok := d.Key(table.EdgeClass, symbol); ok || d.Maintained(table.EdgeClass, symbol) {
		t.Error("vertex and edge indexes are one")
	}
	if def, ok := d.Named("x"); !ok || def.Class != table.EdgeClass || def.Number != 1 {
		t.Errorf("%+v", def)
	}
	if !d.Any(table.EdgeClass) || len(d.Unfinished()) != 0 || !slices.Equal(d.Active(table.VertexClass), []string{"name"}) {
		t.Error("lists disagree")
	}
	if err := keyindex.Undefine(tx, graph, table.VertexClass, "name"); err != nil {
		t.Fatal(err)
	}
	if err := keyindex.Undefine(tx, graph, table.VertexClass, "nothing"); err != nil {
		t.Errorf("dropping nothing: %v", err)
	}
	if d, err = keyindex.Load(tx, graph); err != nil || len(d.Unfinished()) != 1 || d.Maintained(table.VertexClass, symbol) {
		t.Errorf("after the drop: %v, %+v", err, d)
	}
	if err := keyindex.Define(tx, graph, table.VertexClass, "name", symbol); err == nil {
		t.Error("defined while it is being dropped")
	}
}
