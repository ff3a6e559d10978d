package blueprints

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// emit makes all keys of the load in ascending order, table by table.
func (l *loader) emit(out *emitter) error {
	for _, step := range []func(*emitter) error{
		l.emitVertices, l.emitEdges,
		func(out *emitter) error { return l.emitIDs(out, table.VertexClass, &l.vertices, vertexExists) },
		func(out *emitter) error { return l.emitIDs(out, table.EdgeClass, &l.edges, edgeExists) },
		func(out *emitter) error { return l.emitLabels(out, table.VertexClass, &l.vertices) },
		func(out *emitter) error { return l.emitLabels(out, table.EdgeClass, &l.edges) },
		l.emitCounters, l.emitEntries, l.emitOwned,
	} {
		if err := step(out); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) emitVertices(out *emitter) error {
	n := len(l.vertices.labels)
	outPerm, outStarts := permutation(l.out, n)
	inPerm, inStarts := permutation(l.in, n)
	var key, cell []byte
	var err error
	for i := range n {
		v := l.vertices.first + uint64(i)
		key = table.AppendVertexExists(key[:0], l.g.number, v)
		cell, err = AppendVertexCell(cell[:0], VertexCell{Label: l.vertices.labels[i], ID: l.vertices.ids.at(i)})
		if err != nil {
			return err
		}
		if err := out.key(key, cell); err != nil {
			return err
		}
		if key, err = l.emitProperties(out, &l.vertices, i, key, true); err != nil {
			return err
		}
		if err := l.emitAdjacent(out, v, table.OutEdge, outPerm[outStarts[i]:outStarts[i+1]], l.in); err != nil {
			return err
		}
		if err := l.emitAdjacent(out, v, table.InEdge, inPerm[inStarts[i]:inStarts[i+1]], l.out); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) emitEdges(out *emitter) error {
	var key, cell []byte
	var err error
	first := l.vertices.first
	for i, label := range l.edges.labels {
		key = table.AppendEdgeExists(key[:0], l.g.number, l.edges.first+uint64(i))
		c := EdgeCell{Label: label, Out: VertexID(first + uint64(l.out[i])), In: VertexID(first + uint64(l.in[i])), ID: l.edges.ids.at(i)}
		if cell, err = AppendEdgeCell(cell[:0], c); err != nil {
			return err
		}
		if err := out.key(key, cell); err != nil {
			return err
		}
		if key, err = l.emitProperties(out, &l.edges, i, key, false); err != nil {
			return err
		}
	}
	return nil
}

// emitProperties emits the properties of an element as finish spooled them. key is the
// key of its EXISTS cell, and comes back changed.
func (l *loader) emitProperties(out *emitter, col *loadColumn, i int, key []byte, ordinals bool) ([]byte, error) {
	if col.counts == nil {
		return key, nil
	}
	row := len(key) - 1
	for range col.counts[i] {
		rec, err := col.props.read()
		if err != nil {
			return key, err
		}
		if len(rec) < 12 {
			return key, corrupt("spooled", nil)
		}
		key = append(append(key[:row], byte(table.Property)), rec[:4]...)
		if ordinals {
			key = append(key, rec[4:12]...)
		}
		if err := out.key(key, rec[12:]); err != nil {
			return key, err
		}
	}
	return key, nil
}

var adjacencyCell = []byte{adjacencyVersion}

// emitAdjacent emits the edges of a vertex in one direction, which come by edge.
func (l *loader) emitAdjacent(out *emitter, v uint64, f table.Family, edges, other []uint32) error {
	if len(edges) == 0 {
		return nil
	}
	labels := l.edges.labels
	if byLabel := func(a, b uint32) int { return cmp.Compare(labels[a], labels[b]) }; !slices.IsSortedFunc(edges, byLabel) {
		slices.SortStableFunc(edges, byLabel)
	}
	key := table.AppendAdjacent(l.buf[:0], l.g.number, v, f)
	prefix := len(key)
	for _, e := range edges {
		key = binary.BigEndian.AppendUint32(key[:prefix], uint32(labels[e]))
		key = binary.BigEndian.AppendUint64(key, l.edges.first+uint64(e))
		key = binary.BigEndian.AppendUint64(key, l.vertices.first+uint64(other[e]))
		if err := out.key(key, adjacencyCell); err != nil {
			return err
		}
	}
	l.buf = key
	return nil
}

func (l *loader) emitIDs(out *emitter, c table.Class, col *loadColumn, exists func(value.Value) error) error {
	prefix := table.AppendUserID(nil, l.g.number, c, nil)
	return col.ids.sorted(func(row []byte, at int) error {
		id := bigEndian8(col.first + uint64(at))
		return out.key(append(prefix, row...), id[:])
	}, exists)
}

func (l *loader) emitLabels(out *emitter, c table.Class, col *loadColumn) error {
	labels := distinct(col.labels)
	if len(labels) == 0 {
		return nil
	}
	place := map[Symbol]uint32{}
	for i, s := range labels {
		place[s] = uint32(i)
	}
	keys := make([]uint32, len(col.labels))
	for i, s := range col.labels {
		if i > 0 && s == col.labels[i-1] {
			keys[i] = keys[i-1]
			continue
		}
		keys[i] = place[s]
	}
	perm, _ := permutation(keys, len(labels))
	var buf []byte
	for _, at := range perm {
		buf = table.AppendLabel(buf[:0], table.Label{
			Graph: l.g.number, Class: c, Label: uint32(col.labels[at]), Element: col.first + uint64(at),
		})
		if err := out.key(buf, nil); err != nil {
			return err
		}
	}
	return nil
}

func distinct(labels []Symbol) []Symbol {
	seen := map[Symbol]bool{}
	last := Symbol(0)
	for _, s := range labels {
		if s != last {
			seen[s] = true
			last = s
		}
	}
	all := make([]Symbol, 0, len(seen))
	for s := range seen {
		all = append(all, s)
	}
	slices.Sort(all)
	return all
}

func (l *loader) emitCounters(out *emitter) error {
	for _, c := range []struct {
		kind table.CounterKind
		col  *loadColumn
	}{{table.VertexCount, &l.vertices}, {table.EdgeCount, &l.edges}} {
		if len(c.col.labels) == 0 {
			continue
		}
		counts := map[Symbol]int64{0: int64(len(c.col.labels))}
		for _, s := range c.col.labels {
			counts[s]++
		}
		for _, s := range append([]Symbol{0}, distinct(c.col.labels)...) {
			key := table.AppendCounter(nil, table.Counter{Graph: l.g.number, Kind: c.kind, Symbol: uint32(s)})
			if err := out.key(key, table.AppendCount(nil, counts[s])); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *loader) form(e *loadEntry) []byte { return l.forms[e.start : e.start+uint64(e.len)] }

func (l *loader) compareForms(a, b *loadEntry) int {
	if a.prefix != b.prefix {
		return cmp.Compare(a.prefix, b.prefix)
	}
	return bytes.Compare(l.form(a), l.form(b))
}

// emitEntries emits the key indexes: by key, value, element.
func (l *loader) emitEntries(out *emitter) error {
	for c, entries := range l.entries {
		sorted := make([]uint32, len(entries))
		for i := range sorted {
			sorted[i] = uint32(i)
		}
		slices.SortFunc(sorted, func(a, b uint32) int {
			x, y := &entries[a], &entries[b]
			return cmp.Or(cmp.Compare(x.key, y.key), l.compareForms(x, y), cmp.Compare(x.element, y.element))
		})
		var buf []byte
		for i, at := range sorted {
			e := &entries[at]
			if i > 0 && l.same(e, &entries[sorted[i-1]]) {
				continue
			}
			buf = table.AppendKeyIndex(buf[:0], l.tableEntry(table.Class(c+1), e))
			if err := out.key(buf, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// same reports whether two entries share a key: equal values of a list.
func (l *loader) same(a, b *loadEntry) bool {
	return a.key == b.key && a.element == b.element && l.compareForms(a, b) == 0
}

func (l *loader) tableEntry(c table.Class, e *loadEntry) table.KeyIndex {
	return table.KeyIndex{Graph: l.g.number, Class: c, Key: e.key, Value: l.form(e), Element: e.element}
}

// emitOwned emits the reverse rows: by element, key, value. Entries come by element.
func (l *loader) emitOwned(out *emitter) error {
	for c, entries := range l.entries {
		var buf []byte
		for len(entries) > 0 {
			n := 1
			for n < len(entries) && entries[n].element == entries[0].element {
				n++
			}
			own := entries[:n]
			if n > 1 {
				slices.SortFunc(own, func(x, y loadEntry) int { return cmp.Or(cmp.Compare(x.key, y.key), l.compareForms(&x, &y)) })
			}
			for i := range own {
				if i > 0 && l.same(&own[i], &own[i-1]) {
					continue
				}
				buf = table.AppendKeyOwned(buf[:0], l.tableEntry(table.Class(c+1), &own[i]))
				if err := out.key(buf, nil); err != nil {
					return err
				}
			}
			entries = entries[n:]
		}
	}
	return nil
}
