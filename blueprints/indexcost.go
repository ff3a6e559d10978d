package blueprints

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

const (
	// entriesCounted is how many entries of an index IndexCost counts.
	entriesCounted = 20_000
	// sampled is how many vertices with edge-centric entries IndexCost looks at, to see how
	// many of the entries are one index's, and entriesSampled how many entries of each.
	sampled, entriesSampled = 64, 256
)

// IndexCost is what an index takes.
type IndexCost struct {
	// Entries is how many it has. Beyond the first 20,000 it is an estimate by what those
	// take on disk, and not Exact: what is not on disk yet is not in it.
	Entries int64
	Exact   bool
	// Bytes is about what it takes on disk, in all tables that have its entries.
	Bytes int64
}

// IndexCost returns what an index of a name takes, one that is put by hand too.
func (g *Graph) IndexCost(ctx context.Context, name string) (IndexCost, error) {
	var cost IndexCost
	err := g.View(ctx, func(tx *Tx) error {
		defs, err := tx.definitions()
		if err != nil {
			return err
		}
		if d, ok := defs.OfName(name); ok {
			cost, err = g.cost(ctx, tx.tx.Snapshot(), d)
			return err
		}
		d, ok := defs.Named(name)
		if !ok {
			return noIndex(name)
		}
		cost, err = g.namedCost(tx.tx.Snapshot(), &d)
		return err
	})
	if err != nil {
		return IndexCost{}, fmt.Errorf("count the entries of index %q: %w", name, err)
	}
	return cost, nil
}

// KeyIndexBytes returns about what the key indexes of a class take on disk, by key. The
// reverse rows of one stand among those of the others: they are taken for as large a part of
// them as its entries are of all entries.
func (g *Graph) KeyIndexBytes(c ElementClass) (map[string]int64, error) {
	if g.scratch != nil {
		return nil, nil
	}
	entries, reverse := table.VertexKeyIndex, table.VertexKeyOwned
	if c == EdgeClass {
		entries, reverse = table.EdgeKeyIndex, table.EdgeKeyOwned
	}
	all, err := g.diskBytes(table.AppendTable(nil, g.number, entries))
	if err != nil {
		return nil, err
	}
	back, err := g.diskBytes(table.AppendTable(nil, g.number, reverse))
	if err != nil {
		return nil, err
	}
	sizes := map[string]int64{}
	err = g.View(context.Background(), func(tx *Tx) error {
		defs, err := tx.definitions()
		if err != nil {
			return err
		}
		for _, d := range defs.Keys(c) {
			n, err := g.diskBytes(table.AppendKeyIndexKey(nil, g.number, c, d.Symbol))
			if err != nil {
				return err
			}
			sizes[d.Name] = n + share(back, n, all)
		}
		return nil
	})
	return sizes, err
}

func (g *Graph) diskBytes(prefix []byte) (int64, error) {
	return g.store.DiskBytes(prefix, table.PrefixEnd(nil, prefix))
}

// share is of/all of n.
func share(n, of, all int64) int64 {
	if all == 0 {
		return 0
	}
	return int64(float64(n) * min(1, float64(of)/float64(all)))
}

// cost returns what a declared index takes.
func (g *Graph) cost(ctx context.Context, r storage.Reader, d *keyindex.Definition) (IndexCost, error) {
	x := d.Open(g.number)
	from, to := x.Range()
	disk, err := g.store.DiskBytes(from, to)
	if err != nil {
		return IndexCost{}, err
	}
	c := counting{r: r, x: x}
	last, err := c.count(from, to, entriesCounted)
	if err != nil {
		return IndexCost{}, err
	}
	cost := IndexCost{Entries: c.own, Exact: last == nil, Bytes: share(disk, c.ownRows, c.rows)}
	if cost.Exact {
		return cost, nil
	}
	// The entries of all whose range it is.
	all, err := g.extrapolate(c.rows, disk, from, last)
	if err != nil {
		return IndexCost{}, err
	}
	counted := c.own
	if d.Kind == keyindex.EdgeCentric {
		if c, err = sampleEdges(ctx, r, x); err != nil {
			return IndexCost{}, err
		}
	}
	return IndexCost{Entries: max(counted, share(all, c.own, c.rows)), Bytes: share(disk, c.ownRows, c.rows)}, nil
}

