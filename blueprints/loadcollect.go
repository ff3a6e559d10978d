package blueprints

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// loader is one Load: what the source gave, in the order in which it came, which is
// the order of internal ids.
type loader struct {
	g      *Graph
	ctx    context.Context
	defs   *keyindex.Definitions
	report LoadReport

	vertexIDs, edgeIDs, numbers *numberBlock
	symbols                     map[string]Symbol

	vertices, edges loadColumn
	out, in         []uint32 // endpoints by edge, as places in vertices
	byID            idMap    // place of a vertex
	entries         [2][]loadEntry
	forms           []byte // ordered values of entries
	cells           []loadCell
	buf, mem        []byte
}

// loadColumn is what every element of a class has.
type loadColumn struct {
	first  uint64 // internal id of the first
	labels []Symbol
	ids    idColumn
	// props are the properties of each element one after the other, counts how many
	// each has; nil as long as none has any.
	props  spool
	counts []uint16
}

// loadEntry is an entry of a key index.
type loadEntry struct {
	key     uint32
	start   uint64 // of the form in loader.forms
	len     uint32
	element uint64
	prefix  uint64 // first bytes of the form, to compare fast
}

// loadCell is one property of the element under way.
type loadCell struct {
	key        Symbol
	ordinal    uint64
	start, end int // in loader.mem
}

func (l *loader) definitions(r storage.Reader) (*keyindex.Definitions, error) {
	return keyindex.Load(r, l.g.number)
}

func (l *loader) close() {
	l.vertices.props.close()
	l.edges.props.close()
	for _, b := range []*numberBlock{l.vertexIDs, l.edgeIDs, l.numbers} {
		b.giveBack()
	}
}

