package rowcache

import (
	"math"
	"strings"
)

const (
	// postingsMax is the most postings of a row; beyond it the oldest goes.
	postingsMax   = 32
	postingKeyMax = math.MaxUint16
	postingHead   = 5
)

// Postings are the postings of some keys: what a table holds at the hash that the keys
// share. A key that is not among them is unknown. They are immutable:
//
//	length of key 2B | length of list 2B | entries 1B | key | list
//
// for each posting, the newest first.
type Postings struct{ all string }

// Find returns the posting of a key, false when it is unknown.
func (p *Postings) Find(key []byte) (Posting, bool) {
	for rest := p.all; rest != ""; {
		k, found, size := firstPosting(rest)
		if k == string(key) {
			return found, true
		}
		rest = rest[size:]
	}
	return Posting{}, false
}

// firstPosting reads the first of some postings; size is what it takes.
func firstPosting(all string) (key string, p Posting, size int) {
	list := postingHead + (int(all[0])<<8 | int(all[1]))
	size = list + (int(all[2])<<8 | int(all[3]))
	return all[postingHead:list], Posting{list: all[list:size], n: all[4]}, size
}

// With returns the postings with one more, in place of the one that the key has here.
func (p *Postings) With(key []byte, b *PostingBuilder) Postings {
	var all strings.Builder
	if len(key) <= postingKeyMax {
		all.Grow(postingHead + len(key) + len(b.list) + len(p.all))
		all.Write([]byte{byte(len(key) >> 8), byte(len(key)), byte(len(b.list) >> 8), byte(len(b.list)), b.n})
		all.Write(key)
		all.Write(b.list)
	}
	return p.without(&all, key)
}

// without puts the other postings than that of a key behind all.
func (p *Postings) without(all *strings.Builder, key []byte) Postings {
	for n, rest := 1, p.all; rest != "" && n < postingsMax; n++ {
		k, _, size := firstPosting(rest)
		if k != string(key) {
			all.WriteString(rest[:size])
		}
		rest = rest[size:]
	}
	return Postings{all.String()}
}

// After returns the postings once a commit has changed that of a key, with the memory of
// scratch. The changes are in the order of their entries.
func (p *Postings) After(key []byte, changes []EntryChange, scratch *PostingBuilder) (Postings, Outcome) {
	old, known := p.Find(key)
	switch {
	case !known:
		return *p, Untouched
	case scratch.apply(old, changes):
		return p.With(key, scratch), Succeeded
	}
	return p.without(&strings.Builder{}, key), Succeeded
}

// Size returns what the row costs.
func (p *Postings) Size() Size { return Size{All: int64(len(p.all)), Own: int64(len(p.all))} }
