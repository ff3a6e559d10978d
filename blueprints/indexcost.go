package blueprints

import (
	"context"
	"fmt"

	"github.com/gremlind/gremlind/storage"
)

// entriesCounted is how many entries of an index IndexEntries counts.
const entriesCounted = 20_000

// IndexEntries returns how many entries a declared index has. Beyond the first 20,000 it
// estimates them by what those take on disk, and is not exact: those that are not
// on disk yet are not in it.
func (g *Graph) IndexEntries(ctx context.Context, name string) (n int64, exact bool, err error) {
	err = g.View(ctx, func(tx *Tx) error {
		defs, err := tx.definitions()
		if err != nil {
			return err
		}
		d, ok := defs.OfName(name)
		if !ok {
			return noIndex(name)
		}
		x := d.Open(g.number)
		from, to := x.Range()
		it := tx.tx.Snapshot().Scan(storage.ScanOptions{From: from, To: to, Unobserved: true, Limit: entriesCounted})
		defer it.Close()
		var owners []uint64
		var last []byte
		for i := 0; it.Next(); i++ {
			if i == entriesCounted {
				n, err = g.extrapolate(n, from, last, to)
				return err
			}
			var own bool
			if owners, _, own, err = x.Owner(owners[:0], it.Key(), it.Value()); err != nil {
				return err
			}
			if own {
				n += int64(len(owners))
			}
			if i == entriesCounted-1 {
				last = append(last, it.Key()...)
			}
		}
		exact = true
		return it.Err()
	})
	if err != nil {
		return 0, false, fmt.Errorf("count the entries of index %q: %w", name, err)
	}
	return n, exact, nil
}

// extrapolate returns how many entries there are between from and to when there are n up to
// last.
func (g *Graph) extrapolate(n int64, from, last, to []byte) (int64, error) {
	some, err := g.store.DiskBytes(from, last)
	if err != nil || some == 0 { // not on disk yet
		return n, err
	}
	all, err := g.store.DiskBytes(from, to)
	return max(n, int64(float64(n)*float64(all)/float64(some))), err
}
