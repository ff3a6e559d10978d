package blueprints

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"
	"unsafe"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// Stamps: the commits that added an element and that changed it last. A graph that keeps them has
// cells of them in the rows of elements, which no row in memory has, for a commit does not know
// its stamp before it is made. A graph with history knows them without cells, from the rows of
// what the element was, for as long as these are kept. What is older than either has the stamp
// since which they are kept. Edges do not change their vertices, and counts their elements.

// stampsBit is the feature among those that a graph gained.
var stampsBit = Gained(0).with(Stamps, true)

// stamping reports whether the graph gives its elements stamps.
func (g *Graph) stamping() bool {
	return Gained(g.gained.Load())&stampsBit != 0 && !g.unstamping.Load()
}

// stampAdded has the commit stamp an element that it adds.
func (t *Tx) stampAdded(c table.Class, id uint64) error {
	if !t.stamping {
		return nil
	}
	return t.setStamp(table.ElementStamp{Graph: t.g.number, Class: c, Element: id, Kind: table.StampAdded})
}

// stampChanged notes that an element may have changed, unless the transaction adds it. Whether it
// did shows at the end: what is written over itself has changed nothing, in the cells of stamps as
// in history.
func (t *Tx) stampChanged(c table.Class, id uint64) {
	t.restamp = t.restamp || c == table.VertexClass && !t.ownVertex(VertexID(id)) || c == table.EdgeClass && !t.ownEdge(EdgeID(id))
}

// stampChanges has the commit stamp the elements that it changes.
func (t *Tx) stampChanges() error {
	var list []table.ElementStamp
	beneath := t.tx.Snapshot()
	err := t.tx.Changes(func(c storage.Change) error {
		if c.To != nil || c.New { // of a row that goes as a whole
			return nil
		}
		s, ok := t.mayHaveChanged(c.Key)
		if n := len(list); !ok || n > 0 && list[n-1] == s {
			return nil
		}
		was, err := cellOf(beneath, c.Key)
		if err != nil || (was == nil) == c.Deleted && (c.Deleted || bytes.Equal(was, c.Value)) {
			return err
		}
		list = append(list, s)
		t.ownBytes += int64(unsafe.Sizeof(s))
		return t.payOwn()
	})
	for i := 0; i < len(list) && err == nil; i++ {
		err = t.setStamp(list[i])
	}
	return err
}

// mayHaveChanged returns the stamp of the element whose cell a key is, if it was there before the
// transaction and is.
func (t *Tx) mayHaveChanged(key []byte) (s table.ElementStamp, ok bool) {
	s = table.ElementStamp{Graph: t.g.number, Class: table.VertexClass, Kind: table.StampChanged}
	id, family, ok := table.VertexCell(key)
	gone, own := false, false
	if ok {
		_, gone = t.goneVertices[VertexID(id)]
		own = t.ownVertex(VertexID(id))
	} else if id, family, ok = table.EdgeCell(key); ok {
		s.Class = table.EdgeClass
		_, gone = t.goneEdges[EdgeID(id)]
		own = t.ownEdge(EdgeID(id))
	}
	s.Element = id
	return s, ok && family == table.Property && !gone && !own
}

func (t *Tx) setStamp(s table.ElementStamp) error {
	t.stampKey = table.AppendElementStamp(t.stampKey[:0], s)
	var none [storage.StampSize]byte
	return t.tx.SetStamped(t.stampKey, none[:], len(t.stampKey))
}

// stampOf returns the stamp of an element that exists: NoStamp where it is this transaction's, 0
// where nothing is known.
func (t *Tx) stampOf(c table.Class, id uint64, k table.StampKind) (storage.Stamp, error) {
	if !t.stamping || t.asOf != 0 {
		return t.pastStamp(c, id, k)
	}
	if from, to := ownCells(t.g.number, c, id); k == table.StampChanged && t.tx.Wrote(from, to) {
		return storage.NoStamp, nil
	}
	s, err := t.storedStamp(c, id, k)
	if s != 0 || err != nil {
		return s, err
	}
	return t.stampAt(table.StampsKey(t.g.number))
}