// collect reads the source.
func (l *loader) collect(fill func(RecordSink) error) error {
	l.symbols = map[string]Symbol{}
	l.vertices.first, l.edges.first = l.vertexIDs.next, l.edgeIDs.next
	if err := fill(loadSink{l}); err != nil {
		return err
	}
	if l.vertices.ids.user || l.edges.ids.user {
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
func (s loadSink) Vertex(v *VertexRecord) error { return s.l.addVertex(v) }

// Edge takes an edge, whose vertices came before.
func (s loadSink) Edge(e *EdgeRecord) error { return s.l.addEdge(e) }

// pollEvery is how many elements are read between two looks at the context.
const pollEvery = 1024

func (l *loader) addVertex(v *VertexRecord) error {
	if len(l.vertices.labels)%pollEvery == 0 && l.ctx.Err() != nil {
		return l.ctx.Err()
	}
	label, err := l.label(v.Label)
	if err != nil {
		return err
	}
	n, err := l.vertexIDs.take()
	if err != nil {
		return err
	}
	id, err := l.id(&l.vertices.ids, l.g.options.VertexIDs, v.ID)
	if err != nil {
		return err
	}
	if !l.byID.put(id, uint64(len(l.vertices.labels))) {
		return vertexExists(id)
	}
	l.vertices.labels = append(l.vertices.labels, label)
	l.cells, l.mem = l.cells[:0], l.mem[:0]
	for i := range v.Properties {
		if err := l.vertexProperty(n, v.Properties, i); err != nil {
			return fmt.Errorf("vertex %s: %w", id.JavaString(), err)
		}
	}
	l.report.Vertices++
	return l.finish(&l.vertices)
}

func (l *loader) addEdge(e *EdgeRecord) error {
	if len(l.edges.labels)%pollEvery == 0 && l.ctx.Err() != nil {
		return l.ctx.Err()
	}
	label, err := l.label(e.Label)
	if err != nil {
		return err
	}
	n, err := l.edgeIDs.take()
	if err != nil {
		return err
	}
	id, err := l.id(&l.edges.ids, l.g.options.EdgeIDs, e.ID)
	if err != nil {
		return err
	}
	out, err := l.endpoint(e.Out)
	if err != nil {
		return fmt.Errorf("edge %s: %w", id.JavaString(), err)
	}
	in, err := l.endpoint(e.In)
	if err != nil {
		return fmt.Errorf("edge %s: %w", id.JavaString(), err)
	}
	l.edges.labels = append(l.edges.labels, label)
	l.out, l.in = append(l.out, out), append(l.in, in)
	l.cells, l.mem = l.cells[:0], l.mem[:0]
	for i := range e.Properties {
		if err := l.edgeProperty(n, e.Properties, i); err != nil {
			return fmt.Errorf("edge %s: %w", id.JavaString(), err)
		}
	}
	l.report.Edges++
	return l.finish(&l.edges)
}

func (l *loader) endpoint(id value.Value) (uint32, error) {
	id, err := l.g.options.VertexIDs.Convert(id)
	if err != nil {
		return 0, err
	}
	at, ok := l.byID.get(id)
	if !ok {
		return 0, fmt.Errorf("vertex with id %s is not part of the load", id.JavaString())
	}
	return uint32(at), nil
}

func (l *loader) label(name string) (Symbol, error) {
	if sym, ok := l.symbols[name]; ok {
		return sym, nil
	}
	if err := ValidateLabel(name); err != nil {
		return 0, err
	}
	return l.intern(name)
}

func (l *loader) intern(name string) (Symbol, error) {
	if sym, ok := l.symbols[name]; ok {
		return sym, nil
	}
	sym, err := l.g.intern(l.ctx, name)
	if err == nil {
		l.symbols[name] = sym
	}
	return sym, err
}

// id returns the user-visible id of the next element and keeps it.
func (l *loader) id(ids *idColumn, m IDManager, id value.Value) (value.Value, error) {
	id, err := m.Convert(id)
	if err != nil {
		return id, err
	}
	if id.IsNull() {
		n, err := l.numbers.take()
		if err != nil {
			return id, err
		}
		id = m.generated(n)
	} else {
		ids.user = true
	}
	ids.add(id)
	return id, nil
}

func (l *loader) key(p *PropertyRecord) (Symbol, error) {
	if sym, ok := l.symbols[p.Key]; ok && p.Key != "" && p.Key[0] != '~' {
		return sym, nil
	}
	if err := ValidateKey(p.Key); err != nil {
		return 0, err
	}
	return l.intern(p.Key)
}

func repeated(props []PropertyRecord, i int) bool {
	for k := range props {
		if k != i && props[k].Key == props[i].Key {
			return true
		}
	}
	return false
}

func (l *loader) vertexProperty(vertex uint64, props []PropertyRecord, i int) error {
	p := &props[i]
	if p.Value.IsNull() && !l.g.options.AllowNull {
		return nil
	}
	key, err := l.key(p)
	if err != nil {
		return err
	}
	id, err := l.g.options.VertexPropertyIDs.Convert(p.ID)
	if err != nil {
		return err
	}
	n, err := l.numbers.take()
	if err != nil {
		return err
	}
	if id.IsNull() && l.g.options.VertexPropertyIDs == UUIDIDs {
		id = UUIDIDs.generated(n)
	}
	c := PropertyCell{Number: n, UserID: id, Value: p.Value}
	for _, m := range p.Meta {
		if m.Value.IsNull() && !l.g.options.AllowNull {
			continue
		}
		sym, err := l.key(&PropertyRecord{Key: m.Key})
		if err != nil {
			return err
		}
		c.Meta = withMeta(c.Meta, MetaCell{Key: sym, Value: m.Value})
	}
	ordinal := uint64(slotSingle)
	if len(props) > 1 && repeated(props, i) {
		ordinal = slotFirst + n
	}
	start := len(l.mem)
	if l.mem, err = AppendPropertyCell(l.mem, c); err != nil {
		return fmt.Errorf("property %q: %w", p.Key, err)
	}
	l.cells = append(l.cells, loadCell{key: key, ordinal: ordinal, start: start, end: len(l.mem)})
	return l.entry(table.VertexClass, vertex, key, p.Value)
}

func (l *loader) edgeProperty(edge uint64, props []PropertyRecord, i int) error {
	p := &props[i]
	if p.Value.IsNull() && !l.g.options.AllowNull {
		return nil
	}
	key, err := l.key(p)
	if err != nil {
		return err
	}
	for k := range i {
		if props[k].Key == p.Key {
			return fmt.Errorf("property %q comes twice", p.Key)
		}
	}
	start := len(l.mem)
	if l.mem, err = value.AppendMsgpack(l.mem, p.Value); err != nil {
		return fmt.Errorf("property %q: %w", p.Key, err)
	}
	l.cells = append(l.cells, loadCell{key: key, start: start, end: len(l.mem)})
	return l.entry(table.EdgeClass, edge, key, p.Value)
}

// entry keeps an entry of an index that is maintained.
func (l *loader) entry(c table.Class, element uint64, key Symbol, v value.Value) error {
	if !l.defs.Maintained(c, uint32(key)) {
		return nil
	}
	start := len(l.forms)
	var err error
	if l.forms, _, err = value.AppendOrdered(l.forms, v); err != nil {
		return err
	}
	form := l.forms[start:]
	var first [8]byte
	copy(first[:], form)
	e := loadEntry{
		key: uint32(key), start: uint64(start), len: uint32(len(form)), element: element,
		prefix: binary.BigEndian.Uint64(first[:]),
	}
	l.entries[c-1] = append(l.entries[c-1], e)
	return nil
}

// propertiesMax is how many properties an element may have in a load.
const propertiesMax = 1<<16 - 1

// finish spools the properties of the element under way, by key.
func (l *loader) finish(col *loadColumn) error {
	if len(col.labels) > elementsMax {
		return fmt.Errorf("a load is limited to %d elements of a class", uint64(elementsMax))
	}
	n := len(l.cells)
	switch {
	case n == 0 && col.counts == nil:
		return nil
	case n > propertiesMax:
		return fmt.Errorf("an element has %d properties, a load is limited to %d", n, propertiesMax)
	case col.counts == nil:
		col.counts = make([]uint16, len(col.labels)-1, 2*len(col.labels))
	}
	col.counts = append(col.counts, uint16(n))
	l.report.Properties += int64(n)
	if n > 1 {
		slices.SortFunc(l.cells, func(a, b loadCell) int {
			return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.ordinal, b.ordinal))
		})
	}
	for _, cell := range l.cells {
		l.buf = binary.BigEndian.AppendUint32(l.buf[:0], uint32(cell.key))
		l.buf = binary.BigEndian.AppendUint64(l.buf, cell.ordinal)
		l.buf = append(l.buf, l.mem[cell.start:cell.end]...)
		if err := col.props.write(l.buf); err != nil {
			return err
		}
	}
	return nil
}
