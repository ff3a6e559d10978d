package rowcache

import (
	"math"
	"sync"
	"sync/atomic"
)

const (
	// versionsMax bounds the versions kept of one row.
	versionsMax = 3
	// versionBytes is what a version costs beyond what its owner says.
	versionBytes = 64
)

// Table holds rows of one kind by internal id.
type Table[T any] struct {
	under   *Table[T] // nil for most, see NewTableOver
	budget  *Budget
	commits *Commits
	number  uint64
	grow    sync.Mutex // held while pages are added
	pages   atomic.Pointer[[]atomic.Pointer[page[T]]]
	// floor voids the offers of readers before it, for all rows.
	floor atomic.Uint64
}

// version is a row over the commits [from, until).
type version[T any] struct {
	from  uint64
	until atomic.Uint64 // 0 while it lasts
	prev  atomic.Pointer[version[T]]
	used  atomic.Bool
	row   T
	size  Size
}

// Size is what a row costs in bytes: all of it, and what is left of that once a
// successor shares the rest.
type Size struct{ All, Own int64 }

// Outcome is what becomes of a row that a commit wrote to.
type Outcome uint8

const (
	Ended     Outcome = iota // only the store knows what follows
	Succeeded                // by the row that is given
	Untouched                // the row said nothing about what was written
)

// NewTable makes an empty table within a budget, over the store of commits.
func NewTable[T any](b *Budget, c *Commits) *Table[T] {
	t := &Table[T]{budget: b, commits: c, number: b.tables.Add(1)}
	t.pages.Store(&[]atomic.Pointer[page[T]]{})
	return t
}

// NewTableOver makes an empty table for one who reads a single commit: what it has not is
// looked up in under, which stays as it is.
func NewTableOver[T any](under *Table[T], b *Budget, c *Commits) *Table[T] {
	t := NewTable[T](b, c)
	t.under = under
	return t
}

// Get returns the row as of a commit, nil when it is not here. The row is immutable.
func (t *Table[T]) Get(id, seq uint64) *T {
	pages := *t.pages.Load()
	i := id >> pageBits
	if i >= uint64(len(pages)) {
		return t.below(id, seq)
	}
	p := pages[i].Load()
	if p == nil {
		return t.below(id, seq)
	}
	v := p.rows[id%pageSize].Load()
	if v.isCurrent(seq) {
		return &v.row
	}
	if row := v.at(seq); row != nil {
		return row
	}
	return t.below(id, seq)
}

// below is Get of the table under this one.
func (t *Table[T]) below(id, seq uint64) *T {
	if t.under == nil {
		return nil
	}
	return t.under.Get(id, seq)
}

// isCurrent reports whether v is the newest version, was so as of a commit, and is known to
// be used: mostly so, and little enough to be compiled in place.
func (v *version[T]) isCurrent(seq uint64) bool {
	return v != nil && v.from <= seq && v.until.Load() == 0 && v.used.Load()
}

// at returns the row of v or of a version before it that was so as of a commit; v may be nil.
func (v *version[T]) at(seq uint64) *T {
	for v != nil && v.from > seq {
		v = v.prev.Load()
	}
	if v == nil {
		return nil
	}
	if u := v.until.Load(); u != 0 && u <= seq {
		return nil
	}
	if !v.used.Load() {
		v.used.Store(true)
	}
	return &v.row
}

// Stage is how many rows GetMany looks up: enough for the processor to wait for many loads
// side by side, few enough that the first rows are still near when the last is there.
const Stage = 64

// GetMany is Get for at most Stage ids, whose rows it puts into the same places. What each
// row lies behind is loaded level by level, for all of them.
func GetMany[T any, K ~uint64](t *Table[T], ids []K, seq uint64, rows *[Stage]*T) {
	if len(ids) == 1 {
		rows[0] = t.Get(uint64(ids[0]), seq)
		return
	}
	var newest [Stage]*version[T]
	pages := *t.pages.Load()
	for n, id := range ids {
		i := uint64(id) >> pageBits
		if i >= uint64(len(pages)) {
			continue
		}
		if p := pages[i].Load(); p != nil {
			newest[n] = p.rows[id%pageSize].Load()
		}
	}
	for n := range ids {
		if v := newest[n]; v.isCurrent(seq) {
			rows[n] = &v.row
		} else {
			rows[n] = v.at(seq)
		}
	}
	if t.under == nil {
		return
	}
	for n, id := range ids {
		if rows[n] == nil {
			rows[n] = t.under.Get(uint64(id), seq)
		}
	}
}

// Install offers what a reader at seq made of a row. build gets the row that is there
// and valid at seq, or nil, and may return false to leave it. Install reports whether
// the offer was taken: a commit to the row after seq makes it void.
func (t *Table[T]) Install(id, seq uint64, build func(have *T) (T, Size, bool)) bool {
	h := hash(t.number, id)
	mu := t.commits.lock(h)
	mu.Lock()
	isNew, ok := t.install(h, id, seq, build)
	mu.Unlock()
	switch {
	case !ok:
		t.budget.refused.Add(1)
		return false
	case isNew:
		t.budget.enqueue(t, id)
	}
	t.budget.installed.Add(1)
	t.budget.Shrink(math.MaxInt)
	return true
}

// commitLooks bounds what a commit, which others wait for, does for the budget: what it adds
// to a row is little, and who installs a great one has made room for that.
const commitLooks = evictChances + 1024

