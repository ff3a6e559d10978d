package traversal

import "github.com/gremlind/gremlind/storage/value"

// Worker is told how many bytes are about to be gone through, or what takes as long as
// so many. Its error ends the work. A Run is one, and so is a script.
type Worker interface{ Work(bytes int) error }

const (
	workEvery = 1 << 20 // bytes of work between two looks at the context
	partWork  = 16      // bytes of work that looking at a part of a nested value counts for
)

// Work looks at the context when enough was gone through since the last time.
func (r *Run) Work(bytes int) error {
	if r == nil {
		return nil
	}
	if r.worked += bytes; r.worked < workEvery {
		return nil
	}
	r.worked = 0
	return r.PollNow()
}

func worked(w Worker, bytes int) error {
	if w == nil {
		return nil
	}
	return w.Work(bytes)
}

// WorkOf is the work of comparing with a value, or of going through it: the bytes of a
// text, and the parts of a collection.
func WorkOf(v value.Value) int {
	switch v.Kind() {
	case value.KindString:
		return len(v.Str())
	case value.KindBulkSet:
		return partWork * v.BulkSet().Len()
	}
	return partWork * int(min(v.Parts(), 1<<40))
}

// smallWork is what tests do without telling anybody: steps look at the context for each
// some hundred traversers anyway.
const smallWork = 4 << 10

// Weighed is a test that tells w before each evaluation that it takes so many bytes of
// work.
func Weighed(w Worker, bytes int, test Test) Test {
	if bytes < smallWork || w == nil {
		return test
	}
	return func(v value.Value) (bool, error) {
		if err := w.Work(bytes); err != nil {
			return false, err
		}
		return test(v)
	}
}
