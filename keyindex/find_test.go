package keyindex_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// properties are those of one element, by the symbols of their keys.
type properties map[uint32][]value.Value

func (p properties) Element(c table.Class, id uint64) (keyindex.Element, bool, error) {
	return keyindex.Element{Class: c, ID: id}, true, nil
}

func (p properties) Values(dst []value.Value, _ table.Class, _ uint64, symbol uint32) ([]value.Value, error) {
	return append(dst, p[symbol]...), nil
}

// combinations are the entries that an element has in an index on several keys, made in the
// plainest way, and whether each tells its values.
func combinations(t failer, d *keyindex.Definition, p properties) (list []string, exact map[string]bool) {
	list, exact = []string{""}, map[string]bool{"": true}
	for i, symbol := range d.Symbols {
		var next []string
		for _, begun := range list {
			if len(p[symbol]) == 0 && i > 0 && !d.Unique {
				form := begun + "\x08" // a value is missing
				next, exact[form] = append(next, form), exact[begun]
			}
			for _, v := range p[symbol] {
				if d.Unique && v.IsNull() {
					continue
				}
				appendForm := value.AppendOrdered
				if v.Kind().IsNumber() {
					appendForm = value.AppendOrderedEqual
				}
				b, whole, err := appendForm([]byte(begun), v)
				must(t, err)
				if form := string(b); !slices.Contains(next, form) {
					next, exact[form] = append(next, form), exact[begun] && whole
				}
			}
		}
		list = next
	}
	return list, exact
}

// TestFind_Composite: an element has an entry for each combination of the values of the keys.
// Where none is, that says so, unless the key is the first or no two elements may have the same.
func TestFind_Composite(t *testing.T) {
	values := append([]value.Value{value.Null}, few...)
	rapid.Check(t, func(t *rapid.T) {
		d := &keyindex.Definition{Name: "x", Kind: keyindex.Composite, Symbols: []uint32{1, 2, 3}[:rapid.IntRange(1, 3).Draw(t, "keys")]}
		d.Unique = rapid.Bool().Draw(t, "unique")
		var n keyindex.Entries
		for range 2 { // the second time with the memory of the first
			p := properties{}
			for symbol := uint32(1); symbol <= 3; symbol++ {
				p[symbol] = rapid.SliceOfN(rapid.SampledFrom(values), 0, 3).Draw(t, "values")
			}
			must(t, n.Find(d, &keyindex.Element{ID: 1}, p))
			want, exact := combinations(t, d, p)
			var got []string
			for i := range n.Len() {
				got = append(got, string(n.At(i)))
				if n.Exact(i) != exact[got[i]] {
					t.Fatalf("%q tells its values: %t", got[i], n.Exact(i))
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%+v of %v: %q, want %q", d, p, got, want)
			}
			for _, form := range append(want, "none") {
				if n.Has([]byte(form)) != (form != "none") {
					t.Fatalf("has %q: %t", form, n.Has([]byte(form)))
				}
			}
		}
	})
}

// TestFind_Label: an index on one label has no entries of elements with another one.
func TestFind_Label(t *testing.T) {
	d := &keyindex.Definition{Name: "x", Kind: keyindex.Composite, Symbols: []uint32{1}, LabelSymbol: 5}
	for label, want := range map[uint32]int{5: 1, 6: 0} {
		var n keyindex.Entries
		if must(t, n.Find(d, &keyindex.Element{ID: 1, Label: label}, properties{1: few[:1]})); n.Len() != want {
			t.Errorf("label %d: %d entries", label, n.Len())
		}
	}
}

// TestFind_TooMany: as many combinations as an element may have are entries, and one more is told.
func TestFind_TooMany(t *testing.T) {
	ints := func(n int) (list []value.Value) {
		for i := range n {
			list = append(list, value.Int(int32(i)))
		}
		return list
	}
	d := &keyindex.Definition{Name: "x", Kind: keyindex.Composite, Symbols: []uint32{1, 2}}
	var n keyindex.Entries
	if must(t, n.Find(d, &keyindex.Element{ID: 1}, properties{1: ints(32), 2: ints(32)})); n.Len() != keyindex.EntriesMax {
		t.Errorf("%d entries", n.Len())
	}
	var many *keyindex.TooManyError
	for first, second := range map[int]int{25: 41, keyindex.EntriesMax + 1: 0} {
		err := n.Find(d, &keyindex.Element{ID: 1}, properties{1: ints(first), 2: ints(second)})
		if !errors.As(err, &many) || err.Error() != "Index x: more than 1024 combinations of values on one element" {
			t.Errorf("%d and %d values: %v", first, second, err)
		}
	}
}

// TestFind_Points: a pole is one point, whatever its longitude is, and so are both ends of a
// latitude; others are not.
func TestFind_Points(t *testing.T) {
	d := &keyindex.Definition{Name: "x", Kind: keyindex.Geo, Symbols: []uint32{1}, Analyzer: keyindex.Points}
	cell := func(lat, lon float64) string {
		var n keyindex.Entries
		must(t, n.Find(d, &keyindex.Element{ID: 1}, properties{1: {value.Of([]any{lat, lon})}}))
		return string(n.At(0)[:8])
	}
	points := [][2]float64{{90, 0}, {90, 50}, {-90, -180}, {-90, 7}, {0, -180}, {0, 180}, {45, -180}, {45, 180}, {45, 179}, {0, 0}}
	for i, p := range points {
		for k, q := range points {
			if same := cell(p[0], p[1]) == cell(q[0], q[1]); same != (i/2 == k/2 && (i < 8 || i == k)) {
				t.Errorf("%v and %v are in one cell: %t", p, q, same)
			}
		}
	}
}
