package match

import "slices"

// distinct are strings without repetitions in the order in which they came. It stays
// linear: as many labels as a request can hold meet in one where() or match().
type distinct struct {
	list []string
	seen map[string]bool // of list, once it is long
}

const fewDistinct = 16

func (d *distinct) add(s string) {
	if d.seen == nil && len(d.list) < fewDistinct {
		if !slices.Contains(d.list, s) {
			d.list = append(d.list, s)
		}
		return
	}
	if d.seen == nil {
		d.seen = make(map[string]bool, 2*len(d.list))
		for _, l := range d.list {
			d.seen[l] = true
		}
	}
	if !d.seen[s] {
		d.seen[s] = true
		d.list = append(d.list, s)
	}
}
