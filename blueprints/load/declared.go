package load

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/gremlind/gremlind/blueprints"

	"github.com/gremlind/gremlind/blueprints/spool"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// declaredIndexes gathers the entries of declared indexes, as keys of their tables, each with
// the place of its element.
type declaredIndexes struct {
	of         [2][]declaredEntries // by class
	composites spool.Sorter         // with unique ones, whose keys have their values behind them
	edges      spool.Sorter         // keys without edge and other vertex
	texts      spool.Sorter
	points     spool.Sorter
	buf        []byte
}

// declaredEntries are those of the element under way, which may yet be refused.
type declaredEntries struct {
	def     *keyindex.Definition
	entries keyindex.Entries
	element keyindex.Element
	values  []value.Value // in a unique index, of each entry in turn
}

func (x *declaredIndexes) begin(defs *keyindex.Definitions, o spool.Options) {
	x.composites.Options, x.edges.Options, x.texts.Options, x.points.Options = o, o, o, o
	for _, c := range [...]table.Class{table.VertexClass, table.EdgeClass} {
		for _, d := range defs.Upkeep(c) {
			x.of[c-1] = append(x.of[c-1], declaredEntries{def: d})
		}
	}
}

func (x *declaredIndexes) close() {
	x.composites.Close()
	x.edges.Close()
	x.texts.Close()
	x.points.Close()
}

// findDeclared finds the entries of the element under way.
func (l *loader) findDeclared(e keyindex.Element) error {
	els := recordElement{l, e}
	for i := range l.declared.of[e.Class-1] {
		x := &l.declared.of[e.Class-1][i]
		x.element, x.values = e, x.values[:0]
		if err := x.entries.Find(x.def, &e, els); err != nil {
			return blueprints.IndexRefusal(err, els)
		}
		for n := 0; x.def.Unique && n < x.entries.Len(); n++ {
			vals, err := x.def.Combination(els, e.ID, x.entries.At(n))
			if err != nil {
				return err
			}
			x.values = append(x.values, vals...)
		}
	}
	return nil
}

// takeDeclared keeps the entries of the element under way, which has a place now.
func (l *loader) takeDeclared(c table.Class, place uint32) error {
	for i := range l.declared.of[c-1] {
		x := &l.declared.of[c-1][i]
		for n := range x.entries.Len() {
			if err := l.declared.take(l.number, x, n, place); err != nil {
				return err
			}
		}
	}
	return nil
}

func (x *declaredIndexes) take(graph uint32, e *declaredEntries, n int, place uint32) error {
	values := e.entries.At(n)
	for _, way := range e.def.Ways() {
		x.buf = table.AppendEdgeIndexValues(x.buf[:0], keyindex.EdgeEntryOf(graph, e.def.Number, way, &e.element, values))
		if err := x.edges.Add(x.buf, place); err != nil {
			return err
		}
	}
	switch e.def.Kind {
	case keyindex.Text:
		token, val := keyindex.TokenOf(values)
		x.buf = table.AppendTextToken(x.buf[:0], graph, e.def.Number, 0, token)
		x.buf = append(binary.BigEndian.AppendUint64(x.buf, uint64(place)), val...)
		return x.texts.Add(x.buf, place)
	case keyindex.Geo:
		entry, val := keyindex.GeoEntryOf(graph, e.def.Number, uint64(place), values)
		x.buf = append(table.AppendGeoEntry(x.buf[:0], entry), val...)
		return x.points.Add(x.buf, place)
	case keyindex.EdgeCentric:
		return nil
	}
	x.buf = table.AppendCompositeValues(x.buf[:0], graph, e.def.Number, 0, values)
	if e.def.Unique {
		var err error
		key := len(x.buf)
		width := len(e.def.Symbols)
		for _, v := range e.values[n*width : (n+1)*width] {
			if x.buf, err = value.AppendMsgpack(x.buf, v); err != nil {
				return err
			}
		}
		x.buf = binary.BigEndian.AppendUint32(x.buf, uint32(key))
	}
	return x.composites.Add(x.buf, place)
}

// recordElement reads the element under way as an index does.
type recordElement struct {
	l *loader
	e keyindex.Element
}

// Element implements keyindex.Elements.
func (r recordElement) Element(table.Class, uint64) (keyindex.Element, bool, error) {
	return r.e, true, nil
}

// Values implements keyindex.Elements.
func (r recordElement) Values(dst []value.Value, _ table.Class, _ uint64, symbol uint32) ([]value.Value, error) {
	for i := range r.l.cells {
		if uint32(r.l.cells[i].key) == symbol {
			dst = append(dst, r.l.values[i])
		}
	}
	return dst, nil
}

// emitComposites emits composite indexes: by index, values, element.
func (l *loader) emitComposites(add addKey) error {
	u := uniqueEmitter{l: l, add: add}
	var key []byte
	err := l.declared.composites.Each(func(b []byte, place uint32) error {
		d, ok := l.to.Definitions.OfNumber(compositeNumber(b))
		if !ok {
			return corrupt(nil)
		}
		if d.Unique {
			return u.entry(d, b, place)
		}
		key = binary.BigEndian.AppendUint64(append(key[:0], b...), l.column(d.Class).first+uint64(place))
		return errors.Join(u.flush(), add(key, nil))
	})
	if err != nil {
		return err
	}
	return u.flush()
}

