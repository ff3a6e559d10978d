package load

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/blueprints"

	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/blueprints/spool"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// key returns what is known of the key of the i-th property of a record.
func (l *loader) key(c table.Class, i int, name string) (*propertyKey, error) {
	for len(l.keys) <= i {
		l.keys = append(l.keys, propertyKey{})
	}
	k := &l.keys[i]
	if k.class == c && k.name == name {
		return k, nil
	}
	if err := blueprints.ValidateKey(name); err != nil {
		return nil, err
	}
	sym, err := l.to.Symbol(name)
	if err != nil {
		return nil, err
	}
	x, err := l.index(c, sym)
	if err != nil {
		return nil, err
	}
	*k = propertyKey{c, strings.Clone(name), sym, x}
	return k, nil
}

// index returns where the entries of a key go, nil when it has no index.
func (l *loader) index(c table.Class, key blueprints.Symbol) (*keyEntries, error) {
	if is, err := l.to.Indexed(c, key); err != nil || !is {
		return nil, err
	}
	all := &l.indexes[c-1]
	at, ok := slices.BinarySearchFunc(*all, uint32(key), func(x *keyEntries, key uint32) int { return cmp.Compare(x.key, key) })
	if !ok {
		*all = slices.Insert(*all, at, &keyEntries{
			key: uint32(key), values: spool.Sorter{Options: l.spools}, owned: spool.List{Options: l.spools},
		})
	}
	return (*all)[at], nil
}

func repeated(props []blueprints.PropertyRecord, i int) bool {
	for k := range props {
		if k != i && props[k].Key == props[i].Key {
			return true
		}
	}
	return false
}

func (l *loader) vertexProperty(label blueprints.Symbol, props []blueprints.PropertyRecord, i int) error {
	p := &props[i]
	if p.Value.IsNull() && !l.options.AllowNull {
		return nil
	}
	k, err := l.key(table.VertexClass, i, p.Key)
	if err != nil {
		return err
	}
	id, err := l.options.VertexPropertyIDs.Convert(p.ID)
	if err != nil {
		return err
	}
	if l.to.Counters.Has(table.VertexClass, label, k.sym) {
		return l.counterProperty(k, props, i)
	}
	n, err := l.to.Numbers.Take()
	if err != nil {
		return err
	}
	if id.IsNull() && l.options.VertexPropertyIDs == ids.UUID {
		id = ids.UUID.Generated(n)
	}
	c := blueprints.PropertyCell{Number: n, UserID: id, Value: p.Value}
	for _, m := range p.Meta {
		if m.Value.IsNull() && !l.options.AllowNull {
			continue
		}
		if err := blueprints.ValidateKey(m.Key); err != nil {
			return err
		}
		sym, err := l.to.Symbol(m.Key)
		if err != nil {
			return err
		}
		c.SetMeta(blueprints.MetaCell{Key: sym, Value: m.Value})
	}
	ordinal := uint64(blueprints.SlotSingle)
	if len(props) > 1 && repeated(props, i) {
		ordinal = blueprints.SlotFirst + n
	}
	start := len(l.mem)
	if l.mem, err = blueprints.AppendPropertyCell(l.mem, c); err != nil {
		return fmt.Errorf("property %q: %w", p.Key, err)
	}
	l.cells = append(l.cells, property{key: k.sym, ordinal: ordinal, start: start, end: len(l.mem)})
	return l.entry(k, p.Value)
}

func (l *loader) edgeProperty(label blueprints.Symbol, props []blueprints.PropertyRecord, i int) error {
	p := &props[i]
	if p.Value.IsNull() && !l.options.AllowNull {
		return nil
	}
	k, err := l.key(table.EdgeClass, i, p.Key)
	if err != nil {
		return err
	}
	for _, before := range props[:i] {
		if before.Key == p.Key {
			return fmt.Errorf("property %q comes twice", p.Key)
		}
	}
	if l.to.Counters.Has(table.EdgeClass, label, k.sym) {
		return l.counterProperty(k, props, i)
	}
	start := len(l.mem)
	if l.mem, err = value.AppendMsgpack(l.mem, p.Value); err != nil {
		return fmt.Errorf("property %q: %w", p.Key, err)
	}
	l.cells = append(l.cells, property{key: k.sym, start: start, end: len(l.mem)})
	return l.entry(k, p.Value)
}

// counterProperty keeps a property whose key is a counter.
func (l *loader) counterProperty(k *propertyKey, props []blueprints.PropertyRecord, i int) error {
	n, err := props[i].Count(len(props) > 1 && repeated(props, i))
	if err != nil {
		return err
	}
	start := len(l.mem)
	l.mem = storage.AppendCount(l.mem, n)
	l.cells = append(l.cells, property{key: k.sym, ordinal: blueprints.SlotCounter, start: start, end: len(l.mem)})
	return l.entry(k, value.Long(n))
}

// entry keeps an entry of an index that is maintained, the value for those that look at
// several, and what rules are asked about.
func (l *loader) entry(k *propertyKey, v value.Value) error {
	if len(l.declared.of[k.class-1]) > 0 {
		l.values = append(l.values, v)
	}
	if l.to.Rules != nil {
		l.entries = append(l.entries, blueprints.PropertyEntry{Key: k.sym, Value: v})
	}
	if k.index == nil {
		return nil
	}
	return k.index.add(v)
}

// inRow compares properties by the places of their cells in a row.
func inRow(a, b property) int {
	if counters := b.ordinal == blueprints.SlotCounter; counters != (a.ordinal == blueprints.SlotCounter) {
		if counters {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.ordinal, b.ordinal))
}

// propertiesMax is how many properties an element may have in a load.
const propertiesMax = 1<<16 - 1

// spool keeps the properties of the element under way, by key, and the id of an edge.
func (l *loader) spool(col *elements, id value.Value) error {
	n := len(l.cells)
	if n > propertiesMax {
		return fmt.Errorf("an element has %d properties, a load is limited to %d", n, propertiesMax)
	}
	if col.labels.len()%markEvery == 0 {
		col.marks = append(col.marks[:col.labels.len()/markEvery], col.props.Mark())
	}
	if col.class == table.EdgeClass {
		var err error
		if l.buf, err = value.AppendMsgpack(l.buf[:0], id); err != nil {
			return err
		}
		if l.broken = col.props.Write(l.buf); l.broken != nil {
			return l.broken
		}
	}
	if n == 0 {
		return nil
	}
	if n > 1 && !slices.IsSortedFunc(l.cells, inRow) {
		slices.SortFunc(l.cells, inRow)
	}
	for _, cell := range l.cells {
		l.buf = binary.BigEndian.AppendUint32(l.buf[:0], uint32(cell.key))
		l.buf = binary.BigEndian.AppendUint64(l.buf, cell.ordinal)
		l.buf = append(l.buf, l.mem[cell.start:cell.end]...)
		if l.broken = col.props.Write(l.buf); l.broken != nil {
			return l.broken
		}
	}
	for col.counts.len() < col.labels.len() {
		col.counts.add(0)
	}
	col.counts.add(uint16(n))
	l.report.Properties += int64(n)
	return nil
}