// storedStamp reads the cell of a stamp: that of the adding where nobody has changed the element.
func (t *Tx) storedStamp(c table.Class, id uint64, k table.StampKind) (storage.Stamp, error) {
	s, err := t.stampAt(table.AppendElementStamp(nil, table.ElementStamp{Graph: t.g.number, Class: c, Element: id, Kind: k}))
	if s != 0 || err != nil || k == table.StampAdded {
		return s, err
	}
	return t.storedStamp(c, id, table.StampAdded)
}

// stampAt reads a stamp, 0 for none.
func (t *Tx) stampAt(key []byte) (storage.Stamp, error) { return stampOf(t.tx, key, "stamp") }

// pastStamp finds a stamp in history, as of what the transaction reads. A cell of now counts when
// it is not from later.
func (t *Tx) pastStamp(c table.Class, id uint64, k table.StampKind) (storage.Stamp, error) {
	if t.g.history.Load() == nil {
		return 0, nil
	}
	from, to := ownCells(t.g.number, c, id)
	if t.asOf == 0 && t.tx.Wrote(from, to) && (k == table.StampChanged || t.tx.Wrote(from, nil)) {
		return storage.NoStamp, nil
	}
	at := t.asOf
	if at == 0 {
		at = storage.NoStamp - 1
	}
	var known storage.Stamp
	if t.stamping {
		s, err := t.storedStamp(c, id, k)
		if err != nil || s <= at && s != 0 {
			return s, err
		}
		if known, err = t.storedStamp(c, id, table.StampAdded); err != nil {
			return 0, err
		}
	}
	s, err := t.stampInHistory(from, to, k, at)
	switch {
	case err != nil || s != 0:
		return s, err
	case known != 0 && known <= at:
		return known, nil
	}
	return floorOf(t.tx, t.g.number)
}

// ownCells bounds the cells of an element that are its own: that it exists, and its properties.
func ownCells(graph uint32, c table.Class, id uint64) (from, to []byte) {
	if c == table.EdgeClass {
		return table.AppendEdgeExists(nil, graph, id), table.PrefixEnd(nil, table.AppendEdgeProperties(nil, graph, id))
	}
	return table.AppendVertexExists(nil, graph, id), table.PrefixEnd(nil, table.AppendVertexProperties(nil, graph, id))
}

// stampInHistory is the greatest stamp, at most at, of a commit that changed one of the cells, or
// that added the first; 0 for none that is kept.
func (t *Tx) stampInHistory(from, to []byte, k table.StampKind, at storage.Stamp) (last storage.Stamp, err error) {
	if k == table.StampAdded {
		to = append(append([]byte{}, from...), 0)
	}
	it := t.tx.Scan(storage.ScanOptions{From: table.AppendPastFrom(nil, t.g.number, from), To: table.AppendPastTo(nil, t.g.number, to)})
	defer it.Close()
	for it.Next() {
		if err := t.looksUp(); err != nil {
			return 0, err
		}
		_, until, err := table.DecodePastRow(nil, it.Key())
		if err != nil {
			return 0, corrupt("history", err)
		}
		_, there, err := table.DecodePastValue(it.Value())
		if err != nil {
			return 0, err
		}
		if until <= at && until > last && (k == table.StampChanged || !there) {
			last = until
		}
	}
	return last, it.Err()
}

// keepStamps has a graph give its elements stamps from now on.
func (g *Graph) keepStamps(ctx context.Context) error {
	if g.scratch != nil {
		return errScratch
	}
	if g.Uses(Stamps) {
		return nil
	}
	if err := g.gain(Stamps); err != nil {
		return err
	}
	return g.beginStamps(ctx)
}

// beginStamps writes since when there are stamps, behind which nobody commits who does not know
// of them.
func (g *Graph) beginStamps(ctx context.Context) error {
	err := g.small(ctx, func(tx storage.Tx) error {
		if err := g.changesVersion(tx); err != nil {
			return err
		}
		key := table.StampsKey(g.number)
		return tx.SetStamped(key, make([]byte, storage.StampSize), len(key))
	})
	if err != nil {
		return fmt.Errorf("begin the stamps of graph %q: %w", g.name, err)
	}
	return nil
}

