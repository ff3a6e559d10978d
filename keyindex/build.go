package keyindex

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Source tells a builder which elements there are and what they hold.
type Source interface {
	// Elements returns at most max elements of a class behind after, which is the
	// next of an earlier call or nil, without observing. A label other than 0 leaves those
	// of other labels out, as are those with an id above last.
	Elements(r storage.Reader, c table.Class, label uint32, after []byte, last uint64, max int) (ids []uint64, next []byte, err error)
	// Last returns the highest id of an element of a class, or more, without observing.
	Last(r storage.Reader, c table.Class) (id uint64, err error)
	// Values gives fn the values that elements, whose ids ascend, have under a property key,
	// element by element; the reads are observed. fn leaves r alone.
	Values(r storage.Reader, c table.Class, elements []uint64, symbol uint32, fn func(element uint64, v value.Value) error) error
	// Reading returns what reads single elements, for indexes that ask for several keys.
	Reading(r storage.Reader) Elements
	// ReadingMany is Reading for elements that are asked for in their order, of whose values
	// of some keys it reads what lies near each other at once.
	ReadingMany(tx storage.Tx, c table.Class, elements []uint64, symbols []uint32) (Elements, error)
	// ReadingRows is ReadingMany for elements side by side, most of which are asked for: it
	// observes nothing.
	ReadingRows(tx storage.Tx, c table.Class, elements []uint64, symbols []uint32) (Elements, error)
	// Rows is where all that is about elements first to last stands: what the other methods
	// read of them lies there.
	Rows(c table.Class, first, last uint64) (from, to []byte)
	// UserID prints the id by which users know an element.
	UserID(r storage.Reader, c table.Class, element uint64) string
}

// batchMax is how many elements or entries one transaction of the builder covers: as many
// as are committed in about the time of a sync, for other commits wait so long. It
// shrinks when the builder loses conflicts, so that it gets through in the end.
const batchMax = 1024

// builder is the work on one unfinished index.
type builder struct {
	store  storage.Store
	graph  uint32
	src    Source
	pace   *pacer
	stages stages
	spare  spareRuns
	fails  failure
	last   uint64 // the highest id when the work began; 0 while that is not known
}

// elements returns the next elements behind the builder's place. Those that were not there when it
// began have their entries from who added them.
func (b *builder) elements(tx storage.Tx, d *Definition, after []byte, max int) (ids []uint64, next []byte, err error) {
	if b.last == 0 {
		if b.last, err = b.src.Last(tx.Snapshot(), d.Class); err != nil {
			return nil, nil, err
		}
	}
	return b.src.Elements(tx.Snapshot(), d.Class, d.LabelSymbol, after, b.last, max)
}

// manyElements is elements for as many as are listed in pieces, between which others have their
// turn.
func (b *builder) manyElements(ctx context.Context, tx storage.Tx, d *Definition, after []byte, max int) (ids []uint64, next []byte, err error) {
	for next = after; len(ids) < max; {
		n := min(max-len(ids), elementsEach)
		some, end, err := b.elements(tx, d, next, n)
		if err == nil {
			err = b.pace.turn(ctx, 0)
		}
		if err != nil {
			return nil, nil, err
		}
		if len(some) > 0 {
			ids, next = append(ids, some...), end
		}
		if len(some) < n {
			break
		}
	}
	return ids, next, nil
}

// elementsEach is how many elements are listed before others have their turn.
const elementsEach = 1 << 11

// step does one transaction of work on an unfinished index, and reports whether that was the
// last. Losing a conflict is storage.ErrConflict. Of more than batchMax elements it fills
// tables, and before anything else it mends what those have left.
func (b *builder) step(ctx context.Context, d Definition, batch int) (done bool, err error) {
	began := time.Now()
	tx, err := b.store.Begin(ctx, storage.TxOptions{Patience: b.pace.patience()})
	if err != nil {
		return false, err
	}
	defer tx.Close()
	number := d.Number
	d, ok, err := get(tx, b.graph, d)
	switch {
	case err != nil:
		return false, err
	case !ok || d.State == Active || d.State == Hidden || d.Number != number:
		return true, nil
	case d.State == Building:
		some, err := readDoubts(tx, b.graph, d)
		if err != nil {
			return false, err
		}
		if some != nil {
			return false, errors.Join(tx.Close(), b.mend(ctx, d, some))
		}
		if batch > batchMax {
			return false, b.stepTables(ctx, tx, &d, batch)
		}
	}
	batch = min(batch, batchMax)
	switch {
	case d.Declared():
		done, err = b.stepDeclared(tx, &d, batch)
	case d.State == Building:
		done, err = b.fill(tx, d, batch)
	case d.State == Dropping:
		done, err = empty(tx, b.graph, d, batch)
	default:
		err = unknownState(&d)
	}
	if err != nil {
		return false, err
	}
	if _, err = tx.Commit(ctx); err != nil {
		return false, err
	}
	b.pace.own(1)
	b.pace.spent(time.Since(began))
	return done, b.pace.turn(ctx, batch)
}

