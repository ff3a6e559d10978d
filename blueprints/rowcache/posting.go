package rowcache

import "math"

const (
	// postingMax is the most entries of a posting that are kept.
	postingMax  = 64
	entryMax    = math.MaxUint8
	manyEntries = math.MaxUint8
)

// Posting is what an index holds under one key: what follows the key in each of its
// entries, in order, or the knowledge that there are too many to keep.
type Posting struct {
	list string // length 1B, entry, length ...
	n    uint8  // how many, or manyEntries
}

// Few reports whether the entries are few enough to be here.
func (p Posting) Few() bool { return p.n != manyEntries }

// Next takes the first entry off the posting, false when there is none.
func (p *Posting) Next() (entry string, ok bool) {
	if p.list == "" {
		return "", false
	}
	n := 1 + int(p.list[0])
	entry, p.list = p.list[1:n], p.list[n:]
	return entry, true
}

// PostingBuilder makes a posting of its entries, which come in order. The zero builder
// is empty.
type PostingBuilder struct {
	list []byte
	n    uint8
}

// Reset empties the builder, which keeps its memory.
func (b *PostingBuilder) Reset() { b.list, b.n = b.list[:0], 0 }

// Posting returns what was added.
func (b *PostingBuilder) Posting() Posting { return Posting{list: string(b.list), n: b.n} }

// Add adds an entry and reports whether there may be another one.
func (b *PostingBuilder) Add(entry []byte) bool { return addEntry(b, entry) }

func addEntry[E string | []byte](b *PostingBuilder, entry E) bool {
	if b.n >= postingMax || len(entry) > entryMax {
		b.list, b.n = b.list[:0], manyEntries
		return false
	}
	b.list = append(append(b.list, byte(len(entry))), entry...)
	b.n++
	return true
}

// EntryChange is an entry that a commit wrote under a key, or removed.
type EntryChange struct {
	Entry   []byte
	Removed bool
}

// apply makes the posting that p is after changes, which are in order; ok is false when
// only the index can tell.
func (b *PostingBuilder) apply(p Posting, changes []EntryChange) (ok bool) {
	b.Reset()
	if !p.Few() {
		b.n = manyEntries
		for _, c := range changes {
			ok = ok || c.Removed
		}
		return !ok // as long as it only grows there are many
	}
	for old, more := p.Next(); more || len(changes) > 0; {
		if len(changes) > 0 && (!more || string(changes[0].Entry) < old) {
			if !changes[0].Removed && !b.Add(changes[0].Entry) {
				return true
			}
			changes = changes[1:]
			continue
		}
		keep := true
		if len(changes) > 0 && string(changes[0].Entry) == old {
			keep, changes = !changes[0].Removed, changes[1:]
		}
		if keep && !addEntry(b, old) {
			return true
		}
		old, more = p.Next()
	}
	return true
}