// finishStamps begins what a crash interrupted, in a graph that nobody uses yet.
func (g *Graph) finishStamps() error {
	if !g.Uses(Stamps) {
		return nil
	}
	snap, err := g.store.Snapshot()
	if err != nil {
		return err
	}
	_, err = snap.Get(table.StampsKey(g.number))
	if cerr := snap.Close(); err == nil || !errors.Is(err, storage.ErrNotFound) {
		return errors.Join(err, cerr)
	}
	return g.beginStamps(context.Background())
}

// withoutStamps calls fn, which adds elements past transactions: they are as old as what comes
// behind it.
func (g *Graph) withoutStamps(ctx context.Context, fn func() error) error {
	if !g.stamping() {
		return fn()
	}
	err := g.small(ctx, func(tx storage.Tx) error { return tx.Delete(table.StampsKey(g.number)) })
	if err != nil {
		return err
	}
	return errors.Join(fn(), g.beginStamps(context.WithoutCancel(ctx)))
}

// unstampPiece is how many cells are removed in one transaction.
const unstampPiece = 1000

// loseStamps removes all stamps, and takes the feature away. What is interrupted has removed some,
// and can be called again.
func (g *Graph) loseStamps(ctx context.Context) error {
	if !g.unstamping.CompareAndSwap(false, true) {
		return errors.New("somebody else is turning the feature stamps off")
	}
	defer g.unstamping.Store(false)
	// Transactions that do not know of it yet depend on the version.
	if err := g.define(ctx, g.changesVersion); err != nil {
		return err
	}
	for _, c := range [...]table.Class{table.VertexClass, table.EdgeClass} {
		for id, more := uint64(0), true; more; {
			err := g.define(ctx, func(tx storage.Tx) (err error) {
				id, more, err = unstamp(tx, g.number, c, id)
				return err
			})
			if err != nil {
				return fmt.Errorf("remove the stamps of graph %q: %w", g.name, err)
			}
		}
	}
	return g.db.loseFeature(g, Stamps, func() error {
		return g.define(ctx, func(tx storage.Tx) error { return tx.Delete(table.StampsKey(g.number)) })
	})
}

// unstamp removes stamps of elements from a number on, and returns where to go on.
func unstamp(tx storage.Tx, graph uint32, c table.Class, from uint64) (next uint64, more bool, err error) {
	at := func(id uint64) []byte {
		return table.AppendElementStamp(nil, table.ElementStamp{Graph: graph, Class: c, Element: id})
	}
	end := table.AppendTable(nil, graph, table.Vertices+1)
	if c == table.EdgeClass {
		end = table.AppendTable(nil, graph, table.Edges+1)
	}
	it := tx.Scan(storage.ScanOptions{From: at(from), To: end, Unobserved: true})
	defer it.Close()
	for n := 0; it.Next(); {
		key := append([]byte(nil), it.Key()...)
		id := binary.BigEndian.Uint64(key[cellRow-8:])
		switch f := table.Family(key[cellRow]); {
		case n >= unstampPiece && id > next:
			return id, true, nil
		case f == table.StampCell:
			if err := tx.Delete(key); err != nil {
				return 0, false, err
			}
			next = id
			n++
		case f < table.StampCell:
			it.Seek(at(id))
		case id == ^uint64(0):
			return 0, false, nil
		default:
			it.Seek(at(id + 1))
		}
	}
	return 0, false, it.Err()
}

// stampsKept says what loseStamps takes away.
func (g *Graph) stampsKept(ctx context.Context) (text string, err error) {
	err = g.View(ctx, func(tx *Tx) error {
		floor, err := tx.stampAt(table.StampsKey(g.number))
		text = fmt.Sprintf("when elements were added and changed since %s", floor.Time().UTC().Format(time.RFC3339))
		return err
	})
	return text, err
}
