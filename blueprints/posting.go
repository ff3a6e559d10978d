package blueprints

import (
	"bytes"
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
// transaction has written to them. With a posting that is not in
// the cache come those of the values that are looked up with v.
func (t *Tx) posting(c table.Class, key Symbol, v value.Value, with []value.Value) (p rowcache.Posting, ok bool, err error) {
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
	if !known && len(with) > 1 {
		if err := t.fillPostings(c, key, with[:min(len(with), fillMax)]); err != nil {
			return p, false, err
		}
		return t.posting(c, key, v, nil)
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
		var err error
		if more, err = addEntry(&b, it.Key(), span.From); err != nil {
			return rowcache.Posting{}, err
		}
	}
	if err := it.Err(); err != nil {
		return rowcache.Posting{}, err
	}
	return t.installPosting(id, span, &b), nil
}

// addEntry adds the entry of a key to a posting whose keys begin with prefix.
func addEntry(b *rowcache.PostingBuilder, key, prefix []byte) (more bool, err error) {
	rest := key[len(prefix):]
	if len(rest) < elementLen {
		return false, corrupt("index entry", nil)
	}
	return b.Add(rest), nil
}

// fillPostings reads what is not in memory of the postings of some values.
func (t *Tx) fillPostings(c table.Class, key Symbol, values []value.Value) error {
	spans, ranges := t.lackingPostings(c, key, values)
	built := make([]rowcache.PostingBuilder, len(spans))
	err := t.tx.Snapshot().ScanMany(ranges, func(i int, key, _ []byte) (bool, error) {
		return addEntry(&built[i], key, spans[i].From)
	})
	if err != nil {
		return err
	}
	for i := range spans {
		t.installPosting(postingRow(spans[i].Key()), spans[i], &built[i])
	}
	return nil
}

// lackingPostings returns where the postings are that are not in memory, but those that this
// transaction wrote.
func (t *Tx) lackingPostings(c table.Class, key Symbol, values []value.Value) (spans []keyindex.Span, ranges []storage.ScanOptions) {
	for _, v := range values {
		span, ok := t.index.Posting(t.g.number, c, uint32(key), v)
		if !ok || t.Pending() && t.tx.Wrote(span.From, span.To) {
			continue
		}
		if row := t.cache.postings.Get(postingRow(span.Key()), t.seq); row != nil {
			if _, known := row.Find(span.Key()); known {
				continue
			}
		}
		span = keyindex.Span{From: bytes.Clone(span.From), To: bytes.Clone(span.To)}
		spans = append(spans, span)
		ranges = append(ranges, storage.ScanOptions{From: span.From, To: span.To, Unobserved: true})
	}
	return spans, ranges
}

func (t *Tx) installPosting(id uint64, span keyindex.Span, b *rowcache.PostingBuilder) rowcache.Posting {
	t.pause(fillingPosting)
	t.cache.postings.Install(id, t.seq, func(have *rowcache.Postings) (rowcache.Postings, rowcache.Size, bool) {
		if have == nil {
			have = &rowcache.Postings{}
		}
		next := have.With(span.Key(), b)
		return next, next.Size(), true
	})
	return b.Posting()
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
		p, ok, err := t.posting(table.VertexClass, sym, v, values[n:n+min(len(values)-n, max-len(dst))])
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
