package blueprints

import (
	"errors"
	"slices"
	"time"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// An element that is due and more than one commit takes goes in parts: the edges of a vertex
// first, then its properties, in front of an edge those of that edge; with the rest of them it
// goes itself. A property that the schema asks for is there as long as the element.

// expirePart is how many edges and properties go in one commit of these.
const expirePart = 4096

// leaving is an element that goes in parts.
type leaving struct {
	e    table.Expiry
	most int // edges and properties in one commit
	// behind is the last edge that went, for who looks for the next one from the beginning
	// goes over all that went; bare: there was none behind it.
	behind Adjacent
	bare   bool
}

// inParts drops an element that is more than one commit takes.
func (d *dropping) inParts(e table.Expiry) error {
	for l := (leaving{e: e, most: expirePart}); ; {
		began, next, more := time.Now(), l, false
		err := d.commit(func(tx *Tx) (err error) {
			next = l
			more, err = tx.dropPart(&next)
			return err
		})
		switch {
		case errors.Is(err, storage.ErrTooLarge) && l.most > 1:
			l.most /= 2
			continue
		case err != nil || !more:
			return err
		}
		l = next
		l.most = min(2*l.most, expirePart)
		if err := restAsLong(d.ctx, began); err != nil {
			return err
		}
	}
}

// dropPart drops a part of an element that ends at a time, if it still does, and reports whether
// there is more of it.
func (t *Tx) dropPart(l *leaving) (more bool, err error) {
	if at, err := t.elementEnd(l.e.Class, l.e.Element); err != nil || at != l.e.At {
		return false, err
	}
	n := 0
	if l.e.Class == table.VertexClass && !l.bare {
		if n, err = t.dropEdges(l); err != nil || n >= l.most {
			return true, err
		}
		l.bare = true
	}
	_, whole, err := t.strip(l.e.Class, l.e.Element, l.most-n)
	if err != nil || !whole {
		return true, err
	}
	return false, t.dropExpired(l.e)
}

// dropEdges drops edges of a vertex, where it gets to one that has too much properties alone, and
// returns how many that were; fewer than most: these were all.
func (t *Tx) dropEdges(l *leaving) (n int, err error) {
	some := Expansion{Dir: Both, Max: l.most, After: l.behind}
	err = t.Expand([]VertexID{VertexID(l.e.Element)}, some, SinkFunc(func(_ int, x Expanded) error {
		for _, a := range x.Edges {
			if n >= l.most {
				return nil
			}
			props, whole, err := t.strip(EdgeClass, uint64(a.Edge), l.most-n)
			if n += props; err != nil || !whole {
				return err
			}
			if err := t.RemoveEdge(a.Edge); err != nil {
				return err
			}
			n++
			l.behind = a
		}
		return nil
	}))
	return n, err
}

// strip counts the properties of an element that may go before it does. If they are most or more
// it removes so many, otherwise none: the element can go whole.
func (t *Tx) strip(class ElementClass, id uint64, most int) (n int, whole bool, err error) {
	props, err := t.strippable(class, id, most)
	if err != nil || len(props) < most {
		return len(props), true, err
	}
	for _, p := range props {
		if class == EdgeClass {
			err = t.RemoveEdgeProperty(EdgeID(id), t.Name(p.Key))
		} else {
			err = t.RemoveVertexProperty(VertexID(id), p)
		}
		if err != nil {
			return n, false, err
		}
		n++
	}
	return n, false, nil
}

// strippable lists the properties of an element that may go before it does, most of them at most
// and without values, which may be large: of a key that the schema asks for one stays.
func (t *Tx) strippable(class ElementClass, id uint64, most int) (props []PropertyEntry, err error) {
	label, ok, err := t.elementLabel(class, id)
	if err != nil || !ok {
		return nil, err
	}
	if _, err := t.definitions(); err != nil {
		return nil, err
	}
	from := append(t.elementRow(class, id), byte(table.Property))
	it := t.tx.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from)})
	defer it.Close()
	kept := Symbol(0) // which no key has
	for len(props) < most && it.Next() {
		p, null, err := t.propertyAt(class, it.Key(), it.Value())
		if err != nil {
			return nil, err
		}
		if !null && p.Key != kept && slices.ContainsFunc(t.rules, func(r *Rules) bool { return r.requires(class, label, p.Key) }) {
			kept = p.Key
			continue
		}
		props = append(props, p)
	}
	return props, it.Err()
}

// propertyAt names the property of a cell, and reports whether its value is null.
func (t *Tx) propertyAt(class ElementClass, key, val []byte) (p PropertyEntry, null bool, err error) {
	if class == EdgeClass {
		k, err := table.DecodeEdgeProperty(key)
		if err != nil {
			return p, false, corrupt("property", err)
		}
		v, err := DecodeEdgeProperty(val)
		return PropertyEntry{Key: Symbol(k.Key)}, v.IsNull(), err
	}
	if p, err = t.g.decodeProperty(key, val); err != nil {
		return p, false, err
	}
	return PropertyEntry{Key: p.Key, Ordinal: p.Ordinal}, p.Value.IsNull(), nil
}
