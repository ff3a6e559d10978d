package keyindex

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Filling an index by tables. While nobody writes near by, the entries of many elements are
// gathered by all processors, sorted, and committed as whole tables. That is one transaction
// as any other of the builder: it has observed the rows of its elements, and its entries
// count as written. Who changed one of the elements, or an entry between them, makes it lose,
// and the builder goes on with transactions of few elements for a while.

const (
	// tablesMin and tablesMax are how many elements are worth tables, and how many are
	// gathered at once.
	tablesMin = 1 << 13
	tablesMax = 1 << 17
	// tablesBytes is what their entries may take in memory.
	tablesBytes = 64 << 20
)

// errNoTables says that elements have more entries than are kept in memory, or some that
// the index does not allow: transactions go through them one by one.
var errNoTables = errors.New("not to be filled by tables")

// byTables reports whether an index is filled by tables: what they hold is sorted without a
// look at what is there.
func (d *Definition) byTables() bool {
	return d.State == Building && !d.Unique && d.Kind != Text
}

// fillTables commits tx with the entries of elements.
func fillTables(ctx context.Context, tx storage.Tx, graph uint32, src Source, d *Definition, ids []uint64) error {
	slices.Sort(ids) // they come by label
	tx.Observe(src.Rows(d.Class, ids[0], ids[len(ids)-1]))
	n := min(runtime.GOMAXPROCS(0), (len(ids)+tablesMin-1)/tablesMin)
	parts := make([]*gathering, n)
	var group errgroup.Group
	for i := range parts {
		snap, err := tx.Snapshot().Fork()
		if err != nil {
			return errors.Join(err, group.Wait())
		}
		part := ids[i*len(ids)/n : (i+1)*len(ids)/n]
		g := &gathering{ctx: ctx, snap: snap, most: tablesBytes / n, elements: len(part)}
		parts[i] = g
		group.Go(func() error {
			err := g.gather(graph, src, d, part)
			return errors.Join(err, snap.Close())
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	_, err := tx.CommitTables(ctx, sourcesOf(parts)...)
	return err
}

// gathering is a transaction that reads a snapshot, unobserved, and keeps what is set, by
// table.
type gathering struct {
	storage.Tx // nil: nothing but what is below is asked for
	ctx        context.Context
	snap       storage.Snapshot
	most       int // bytes
	bytes      int
	elements   int // for as many entries there is room in a table at once
	tables     []*gathered
}

// gathered are entries of one table.
type gathered struct {
	head []byte // of their keys
	mem  []byte
	sets []gatheredSet
}

// gatheredSet is where an entry lies in memory.
type gatheredSet struct {
	prefix          uint64 // of what tells its key from others, once sorted
	key, val, after uint32
}

// headLen is how much of a key says which table it is of.
const headLen = 5

// gather finds the entries of elements and sorts them.
func (g *gathering) gather(graph uint32, src Source, d *Definition, ids []uint64) error {
	err := g.find(graph, src, d, ids)
	if err != nil {
		return err
	}
	slices.SortFunc(g.tables, func(a, b *gathered) int { return bytes.Compare(a.head, b.head) })
	for _, t := range g.tables {
		t.sort()
	}
	return nil
}

func (g *gathering) find(graph uint32, src Source, d *Definition, ids []uint64) (err error) {
	f := &failure{}
	b := batchFill{tx: g, graph: graph, x: d.Open(graph), f: f}
	symbols := d.Symbols
	if !d.Declared() {
		symbols = []uint32{d.Symbol}
	}
	var s Scratch
	var values []value.Value
	for i := 0; i < len(ids); i += readMax {
		if err := g.ctx.Err(); err != nil {
			return err
		}
		some := ids[i:min(i+readMax, len(ids))]
		if b.els, err = src.ReadingRows(g, d.Class, some, symbols); err != nil {
			return err
		}
		for _, id := range some {
			if d.Declared() {
				err = b.element(id)
			} else {
				values, err = g.keyed(&s, b.els, values[:0], table.KeyIndex{Graph: graph, Class: d.Class, Key: d.Symbol, Element: id})
			}
			if err != nil {
				return err
			}
		}
		if f.any() {
			return errNoTables
		}
	}
	return nil
}

// keyed sets the entries that an element has in a key index.
func (g *gathering) keyed(s *Scratch, els Elements, values []value.Value, e table.KeyIndex) ([]value.Value, error) {
	values, err := els.Values(values, e.Class, e.Element, e.Key)
	for _, v := range values {
		if err = s.Add(g, e, v); err != nil {
			break
		}
	}
	return values, err
}

// Set implements storage.Tx.
func (g *gathering) Set(key, val []byte) error {
	if g.bytes += len(key) + len(val); g.bytes > g.most || len(key) < headLen {
		return errNoTables
	}
	i := len(g.tables) - 1
	for i >= 0 && !bytes.HasPrefix(key, g.tables[i].head) {
		i--
	}
	if i < 0 {
		room := min(g.elements*(len(key)+len(val)+4), g.most)
		t := &gathered{head: bytes.Clone(key[:headLen]), mem: make([]byte, 0, room), sets: make([]gatheredSet, 0, g.elements)}
		g.tables, i = append(g.tables, t), len(g.tables)
	}
	t := g.tables[i]
	s := gatheredSet{key: uint32(len(t.mem))}
	t.mem = append(t.mem, key...)
	s.val = uint32(len(t.mem))
	t.mem = append(t.mem, val...)
	s.after = uint32(len(t.mem))
	t.sets = append(t.sets, s)
	return nil
}

// Get implements storage.Reader.
func (g *gathering) Get(key []byte) ([]byte, error) { return g.snap.Get(key) }

// Scan implements storage.Reader.
func (g *gathering) Scan(o storage.ScanOptions) storage.Iterator { return g.snap.Scan(o) }

// GetMany implements storage.Reader.
func (g *gathering) GetMany(keys [][]byte, fn func(i int, value []byte) error) error {
	return g.snap.GetMany(keys, fn)
}

// ScanMany implements storage.Reader.
func (g *gathering) ScanMany(ranges []storage.ScanOptions, fn func(i int, key, value []byte) (bool, error)) error {
	return g.snap.ScanMany(ranges, fn)
}

// Snapshot implements storage.Tx.
func (g *gathering) Snapshot() storage.Snapshot { return g.snap }

// Observe implements storage.Tx: fillTables observes all rows at once.
func (g *gathering) Observe([]byte, []byte) {}

func (t *gathered) key(s *gatheredSet) []byte { return t.mem[s.key:s.val] }

// sort sorts the entries. Those of an index begin alike; the eight bytes behind that tell
// most of them apart.
func (t *gathered) sort() {
	if len(t.sets) == 0 {
		return
	}
	first := t.key(&t.sets[0])
	common := len(first)
	for i := range t.sets {
		k := t.key(&t.sets[i])
		common = min(common, len(k))
		for common > 0 && !bytes.Equal(k[:common], first[:common]) {
			common--
		}
	}
	for i := range t.sets {
		var b [8]byte
		copy(b[:], t.key(&t.sets[i])[common:])
		t.sets[i].prefix = binary.BigEndian.Uint64(b[:])
	}
	slices.SortFunc(t.sets, func(a, b gatheredSet) int {
		if a.prefix != b.prefix {
			return cmp.Compare(a.prefix, b.prefix)
		}
		return bytes.Compare(t.key(&a), t.key(&b))
	})
}

// sourcesOf joins what was gathered of each table.
func sourcesOf(parts []*gathering) []storage.KeySource {
	var heads [][]byte
	for _, g := range parts {
		for _, t := range g.tables {
			if i, found := slices.BinarySearchFunc(heads, t.head, bytes.Compare); !found {
				heads = slices.Insert(heads, i, t.head)
			}
		}
	}
	var sources []storage.KeySource
	for _, head := range heads {
		var same []*gathered
		for _, g := range parts {
			for _, t := range g.tables {
				if bytes.Equal(t.head, head) {
					same = append(same, t)
				}
			}
		}
		sources = append(sources, func(add func(key, value []byte) error) error { return merge(same, add) })
	}
	return sources
}

// merge adds the entries of all in order, each once: of two that are alike, which an element
// has that holds a value twice.
func merge(all []*gathered, add func(key, value []byte) error) error {
	at := make([]int, len(all))
	var last []byte
	for {
		var least []byte
		from := -1
		for i, t := range all {
			if at[i] == len(t.sets) {
				continue
			}
			if k := t.key(&t.sets[at[i]]); from < 0 || bytes.Compare(k, least) < 0 {
				least, from = k, i
			}
		}
		if from < 0 {
			return nil
		}
		s := all[from].sets[at[from]]
		at[from]++
		if bytes.Equal(least, last) {
			continue
		}
		last = least
		if err := add(least, all[from].mem[s.val:s.after]); err != nil {
			return err
		}
	}
}
