package keyindex

import (
	"bytes"
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

// Filling an index by tables. The entries of many elements are gathered by all processors,
// sorted, and committed as whole tables, with the builder's place behind them. Others write
// meanwhile: who does not change one of the elements is no matter, for each entry is of one
// element. Of elements that somebody has changed the tables hold entries that are wrong, on top of
// what he wrote. They are noted with the tables (see doubt), and mended before anything else
// is done; the index is not used yet.

// tablesBytes is what the entries of tables may take in memory.
const tablesBytes = 64 << 20

// errNoTables says that elements have more entries than are kept in memory, or some that
// the index does not allow: transactions go through them one by one.
var errNoTables = errors.New("not to be filled by tables")

// byTables reports whether an index is filled by tables: what they hold is sorted without a
// look at what is there.
func (d *Definition) byTables() bool {
	return d.State == Building && !d.Unique
}

// fillTables commits tx with the entries of elements.
func (b *builder) fillTables(ctx context.Context, tx storage.Tx, d *Definition, ids []uint64, next []byte) error {
	slices.Sort(ids) // they come by label
	tx.Observe(b.src.Rows(d.Class, ids[0], ids[len(ids)-1]))
	n := min(runtime.GOMAXPROCS(0), (len(ids)+tablesMin-1)/tablesMin)
	if b.pace.beside() {
		n = 1
	}
	parts := make([]*gathering, n)
	var group errgroup.Group
	for i := range parts {
		snap, err := tx.Snapshot().Fork()
		if err != nil {
			return errors.Join(err, group.Wait())
		}
		part := ids[i*len(ids)/n : (i+1)*len(ids)/n]
		g := &gathering{ctx: ctx, snap: snap, pacer: b.pace, most: tablesBytes / n, ids: part}
		parts[i] = g
		group.Go(func() error {
			err := g.gather(b.graph, b.src, d)
			return errors.Join(err, snap.Close())
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	late := func(touched []storage.Touched) (storage.KeySource, error) {
		changed, err := b.changedOf(touched, d, ids)
		if err != nil {
			return nil, err
		}
		return along(b.graph, d, next, doubtsOf(parts, changed))
	}
	if _, err := tx.CommitTablesBeside(ctx, late, sourcesOf(parts, b.turns(ctx, parts, len(ids)))...); err != nil {
		return err
	}
	b.pace.own(1)
	return nil
}

// turns returns what holds back whoever writes the entries of some elements: it takes half of their
// time, as finding them does.
func (b *builder) turns(ctx context.Context, parts []*gathering, elements int) func(entries int) error {
	all := 0
	for _, g := range parts {
		for _, t := range g.tables {
			all += len(t.sets)
		}
	}
	return func(entries int) error { return b.pace.turn(ctx, max(entries*elements/(2*all), 1)) }
}

// gathering is a transaction that reads a snapshot, unobserved, and keeps what is set, by
// table.
type gathering struct {
	storage.Tx // nil: nothing but what is below is asked for
	ctx        context.Context
	snap       storage.Snapshot
	pacer      *pacer
	ids        []uint64
	element    int // of ids, that entries are set of
	most       int // bytes
	bytes      int
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
	element         uint32 // its place among those of the gathering
}

// headLen is how much of a key says which table it is of.
const headLen = 5

// gather finds the entries of elements and sorts them.
func (g *gathering) gather(graph uint32, src Source, d *Definition) error {
	err := g.find(graph, src, d)
	if err != nil {
		return err
	}
	slices.SortFunc(g.tables, func(a, b *gathered) int { return bytes.Compare(a.head, b.head) })
	for _, t := range g.tables {
		t.sort()
	}
	return nil
}

func (g *gathering) find(graph uint32, src Source, d *Definition) (err error) {
	b := newFiller(g, graph, d, &failure{})
	for i := 0; i < len(g.ids); i += readMax {
		some := g.ids[i:min(i+readMax, len(g.ids))]
		if b.els, err = src.ReadingRows(g, d.Class, some, d.symbols()); err != nil {
			return err
		}
		for j, id := range some {
			g.element = i + j
			if err := b.element(id); err != nil {
				return err
			}
			if j%turnEach == turnEach-1 || j == len(some)-1 {
				if err := g.pacer.turn(g.ctx, j%turnEach/2+1); err != nil {
					return err
				}
			}
		}
		if b.f.any() {
			return errNoTables
		}
	}
	return nil
}

// turnEach is how many elements a builder goes through before others have their turn.
const turnEach = 32

// filler adds the entries that elements have in an index of any kind.
type filler struct {
	batchFill
	s      Scratch
	values []value.Value
}

func newFiller(tx storage.Tx, graph uint32, d *Definition, f *failure) *filler {
	return &filler{batchFill: batchFill{tx: tx, graph: graph, x: d.Open(graph), f: f}}
}

func (b *filler) element(id uint64) (err error) {
	d := b.x.Definition()
	if d.Declared() {
		return b.batchFill.element(id)
	}
	b.values, err = b.els.Values(b.values[:0], d.Class, id, d.Symbol)
	for _, v := range b.values {
		if err = b.s.Add(b.tx, table.KeyIndex{Graph: b.graph, Class: d.Class, Key: d.Symbol, Element: id}, v); err != nil {
			break
		}
	}
	return err
}

// symbols are the property keys that an index is about.
func (d *Definition) symbols() []uint32 {
	if d.Declared() {
		return d.Symbols
	}
	return []uint32{d.Symbol}
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
		t := &gathered{head: bytes.Clone(key[:headLen])}
		g.tables, i = append(g.tables, t), len(g.tables)
	}
	t := g.tables[i]
	if len(t.sets) == cap(t.sets) || len(t.mem)+len(key)+len(val) > cap(t.mem) {
		t.grow(len(key)+len(val), g.element, len(g.ids), g.most)
	}
	s := gatheredSet{element: uint32(g.element), key: uint32(len(t.mem))}
	t.mem = append(t.mem, key...)
	s.val = uint32(len(t.mem))
	t.mem = append(t.mem, val...)
	s.after = uint32(len(t.mem))
	t.sets = append(t.sets, s)
	return nil
}

// growAt is how many elements tell how many entries there are of all.
const growAt = 256

// grow makes room for one entry more of some bytes: at first for as many as there are elements,
// and behind growAt of these for as much as they let expect, so that little is copied.
func (t *gathered) grow(bytes, element, elements, most int) {
	sets, room := elements+len(t.sets), min(elements*(bytes+4)+2*len(t.mem), most)
	if element >= growAt {
		all := float64(elements) / float64(element) * 1.1
		sets = max(int(float64(len(t.sets))*all), len(t.sets)+len(t.sets)/4+1)
		room = max(int(float64(len(t.mem))*all), len(t.mem)+len(t.mem)/4)
	}
	t.sets = slices.Grow(t.sets, sets-len(t.sets))
	t.mem = slices.Grow(t.mem, room-len(t.mem)+bytes)
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
	t.sets = byPrefix(t.sets)
	for from := 0; from < len(t.sets); {
		to := from + 1
		for to < len(t.sets) && t.sets[to].prefix == t.sets[from].prefix {
			to++
		}
		t.sortAlike(t.sets[from:to])
		from = to
	}
}

// byPrefix sorts entries by their prefixes, byte by byte from the last one, those that are alike
// in the order in which they stand (LSD radix sort). Bytes that are the same in all are left out.
func byPrefix(sets []gatheredSet) []gatheredSet {
	var counts [8][256]int
	for i := range sets {
		for b, p := 0, sets[i].prefix; b < 8; b, p = b+1, p>>8 {
			counts[b][byte(p)]++
		}
	}
	to := make([]gatheredSet, len(sets))
	for b := range counts {
		starts, shift := &counts[b], 8*b
		if starts[byte(sets[0].prefix>>shift)] == len(sets) {
			continue
		}
		sum := 0
		for i, n := range starts {
			starts[i], sum = sum, sum+n
		}
		for i := range sets {
			at := &starts[byte(sets[i].prefix>>shift)]
			to[*at] = sets[i]
			*at++
		}
		sets, to = to, sets
	}
	return sets
}

// sortAlike sorts entries that the prefix does not tell apart. They stand in the order in which
// they were gathered, by element, which is theirs when their values are the same.
func (t *gathered) sortAlike(sets []gatheredSet) {
	compare := func(a, b gatheredSet) int { return bytes.Compare(t.key(&a), t.key(&b)) }
	if !slices.IsSortedFunc(sets, compare) {
		slices.SortFunc(sets, compare)
	}
}

// turnEntries is how many entries are written before others have their turn.
const turnEntries = 512

// sourcesOf joins what was gathered of each table. They call turn behind some entries.
func sourcesOf(parts []*gathering, turn func(entries int) error) []storage.KeySource {
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
		sources = append(sources, func(add func(key, value []byte) error) error {
			n := 0
			return merge(same, func(key, value []byte) error {
				if n++; n%turnEntries == 0 {
					if err := turn(turnEntries); err != nil {
						return err
					}
				}
				return add(key, value)
			})
		})
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
