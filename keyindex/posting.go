package keyindex

import (
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// A posting is the entries of a key index that hold one value or one that equals it:
// their keys begin alike and no other does. What follows is the rest of an entry, which
// ends in the element.

// graphLen is how long the graph is before the key of a posting.
const graphLen = 4

// Span is the range of a posting, valid until the Scratch is used again.
type Span struct{ From, To []byte }

// Key tells the posting from the others of its graph.
func (s Span) Key() []byte { return s.From[graphLen:] }

// Posting returns where everything stands that equals v. ok is false when that is no
// posting, because equal values stand apart or unequal ones among them.
func (s *Scratch) Posting(graph uint32, c table.Class, symbol uint32, v value.Value) (span Span, ok bool) {
	if _, _, exact := value.EqualRange(v); !exact {
		return Span{}, false
	}
	s.key = table.AppendKeyIndexKey(s.key[:0], graph, c, symbol)
	key, exact, err := value.AppendOrderedEqual(s.key, v)
	if err != nil || !exact {
		return Span{}, false
	}
	s.key = key
	s.to = table.PrefixEnd(s.to[:0], key)
	return Span{From: s.key, To: s.to}, true
}

// PostingOf takes the key of an entry apart into the key of its posting and the rest.
func PostingOf(entry []byte) (posting, rest []byte, ok bool) {
	e, err := table.DecodeKeyIndex(entry)
	if err != nil {
		return nil, nil, false
	}
	equal, ok := value.OrderedEqual(e.Value)
	n := len(entry) - elementLen - len(e.Value) + len(equal)
	return entry[graphLen:n], entry[n:], ok
}
