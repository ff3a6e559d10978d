package keyindex

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/storage/table"
)

// TestGatherGrams: what is gathered of a trigram index are the keys that its entries have, in
// order, and those of an element that has changed are told.
func TestGatherGrams(t *testing.T) {
	d := &Definition{Number: 7, Kind: Text, Analyzer: Trigram}
	token := rapid.OneOf(rapid.Just(longText), rapid.SliceOfN(rapid.ByteRange('a', 'c'), gramLen, gramLen), rapid.SliceOfN(rapid.ByteRange(1, 255), gramLen, gramLen))
	rapid.Check(t, func(t *rapid.T) {
		var spare spareRuns
		var parts []*gathering
		var want [][]byte
		of := map[uint64][][]byte{}
		id := uint64(0)
		for range rapid.IntRange(1, 3).Draw(t, "parts") {
			g := &gathering{spare: &spare, most: 1 << 30, gramKeys: newGramKeys(3, d)}
			x := gramIndex{g: g}
			for range rapid.IntRange(0, 20).Draw(t, "elements") {
				id += uint64(rapid.IntRange(1, 1000).Draw(t, "step"))
				g.element, g.ids = len(g.ids), append(g.ids, id)
				for _, tok := range rapid.SliceOfNDistinct(token, 0, 8, func(b []byte) string { return string(b) }).Draw(t, "tokens") {
					if err := x.Put(nil, nil, nil, tok, true); err != nil {
						t.Fatal(err)
					}
					key := table.AppendTextEntry(nil, table.TextEntry{Graph: 3, Index: 7, Token: tok, Element: id})
					want, of[id] = append(want, key), append(of[id], key)
				}
				if n := len(g.grams); n > 0 && rapid.Bool().Draw(t, "full") {
					g.grams[n-1] = g.grams[n-1].sort(&spare)
					g.grams = append(g.grams, spare.takeGrams())
				}
			}
			if n := len(g.grams); n > 0 {
				g.grams[n-1] = g.grams[n-1].sort(&spare)
			}
			parts = append(parts, g)
		}
		var got [][]byte
		err := mergeGrams(parts, newGramKeys(3, d), func(key, _ []byte) error { got = append(got, bytes.Clone(key)); return nil })
		slices.SortFunc(want, bytes.Compare)
		if err != nil || !slices.EqualFunc(got, want, bytes.Equal) {
			t.Fatalf("merged %x, want %x, %v", got, want, err)
		}
		for _, doubt := range doubtsOf(parts, []uint64{id, id + 1}) {
			keys := of[doubt.Element]
			slices.SortFunc(keys, bytes.Compare)
			slices.SortFunc(doubt.Keys, bytes.Compare)
			if !slices.EqualFunc(doubt.Keys, keys, bytes.Equal) {
				t.Fatalf("of %d there is %x, want %x", doubt.Element, doubt.Keys, keys)
			}
		}
	})
}

// TestGatherGrams_Full: entries that have no room in memory are refused, a full run is sorted, and
// memory is used again.
func TestGatherGrams_Full(t *testing.T) {
	var spare spareRuns
	g := &gathering{spare: &spare, most: gramSets * gramSetSize}
	for i := range gramSets {
		if err := g.addGram(uint32(gramSets - i)); err != nil {
			t.Fatalf("entry %d: %v", i, err)
		}
	}
	if err := g.addGram(1); err != errNoTables {
		t.Errorf("one too many: %v", err)
	}
	if !slices.IsSorted(g.grams[0]) || len(g.grams[0]) != gramSets {
		t.Error("a full run is not sorted")
	}
	first := &g.grams[0][0]
	spare.giveGrams(g.grams...)
	if again := spare.takeGrams(); len(again) != 0 || &again[:1][0] != first {
		t.Error("a run is not used again")
	}
}