// namedCost returns what an index takes that is put by hand.
func (g *Graph) namedCost(r storage.Reader, d *keyindex.Definition) (IndexCost, error) {
	from := table.AppendNamedIndex(nil, g.number, d.Number)
	to := table.PrefixEnd(nil, from)
	c := counting{r: r}
	last, err := c.count(from, to, entriesCounted)
	if err != nil {
		return IndexCost{}, err
	}
	disk, err := g.store.DiskBytes(from, to)
	if err != nil {
		return IndexCost{}, err
	}
	cost := IndexCost{Entries: c.own, Exact: last == nil}
	if !cost.Exact {
		if cost.Entries, err = g.extrapolate(c.own, disk, from, last); err != nil {
			return IndexCost{}, err
		}
	}
	back, err := g.diskBytes(table.AppendNamedOwned(nil, g.number, d.Number))
	cost.Bytes = disk + back
	return cost, err
}

// extrapolate returns how many entries there are in a range that takes so much disk when
// there are n from its beginning up to last.
func (g *Graph) extrapolate(n, disk int64, from, last []byte) (int64, error) {
	some, err := g.store.DiskBytes(from, last)
	if err != nil || some == 0 { // not on disk yet
		return n, err
	}
	return max(n, int64(float64(n)*float64(disk)/float64(some))), nil
}

// counting counts entries: all rows of a range, and those of one index, by whose they are.
type counting struct {
	r             storage.Reader
	x             keyindex.Index // nil counts rows alone
	owners        []uint64
	rows, ownRows int64
	own           int64
	lastKey       []byte
}

// count counts up to limit rows of a range. Where there are more it returns the last one
// that it counted, otherwise nil.
func (c *counting) count(from, to []byte, limit int) (last []byte, err error) {
	it := c.r.Scan(storage.ScanOptions{From: from, To: to, Unobserved: true, Limit: limit})
	defer it.Close()
	for n := 0; it.Next(); n++ {
		if n == limit {
			return c.lastKey, it.Err()
		}
		c.lastKey = append(c.lastKey[:0], it.Key()...)
		c.rows++
		if c.x == nil {
			c.own++
			continue
		}
		var own bool
		if c.owners, _, own, err = c.x.Owner(c.owners[:0], it.Key(), it.Value()); err != nil {
			return nil, err
		}
		if own {
			c.ownRows++
			c.own += int64(len(c.owners))
		}
	}
	return nil, it.Err()
}

// sampleEdges counts entries of edge-centric indexes here and there: those of one vertex
// stand together, so that the first ones say little about which index has how many.
func sampleEdges(ctx context.Context, r storage.Reader, x keyindex.Index) (counting, error) {
	c := counting{r: r, x: x}
	from, to := x.Range()
	first, err := edgeEntryVertex(r, from, to, false)
	if err != nil {
		return c, err
	}
	last, err := edgeEntryVertex(r, from, to, true)
	if err != nil {
		return c, err
	}
	for i := range uint64(sampled) {
		if err := ctx.Err(); err != nil {
			return c, err
		}
		at := first + (last-first)/sampled*i
		if _, err := c.count(binary.BigEndian.AppendUint64(from[:len(from):len(from)], at), to, entriesSampled); err != nil {
			return c, err
		}
	}
	return c, nil
}

// edgeEntryVertex returns the first vertex with an edge-centric entry, or the last.
func edgeEntryVertex(r storage.Reader, from, to []byte, last bool) (uint64, error) {
	it := r.Scan(storage.ScanOptions{From: from, To: to, Unobserved: true, Limit: 1, Reverse: last})
	defer it.Close()
	if !it.Next() {
		return 0, it.Err()
	}
	e, err := table.DecodeEdgeEntry(it.Key())
	if err != nil {
		return 0, corrupt("edge index", err)
	}
	return e.Vertex, nil
}
