package blueprints

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/blueprints/spool"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// loader is one Load: what the source gave, in the order in which it came, which is
// the order of internal ids.
type loader struct {
	g     *Graph
	ctx   context.Context
	defs  *keyindex.Definitions
	rules []*Rules
	// counters are the keys that are counters.
	counters *CounterKeys
	report   LoadReport

	vertexIDs, edgeIDs, numbers *numberBlock
	symbols                     map[string]Symbol
	unsettled                   []*symbol // that are not durable yet
	keys                        []loadKey // by place of the property in its record

	vertices, edges loadColumn
	out, in         pieces[uint32] // endpoints by edge, as places in vertices
	vertexUserIDs   idColumn
	byID            idMap // place of a vertex
	edgeUserIDs     loadEdgeIDs
	indexes         [2][]*loadIndex // by class, in the order of their keys
	declared        loadDeclared
	spools          spool.Options
	cells           []loadCell
	values          []value.Value // of cells, when declared indexes look at them
	buf, mem        []byte
	entries         []PropertyEntry // of the element under way, when there are rules
	crowds          map[crowd]*keyed.Set
	pairs           map[joint]struct{}
	broken          error // after which no record can be taken
}

// loadColumn is what every element of a class has.
type loadColumn struct {
	class  table.Class
	first  uint64 // internal id of the first
	labels labelColumn
	last   loadLabel
	// props are the properties of each element one after the other, of an edge behind
	// its id; counts is how many each has, shorter when the last have none. Every
	// markEvery elements a mark is kept.
	props  spool.List
	counts pieces[uint16]
	marks  []spool.Mark
}

// markEvery is how many elements stand between two marks.
const markEvery = 4096

// loadLabel is the last label met: most records have the label of the one before.
type loadLabel struct {
	name string
	sym  Symbol
}

// loadKey is what is known of the key that stood last at a place of the records: most
// have the same keys in the same order.
type loadKey struct {
	class table.Class
	name  string
	sym   Symbol
	index *loadIndex // nil when it has none
}

// loadCell is one property of the element under way.
type loadCell struct {
	key        Symbol
	ordinal    uint64 // slotCounter of a counter, which stands behind all others
	start, end int    // in loader.mem
}

func (l *loader) close() {
	l.vertices.props.Close()
	l.edges.props.Close()
	l.edgeUserIDs.rows.Close()
	l.declared.close()
	for _, indexes := range l.indexes {
		for _, x := range indexes {
			x.close()
		}
	}
	for _, b := range []*numberBlock{l.vertexIDs, l.edgeIDs, l.numbers} {
		b.giveBack()
	}
}

func (l *loader) column(c table.Class) *loadColumn {
	if c == table.VertexClass {
		return &l.vertices
	}
	return &l.edges
}

// collect reads the source.
func (l *loader) collect(fill func(RecordSink) error) error {
	l.symbols = map[string]Symbol{}
	l.byID.ids = &l.vertexUserIDs
	l.vertexUserIDs.form, l.edgeUserIDs.form = l.g.idScheme(table.VertexClass), l.g.idScheme(table.EdgeClass)
	l.vertices.class, l.edges.class = table.VertexClass, table.EdgeClass
	l.vertices.first, l.edges.first = l.vertexIDs.next, l.edgeIDs.next
	err := fill(loadSink{l})
	if err == nil {
		err = l.broken
	}
	if serr := l.settle(); err != nil || serr != nil {
		return errors.Join(err, serr)
	}
	if l.vertexUserIDs.user || l.edgeUserIDs.user {
		err := l.g.small(l.ctx, func(tx storage.Tx) error { return tx.Set(l.g.takenKey(), []byte{1}) })
		if err != nil {
			return err
		}
		l.g.taken.Store(true)
	}
	return nil
}

// loadSink is the loader as a RecordSink.
type loadSink struct{ l *loader }

// Vertex takes a vertex.
func (s loadSink) Vertex(v *VertexRecord) error {
	err := s.l.addVertex(v)
	if err != nil {
		s.l.drop(&s.l.vertices)
	}
	return err
}

// Edge takes an edge, whose vertices came before.
func (s loadSink) Edge(e *EdgeRecord) error {
	err := s.l.addEdge(e)
	if err != nil {
		s.l.drop(&s.l.edges)
	}
	return err
}

// drop forgets what is kept of an element that was refused.
func (l *loader) drop(col *loadColumn) {
	for _, x := range l.indexes[col.class-1] {
		x.drop()
	}
}

// take keeps the entries of indexes of the element that comes next. What fails after that
// ends the load.
func (l *loader) take(col *loadColumn) error {
	for _, x := range l.indexes[col.class-1] {
		if l.broken = x.take(uint32(col.labels.len())); l.broken != nil {
			return l.broken
		}
	}
	l.broken = l.takeDeclared(col.class, uint32(col.labels.len()))
	return l.broken
}

