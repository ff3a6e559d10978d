package steps

import (
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// sortedAtOnce is how many items are sorted one by one, before they are merged with others.
const sortedAtOnce = 8

// merging sorts items: a merge compares least often and keeps equals in their order, and
// this one ends with the first error of less, which no sort of the library does.
type merging[T any] struct {
	less func(a, b T) (bool, error)
	err  error
}

// sort sorts list; spare has room for as many, and one of both is returned.
func (m *merging[T]) sort(list, spare []T) ([]T, error) {
	for from := 0; from < len(list); from += sortedAtOnce {
		m.insert(list[from:min(from+sortedAtOnce, len(list))])
	}
	for width := sortedAtOnce; width < len(list) && m.err == nil; width *= 2 {
		for from := 0; from < len(list) && m.err == nil; from += 2 * width {
			middle, end := min(from+width, len(list)), min(from+2*width, len(list))
			m.merge(spare[from:end], list[from:middle], list[middle:end])
		}
		list, spare = spare, list
	}
	return list, m.err
}

func (m *merging[T]) before(a, b T) (is bool) {
	if m.err == nil {
		is, m.err = m.less(a, b)
	}
	return is && m.err == nil
}

func (m *merging[T]) insert(list []T) {
	for i := 1; i < len(list) && m.err == nil; i++ {
		for j := i; j > 0 && m.before(list[j], list[j-1]); j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}

// merge writes two sorted lists into one, where a comes first among equals.
func (m *merging[T]) merge(dst, a, b []T) {
	n := 0
	if len(b) > 0 && !m.before(b[0], a[len(a)-1]) {
		n, a = copy(dst, a), nil // in order already
	}
	for ; len(a) > 0 && len(b) > 0 && m.err == nil; n++ {
		if m.before(b[0], a[0]) {
			dst[n], b = b[0], b[1:]
		} else {
			dst[n], a = a[0], a[1:]
		}
	}
	n += copy(dst[n:], a)
	copy(dst[n:], b)
}

// comparedWork is the work of a comparison, in bytes that are gone through.
const comparedWork = 64

// compared compares two lists of sort keys, as work of the run.
func (s *sorter) compared(a, b []value.Value) (int, error) {
	work := comparedWork
	for i := s.from; i < len(s.by); i++ {
		work += traversal.WorkOf(a[i])
	}
	if err := s.r.Work(work); err != nil {
		return 0, err
	}
	return s.compareKeys(a, b), s.err
}