// errFew says that there are too few elements left for tables.
var errFew = errors.New("not worth tables")

// stepTables commits tx with the entries of the next elements.
func (b *builder) stepTables(ctx context.Context, tx storage.Tx, d *Definition, batch int) error {
	after, err := tx.Get(cursorKey(b.graph, *d))
	if err != nil && !isAbsent(err) {
		return err
	}
	ids, next, err := b.manyElements(ctx, tx, d, bytes.Clone(after), batch)
	switch {
	case err != nil:
		return err
	case len(ids) < tablesMin:
		return errFew
	}
	return b.fillTables(ctx, tx, d, ids, next)
}

func unknownState(d *Definition) error {
	return fmt.Errorf("index %q has unknown state %q: %w", d.Name, d.State, storage.ErrCorrupt)
}

// fill adds the entries of the next elements, and makes the index ACTIVE when they are the
// last. Transactions that depend on the definition need not take notice of that: they
// maintain the index in either state.
func (b *builder) fill(tx storage.Tx, d Definition, batch int) (bool, error) {
	cursor := cursorKey(b.graph, d)
	after, err := tx.Get(cursor)
	if err != nil && !errors.Is(err, storage.ErrNotFound) {
		return false, err
	}
	ids, next, err := b.elements(tx, &d, bytes.Clone(after), batch)
	if err != nil {
		return false, err
	}
	if err := b.addEntries(tx, d, ids); err != nil {
		return false, err
	}
	if len(ids) == batch {
		return false, tx.Set(cursor, next)
	}
	if err := tx.Delete(cursor); err != nil {
		return false, err
	}
	d.State = Active
	return true, store(tx, b.graph, d, false)
}

// addEntries adds the entries of elements.
func (b *builder) addEntries(tx storage.Tx, d Definition, ids []uint64) error {
	slices.Sort(ids) // they come by label
	var s Scratch
	w := &sortedWrites{Tx: tx}
	err := b.src.Values(tx, d.Class, ids, d.Symbol, func(element uint64, v value.Value) error {
		return s.Add(w, table.KeyIndex{Graph: b.graph, Class: d.Class, Key: d.Symbol, Element: element}, v)
	})
	if err != nil {
		return err
	}
	return w.flush()
}

// sortedWrites keeps what is set until flush, which sets it in the order of the keys: a
// store takes many keys that lie side by side in less time than as many here and there.
type sortedWrites struct {
	storage.Tx
	keys, vals []byte
	sets       []placed
}

// placed is where one write lies in keys and vals.
type placed struct{ key, keyEnd, val, valEnd int }

// Set implements storage.Tx.
func (w *sortedWrites) Set(key, val []byte) error {
	p := placed{key: len(w.keys), val: len(w.vals)}
	w.keys, w.vals = append(w.keys, key...), append(w.vals, val...)
	p.keyEnd, p.valEnd = len(w.keys), len(w.vals)
	w.sets = append(w.sets, p)
	return nil
}

func (w *sortedWrites) flush() error {
	slices.SortFunc(w.sets, func(a, b placed) int {
		return cmp.Or(bytes.Compare(w.keys[a.key:a.keyEnd], w.keys[b.key:b.keyEnd]), cmp.Compare(a.key, b.key))
	})
	for _, p := range w.sets {
		if err := w.Tx.Set(w.keys[p.key:p.keyEnd], w.vals[p.val:p.valEnd]); err != nil {
			return err
		}
	}
	return nil
}

// empty removes some entries, and the definition when there are none left. The cursor
// spares it the remains of those it has removed.
func empty(tx storage.Tx, graph uint32, d Definition, batch int) (bool, error) {
	from := table.AppendKeyIndexKey(nil, graph, d.Class, d.Symbol)
	to := table.PrefixEnd(nil, from)
	cursor := cursorKey(graph, d)
	last, err := tx.Get(cursor)
	switch {
	case err == nil:
		from = append([]byte(nil), last...)
	case !errors.Is(err, storage.ErrNotFound):
		return false, err
	}
	it := tx.Scan(storage.ScanOptions{From: from, To: to})
	defer it.Close()
	var s Scratch
	for n := 0; n < batch; n++ {
		if !it.Next() {
			if err := it.Err(); err != nil {
				return false, err
			}
			return true, errors.Join(forgetWork(tx, graph, d), tx.Delete(definitionKey(graph, d)))
		}
		e, err := table.DecodeKeyIndex(it.Key())
		if err != nil {
			return false, fmt.Errorf("index entry: %w: %w", storage.ErrCorrupt, err)
		}
		if err := s.remove(tx, e); err != nil {
			return false, err
		}
		from = append(from[:0:0], it.Key()...)
	}
	return false, tx.Set(cursor, from)
}
