package pebble

import (
	"bytes"
	"slices"

	"github.com/gremlind/gremlind/storage"
)

// span is the keys from from up to, but without, to. An empty to means to the end.
type span struct{ from, to []byte }

// single reports whether the span is that of one key.
func (s span) single() bool {
	n := len(s.from)
	return len(s.to) == n+1 && s.to[n] == 0 && bytes.Equal(s.to[:n], s.from)
}

// row returns the row that holds the span. It is false when there may be several.
func (s span) row(l *storage.Layout) ([]byte, bool) {
	row, ok := l.Row(s.from)
	if !ok {
		return nil, false
	}
	var end [32]byte
	return row, bytes.HasPrefix(s.to, row) || len(s.to) > 0 && bytes.Equal(s.to, storage.PrefixEnd(end[:0], row))
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
func mergeSpans(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return bytes.Compare(a.from, b.from) })
	out := spans[:0]
	for _, s := range spans {
		if n := len(out); n > 0 && (len(out[n-1].to) == 0 || bytes.Compare(s.from, out[n-1].to) <= 0) {
			if endLess(out[n-1].to, s.to) {
				out[n-1].to = s.to
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

// spanOf returns the span that holds key, of sorted disjoint spans.
func spanOf(spans []span, key []byte) (span, bool) {
	i, found := slices.BinarySearchFunc(spans, key, func(s span, k []byte) int { return bytes.Compare(s.from, k) })
	if !found {
		i--
	}
	if i < 0 || !before(key, spans[i].to) {
		return span{}, false
	}
	return spans[i], true
}
