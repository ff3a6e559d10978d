package plancache

import "sync"

// Recent keeps values by key while they are in use. It holds two generations at most:
// once the newer is full, it becomes the older and what was that is forgotten. A value
// that is found moves from the older to the newer. It may be used by many goroutines.
type Recent[V any] struct {
	values, bytes int // of a generation, at most
	mu            sync.RWMutex
	newer, older  generation[V]
}

type generation[V any] struct {
	by    map[string]held[V]
	bytes int
}

type held[V any] struct {
	v     *V
	bytes int // with the key
}

// NewRecent returns an empty Recent whose generations have so many values, and so many
// bytes, at most.
func NewRecent[V any](values, bytes int) *Recent[V] {
	return &Recent[V]{values: values, bytes: bytes, newer: newGeneration[V]()}
}

func newGeneration[V any]() generation[V] { return generation[V]{by: map[string]held[V]{}} }

// Find returns the value kept last with the key; nil when there is none any more.
func (r *Recent[V]) Find(key []byte) *V {
	r.mu.RLock()
	h, old := r.newer.by[string(key)], false
	if h.v == nil {
		_, old = r.older.by[string(key)]
	}
	r.mu.RUnlock()
	if old {
		return r.renew(string(key))
	}
	return h.v
}

// FindText is Find for a key that is a text.
func (r *Recent[V]) FindText(key string) *V {
	r.mu.RLock()
	h, old := r.newer.by[key], false
	if h.v == nil {
		_, old = r.older.by[key]
	}
	r.mu.RUnlock()
	if old {
		return r.renew(key)
	}
	return h.v
}

// renew finds what is in the older generation, unless others were faster.
func (r *Recent[V]) renew(key string) *V {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.newer.by[key]
	if h.v == nil {
		if h = r.older.by[key]; h.v != nil {
			r.keep(key, h)
		}
	}
	return h.v
}

// Keep keeps v, which is not nil and takes about so many bytes, with a copy of the key.
func (r *Recent[V]) Keep(key []byte, v *V, bytes int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keep(string(key), held[V]{v, bytes + len(key) + heldBytes})
}

// heldBytes is what is kept beside a value and its key.
const heldBytes = 96

// keep is Keep for who holds the lock.
func (r *Recent[V]) keep(key string, h held[V]) {
	before := r.newer.by[key]
	if before.v == nil && len(r.newer.by) >= r.values || r.newer.bytes-before.bytes+h.bytes > r.bytes {
		r.newer, r.older = newGeneration[V](), r.newer
		before = held[V]{}
	}
	r.newer.by[key] = h
	r.newer.bytes += h.bytes - before.bytes
}

// Len is the number of values held; one that moved between the generations counts twice.
func (r *Recent[V]) Len() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.newer.by) + len(r.older.by)
}

// Bytes is what the values held take, counted likewise.
func (r *Recent[V]) Bytes() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.newer.bytes + r.older.bytes
}