func (t *Table[T]) install(h, id, seq uint64, build func(*T) (T, Size, bool)) (isNew, ok bool) {
	if t.commits.touched[h%touchCount] > seq || t.floor.Load() > seq {
		return false, false
	}
	p := t.reserve(id)
	if p == nil {
		return false, false
	}
	s := &p.rows[id%pageSize]
	cur := s.Load()
	defer func() {
		if !isNew { // the reservation was for nothing
			t.release(id, p)
		}
	}()
	var have *T
	if cur != nil && cur.until.Load() == 0 {
		if cur.from > seq {
			return false, false
		}
		have = &cur.row
	}
	row, size, ok := build(have)
	if !ok || size.All > t.budget.max/4 {
		return false, false
	}
	// What a reader at seq saw has been so since the last commit to the row.
	v := &version[T]{from: max(t.commits.touched[h%touchCount], t.floor.Load()), row: row, size: size}
	if have != nil {
		t.replace(s, cur, v)
	} else {
		t.put(s, cur, v)
	}
	return cur == nil, true
}

// replace puts v, which knows more, in the place of the newest version.
func (t *Table[T]) replace(s *atomic.Pointer[version[T]], cur, v *version[T]) {
	v.prev.Store(cur.prev.Load())
	v.used.Store(cur.used.Load())
	t.budget.bytes.Add(v.size.All - cur.size.All)
	s.Store(v)
}

// put makes v the newest version of a row.
func (t *Table[T]) put(s *atomic.Pointer[version[T]], cur, v *version[T]) {
	delta := v.size.All + versionBytes
	if cur == nil {
		t.budget.rows.Add(1)
	} else {
		delta += cur.size.Own - cur.size.All
		v.prev.Store(cur)
		delta -= cut(v)
	}
	t.budget.bytes.Add(delta)
	s.Store(v)
}

// cut drops the versions beyond versionsMax and returns what they cost.
func cut[T any](v *version[T]) (freed int64) {
	for range versionsMax - 1 {
		if v = v.prev.Load(); v == nil {
			return 0
		}
	}
	for old := v.prev.Swap(nil); old != nil; old = old.prev.Load() {
		freed += old.size.Own + versionBytes
	}
	return freed
}

// Touch tells the table that commit seq wrote to a row, before the commit is
// published. succeed, when not nil, tells what becomes of the row that is there.
func (t *Table[T]) Touch(id, seq uint64, succeed func(old *T) (T, Size, Outcome)) {
	h := hash(t.number, id)
	mu := t.commits.lock(h)
	mu.Lock()
	t.touch(h, id, seq, succeed)
	mu.Unlock()
	t.budget.Shrink(commitLooks)
}

func (t *Table[T]) touch(h, id, seq uint64, succeed func(old *T) (T, Size, Outcome)) {
	t.commits.touched[h%touchCount] = seq
	s := t.slot(id)
	if s == nil {
		return
	}
	cur := s.Load()
	if cur == nil || cur.until.Load() != 0 {
		return
	}
	if succeed != nil {
		row, size, outcome := succeed(&cur.row)
		switch outcome {
		case Untouched:
			return
		case Succeeded:
			next := &version[T]{from: seq, row: row, size: size}
			next.used.Store(true)
			t.put(s, cur, next)
		}
	}
	cur.until.Store(seq)
}

// AddCopied counts edges that were copied for a successor.
func (t *Table[T]) AddCopied(n int) { t.budget.copied.Add(int64(n)) }

// evict implements evicter.
func (t *Table[T]) evict(id uint64, spare bool) bool {
	mu := t.commits.lock(hash(t.number, id))
	mu.Lock()
	defer mu.Unlock()
	p := t.page(id)
	if p == nil {
		return true
	}
	s := &p.rows[id%pageSize]
	v := s.Load()
	if v == nil {
		return true
	}
	if v.until.Load() == 0 && v.used.Swap(false) && spare {
		return false
	}
	t.drop(id, p, v)
	t.budget.evicted.Add(1)
	return true
}

// holds implements evicter.
func (t *Table[T]) holds(id uint64) bool {
	s := t.slot(id)
	return s != nil && s.Load() != nil
}

// Drop is Touch for a row whose element is gone: nothing is kept of it.
func (t *Table[T]) Drop(id, seq uint64) {
	h := hash(t.number, id)
	mu := t.commits.lock(h)
	mu.Lock()
	defer mu.Unlock()
	t.commits.touched[h%touchCount] = seq
	if p := t.page(id); p != nil {
		if v := p.rows[id%pageSize].Load(); v != nil {
			t.drop(id, p, v)
		}
	}
}

// drop forgets a row, all versions of it. Its lock is held.
func (t *Table[T]) drop(id uint64, p *page[T], v *version[T]) {
	p.rows[id%pageSize].Store(nil)
	freed := v.size.All + versionBytes
	for old := v.prev.Load(); old != nil; old = old.prev.Load() {
		freed += old.size.Own + versionBytes
	}
	t.budget.bytes.Add(-freed)
	t.budget.rows.Add(-1)
	t.release(id, p)
}

// Reset forgets all rows and voids the offers of readers before seq.
func (t *Table[T]) Reset(seq uint64) {
	t.floor.Store(seq)
	for i := range t.commits.locks {
		t.commits.locks[i].Lock()
	}
	defer func() {
		for i := range t.commits.locks {
			t.commits.locks[i].Unlock()
		}
	}()
	pages := *t.pages.Load()
	for i := range pages {
		p := pages[i].Load()
		for k := 0; p != nil && k < pageSize; k++ {
			if v := p.rows[k].Load(); v != nil {
				t.drop(uint64(i)<<pageBits+uint64(k), p, v)
			}
		}
	}
	t.grow.Lock()
	defer t.grow.Unlock()
	t.pages.Store(&[]atomic.Pointer[page[T]]{})
}
