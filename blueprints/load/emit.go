package load

import (
	"cmp"
	"encoding/binary"
	"runtime"
	"slices"

	"github.com/gremlind/gremlind/blueprints"

	"golang.org/x/sync/errgroup"

	"github.com/gremlind/gremlind/blueprints/spool"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// addKey is what a storage.KeySource hands its keys to.
type addKey = func(key, val []byte) error

// adjacency is the edges of one direction, by vertex.
type adjacency struct {
	family table.Family
	perm   []uint32        // edges by the vertex that has them
	starts []uint32        // where those of a vertex begin in perm
	other  *pieces[uint32] // vertex at the other end, by edge
}

// sources makes all keys of the load, in ascending order from source to source.
func (l *loader) sources() ([]storage.KeySource, error) {
	n := l.vertices.labels.len()
	both := [2]adjacency{{family: table.OutEdge, other: &l.in}, {family: table.InEdge, other: &l.out}}
	var sorting errgroup.Group
	sorting.Go(func() error { both[0].perm, both[0].starts = permutation(l.out.len(), n, l.out.at); return nil })
	sorting.Go(func() error { both[1].perm, both[1].starts = permutation(l.in.len(), n, l.in.at); return nil })
	if err := sorting.Wait(); err != nil {
		return nil, err
	}
	var all []storage.KeySource
	for _, part := range parts(n) {
		all = append(all, func(add addKey) error { return l.emitVertices(add, both, part[0], part[1]) })
	}
	for _, part := range parts(l.edges.labels.len()) {
		all = append(all, func(add addKey) error { return l.emitEdges(add, part[0], part[1]) })
	}
	for _, col := range []*elements{&l.vertices, &l.edges} {
		if err := col.props.Seal(); err != nil {
			return nil, err
		}
	}
	return append(all,
		l.emitVertexIDs, l.emitEdgeIDs,
		func(add addKey) error { return l.emitLabels(add, &l.vertices) },
		func(add addKey) error { return l.emitLabels(add, &l.edges) },
		l.emitCounters,
		l.emitEntries(table.VertexClass), l.emitEntries(table.EdgeClass),
		l.emitComposites, l.emitEdgeIndexes, l.emitTexts, l.emitPoints,
		l.emitOwned(table.VertexClass), l.emitOwned(table.EdgeClass),
		l.emitEnds, // outside the range of elements
	), nil
}

// parts cuts n elements into as many parts as keep all processors busy, at marks.
func parts(n int) [][2]int {
	step := n/(2*runtime.GOMAXPROCS(0)) + 1
	step = (step + markEvery - 1) / markEvery * markEvery
	var all [][2]int
	for from := 0; from < n; from += step {
		all = append(all, [2]int{from, min(from+step, n)})
	}
	return all
}

func (l *loader) emitVertices(add addKey, both [2]adjacency, from, to int) error {
	e := propertyEmitter{add: add, col: &l.vertices, ordinals: true}
	e.begin(from)
	var key, cell []byte
	var err error
	for i := from; i < to; i++ {
		v := l.vertices.first + uint64(i)
		key = table.AppendVertexExists(key[:0], l.number, v)
		cell, err = blueprints.AppendVertexCell(cell[:0], blueprints.VertexCell{Label: l.vertices.labels.at(i), ID: l.vertexUserIDs.at(i)})
		if err != nil {
			return err
		}
		if err := add(key, cell); err != nil {
			return err
		}
		if key, err = l.emitEnd(add, key, l.vertices.labels.at(i), table.VertexClass); err != nil {
			return err
		}
		if key, err = e.emit(i, key); err != nil {
			return err
		}
		for d := range both {
			if key, err = l.emitAdjacent(add, key, v, &both[d], i); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *loader) emitEdges(add addKey, from, to int) error {
	e := propertyEmitter{add: add, col: &l.edges}
	e.begin(from)
	var key, cell []byte
	var err error
	first := l.vertices.first
	for i := from; i < to; i++ {
		key = table.AppendEdgeExists(key[:0], l.number, l.edges.first+uint64(i))
		c := blueprints.EdgeCell{Label: l.edges.labels.at(i), Out: blueprints.VertexID(first + uint64(l.out.at(i))), In: blueprints.VertexID(first + uint64(l.in.at(i)))}
		if c.ID, err = e.id(); err != nil {
			return err
		}
		if cell, err = blueprints.AppendEdgeCell(cell[:0], c); err != nil {
			return err
		}
		if err := add(key, cell); err != nil {
			return err
		}
		if key, err = l.emitEnd(add, key, l.edges.labels.at(i), table.EdgeClass); err != nil {
			return err
		}
		if key, err = e.emit(i, key); err != nil {
			return err
		}
	}
	return nil
}

// propertyEmitter emits the properties of elements one after the other.
type propertyEmitter struct {
	add      addKey
	col      *elements
	props    *spool.Reader
	ordinals bool // keys have them
}

// begin goes to an element that has a mark.
func (e *propertyEmitter) begin(i int) {
	if i/markEvery < len(e.col.marks) {
		e.props = e.col.props.Reader(e.col.marks[i/markEvery])
	}
}

// id reads the id of an edge, which stands before its properties.
func (e *propertyEmitter) id() (value.Value, error) {
	rec, err := e.props.Read()
	if err != nil {
		return value.Null, err
	}
	id, _, err := value.ReadMsgpack(rec)
	return id, err
}

// emit emits the properties of an element as spool kept them. key is the key of its
// EXISTS cell, and comes back changed.
func (e *propertyEmitter) emit(i int, key []byte) ([]byte, error) {
	if e.props == nil {
		return key, nil
	}
	row := len(key) - 1
	for range e.col.properties(i) {
		rec, err := e.props.Read()
		if err != nil {
			return key, err
		}
		if len(rec) < 12 {
			return key, corrupt(nil)
		}
		family, ordinal := table.Property, rec[4:12]
		if binary.BigEndian.Uint64(ordinal) == blueprints.SlotCounter {
			family = table.CounterCell
		}
		key = append(append(key[:row], byte(family)), rec[:4]...)
		if e.ordinals && family == table.Property {
			key = append(key, ordinal...)
		}
		if err := e.add(key, rec[12:]); err != nil {
			return key, err
		}
	}
	return key, nil
}

var adjacencyCell = []byte{blueprints.AdjacencyVersion}

// emitAdjacent emits the edges of the i-th vertex, v, in one direction.
func (l *loader) emitAdjacent(add addKey, key []byte, v uint64, a *adjacency, i int) ([]byte, error) {
	edges := a.perm[a.starts[i]:a.starts[i+1]]
	if len(edges) == 0 {
		return key, nil
	}
	labels := &l.edges.labels
	if byLabel := func(a, b uint32) int { return cmp.Compare(labels.at(int(a)), labels.at(int(b))) }; !slices.IsSortedFunc(edges, byLabel) {
		slices.SortStableFunc(edges, byLabel)
	}
	key = table.AppendAdjacent(key[:0], l.number, v, a.family)
	prefix := len(key)
	for _, e := range edges {
		key = binary.BigEndian.AppendUint32(key[:prefix], uint32(labels.at(int(e))))
		key = binary.BigEndian.AppendUint64(key, l.edges.first+uint64(e))
		key = binary.BigEndian.AppendUint64(key, l.vertices.first+uint64(a.other.at(int(e))))
		if err := add(key, adjacencyCell); err != nil {
			return key, err
		}
	}
	return key, nil
}

func (l *loader) emitVertexIDs(add addKey) error {
	key := table.AppendUserID(nil, l.number, table.VertexClass, nil)
	prefix := len(key)
	return l.vertexUserIDs.sorted(func(row []byte, at int) error {
		key = append(key[:prefix], row...)
		id := bigEndian8(l.vertices.first + uint64(at))
		return add(key, id[:])
	}, blueprints.VertexExists)
}

func (l *loader) emitEdgeIDs(add addKey) error {
	key := table.AppendUserID(nil, l.number, table.EdgeClass, nil)
	prefix := len(key)
	return l.eachEdgeRow(func(row []byte, at uint32) error {
		key = append(key[:prefix], row...)
		id := bigEndian8(l.edges.first + uint64(at))
		return add(key, id[:])
	})
}

func (l *loader) emitLabels(add addKey, col *elements) error {
	labels, _ := countLabels(&col.labels)
	var key []byte
	emit := func(at int) error {
		key = table.AppendLabel(key[:0], table.Label{
			Graph: l.number, Class: col.class, Label: uint32(col.labels.at(at)), Element: col.first + uint64(at),
		})
		return add(key, nil)
	}
	if len(labels) == 1 {
		for i := range col.labels.len() {
			if err := emit(i); err != nil {
				return err
			}
		}
		return nil
	}
	place := map[blueprints.Symbol]uint32{}
	for i, s := range labels {
		place[s] = uint32(i)
	}
	last, lastPlace := blueprints.Symbol(0), uint32(0)
	perm, _ := permutation(col.labels.len(), len(labels), func(i int) uint32 {
		if s := col.labels.at(i); s != last {
			last, lastPlace = s, place[s]
		}
		return lastPlace
	})
	for _, at := range perm {
		if err := emit(int(at)); err != nil {
			return err
		}
	}
	return nil
}

// countLabels returns the labels in order and how many elements have each.
func countLabels(labels *labelColumn) ([]blueprints.Symbol, map[blueprints.Symbol]int64) {
	counts := map[blueprints.Symbol]int64{}
	for i := 0; i < labels.len(); {
		n, s := i+1, labels.at(i)
		for n < labels.len() && labels.at(n) == s {
			n++
		}
		counts[s] += int64(n - i)
		i = n
	}
	all := make([]blueprints.Symbol, 0, len(counts))
	for s := range counts {
		all = append(all, s)
	}
	slices.Sort(all)
	return all, counts
}

func (l *loader) emitCounters(add addKey) error {
	for _, c := range []struct {
		kind table.CounterKind
		col  *elements
	}{{table.VertexCount, &l.vertices}, {table.EdgeCount, &l.edges}} {
		if c.col.labels.len() == 0 {
			continue
		}
		labels, counts := countLabels(&c.col.labels)
		counts[0] = int64(c.col.labels.len()) // of all labels
		for _, s := range append([]blueprints.Symbol{0}, labels...) {
			key := table.AppendCounter(nil, table.Counter{Graph: l.number, Kind: c.kind, Symbol: uint32(s)})
			if err := add(key, storage.AppendCount(nil, counts[s])); err != nil {
				return err
			}
		}
	}
	return nil
}
