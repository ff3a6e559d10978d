package load

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gremlind/gremlind/blueprints"

	"github.com/gremlind/gremlind/storage/table"
)

// emitEnd emits the cell of an element that ends, behind that which says that it exists. key is the
// key of this, and comes back changed.
func (l *loader) emitEnd(add addKey, key []byte, label blueprints.Symbol, class table.Class) ([]byte, error) {
	at, ends := l.ends[class-1][label]
	if !ends {
		return key, nil
	}
	key[len(key)-1] = byte(table.ExpiryCell)
	cell := bigEndian8(at)
	return key, add(key, cell[:])
}

// ending are elements that end at the same time, by their places.
type ending struct {
	at     uint64
	class  table.Class
	places []uint32
}

// endings lists them in the order of the table of ends.
func (l *loader) endings() (all []ending) {
	for c, ends := range l.ends {
		class := table.Class(c + 1)
		times := slices.Sorted(maps.Values(ends))
		if times = slices.Compact(times); len(times) == 0 {
			continue
		}
		labels := &l.column(class).labels
		perm, starts := permutation(labels.len(), len(times)+1, func(i int) uint32 {
			at, has := ends[labels.at(i)]
			if !has {
				return uint32(len(times))
			}
			k, _ := slices.BinarySearch(times, at)
			return uint32(k)
		})
		for k, at := range times {
			all = append(all, ending{at, class, perm[starts[k]:starts[k+1]]})
		}
	}
	slices.SortFunc(all, func(a, b ending) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.class, b.class)) })
	return all
}

// emitEnds emits the table of ends.
func (l *loader) emitEnds(add addKey) error {
	var key []byte
	for _, e := range l.endings() {
		for _, place := range e.places {
			key = table.AppendExpiry(key[:0], table.Expiry{Graph: l.number, At: e.at, Class: e.class, Element: l.column(e.class).first + uint64(place)})
			if err := add(key, nil); err != nil {
				return err
			}
		}
	}
	return nil
}
