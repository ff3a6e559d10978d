package blueprints

import (
	"slices"
	"sync/atomic"
)

// Restriction is what is denied to somebody in one graph. It does not change, and may be used
// by many transactions at once.
type Restriction struct {
	Denied
	// Refuse makes the error of who writes a property key or a label that is denied.
	Refuse func(what, name string) error

	found   atomic.Pointer[foundSymbols]
	counted atomic.Pointer[[]countedEdges]
	shown   atomic.Pointer[shownIndexes]
}

// countedEdges is how many edges of some labels, of all where there are none, are there in a
// snapshot of a graph, which its symbols stand for.
type countedEdges struct {
	of     *symbols
	seq    uint64
	labels []Symbol
	edges  int64
}

// countsKept is of how many lists of labels the numbers are kept.
const countsKept = 8

// isOf reports whether it says what a transaction asks.
func (c *countedEdges) isOf(t *Tx, labels []Symbol) bool {
	return c.at(t) && slices.Equal(c.labels, labels)
}

// at reports whether it is about the snapshot of a transaction.
func (c *countedEdges) at(t *Tx) bool { return c.of == t.g.symbols && c.seq == t.seq }

// countedIn returns a number that is kept.
func (r *Restriction) countedIn(t *Tx, labels []Symbol) (edges int64, ok bool) {
	if all := r.counted.Load(); all != nil {
		for i := range *all {
			if c := &(*all)[i]; c.isOf(t, labels) {
				return c.edges, true
			}
		}
	}
	return 0, false
}

// keepCount keeps a number beside others of the same snapshot.
func (r *Restriction) keepCount(t *Tx, labels []Symbol, edges int64) {
	kept := make([]countedEdges, 0, countsKept)
	if all := r.counted.Load(); all != nil {
		for i := range *all {
			if c := &(*all)[i]; c.at(t) && len(kept) < countsKept-1 {
				kept = append(kept, *c)
			}
		}
	}
	kept = append(kept, countedEdges{t.g.symbols, t.seq, slices.Clone(labels), edges})
	r.counted.Store(&kept)
}

// foundSymbols are those of a Restriction, as long as its graph has so many names.
type foundSymbols struct {
	deniedSymbols
	of    *symbols
	count Symbol
	all   bool // every name has one, which it keeps
}

// deniedSymbols are the symbols of what is denied.
type deniedSymbols struct{ keys, edges, vertices denials }

// in returns the symbols in the graph of a transaction.
func (r *Restriction) in(t *Tx) *deniedSymbols {
	s := t.g.symbols
	if f := r.found.Load(); f != nil && f.of == s && (f.all || f.count == s.count() && t.options.ReadOnly) {
		return &f.deniedSymbols
	}
	f := &foundSymbols{of: s, count: s.count(), all: true}
	f.keys.find(t, r.Denied.Keys, &f.all)
	f.edges.find(t, r.Denied.EdgeLabels, &f.all)
	f.vertices.find(t, r.Denied.VertexLabels, &f.all)
	r.found.Store(f)
	return &f.deniedSymbols
}

// symbolSet is a set of symbols as bits, nil when it is empty.
type symbolSet []uint64

func (s symbolSet) has(sym Symbol) bool {
	i := int(sym >> 6)
	return i < len(s) && s[i]&(1<<(sym&63)) != 0
}

// denials are symbols that are denied, nil for none: as a set, and each once.
type denials struct {
	symbolSet
	list []Symbol
}

// find makes them the symbols of names. Those that the graph does not know nothing has; then
// all is not set any more.
func (d *denials) find(t *Tx, names []string, all *bool) {
	for _, name := range names {
		sym, ok := t.Symbol(name)
		if *all = *all && ok; !ok || isHidden(sym) || d.has(sym) { // hidden keys Restricted.Symbol does not know
			continue
		}
		if i := int(sym >> 6); i >= len(d.symbolSet) {
			d.symbolSet = append(d.symbolSet, make(symbolSet, i+1-len(d.symbolSet))...)
		}
		d.symbolSet[sym>>6] |= 1 << (sym & 63)
		d.list = append(d.list, sym)
	}
}
