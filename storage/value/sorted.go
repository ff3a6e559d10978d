package value

import "slices"

// sorted has the members in order of collections that are members of others. To compare two of
// these looks at each of them often, and at its own members each time: without this, what is
// ten levels deep would be sorted a million times.
type sorted struct {
	runs    map[Value][]run
	entries map[Value][]entry
	// stop, unless nil, is asked at each collection whether the comparison ends here.
	stop  func() bool
	ended bool
}

func newSorted() *sorted { return &sorted{runs: map[Value][]run{}, entries: map[Value][]entry{}} }

// over reports whether the comparison has ended, and its result means nothing.
func (s *sorted) over() bool {
	if s == nil || s.stop == nil {
		return false
	}
	s.ended = s.ended || s.stop()
	return s.ended
}

// of returns what a comparison of a Set, BulkSet, Map or Tree with another uses: nil where it
// holds nothing that holds others.
func (s *sorted) of(v Value) *sorted {
	if s == nil && holds(v) {
		return newSorted()
	}
	return s
}

// holds reports whether a Set, BulkSet, Map or Tree has a member that holds others.
func holds(v Value) bool {
	if s := v.BulkSet(); s != nil {
		return !all(s.keys, simple)
	}
	if m := v.Map(); m != nil {
		for i := range m.Len() {
			if k, x := m.Entry(i); !simple(k) || !simple(x) {
				return true
			}
		}
		return false
	}
	return v.Tree() != nil || !all(v.Set().Elems(), simple)
}

func all(list []Value, is func(Value) bool) bool {
	return !slices.ContainsFunc(list, func(v Value) bool { return !is(v) })
}

// simple reports whether a value holds no others: not even a copied element does, whose id
// may be anything.
func simple(v Value) bool {
	switch classOf(v) {
	case classVertex, classEdge:
		return v.IsStored()
	case classVertexProperty, classProperty, classPath, classSet, classList, classMap, classMapEntry:
		return false
	}
	return true
}

// run is a value that a sorted collection holds n times; a BulkSet's bulk may be far
// too large to expand.
type run struct {
	v Value
	n int64
}

// sortedRuns returns the members of a Set or BulkSet in order. The result is not to be
// changed: known may have it.
func sortedRuns(v Value, known *sorted) []run {
	if known != nil && known.runs[v] != nil {
		return known.runs[v]
	}
	var out []run
	for _, e := range v.Set().Elems() {
		out = append(out, run{e, 1})
	}
	if s := v.BulkSet(); s != nil {
		for i, k := range s.keys {
			out = append(out, run{k, s.bulks[i]})
		}
	}
	nested := holds(v)
	if nested && known == nil {
		known = newSorted()
	}
	o := sorting(len(out), known)
	slices.SortFunc(out, func(a, b run) int { return o.order(a.v, b.v) })
	if nested {
		known.runs[v] = out
	}
	return out
}

// entry is one of a Map or Tree, without the object that a MapEntry is.
type entry struct{ key, value Value }

// sortedEntries returns the entries of a Map or Tree in order, as sortedRuns does.
func sortedEntries(v Value, known *sorted) []entry {
	if known != nil && known.entries[v] != nil {
		return known.entries[v]
	}
	var out []entry
	if t := v.Tree(); t != nil {
		out = make([]entry, len(t.Keys))
		for i, k := range t.Keys {
			out[i] = entry{k, t.Children[i].Value()}
		}
	}
	if m := v.Map(); m != nil {
		out = make([]entry, m.Len())
		for i := range out {
			out[i].key, out[i].value = m.Entry(i)
		}
	}
	nested := holds(v)
	if nested && known == nil {
		known = newSorted()
	}
	slices.SortFunc(out, sorting(len(out), known).entry)
	if nested {
		known.entries[v] = out
	}
	return out
}
