package blueprints

import (
	"errors"
	"slices"

	"github.com/gremlind/gremlind/blueprints/schema"
	"github.com/gremlind/gremlind/keyindex"
)

// What rules, indexes and quotas refuse to somebody who is denied something: it is refused to
// him too, since they hold for all that there is, and he is told what stands in his way as
// far as that is there for him.

// restriction is of who has the transaction, nil when nothing is denied to him.
func (t *Tx) restriction() *Restriction {
	if t.restricted == nil || t.restricted.tx != t {
		return nil
	}
	return t.restricted.by
}

// untold returns an error without what is denied; r may be nil.
func (r *Restriction) untold(err error) error {
	var misfit *schema.Misfit
	var full *FullError
	switch {
	case r == nil || err == nil:
	case errors.As(err, &misfit):
		return misfit.Without(r.names)
	case errors.As(err, &full):
		less := *full
		less.Untold = true
		return &less
	}
	return err
}

// untoldIndex is what an index refuses that is not there for who asks; other errors stay as
// they are.
func untoldIndex(d *IndexDefinition, err error) error {
	var dup *keyindex.DuplicateError
	var many *keyindex.TooManyError
	var point *keyindex.PointError
	switch {
	case errors.As(err, &dup):
		return illegalArgument("another %s has the same values in an index that is not shown", d.Class)
	case errors.As(err, &many):
		return illegalArgument("the %s has too many values for an index that is not shown", d.Class)
	case errors.As(err, &point):
		return illegalArgument("the %s has no place for an index that is not shown", d.Class)
	}
	return err
}

// names reports whether a name is one of those that are denied.
func (r *Restriction) names(name string) bool {
	d := &r.Denied
	return slices.Contains(d.Keys, name) || slices.Contains(d.EdgeLabels, name) || slices.Contains(d.VertexLabels, name)
}
