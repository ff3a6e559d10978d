package keyindex

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Trigram is the analyzer that takes each three bytes that stand side by side in a text. Two
// texts of which one holds the other have the trigrams of the shorter in common, whatever
// their language is, and which trigrams a text has never changes.
const Trigram = "trigram"

func (d *Definition) validText() error {
	switch {
	case d.Analyzer != Trigram && d.Analyzer != Words:
		return fmt.Errorf("Index %s: the analyzer is %s, %s or %s, not %q", d.Name, Trigram, Words, Points, d.Analyzer)
	case d.Unique:
		return fmt.Errorf("Index %s: an index of texts cannot be unique", d.Name)
	case d.Direction != "":
		return fmt.Errorf("Index %s: an index of texts has no direction", d.Name)
	}
	return nil
}

const (
	gramLen = 3
	// gramsMax is how many trigrams an element has in an index at most. One whose texts have
	// more has the entry of longText in their place, and is a candidate of every look-up.
	gramsMax = 4096
	// gramsPiece is how many are gathered before those that come again are dropped.
	gramsPiece = 1 << 16
)

// longText is the token of elements that have too many; no trigram is so short.
var longText = []byte{1}

// text makes n the tokens of an element, ascending.
func (n *Entries) text(d *Definition, e *Element, els Elements) error {
	if d.Analyzer == Words {
		return n.words(d, e, els)
	}
	n.ordered, n.grams = true, n.grams[:0]
	for _, symbol := range d.Symbols {
		var err error
		if n.vals, err = els.Values(n.vals[:0], e.Class, e.ID, symbol); err != nil {
			return err
		}
		for _, v := range n.vals {
			if !n.addGrams(textOf(v)) {
				n.add(longText)
				return nil
			}
		}
	}
	n.grams = distinct(n.grams)
	if len(n.grams) > gramsMax {
		n.add(longText)
		return nil
	}
	for _, g := range n.grams {
		n.add([]byte{byte(g >> 16), byte(g >> 8), byte(g)})
	}
	return nil
}

// textOf is the text of a value: of others than Strings no predicate of texts is true.
func textOf(v value.Value) string {
	if v.Kind() != value.KindString {
		return ""
	}
	return v.Str()
}

func (n *Entries) add(token []byte) {
	start := len(n.buf)
	n.buf = append(n.buf, token...)
	n.list = append(n.list, entry{start: start, end: len(n.buf)})
}

// addGrams gathers the trigrams of a text; false when there are too many.
func (n *Entries) addGrams(s string) bool {
	for i := 0; i+gramLen <= len(s); i++ {
		if g, ok := gramAt(s, i); ok {
			n.grams = append(n.grams, g)
		}
		if len(n.grams) >= gramsPiece {
			if n.grams = distinct(n.grams); len(n.grams) > gramsMax {
				return false
			}
		}
	}
	return true
}

// gramAt is the trigram of a text at i. One with a zero byte is none: tokens have no such.
func gramAt(s string, i int) (gram uint32, ok bool) {
	a, b, c := s[i], s[i+1], s[i+2]
	return uint32(a)<<16 | uint32(b)<<8 | uint32(c), a != 0 && b != 0 && c != 0
}

func distinct(grams []uint32) []uint32 {
	slices.Sort(grams)
	return slices.Compact(grams)
}

// Grams reports whether texts that hold s can be looked up by its trigrams.
func Grams(s string) bool {
	for i := 0; i+gramLen <= len(s); i++ {
		if _, ok := gramAt(s, i); ok {
			return true
		}
	}
	return false
}

// gramsLooked is how many trigrams of a pattern are looked up at most: more would hardly
// leave fewer elements.
const gramsLooked = 8

// gramsOf returns trigrams of patterns, spread over all of them.
func gramsOf(patterns []string) []uint32 {
	var all []uint32
	for _, s := range patterns {
		for i := 0; i+gramLen <= len(s); i++ {
			if g, ok := gramAt(s, i); ok && !slices.Contains(all[max(0, len(all)-gramsLooked):], g) {
				all = append(all, g)
			}
		}
	}
	if len(all) <= gramsLooked {
		return all
	}
	spread := make([]uint32, gramsLooked)
	for i := range spread {
		spread[i] = all[i*(len(all)-1)/(gramsLooked-1)]
	}
	return spread
}

// textIndex is an index of texts: a token is an entry, with what is counted of a word behind
// it (TokenOf). There are no reverse rows, for which tokens an element has follows from its
// properties.
type textIndex struct{ opened }

func (x *textIndex) entry(id uint64, token []byte) []byte {
	x.key = table.AppendTextEntry(x.key[:0], table.TextEntry{Graph: x.graph, Index: x.def.Number, Token: token, Element: id})
	return x.key
}

func (x *textIndex) Put(tx storage.Tx, _ Elements, e *Element, values []byte, _ bool) error {
	token, val := TokenOf(values)
	return tx.Set(x.entry(e.ID, token), val)
}

func (x *textIndex) Take(tx storage.Tx, e *Element, values []byte) error {
	token, _ := TokenOf(values)
	return tx.Delete(x.entry(e.ID, token))
}

func (x *textIndex) Holds(r storage.Reader, e *Element, values []byte) (bool, error) {
	token, val := TokenOf(values)
	got, err := r.Get(x.entry(e.ID, token))
	if isAbsent(err) {
		return false, nil
	}
	return bytes.Equal(got, val), err
}

func (x *textIndex) Range() (from, to []byte) {
	from = table.AppendTextIndex(nil, x.graph, x.def.Number)
	return from, table.PrefixEnd(nil, from)
}

func (x *textIndex) Owner(dst []uint64, key, val []byte) ([]uint64, []byte, bool, error) {
	e, err := table.DecodeTextEntry(key)
	x.row = append(x.row[:0], e.Token...)
	if x.def.Analyzer == Words {
		x.row = append(append(x.row, 0), val...)
		if _, _, cerr := wordCounts(val); err == nil && cerr != nil {
			return dst, nil, true, cerr
		}
	}
	return append(dst, e.Element), x.row, true, damaged(err)
}

func (x *textIndex) Erase(tx storage.Tx, key, _ []byte) error { return tx.Delete(key) }
