package rowcache

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func (p Posting) entries() (all []string) {
	for e, ok := p.Next(); ok; e, ok = p.Next() {
		all = append(all, e)
	}
	return all
}

// Postings after any commits, and however many others came to the row, say of each key
// what a set of entries would, or nothing.
func TestPostings_AgreeWithASet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		model := map[string]map[string]bool{}
		var row Postings
		var scratch PostingBuilder
		key := rapid.Custom(func(t *rapid.T) string { return fmt.Sprint("key", rapid.IntRange(0, 40).Draw(t, "n")) })
		entry := rapid.Custom(func(t *rapid.T) string { return fmt.Sprint("entry", rapid.IntRange(0, 90).Draw(t, "n")) })
		sorted := func(k string) []string { return slices.Sorted(maps.Keys(model[k])) }
		t.Repeat(map[string]func(*rapid.T){
			"fill": func(t *rapid.T) {
				k := key.Draw(t, "key")
				var b PostingBuilder
				for _, e := range sorted(k) {
					if !b.Add([]byte(e)) {
						break
					}
				}
				row = row.With([]byte(k), &b)
				if p, ok := row.Find([]byte(k)); !ok || p.Few() != (len(model[k]) <= postingMax) {
					t.Fatalf("filled with %d entries: known %v, few %v", len(model[k]), ok, p.Few())
				}
			},
			"commit": func(t *rapid.T) {
				k := key.Draw(t, "key")
				var changes []EntryChange
				es := rapid.SliceOfNDistinct(entry, 1, 60, rapid.ID).Draw(t, "entries")
				for _, e := range slices.Sorted(slices.Values(es)) {
					c := EntryChange{Entry: []byte(e), Removed: rapid.IntRange(0, 3).Draw(t, "removed") == 0}
					changes = append(changes, c)
					if model[k] == nil {
						model[k] = map[string]bool{}
					}
					if model[k][e] = true; c.Removed {
						delete(model[k], e)
					}
				}
				before := row.all
				_, known := row.Find([]byte(k))
				next, outcome := row.After([]byte(k), changes, &scratch)
				if known == (outcome == Untouched) || !known && next.all != before {
					t.Fatalf("a commit to a key, known %v, has outcome %d", known, outcome)
				}
				row = next
			},
			"": func(t *rapid.T) {
				n := 0
				for k := range model {
					p, ok := row.Find([]byte(k))
					if !ok {
						continue
					}
					n++
					if got, want := p.entries(), sorted(k); p.Few() && !slices.Equal(got, want) {
						t.Fatalf("key %s has %q, want %q", k, got, want)
					}
				}
				if n > postingsMax {
					t.Fatalf("%d postings in a row", n)
				}
			},
		})
	})
}

// A row that is full forgets the posting that came first.
func TestPostings_OldestGoesFirst(t *testing.T) {
	var row Postings
	for i := range postingsMax + 1 {
		var b PostingBuilder
		b.Add([]byte{byte(i)})
		row = row.With(fmt.Append(nil, i), &b)
	}
	for i := range postingsMax + 1 {
		p, ok := row.Find(fmt.Append(nil, i))
		if ok != (i > 0) || ok && p.entries()[0] != string([]byte{byte(i)}) {
			t.Errorf("posting %d: known %v, %q", i, ok, p.entries())
		}
	}
}
