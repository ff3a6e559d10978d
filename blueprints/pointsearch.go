package blueprints

import (
	"slices"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage/account"
)

// Region is a part of the earth's surface.
type Region = keyindex.Region

// SearchPoints returns the elements of a geo index that have a point in a region, the nearest
// to its center first: Score is how many metres that is. What it keeps is charged to a until
// release is called, also after an error.
func (t *Tx) SearchPoints(a *account.Account, name string, region Region) (c ElementClass, found []FoundElement, release func(), err error) {
	release = func() {}
	d, err := t.declaredIndex(name)
	if err != nil {
		return 0, nil, release, err
	}
	if d.Kind != keyindex.Geo {
		return 0, nil, release, illegalArgument("Index %s is none of points: make one with analyzer: '%s'", name, keyindex.Points)
	}
	t.g.lookups.of(d.Number).Add(1)
	found, release, err = keyindex.SearchPoints(a, t.tx, t.g.number, d, region)
	if gone := t.goneOf(d.Class); gone != nil {
		found = slices.DeleteFunc(found, func(f FoundElement) bool { return gone(f.Element) })
	}
	return d.Class, found, release, err
}
