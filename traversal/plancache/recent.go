package plancache

import "sync"

// Recent keeps values by key while they are in use. It holds two generations at most:
// once the newer is full, it becomes the older and what was that is forgotten. A value
// that is found moves from the older to the newer. It may be used by many goroutines.
type Recent[V any] struct {
	generation   int // values in it, at most
	mu           sync.RWMutex
	newer, older map[string]*V
}

// NewRecent returns an empty Recent whose generations have so many values.
func NewRecent[V any](generation int) *Recent[V] {
	return &Recent[V]{generation: generation, newer: map[string]*V{}}
}

// Find returns the value kept last with the key; nil when there is none any more.
func (r *Recent[V]) Find(key []byte) *V {
	r.mu.RLock()
	v, old := r.newer[string(key)], false
	if v == nil {
		_, old = r.older[string(key)]
	}
	r.mu.RUnlock()
	if old {
		return r.renew(key)
	}
	return v
}

// renew finds what is in the older generation, unless others were faster.
func (r *Recent[V]) renew(key []byte) *V {
	r.mu.Lock()
	defer r.mu.Unlock()
	v := r.newer[string(key)]
	if v == nil {
		if v = r.older[string(key)]; v != nil {
			r.keep(key, v)
		}
	}
	return v
}

// Keep keeps v, which is not nil, with a copy of the key.
func (r *Recent[V]) Keep(key []byte, v *V) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keep(key, v)
}

// keep is Keep for who holds the lock.
func (r *Recent[V]) keep(key []byte, v *V) {
	if _, ok := r.newer[string(key)]; !ok && len(r.newer) >= r.generation {
		r.newer, r.older = map[string]*V{}, r.newer
	}
	r.newer[string(key)] = v
}

// Len is the number of values held; one that moved between the generations counts twice.
func (r *Recent[V]) Len() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.newer) + len(r.older)
}
