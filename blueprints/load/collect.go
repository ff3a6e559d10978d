package load

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/blueprints"

	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/blueprints/spool"
	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// loader is one Load: what the source gave, in the order in which it came, which is
// the order of internal ids.
type loader struct {
	to      *blueprints.Loading
	ctx     context.Context
	number  uint32 // of the graph
	options blueprints.Options
	report  Report

	keys []propertyKey // by place of the property in its record

	vertices, edges elements
	out, in         pieces[uint32] // endpoints by edge, as places in vertices
	vertexUserIDs   idColumn
	byID            idMap // place of a vertex
	edgeUserIDs     edgeIDs
	indexes         [2][]*keyEntries // by class, in the order of their keys
	declared        declaredIndexes
	spools          spool.Options
	cells           []property
	values          []value.Value // of cells, when declared indexes look at them
	buf, mem        []byte
	entries         []blueprints.PropertyEntry      // of the element under way, when there are rules
	ends            [2]map[blueprints.Symbol]uint64 // by class: when elements of a label end
	crowds          map[crowd]*keyed.Set
	pairs           map[joint]struct{}
	broken          error // after which no record can be taken
}

// elements is what every element of a class has.
type elements struct {
	class  table.Class
	first  uint64 // internal id of the first
	labels labelColumn
	last   lastLabel
	// props are the properties of each element one after the other, of an edge behind
	// its id; counts is how many each has, shorter when the last have none. Every
	// markEvery elements a mark is kept.
	props  spool.List
	counts pieces[uint16]
	marks  []spool.Mark
}

// markEvery is how many elements stand between two marks.
const markEvery = 4096

// lastLabel is the last label met: most records have the label of the one before.
type lastLabel struct {
	name string
	sym  blueprints.Symbol
}

// propertyKey is what is known of the key that stood last at a place of the records: most
// have the same keys in the same order.
type propertyKey struct {
	class table.Class
	name  string
	sym   blueprints.Symbol
	index *keyEntries // nil when it has none
}

// property is one property of the element under way.
type property struct {
	key        blueprints.Symbol
	ordinal    uint64 // blueprints.SlotCounter of a counter, which stands behind all others
	start, end int    // in loader.mem
}

func (l *loader) close() {
	l.vertices.props.Close()
	l.edges.props.Close()
	l.declared.close()
	for _, indexes := range l.indexes {
		for _, x := range indexes {
			x.close()
		}
	}
}

func (l *loader) column(c table.Class) *elements {
	if c == table.VertexClass {
		return &l.vertices
	}
	return &l.edges
}

// collect reads the source. What only the elements that come are compared with is gone then.
func (l *loader) collect(fill func(blueprints.RecordSink) error) error {
	l.byID.ids = &l.vertexUserIDs
	l.vertexUserIDs.form, l.edgeUserIDs.form = l.to.IDScheme(table.VertexClass), l.to.IDScheme(table.EdgeClass)
	l.vertices.class, l.edges.class = table.VertexClass, table.EdgeClass
	l.vertices.first, l.edges.first = l.to.VertexIDs.Next(), l.to.EdgeIDs.Next()
	err := fill(sink{l})
	l.byID, l.edgeUserIDs.slots, l.crowds, l.pairs = idMap{}, nil, nil, nil
	if err == nil {
		err = errors.Join(l.broken, l.to.Err())
	}
	if serr := l.to.Settle(); err != nil || serr != nil {
		return errors.Join(err, serr)
	}
	if l.vertexUserIDs.user || l.edgeUserIDs.user {
		return l.to.TakeIDs()
	}
	return nil
}

// sink is the loader as a blueprints.RecordSink.
type sink struct{ l *loader }

// Vertex takes a vertex.
func (s sink) Vertex(v *blueprints.VertexRecord) error {
	err := s.l.addVertex(v)
	if err != nil {
		s.l.drop(&s.l.vertices)
	}
	return err
}

// Edge takes an edge, whose vertices came before.
func (s sink) Edge(e *blueprints.EdgeRecord) error {
	err := s.l.addEdge(e)
	if err != nil {
		s.l.drop(&s.l.edges)
	}
	return err
}

