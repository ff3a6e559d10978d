package keyindex

import (
	"bytes"
	"errors"
	"runtime"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// stepDeclared is step for a declared index. One that turns out not to be possible is
// DROPPING at once, so that nobody is held to it any longer; the builder still looks at all
// elements, to say everything that is against it.
func (b *builder) stepDeclared(tx storage.Tx, d *Definition, batch int) (done bool, err error) {
	switch {
	case d.State == Building || d.State == Dropping && b.fails.any() && !b.fails.complete:
		return false, b.fillDeclared(tx, d, batch)
	case d.State == Dropping:
		return emptyDeclared(tx, b.graph, d, batch)
	}
	return false, unknownState(d)
}

// fillDeclared adds the entries of the next elements, and makes the index ACTIVE when they
// are the last.
func (b *builder) fillDeclared(tx storage.Tx, d *Definition, batch int) error {
	cursor, f := cursorKey(b.graph, *d), &b.fails
	after, err := tx.Get(cursor)
	if err != nil && !errors.Is(err, storage.ErrNotFound) {
		return err
	}
	ids, next, err := b.elements(tx, d, bytes.Clone(after), batch)
	if err != nil {
		return err
	}
	last := len(ids) < batch
	w := &sortedWrites{Tx: tx}
	fill := batchFill{tx: w, graph: b.graph, x: d.Open(b.graph), f: f}
	if d.Unique {
		fill.tx = tx // which reads what it wrote
	}
	for i, id := range ids {
		if i%readMax == 0 {
			if fill.els, err = b.src.ReadingMany(tx, d.Class, ids[i:min(i+readMax, len(ids))], d.Symbols); err != nil {
				return err
			}
		}
		if err := fill.element(id); err != nil {
			return err
		}
		if i%turnEach == turnEach-1 {
			runtime.Gosched()
		}
		if i+1 < len(ids) && len(w.sets) >= setsMax {
			if _, next, err = b.elements(tx, d, bytes.Clone(after), i+1); err != nil {
				return err
			}
			last = false
			break
		}
	}
	if err := w.flush(); err != nil {
		return err
	}
	if f.any() && d.State == Building {
		d.State = Dropping
		if err := store(tx, b.graph, *d, true); err != nil {
			return err
		}
	}
	if !last {
		return tx.Set(cursor, next)
	}
	if err := tx.Delete(cursor); err != nil {
		return err
	}
	if f.any() {
		f.complete = true
		return nil
	}
	d.State = Active
	return store(tx, b.graph, *d, false)
}

// readMax is how many elements are read at once.
const readMax = 256

// setsMax is about how many entries one transaction of the builder writes: where elements
// have many each, it covers fewer of them.
const setsMax = 1 << 12

// batchFill adds entries of a declared index within one transaction.
type batchFill struct {
	tx    storage.Tx
	graph uint32
	els   Elements
	x     Index
	f     *failure
	n     Entries
}

func (b *batchFill) element(id uint64) error {
	e, ok, err := b.els.Element(b.x.Definition().Class, id)
	if err != nil || !ok {
		return err
	}
	if err = b.n.Find(b.x.Definition(), &e, b.els); err != nil {
		_, err = b.f.add(err, b.els)
		return err
	}
	if d := b.x.Definition(); d.Unique && b.n.Len() > 0 {
		// Who changes the element and began before this commit has not seen the entry.
		if err := b.tx.Delete(AppendFence(nil, b.graph, d, id)); err != nil {
			return err
		}
	}
	for i := range b.n.Len() {
		if err := b.x.Put(b.tx, b.els, &e, b.n.At(i), b.n.Exact(i)); err != nil {
			if _, err := b.f.add(err, b.els); err != nil {
				return err
			}
		}
	}
	return nil
}

// emptyDeclared removes some entries, and the definition with the last. Those of all but
// edge-centric indexes are one range.
func emptyDeclared(tx storage.Tx, graph uint32, d *Definition, batch int) (done bool, err error) {
	x := d.Open(graph)
	from, to := x.Range()
	if d.Kind != EdgeCentric {
		return true, errors.Join(tx.DeleteRange(from, to), forget(tx, graph, d))
	}
	cursor := cursorKey(graph, *d)
	last, err := tx.Get(cursor)
	switch {
	case err == nil:
		from = append([]byte(nil), last...)
	case !errors.Is(err, storage.ErrNotFound):
		return false, err
	}
	it := tx.Scan(storage.ScanOptions{From: from, To: to, Unobserved: true}) // nobody writes them any more
	defer it.Close()
	for n := 0; n < batch; n++ {
		if !it.Next() {
			if err := it.Err(); err != nil {
				return false, err
			}
			return true, forget(tx, graph, d)
		}
		_, _, own, err := x.Owner(nil, it.Key(), it.Value())
		if err != nil {
			return false, err
		}
		from = append(from[:0:0], it.Key()...)
		if !own {
			continue
		}
		if err := x.Erase(tx, from, it.Value()); err != nil {
			return false, err
		}
	}
	return false, tx.Set(cursor, from)
}

// forget removes a definition and the place of its builder.
func forget(tx storage.Tx, graph uint32, d *Definition) error {
	return errors.Join(forgetWork(tx, graph, *d), tx.Delete(definitionKey(graph, *d)))
}

// AppendFence appends a key that is never there, and whose deletion makes two transactions
// that change one element's entries in an index conflict though they have no other key in
// common.
func AppendFence(dst []byte, graph uint32, d *Definition, element uint64) []byte {
	return table.AppendCompositeOwned(dst, table.CompositeEntry{Graph: graph, Index: d.Number, Element: element})
}
