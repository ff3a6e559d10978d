package keyindex_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/storagetest"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// textIndex is the definition of an index of texts.
func textIndex(analyzer string) *keyindex.Definition {
	return &keyindex.Definition{Name: "x", Class: table.VertexClass, Kind: keyindex.Text, Symbols: []uint32{symbol}, Number: 1, Analyzer: analyzer}
}

// putTexts writes the entries of elements 1, 2, 3 and so on, which have these texts.
func putTexts(t *testing.T, tx storage.Tx, d *keyindex.Definition, texts []string) {
	t.Helper()
	index := d.Open(graph)
	var n keyindex.Entries
	for i, text := range texts {
		e := &keyindex.Element{Class: d.Class, ID: uint64(i + 1)}
		p := properties{symbol: {value.String(text)}}
		must(t, n.Find(d, e, p))
		for k := range n.Len() {
			must(t, index.Put(tx, p, e, n.At(k), n.Exact(k)))
		}
	}
}

// lookUp returns the elements whose texts may hold the patterns.
func lookUp(t failer, r storage.Reader, d *keyindex.Definition, patterns ...string) []uint64 {
	t.Helper()
	h := &keyindex.Hits{}
	new(keyindex.Scratch).LookupText(h, r, graph, d, patterns, nil)
	return collect(t, h)
}

// tooLong has more trigrams than an index takes of a text.
var tooLong = func() string {
	var b strings.Builder
	for i := range 20 * 20 * 20 {
		b.Write([]byte{byte('d' + i%20), byte('d' + i/20%20), byte('d' + i/400)})
	}
	return b.String()
}()

// TestLookupText: all elements are found whose texts hold the patterns, and those with very long
// texts, in their order and once. While few are found, they have all trigrams of the patterns.
func TestLookupText(t *testing.T) {
	rnd := storagetest.Rand(1)
	texts := make([]string, 600)
	for i := range texts {
		letters := "ab"
		if i%100 < 3 {
			letters = "abc"
		}
		for range rnd.IntN(12) {
			texts[i] += string(letters[rnd.IntN(len(letters))])
		}
	}
	texts[7], texts[300], texts[599] = tooLong, tooLong, "abcab"+tooLong
	tx := begin(t, open(t))
	d := textIndex(keyindex.Trigram)
	putTexts(t, tx, d, texts)
	pattern := rapid.StringMatching(`[ab]{3,7}|[ab]{0,2}c[ab]{2}`)
	rapid.Check(t, func(t *rapid.T) {
		patterns := rapid.SliceOfN(pattern, 1, 2).Draw(t, "patterns")
		got := lookUp(t, tx, d, patterns...)
		for i := 1; i < len(got); i++ {
			if got[i] <= got[i-1] {
				t.Fatalf("%v: %v", patterns, got)
			}
		}
		for i, text := range texts {
			if _, found := slices.BinarySearch(got, uint64(i+1)); !found && (holdsAll(text, patterns) || len(text) > 1000) {
				t.Fatalf("%v: element %d is not found", patterns, i+1)
			}
		}
		for _, id := range got[:min(len(got), 60)] {
			if text := texts[id-1]; len(text) < 1000 && !holdsAll(text, grams(patterns)) {
				t.Fatalf("%v: element %d, %q, is found", patterns, id, text)
			}
		}
	})
}

func holdsAll(text string, patterns []string) bool {
	return !slices.ContainsFunc(patterns, func(p string) bool { return !strings.Contains(text, p) })
}

// grams are the trigrams of few patterns; of many, only some have to be asked for.
func grams(patterns []string) (all []string) {
	for _, p := range patterns {
		for i := range len(p) - 2 {
			all = append(all, p[i:i+3])
		}
	}
	if len(all) > 8 {
		return nil
	}
	return all
}

// TestLookupText_Reads: a trigram that is rare spares reading those that are not, and one that all
// of many elements have that have the others is not asked for any more.
func TestLookupText_Reads(t *testing.T) {
	const n = 1000
	texts := make([]string, n)
	for i := range texts {
		if texts[i] = "abcd"; i%2 == 0 {
			texts[i] += "_odd"
		}
	}
	texts[n-1] = "abcdrare"
	s := &storagetest.Counting{Store: open(t)}
	tx := begin(t, s)
	d := textIndex(keyindex.Trigram)
	putTexts(t, tx, d, texts)
	for patterns, want := range map[string]struct {
		found int
		reads int64
	}{"abcd": {n, n + 200}, "abcd rare": {1, 300}, "abcd_odd": {n / 2, 3 * n}} {
		s.Reset()
		got := lookUp(t, tx, d, strings.Fields(patterns)...)
		if reads := s.Reads(); len(got) != want.found || reads.Keys > want.reads {
			t.Errorf("%q: %d are found with %d reads, want %d with %d", patterns, len(got), reads.Keys, want.found, want.reads)
		}
	}
}

// TestLookupText_TooShort: what has no trigram cannot be looked up.
func TestLookupText_TooShort(t *testing.T) {
	h := &keyindex.Hits{}
	new(keyindex.Scratch).LookupText(h, begin(t, open(t)), graph, textIndex(keyindex.Trigram), []string{"ab", ""}, nil)
	if n := h.Next(make([]uint64, 1)); n != 0 || h.Err() == nil || h.Err().Error() != "Index x: a text of fewer than 3 letters cannot be looked up" {
		t.Error(n, h.Err())
	}
}

