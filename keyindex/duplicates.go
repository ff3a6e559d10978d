package keyindex

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// namedMax is how many values that occur more than once an error names, and ownersNamed how
// many elements of each.
const (
	namedMax    = 10
	ownersNamed = 10
)

// failure is what was found against a unique index while it was built. It is kept in memory:
// a builder that starts anew finds it out anew.
type failure struct {
	err   error     // against any index
	known keyed.Set // hashes of what occurs more than once, count of them
	count int
	named []duplicate
	// complete is set when all elements were looked at.
	complete bool
}

type duplicate struct {
	values string // the entry
	text   string
	owners []uint64
}

func (f *failure) any() bool { return f.err != nil || len(f.named) > 0 }

// add takes note of an error that a builder met; false when it is not about the index.
func (f *failure) add(err error, els Elements) (bool, error) {
	var many *TooManyError
	var point *PointError
	if errors.As(err, &many) || errors.As(err, &point) {
		f.err, f.complete = err, true
		return true, nil
	}
	var dup *DuplicateError
	if !errors.As(err, &dup) {
		return false, err
	}
	isNew, err := f.known.Add(xxhash.Sum64(dup.values))
	if err != nil {
		return true, err
	}
	if isNew {
		f.count++
	}
	for i := range f.named {
		n := &f.named[i]
		if n.values == string(dup.values) {
			if len(n.owners) < ownersNamed && !slices.Contains(n.owners, dup.Element.ID) {
				n.owners = append(n.owners, dup.Element.ID)
			}
			return true, nil
		}
	}
	if len(f.named) == namedMax {
		return true, nil
	}
	text, err := dup.Index.valuesOf(els, dup.Element.ID, dup.values)
	f.named = append(f.named, duplicate{string(dup.values), text, []uint64{dup.Other, dup.Element.ID}})
	return true, err
}

// BuildError is why an index was not made. Nothing of the index is left.
type BuildError struct{ text string }

func (e *BuildError) Error() string { return e.text }

func (d *Definition) plural() string {
	if d.Class == table.EdgeClass {
		return "edges"
	}
	return "vertices"
}

// Twice is why elements of the ids that users know cannot both be: they have the same
// values in a unique index.
func (d *Definition) Twice(vals []value.Value, a, b string) error {
	return &BuildError{fmt.Sprintf("Index %s: %s occurs more than once (%s %s, %s)", d.Name, briefly(vals), d.plural(), a, b)}
}

// report is the error with the ids that users know, which name gives.
func (f *failure) report(d *Definition, name func(id uint64) string) error {
	if f.err != nil {
		text := f.err.Error()
		var point *PointError
		if errors.As(f.err, &point) {
			text += fmt.Sprintf(" (%s %s)", d.Class, name(point.Element))
		}
		return &BuildError{text}
	}
	many := "1 value occurs"
	if f.count > 1 {
		many = fmt.Sprintf("%d values occur", f.count)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Index %s: %s more than once, among them ", d.Name, many)
	for i, x := range f.named {
		if i > 0 {
			b.WriteString(", ")
		}
		ids := make([]string, len(x.owners))
		for i, id := range x.owners {
			ids[i] = name(id)
		}
		fmt.Fprintf(&b, "%s (%s %s)", x.text, d.plural(), strings.Join(ids, ", "))
	}
	return &BuildError{b.String()}
}
