package table

import "encoding/binary"

// Index metadata: the definition, the state and the build cursor of every index.
//
//	+-------+------+-----------+-------+------+
//	| graph | 0x08 | INDEX_KEY | class | name |     -> definition
//	+-------+------+-----------+-------+------+
//	| graph | 0x08 | INDEX_NAME |   0  | name |     -> definition, class, number
//	+-------+------+------------+------+------+
//	| graph | 0x08 | INDEX_DECLARED | 0 | name |    -> definition, class, number
//	+-------+------+------------+------+------+
//	| graph | 0x08 | INDEX_CURSOR | class | name |  -> how far the builder is
//	+-------+------+------------+------+------+
//	| graph | 0x08 | SCHEMA     |   0  |      |     -> rules for elements
//	+-------+------+------------+------+------+
//	| graph | 0x08 | TTL        |   0  |      |     -> how long elements of labels are there
//	+-------+------+------------+-------+----------+--------+
//	| graph | 0x08 | COUNTERS   | class | label 4B | key 4B |   -> version 1B: the key is a counter
//	+-------+------+------------+-------+----------+--------+
//
// The cursor has a cell of its own, because it moves while transactions depend on
// the definition; that of a declared index has class 0. A key index is unique by class and
// key, the others by name alone: that is why their class stands in the value.

// IndexFamily tells key indexes and named indexes apart.
type IndexFamily byte

// The index families. Do not renumber: on disk.
const (
	IndexKey  IndexFamily = 1
	IndexName IndexFamily = 2
	// IndexCursor is the place of a key index's builder.
	IndexCursor IndexFamily = 3

	// IndexDeclared is an index of a name, with a class, keys and maybe a label of its own.
	IndexDeclared IndexFamily = 4
	// IndexSchema is the schema of the graph: one cell, without class and name.
	IndexSchema IndexFamily = 5

	// Reserved for a feature: definitions of connections of labels.
	reservedConnection IndexFamily = 6

	// IndexTTL is how long elements of labels are there: one cell, without class and name.
	IndexTTL IndexFamily = 7

	// IndexCounters are the property keys that are counters of the elements of a label.
	IndexCounters IndexFamily = 8

	// IndexDoubts are entries of an index under construction that may be wrong, of IndexCursor's name.
	IndexDoubts IndexFamily = 9
)

// OfBuilder reports whether a family has cells of builders, which define nothing.
func (f IndexFamily) OfBuilder() bool { return f == IndexCursor || f == IndexDoubts }

// CounterKey says that a property key is a counter of the elements of a label.
type CounterKey struct {
	Graph      uint32
	Class      Class
	Label, Key uint32
}

// AppendCounterKeys appends the prefix of all of a graph.
func AppendCounterKeys(dst []byte, graph uint32) []byte {
	return append(AppendTable(dst, graph, IndexMetadata), byte(IndexCounters))
}

// AppendCounterKey appends the key of one.
func AppendCounterKey(dst []byte, c CounterKey) []byte {
	dst = binary.BigEndian.AppendUint32(append(AppendCounterKeys(dst, c.Graph), byte(c.Class)), c.Label)
	return binary.BigEndian.AppendUint32(dst, c.Key)
}

// DecodeCounterKey reads a key that AppendCounterKey wrote.
func DecodeCounterKey(key []byte) (CounterKey, error) {
	var c CounterKey
	f, graph := open(key, IndexMetadata)
	c.Graph = graph
	f.family(Family(IndexCounters))
	c.Class = Class(f.u8())
	c.Label = f.u32()
	c.Key = f.u32()
	return c, f.end(IndexMetadata, key)
}

// IndexDefinition is the key of one definition.
type IndexDefinition struct {
	Graph  uint32
	Family IndexFamily
	Class  Class // 0 for IndexName and IndexDeclared
	Name   string
}

// AppendIndexDefinitions appends the prefix of all definitions of a family and class.
func AppendIndexDefinitions(dst []byte, graph uint32, f IndexFamily, c Class) []byte {
	return append(AppendTable(dst, graph, IndexMetadata), byte(f), byte(c))
}

// AppendIndexDefinition appends the key of one definition.
func AppendIndexDefinition(dst []byte, d IndexDefinition) []byte {
	return append(AppendIndexDefinitions(dst, d.Graph, d.Family, d.Class), d.Name...)
}

// DecodeIndexDefinition reads a key that AppendIndexDefinition wrote.
func DecodeIndexDefinition(key []byte) (IndexDefinition, error) {
	var d IndexDefinition
	f, graph := open(key, IndexMetadata)
	d.Graph = graph
	d.Family = IndexFamily(f.u8())
	d.Class = Class(f.u8())
	d.Name = string(f.tail(0))
	return d, f.end(IndexMetadata, key)
}
