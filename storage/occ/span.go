package occ

import (
	"bytes"
	"slices"

	"github.com/gremlind/gremlind/storage"
)

// Span is the keys from From up to, but without, To. An empty To means to the end.
type Span struct{ From, To []byte }

// single reports whether the span is that of one key.
func (s Span) single() bool {
	n := len(s.From)
	return len(s.To) == n+1 && s.To[n] == 0 && bytes.Equal(s.To[:n], s.From)
}

// row returns the row that holds the span. It is false when there may be several.
func (s Span) row(l *storage.Layout) ([]byte, bool) {
	row, ok := l.Row(s.From)
	if !ok {
		return nil, false
	}
	var end [32]byte
	return row, bytes.HasPrefix(s.To, row) || len(s.To) > 0 && bytes.Equal(s.To, storage.PrefixEnd(end[:0], row))
}

// Within reports whether one of the spans, which are ascending and disjoint, holds key.
func Within(spans []Span, key []byte) bool {
	_, found := spanOf(spans, key)
	return found
}

// before reports whether key lies in front of the end to.
func before(key, to []byte) bool { return len(to) == 0 || bytes.Compare(key, to) < 0 }

// endLess orders ends; an empty one is the greatest.
func endLess(a, b []byte) bool {
	if len(a) == 0 {
		return false
	}
	return len(b) == 0 || bytes.Compare(a, b) < 0
}

// mergeSpans sorts spans and joins those that overlap or touch, in place.
func mergeSpans(spans []Span) []Span {
	slices.SortFunc(spans, func(a, b Span) int { return bytes.Compare(a.From, b.From) })
	out := spans[:0]
	for _, s := range spans {
		if n := len(out); n > 0 && (len(out[n-1].To) == 0 || bytes.Compare(s.From, out[n-1].To) <= 0) {
			if endLess(out[n-1].To, s.To) {
				out[n-1].To = s.To
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

// spanOf returns the span that holds key, of sorted disjoint spans.
func spanOf(spans []Span, key []byte) (Span, bool) {
	i, found := slices.BinarySearchFunc(spans, key, func(s Span, k []byte) int { return bytes.Compare(s.From, k) })
	if !found {
		i--
	}
	if i < 0 || !before(key, spans[i].To) {
		return Span{}, false
	}
	return spans[i], true
}