func (l *loader) addVertex(v *VertexRecord) error {
	col := &l.vertices
	if err := l.begins(col); err != nil {
		return err
	}
	label, err := l.label(&col.last, v.Label)
	if err != nil {
		return err
	}
	n, err := l.vertexIDs.peek()
	if err != nil {
		return err
	}
	id, err := l.id(l.g.idScheme(table.VertexClass), v.ID)
	if err != nil {
		return err
	}
	if _, taken := l.byID.get(id); taken {
		return vertexExists(id)
	}
	for i := range v.Properties {
		if err := l.vertexProperty(label, v.Properties, i); err != nil {
			return fmt.Errorf("vertex %s: %w", id.Brief(), err)
		}
	}
	if err := l.findDeclared(keyindex.Element{Class: col.class, ID: n, Label: uint32(label)}); err != nil {
		return fmt.Errorf("vertex %s: %w", id.Brief(), err)
	}
	if err := l.vertexFits(label, id); err != nil {
		return err
	}
	if err := l.spool(col, value.Null); err != nil {
		return err
	}
	if err := l.take(col); err != nil {
		return err
	}
	l.byID.put(id, uint32(col.labels.len()))
	col.labels.add(label)
	l.vertexUserIDs.add(id)
	l.vertexUserIDs.user = l.vertexUserIDs.user || !v.ID.IsNull()
	l.vertexIDs.next = n + 1
	l.report.Vertices++
	return nil
}

func (l *loader) addEdge(e *EdgeRecord) error {
	col := &l.edges
	if err := l.begins(col); err != nil {
		return err
	}
	label, err := l.label(&col.last, e.Label)
	if err != nil {
		return err
	}
	n, err := l.edgeIDs.peek()
	if err != nil {
		return err
	}
	id, err := l.id(l.g.idScheme(table.EdgeClass), e.ID)
	if err != nil {
		return err
	}
	switch taken, err := l.edgeTaken(id); {
	case err != nil:
		l.broken = err
		return err
	case taken:
		return edgeExists(id)
	}
	out, err := l.endpoint(e.Out)
	if err != nil {
		return fmt.Errorf("edge %s: %w", id.Brief(), err)
	}
	in, err := l.endpoint(e.In)
	if err != nil {
		return fmt.Errorf("edge %s: %w", id.Brief(), err)
	}
	for i := range e.Properties {
		if err := l.edgeProperty(label, e.Properties, i); err != nil {
			return fmt.Errorf("edge %s: %w", id.Brief(), err)
		}
	}
	first := l.vertices.first
	ends := keyindex.Element{Class: col.class, ID: n, Label: uint32(label), Out: first + uint64(out), In: first + uint64(in)}
	if err := l.findDeclared(ends); err != nil {
		return fmt.Errorf("edge %s: %w", id.Brief(), err)
	}
	if err := l.edgeFits(label, id, out, in); err != nil {
		return err
	}
	if err := l.spool(col, id); err != nil {
		return err
	}
	if l.broken = l.edgeUserIDs.add(id, uint32(col.labels.len())); l.broken != nil {
		return l.broken
	}
	if err := l.take(col); err != nil {
		return err
	}
	if l.broken = l.joined(label, out, in); l.broken != nil {
		return l.broken
	}
	l.out.add(out)
	l.in.add(in)
	col.labels.add(label)
	l.edgeUserIDs.user = l.edgeUserIDs.user || !e.ID.IsNull()
	l.edgeIDs.next = n + 1
	l.report.Edges++
	return nil
}

// pollEvery is how many elements are read between two looks at the context.
const pollEvery = 1024

// begins prepares for one more element.
func (l *loader) begins(col *loadColumn) error {
	l.cells, l.values, l.mem, l.entries = l.cells[:0], l.values[:0], l.mem[:0], l.entries[:0]
	switch n := col.labels.len(); {
	case l.broken != nil:
		return l.broken
	case n >= elementsMax:
		return fmt.Errorf("a load is limited to %d elements of a class", uint64(elementsMax))
	case n%pollEvery == 0:
		return l.ctx.Err()
	}
	return nil
}

// properties is how many properties the i-th element has.
func (c *loadColumn) properties(i int) int {
	if i >= c.counts.len() {
		return 0
	}
	return int(c.counts.at(i))
}

func (l *loader) endpoint(id value.Value) (uint32, error) {
	id, err := l.g.options.VertexIDs.Convert(id)
	if err != nil {
		return 0, err
	}
	at, ok := l.byID.get(id)
	if !ok {
		return 0, fmt.Errorf("vertex with id %s is not part of the load", id.Brief())
	}
	return at, nil
}

func (l *loader) label(last *loadLabel, name string) (Symbol, error) {
	if name == last.name && name != "" {
		return last.sym, nil
	}
	if err := ValidateLabel(name); err != nil {
		return 0, err
	}
	sym, err := l.intern(name)
	if err == nil {
		*last = loadLabel{strings.Clone(name), sym}
	}
	return sym, err
}

func (l *loader) intern(name string) (Symbol, error) {
	if sym, ok := l.symbols[name]; ok {
		return sym, nil
	}
	sym, err := l.g.symbols.of(name)
	if err != nil {
		return 0, err
	}
	l.symbols[sym.name] = sym.number
	if sym.durable.Load() {
		return sym.number, nil
	}
	if l.unsettled = append(l.unsettled, sym); len(l.unsettled) == unsettledMax {
		l.broken = l.settle()
	}
	return sym.number, l.broken
}

// unsettledMax is how many new names become durable together.
const unsettledMax = 1 << 14

// settle makes the names durable that the load has met. Their symbols stand in what is
// ingested, so they come first.
func (l *loader) settle() error {
	names := l.unsettled
	l.unsettled = nil
	return l.g.settle(l.ctx, names)
}

// id returns the user-visible id of an element.
func (l *loader) id(f ids.Scheme, id value.Value) (value.Value, error) {
	id, err := f.Manager.Convert(id)
	if err != nil {
		return id, err
	}
	if id.IsNull() {
		n, err := l.numbers.take()
		return f.Manager.Generated(n), err
	}
	if len(id.Str()) >= ids.Max {
		_, err = f.AppendRow(nil, id)
	}
	return id, err
}