// drop forgets what is kept of an element that was refused.
func (l *loader) drop(col *elements) {
	for _, x := range l.indexes[col.class-1] {
		x.drop()
	}
}

// take keeps the entries of indexes of the element that comes next. What fails after that
// ends the load.
func (l *loader) take(col *elements) error {
	for _, x := range l.indexes[col.class-1] {
		if l.broken = x.take(uint32(col.labels.len())); l.broken != nil {
			return l.broken
		}
	}
	l.broken = l.takeDeclared(col.class, uint32(col.labels.len()))
	return l.broken
}

func (l *loader) addVertex(v *blueprints.VertexRecord) error {
	col := &l.vertices
	if err := l.begins(col); err != nil {
		return err
	}
	label, err := l.label(&col.last, v.Label)
	if err != nil {
		return err
	}
	n, err := l.to.VertexIDs.Peek()
	if err != nil {
		return err
	}
	id, err := l.id(l.to.IDScheme(table.VertexClass), v.ID)
	if err != nil {
		return err
	}
	if _, taken := l.byID.get(id); taken {
		return blueprints.VertexExists(id)
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
	l.to.VertexIDs.Take()
	l.report.Vertices++
	return nil
}

func (l *loader) addEdge(e *blueprints.EdgeRecord) error {
	col := &l.edges
	if err := l.begins(col); err != nil {
		return err
	}
	label, err := l.label(&col.last, e.Label)
	if err != nil {
		return err
	}
	n, err := l.to.EdgeIDs.Peek()
	if err != nil {
		return err
	}
	id, err := l.id(l.to.IDScheme(table.EdgeClass), e.ID)
	if err != nil {
		return err
	}
	switch taken, err := l.edgeTaken(id); {
	case err != nil:
		l.broken = err
		return err
	case taken:
		return blueprints.EdgeExists(id)
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
	l.to.EdgeIDs.Take()
	l.report.Edges++
	return nil
}

// pollEvery is how many elements are read between two looks at the context.
const pollEvery = 1024

// begins prepares for one more element.
func (l *loader) begins(col *elements) error {
	l.cells, l.values, l.mem, l.entries = l.cells[:0], l.values[:0], l.mem[:0], l.entries[:0]
	switch n := col.labels.len(); {
	case l.broken != nil:
		return l.broken
	case l.to.Err() != nil:
		return l.to.Err()
	case n >= elementsMax:
		return fmt.Errorf("a load is limited to %d elements of a class", uint64(elementsMax))
	case n%pollEvery == 0:
		return l.ctx.Err()
	}
	return nil
}

// properties is how many properties the i-th element has.
func (c *elements) properties(i int) int {
	if i >= c.counts.len() {
		return 0
	}
	return int(c.counts.at(i))
}

func (l *loader) endpoint(id value.Value) (uint32, error) {
	id, err := l.options.VertexIDs.Convert(id)
	if err != nil {
		return 0, err
	}
	at, ok := l.byID.get(id)
	if !ok {
		return 0, fmt.Errorf("vertex with id %s is not part of the load", id.Brief())
	}
	return at, nil
}

func (l *loader) label(last *lastLabel, name string) (blueprints.Symbol, error) {
	if name == last.name && name != "" {
		return last.sym, nil
	}
	if err := blueprints.ValidateLabel(name); err != nil {
		return 0, err
	}
	sym, err := l.to.Symbol(name)
	if err == nil {
		*last = lastLabel{strings.Clone(name), sym}
	}
	return sym, err
}

// id returns the user-visible id of an element.
func (l *loader) id(f ids.Scheme, id value.Value) (value.Value, error) {
	id, err := f.Manager.Convert(id)
	if err != nil {
		return id, err
	}
	if id.IsNull() {
		n, err := l.to.Numbers.Take()
		return f.Manager.Generated(n), err
	}
	if len(id.Str()) >= ids.Max {
		_, err = f.AppendRow(nil, id)
	}
	return id, err
}
