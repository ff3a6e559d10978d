package rowcache

import (
	"sync/atomic"
	"unsafe"
)

const (
	pageBits = 8
	pageSize = 1 << pageBits
	// idMax keeps a damaged id from asking for a huge array.
	idMax = 1 << 36
	// pageBytes is what a page costs. The directory of pages, one word for each, is not
	// counted.
	pageBytes = int64(unsafe.Sizeof(page[int]{}))
)

// page is the places of neighbouring rows. It goes with the last of them.
type page[T any] struct {
	rows [pageSize]atomic.Pointer[version[T]]
	// live counts the rows, and who is about to add one; it is pageGone once the page
	// is no longer to be used.
	live atomic.Int32
}

const pageGone = -1

// page returns the page of a row, nil when there is none.
func (t *Table[T]) page(id uint64) *page[T] {
	i := id >> pageBits
	if pages := *t.pages.Load(); i < uint64(len(pages)) {
		return pages[i].Load()
	}
	return nil
}

// slot returns the place of a row, nil when there is none.
func (t *Table[T]) slot(id uint64) *atomic.Pointer[version[T]] {
	if p := t.page(id); p != nil {
		return &p.rows[id%pageSize]
	}
	return nil
}

// reserve returns the page of a row, which stays until release; nil when the id is
// none.
func (t *Table[T]) reserve(id uint64) *page[T] {
	if id >= idMax {
		return nil
	}
	if p := t.page(id); p != nil && p.retain() {
		return p
	}
	t.grow.Lock()
	defer t.grow.Unlock()
	i := id >> pageBits
	pages := *t.pages.Load()
	if i >= uint64(len(pages)) {
		next := make([]atomic.Pointer[page[T]], max(i+1, 2*uint64(len(pages))))
		for k := range pages {
			next[k].Store(pages[k].Load())
		}
		pages = next
		t.pages.Store(&next)
	}
	if p := pages[i].Load(); p != nil && p.retain() {
		return p
	}
	p := new(page[T])
	p.live.Store(1)
	pages[i].Store(p)
	t.budget.bytes.Add(pageBytes)
	return p
}

// retain is false when the page is gone.
func (p *page[T]) retain() bool {
	for {
		n := p.live.Load()
		if n == pageGone {
			return false
		}
		if p.live.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// release takes back a reservation, or a row that was dropped.
func (t *Table[T]) release(id uint64, p *page[T]) {
	if p.live.Add(-1) > 0 || !p.live.CompareAndSwap(0, pageGone) {
		return
	}
	t.budget.bytes.Add(-pageBytes)
	t.grow.Lock()
	defer t.grow.Unlock()
	if pages, i := *t.pages.Load(), id>>pageBits; i < uint64(len(pages)) && pages[i].Load() == p {
		pages[i].Store(nil)
	}
}
