package blueprints

import (
	"encoding/binary"
	"hash/maphash"
	"slices"

	"github.com/gremlind/gremlind/blueprints/rowcache"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// postingBits is how many bits of a key's hash choose the row that holds its posting.
const postingBits = 16

const elementLen = 8 // of an element's internal id, the end of an entry

func postingRow(key []byte) uint64 { return maphash.Bytes(hintSeed, key) >> (64 - postingBits) }

// posting returns the entries of a key index that equal v, from the cache. ok is false
// when they are to be read from the store: they are too many or no posting, or this
// transaction has written to them.
func (t *Tx) posting(c table.Class, key Symbol, v value.Value) (p rowcache.Posting, ok bool, err error) {
	if t.cache == nil {
		return p, false, nil
	}
	span, ok := t.index.Posting(t.g.number, c, uint32(key), v)
	if !ok || t.Pending() && t.tx.Wrote(span.From, span.To) {
		return p, false, nil
	}
	id, known := postingRow(span.Key()), false
	if row := t.cache.postings.Get(id, t.seq); row != nil {
		p, known = row.Find(span.Key())
	}
	if !known {
		if p, err = t.fillPosting(id, span); err != nil {
			return p, false, err
		}
	}
	if p.Few() && t.observing {
		t.tx.Observe(span.From, span.To)
	}
	return p, p.Few(), nil
}

// fillPosting reads a posting beneath the transaction's own writes.
func (t *Tx) fillPosting(id uint64, span keyindex.Span) (rowcache.Posting, error) {
	it := t.tx.Snapshot().Scan(storage.ScanOptions{From: span.From, To: span.To, Unobserved: true})
	defer it.Close()
	var b rowcache.PostingBuilder
	for more := true; more && it.Next(); {
		rest := it.Key()[len(span.From):]
		if len(rest) < elementLen {
			return rowcache.Posting{}, corrupt("index entry", nil)
		}
		more = b.Add(rest)
	}
	if err := it.Err(); err != nil {
		return rowcache.Posting{}, err
	}
	t.pause(fillingPosting)
	t.cache.postings.Install(id, t.seq, func(have *rowcache.Postings) (rowcache.Postings, rowcache.Size, bool) {
		if have == nil {
			have = &rowcache.Postings{}
		}
		next := have.With(span.Key(), &b)
		return next, next.Size(), true
	})
	return b.Posting(), nil
}

// FewVertices appends the vertices of postings.
func (t *Tx) FewVertices(dst []VertexID, key string, values []value.Value, max int) ([]VertexID, int, error) {
	sym, err := t.indexed(table.VertexClass, key)
	if err != nil {
		return dst, 0, err
	}
	max += len(dst)
	for n, v := range values {
		if len(dst) >= max {
			return dst, n, nil
		}
		if err := t.looksUp(); err != nil {
			return dst, n, err
		}
		p, ok, err := t.posting(table.VertexClass, sym, v)
		if !ok || err != nil {
			return dst, n, err
		}
		from := len(dst)
		if dst = appendElements(dst, p); len(dst) > max {
			return dst[:from], n, nil
		}
	}
	return dst, len(values), nil
}

// appendElements appends the elements of a posting. One with several values that are
// equal has several entries.
func appendElements[ID ~uint64](dst []ID, p rowcache.Posting) []ID {
	from := len(dst)
	for rest, ok := p.Next(); ok; rest, ok = p.Next() {
		id := ID(binary.BigEndian.Uint64([]byte(rest[len(rest)-elementLen:])))
		if !slices.Contains(dst[from:], id) {
			dst = append(dst, id)
		}
	}
	return dst
}
