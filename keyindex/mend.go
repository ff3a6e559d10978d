package keyindex

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// doubt are the keys that tables have of an element which somebody has changed since the
// entries were gathered.
type doubt struct {
	Element uint64
	Keys    [][]byte
}

// changedOf returns which of the elements ids have other entries since others have written what
// was touched. Both ascend. Losing, as when the definition was, is storage.ErrConflict.
func (b *builder) changedOf(touched []storage.Touched, d *Definition, ids []uint64) (changed []uint64, err error) {
	for _, c := range touched {
		id, matters, err := elementOf(c, b.graph, d)
		if err != nil {
			return nil, err
		}
		i, is := slices.BinarySearch(ids, id)
		if is && matters {
			changed = append(changed, id)
		}
		for ; len(c.To) > 0 && i < len(ids); i++ {
			if from, _ := b.src.Rows(d.Class, ids[i], ids[i]); bytes.Compare(from, c.To) >= 0 {
				break
			}
			changed = append(changed, ids[i])
		}
	}
	slices.Sort(changed)
	return slices.Compact(changed), nil
}

// elementOf returns the element of d's class that a touched cell, or the beginning of a range, is
// about, and whether an index is about the cell.
func elementOf(c storage.Touched, graph uint32, d *Definition) (id uint64, matters bool, err error) {
	cell := table.VertexCell
	if d.Class == table.EdgeClass {
		cell = table.EdgeCell
	}
	key := c.From
	if len(c.To) > 0 {
		key = append(bytes.Clone(key), 0) // that of a whole row ends in front of the family
	}
	id, family, ok := cell(key)
	if g, _, _ := table.Head(key); !ok || g != graph {
		return 0, false, &storage.ConflictError{Key: bytes.Clone(c.From), What: "what an index is made of"}
	}
	if len(c.To) == 0 && family == table.Property {
		symbol, err := symbolOf(d.Class, key)
		return id, slices.Contains(d.symbols(), symbol), err
	}
	return id, len(c.To) > 0 || family == table.Exists, nil
}

func symbolOf(c table.Class, key []byte) (uint32, error) {
	if c == table.EdgeClass {
		p, err := table.DecodeEdgeProperty(key)
		return p.Key, err
	}
	p, err := table.DecodeVertexProperty(key)
	return p.Key, err
}

// doubtsOf returns what was gathered of elements that have changed, which ascend. Those of
// which there is nothing are among them: their entries are written anew as well.
func doubtsOf(parts []*gathering, changed []uint64) []doubt {
	doubts := make([]doubt, len(changed))
	for i, id := range changed {
		doubts[i].Element = id
	}
	for _, g := range parts {
		g.doubts(doubts)
	}
	return doubts
}

// doubts adds what was gathered of elements to them, who ascend.
func (g *gathering) doubts(doubts []doubt) {
	places := make([]int, len(g.ids)) // behind which an element stands among doubts
	found := false
	for i := range doubts {
		if at, is := slices.BinarySearch(g.ids, doubts[i].Element); is {
			places[at], found = i+1, true
		}
	}
	if !found {
		return
	}
	for _, r := range g.runs {
		for i := range r.sets {
			s := &r.sets[i]
			if at := places[s.element]; at > 0 {
				doubts[at-1].Keys = append(doubts[at-1].Keys, r.key(s))
			}
		}
	}
	for _, r := range g.grams {
		for _, s := range r {
			if at := places[placeOf(s)]; at > 0 {
				key := g.gramKeys.of(gramOf(s), g.ids[placeOf(s)])
				doubts[at-1].Keys = append(doubts[at-1].Keys, bytes.Clone(key))
			}
		}
	}
}

// along are the builder's cells behind tables: its place, and what is to be mended of them.
func along(graph uint32, d *Definition, next []byte, doubts []doubt) (storage.KeySource, error) {
	var b []byte
	if len(doubts) > 0 {
		var err error
		if b, err = msgpack.Marshal(doubts); err != nil {
			return nil, fmt.Errorf("encode doubts: %w", err)
		}
	}
	return func(add func(key, value []byte) error) error {
		err := add(cursorKey(graph, *d), next)
		if err == nil && b != nil {
			err = add(doubtsKey(graph, *d), b)
		}
		return err
	}, nil
}

// readDoubts returns what is to be mended; nil when nothing is.
func readDoubts(tx storage.Tx, graph uint32, d Definition) ([]doubt, error) {
	b, err := tx.Get(doubtsKey(graph, d))
	if isAbsent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var doubts []doubt
	if err := msgpack.Unmarshal(b, &doubts); err != nil {
		return nil, fmt.Errorf("doubts of index %q: %w: %w", d.Name, storage.ErrCorrupt, err)
	}
	return doubts, nil
}

// mendMax is how many elements are mended in a transaction.
const mendMax = 64

// mend puts right what tables have of elements that somebody has changed meanwhile. What a crash
// interrupts is done once more.
func (b *builder) mend(ctx context.Context, d Definition, doubts []doubt) error {
	most := mendMax
	for len(doubts) > 0 {
		some := doubts[:min(most, len(doubts))]
		err := b.mendSome(ctx, d, some, len(some) == len(doubts))
		switch {
		case errors.Is(err, storage.ErrConflict):
			if most == 1 {
				return err // to be tried again after a pause
			}
			most = 1
			continue
		case err != nil:
			return err
		}
		b.pace.own(1)
		if err := b.pace.turn(ctx, len(some)); err != nil {
			return err
		}
		doubts, most = doubts[len(some):], min(2*most, mendMax)
	}
	return nil
}

// mendSome gives some elements the entries that they have now, and takes them the others. Behind the
// last of them there is nothing to be mended any more.
func (b *builder) mendSome(ctx context.Context, d Definition, doubts []doubt, last bool) error {
	tx, err := b.store.Begin(ctx, storage.TxOptions{Patience: b.pace.patience()})
	if err != nil {
		return err
	}
	defer tx.Close()
	now, ok, err := get(tx, b.graph, d)
	if err != nil || !ok || now.Number != d.Number || now.State != Building {
		return err // it was dropped meanwhile, with what is in doubt
	}
	ids := make([]uint64, len(doubts))
	for i := range doubts {
		ids[i] = doubts[i].Element
	}
	w := &sortedWrites{Tx: tx}
	fill := newFiller(w, b.graph, &d, &b.fails)
	if fill.els, err = b.src.ReadingMany(tx, d.Class, ids, d.symbols()); err != nil {
		return err
	}
	for _, c := range doubts {
		first := len(w.sets)
		if err := fill.element(c.Element); err != nil {
			return err
		}
		for _, key := range c.Keys {
			if w.has(first, key) {
				continue
			}
			if err := tx.Delete(key); err != nil {
				return err
			}
		}
	}
	if err := w.flush(); err != nil {
		return err
	}
	if b.fails.any() {
		d.State = Dropping
		if err := store(tx, b.graph, d, true); err != nil {
			return err
		}
	}
	if last {
		if err := tx.Delete(doubtsKey(b.graph, d)); err != nil {
			return err
		}
	}
	_, err = tx.Commit(ctx)
	return err
}

// has reports whether a key was set, by one of the sets from first on.
func (w *sortedWrites) has(first int, key []byte) bool {
	return slices.ContainsFunc(w.sets[first:], func(p placed) bool { return string(w.keys[p.key:p.keyEnd]) == string(key) })
}