// search returns what a query finds, in its order.
func search(r storage.Reader, query string, of int64) ([]keyindex.Found, error) {
	terms, err := keyindex.ParseTerms(query)
	if err != nil {
		return nil, err
	}
	a := account.New(nil, "queryMemory", 1<<20)
	found, release, err := keyindex.SearchWords(a, r, graph, textIndex(keyindex.Words), terms, of)
	found = slices.Clone(found)
	if release(); a.Used() != 0 {
		return nil, fmt.Errorf("%d bytes stay charged", a.Used())
	}
	return found, err
}

// TestSearchWords_IsBM25 compares scores with the textbook's formula, with b 0.75 and k 1.2.
func TestSearchWords_IsBM25(t *testing.T) {
	tx := begin(t, open(t))
	putTexts(t, tx, textIndex(keyindex.Words), []string{"tale", "tale, tale", "a tale of two cities", "two tales", "", "Tale of tales: two", "tale"})
	const of = 10
	term := func(elements, often, words, mean float64) float64 {
		return math.Log(1+(of-elements+0.5)/(elements+0.5)) * often * 2.2 / (often + 1.2*(0.25+0.75*words/mean))
	}
	tale, tales := (1+2+5+4+1)/5., (1+2+5+2+4+1)/6.
	for query, want := range map[string][]keyindex.Found{
		"tale":     {{2, term(5, 2, 2, tale)}, {1, term(5, 1, 1, tale)}, {7, term(5, 1, 1, tale)}, {6, term(5, 1, 4, tale)}, {3, term(5, 1, 5, tale)}},
		"tale two": {{6, term(5, 1, 4, tale) + term(3, 1, 4, tale)}, {3, term(5, 1, 5, tale) + term(3, 1, 5, tale)}},
		"tale*": {{2, term(6, 2, 2, tales)}, {1, term(6, 1, 1, tales)}, {7, term(6, 1, 1, tales)}, {6, term(6, 2, 4, tales)},
			{4, term(6, 1, 2, tales)}, {3, term(6, 1, 5, tales)}},
		"none": nil, "tale none": nil, "none tale": nil, "none*": nil,
	} {
		got, err := search(tx, query, of)
		if err != nil || len(got) != len(want) {
			t.Fatalf("%s: %v, %v, want %v", query, got, err, want)
		}
		for i := range want {
			if got[i].Element != want[i].Element || math.Abs(got[i].Score-want[i].Score) > 1e-9 {
				t.Errorf("%s: %v, want %v", query, got, want)
			}
		}
	}
}

// TestTexts_Damaged: entries of texts that nobody wrote are told as damage.
func TestTexts_Damaged(t *testing.T) {
	entry := table.AppendTextEntry(nil, table.TextEntry{Graph: graph, Index: 1, Token: []byte("tale"), Element: 9})
	for name, damage := range map[string]func(tx storage.Tx) error{
		"no counts":       func(tx storage.Tx) error { return tx.Set(entry, nil) },
		"one count":       func(tx storage.Tx) error { return tx.Set(entry, []byte{1}) },
		"more than all":   func(tx storage.Tx) error { return tx.Set(entry, []byte{2, 1}) },
		"more behind":     func(tx storage.Tx) error { return tx.Set(entry, []byte{1, 1, 1}) },
		"no element":      func(tx storage.Tx) error { return tx.Set(entry[:len(entry)-8], []byte{1, 1}) },
		"half an element": func(tx storage.Tx) error { return tx.Set(entry[:len(entry)-1], []byte{1, 1}) },
	} {
		for _, query := range []string{"tale", "ta*", "other tale"} {
			tx := begin(t, open(t))
			putTexts(t, tx, textIndex(keyindex.Words), []string{"tale", "other"})
			must(t, damage(tx))
			if found, err := search(tx, query, 10); !errors.Is(err, storage.ErrCorrupt) {
				t.Errorf("%s, %s: %v, %v", name, query, found, err)
			}
		}
	}
	tx := begin(t, open(t))
	putTexts(t, tx, textIndex(keyindex.Trigram), []string{"tale"})
	must(t, tx.Set(table.AppendTextToken(nil, graph, 1, 0, []byte("tal")), nil))
	h := &keyindex.Hits{}
	new(keyindex.Scratch).LookupText(h, tx, graph, textIndex(keyindex.Trigram), []string{"tale"}, nil)
	if n := h.Next(make([]uint64, 1)); n != 0 || !errors.Is(h.Err(), storage.ErrCorrupt) {
		t.Error("a trigram without an element:", n, h.Err())
	}
}

// TestTexts_Faults: whatever fails beneath a look-up of texts comes back from it, and nothing stays
// open.
func TestTexts_Faults(t *testing.T) {
	var f storagetest.Faulty
	for analyzer, do := range map[string]func(r storage.Reader) error{
		keyindex.Trigram: func(r storage.Reader) error {
			h := &keyindex.Hits{}
			new(keyindex.Scratch).LookupText(h, r, graph, textIndex(keyindex.Trigram), []string{"tale"}, nil)
			for buf := make([]uint64, 2); h.Next(buf) > 0; {
			}
			return errors.Join(h.Err(), h.Close())
		},
		keyindex.Words: func(r storage.Reader) error {
			_, err := search(r, "tale two", 10)
			return err
		},
	} {
		tx := begin(t, open(t))
		putTexts(t, tx, textIndex(analyzer), []string{"tale", "tale of two", "two", tooLong, "tale"})
		for call := int64(0); ; call++ {
			fault := f.At(call, func() error { return do(f.Tx(tx)) })
			if fault.Open != 0 || fault.Happened != errors.Is(fault.Err, storagetest.ErrDisk) || !fault.Happened && fault.Err != nil {
				t.Errorf("%s, call %d: %+v", analyzer, call, fault)
			}
			if !fault.Happened {
				break
			}
		}
	}
}