// compositeNumber is the number of the index in the key of an entry.
func compositeNumber(key []byte) uint32 {
	e, _ := table.DecodeUniqueEntry(key)
	return e.Index
}

// uniqueEmitter emits the entries of unique indexes, each when all its owners are known.
type uniqueEmitter struct {
	l      *loader
	add    addKey
	key    []byte
	owners []uniqueOwner
	val    []byte
}

type uniqueOwner struct {
	place  uint32
	values []value.Value
}

func (u *uniqueEmitter) entry(d *keyindex.Definition, b []byte, place uint32) error {
	n := len(b) - 4
	if n < 0 || int(binary.BigEndian.Uint32(b[n:])) > n {
		return corrupt(nil)
	}
	key, rest := b[:binary.BigEndian.Uint32(b[n:])], b[binary.BigEndian.Uint32(b[n:]):n]
	o := uniqueOwner{place: place}
	for len(rest) > 0 {
		v, after, err := value.ReadMsgpack(rest)
		if err != nil {
			return corrupt(err)
		}
		o.values, rest = append(o.values, v), after
	}
	if string(key) != string(u.key) {
		if err := u.flush(); err != nil {
			return err
		}
		u.key = append(u.key[:0], key...)
	}
	for _, other := range u.owners {
		if slices.EqualFunc(o.values, other.values, value.Equal) {
			a, err := u.l.userID(d.Class, other.place)
			if err != nil {
				return err
			}
			b, err := u.l.userID(d.Class, place)
			if err != nil {
				return err
			}
			return blueprints.IndexRefusal(d.Twice(o.values, a.Brief(), b.Brief()), nil)
		}
	}
	u.owners = append(u.owners, o)
	u.val = keyindex.AppendOwner(u.val, u.l.column(d.Class).first+uint64(place))
	return nil
}

func (u *uniqueEmitter) flush() error {
	if len(u.owners) == 0 {
		return nil
	}
	err := u.add(u.key, u.val)
	u.key, u.owners, u.val = u.key[:0], u.owners[:0], u.val[:0]
	return err
}

// userID is the id by which users know the element at a place.
func (l *loader) userID(c table.Class, place uint32) (value.Value, error) {
	if c == table.VertexClass {
		return l.vertexUserIDs.at(int(place)), nil
	}
	e := propertyEmitter{add: func([]byte, []byte) error { return nil }, col: &l.edges}
	first := int(place) / markEvery * markEvery
	e.begin(first)
	key := []byte{0}
	for i := first; ; i++ {
		id, err := e.id()
		if err != nil || i == int(place) {
			return id, err
		}
		if key, err = e.emit(i, key); err != nil {
			return value.Null, err
		}
	}
}

// emitEdgeIndexes emits edge-centric indexes: by vertex, index, direction, values, edge.
func (l *loader) emitEdgeIndexes(add addKey) error {
	var key []byte
	return l.declared.edges.Each(func(b []byte, place uint32) error {
		key = binary.BigEndian.AppendUint64(append(key[:0], b...), l.edges.first+uint64(place))
		key = binary.BigEndian.AppendUint64(key, 0)
		e, err := table.DecodeEdgeEntry(key)
		if err != nil {
			return corrupt(err)
		}
		e.Other = l.vertices.first + uint64(l.in.at(int(place)))
		if e.Direction == table.InEdge {
			e.Other = l.vertices.first + uint64(l.out.at(int(place)))
		}
		binary.BigEndian.PutUint64(key[len(key)-8:], e.Other)
		return add(key, nil)
	})
}

// emitTexts emits indexes of texts: by index, token, element.
func (l *loader) emitTexts(add addKey) error {
	return l.declared.texts.Each(func(b []byte, place uint32) error {
		n := table.TextEntryLen(b)
		if n > len(b) {
			return corrupt(nil)
		}
		key, val := b[:n], b[n:]
		e, err := table.DecodeTextEntry(key)
		if err != nil {
			return corrupt(err)
		}
		d, ok := l.to.Definitions.OfNumber(e.Index)
		if !ok {
			return corrupt(nil)
		}
		key = table.AppendTextEntry(nil, table.TextEntry{
			Graph: e.Graph, Index: e.Index, Token: e.Token, Element: l.column(d.Class).first + uint64(place),
		})
		return add(key, val)
	})
}

// emitPoints emits indexes of points: by index, cell, element.
func (l *loader) emitPoints(add addKey) error {
	var key []byte
	return l.declared.points.Each(func(b []byte, place uint32) error {
		n := min(len(table.AppendGeoEntry(key[:0], table.GeoEntry{})), len(b))
		e, err := table.DecodeGeoEntry(b[:n])
		if err != nil {
			return corrupt(err)
		}
		d, ok := l.to.Definitions.OfNumber(e.Index)
		if !ok {
			return corrupt(nil)
		}
		e.Element = l.column(d.Class).first + uint64(place)
		key = table.AppendGeoEntry(key[:0], e)
		return add(key, b[n:])
	})
}
