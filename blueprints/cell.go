package blueprints

import (
	"encoding/binary"
	"fmt"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// The values of cells. Numbers are unsigned varints, values are in msgpack form.
//
//	vertex EXISTS     | label | user id |
//	edge EXISTS       | label | out vertex | in vertex | user id |
//	vertex PROPERTY   | number | flags | [end ms] | [user id] | value | [key symbol, value]... |
//	edge PROPERTY     | value |   or   | 0xc1 | flags | end ms | value |
//	adjacency         | 0x01 |   the version byte: no inlined edge properties
//
// No value begins with 0xc1 in msgpack form: behind it stands what an edge property has
// besides its value. The end is when a property expires.
//
// The number of a vertex property is its generated id and its place in the order of
// insertion at once.

// AdjacencyVersion is all that stands in a cell of adjacency.
const AdjacencyVersion = 0x01

var adjacencyCell = []byte{AdjacencyVersion}

const (
	propertyHasID   = 1 << 0
	propertyHasMeta = 1 << 1

	// Of features: the value lies in pieces elsewhere; the property expires.
	propertyChunked = 1 << 2
	propertyExpires = 1 << 3

	// edgeEnvelope begins an edge property that has flags.
	edgeEnvelope = 0xc1
)

// foreignForm refuses flags that need a feature that no graph has yet.
func foreignForm(what string, flags byte) error {
	for _, f := range formFeatures {
		if flags&f.flag != 0 {
			return otherFeature(what, f.name)
		}
	}
	return corrupt(what, fmt.Errorf("its flags %#02x are unknown: restore a backup, or use the gremlind that wrote it", flags))
}

func otherFeature(what string, f Feature) error {
	return corrupt(what, fmt.Errorf("it is written with the feature %q, which the graph does not use: restore a backup, or use the gremlind that wrote it", string(f)))
}

// SlotSingle is the ordinal of a property written under single cardinality: two
// transactions that set it write the same key, and so conflict on every isolation
// level. Other ordinals are SlotFirst plus the property's number.
const (
	SlotSingle = 1
	SlotFirst  = 2
)

// VertexCell is the value of a vertex's EXISTS cell.
type VertexCell struct {
	Label Symbol
	ID    value.Value
}

// EdgeCell is the value of an edge's EXISTS cell.
type EdgeCell struct {
	Label   Symbol
	Out, In VertexID
	ID      value.Value
}

func corrupt(what string, err error) error {
	if err == nil {
		return fmt.Errorf("%s cell: %w", what, storage.ErrCorrupt)
	}
	return fmt.Errorf("%s cell: %w: %w", what, storage.ErrCorrupt, err)
}

// AppendVertexCell appends the value of a vertex's EXISTS cell.
func AppendVertexCell(dst []byte, c VertexCell) ([]byte, error) {
	return value.AppendMsgpack(binary.AppendUvarint(dst, uint64(c.Label)), c.ID)
}

// DecodeVertexCell reads what AppendVertexCell wrote.
func DecodeVertexCell(b []byte) (VertexCell, error) {
	r := cellReader{b: b}
	c := VertexCell{Label: Symbol(r.uvarint()), ID: r.value()}
	return c, r.end("vertex")
}

// AppendEdgeCell appends the value of an edge's EXISTS cell.
func AppendEdgeCell(dst []byte, c EdgeCell) ([]byte, error) {
	dst = binary.AppendUvarint(dst, uint64(c.Label))
	dst = binary.AppendUvarint(dst, uint64(c.Out))
	dst = binary.AppendUvarint(dst, uint64(c.In))
	return value.AppendMsgpack(dst, c.ID)
}

// DecodeEdgeCell reads what AppendEdgeCell wrote.
func DecodeEdgeCell(b []byte) (EdgeCell, error) {
	r := cellReader{b: b}
	c := EdgeCell{Label: Symbol(r.uvarint()), Out: VertexID(r.uvarint()), In: VertexID(r.uvarint()), ID: r.value()}
	return c, r.end("edge")
}

// PropertyCell is the value of a vertex's PROPERTY cell.
type PropertyCell struct {
	Number  uint64
	Expires uint64      // in milliseconds since 1970, 0 for never
	UserID  value.Value // Null for a generated Long
	Value   value.Value
	Meta    []MetaCell
}

// EdgePropertyCell is the value of an edge's PROPERTY cell.
type EdgePropertyCell struct {
	Expires uint64 // in milliseconds since 1970, 0 for never
	Value   value.Value
}

// AppendEdgeProperty appends the value of an edge's PROPERTY cell.
func AppendEdgeProperty(dst []byte, c EdgePropertyCell) ([]byte, error) {
	if c.Expires != 0 {
		dst = binary.AppendUvarint(append(dst, edgeEnvelope, propertyExpires), c.Expires)
	}
	return value.AppendMsgpack(dst, c.Value)
}

// MetaCell is a property of a property.
type MetaCell struct {
	Key   Symbol
	Value value.Value
}

// AppendPropertyCell appends the value of a vertex's PROPERTY cell.
func AppendPropertyCell(dst []byte, c PropertyCell) ([]byte, error) {
	var flags byte
	if !c.UserID.IsNull() {
		flags |= propertyHasID
	}
	if len(c.Meta) > 0 {
		flags |= propertyHasMeta
	}
	if c.Expires != 0 {
		flags |= propertyExpires
	}
	dst = append(binary.AppendUvarint(dst, c.Number), flags)
	if c.Expires != 0 {
		dst = binary.AppendUvarint(dst, c.Expires)
	}
	var err error
	if flags&propertyHasID != 0 {
		if dst, err = value.AppendMsgpack(dst, c.UserID); err != nil {
			return nil, err
		}
	}
	if dst, err = value.AppendMsgpack(dst, c.Value); err != nil {
		return nil, err
	}
	for _, m := range c.Meta {
		if dst, err = value.AppendMsgpack(binary.AppendUvarint(dst, uint64(m.Key)), m.Value); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

// DecodePropertyCell reads what AppendPropertyCell wrote.
func DecodePropertyCell(b []byte) (PropertyCell, error) {
	r := cellReader{b: b}
	c := PropertyCell{Number: r.uvarint()}
	flags := r.byte()
	if more := flags &^ (propertyHasID | propertyHasMeta | propertyExpires); more != 0 {
		return c, foreignForm("property", more)
	}
	if flags&propertyExpires != 0 {
		c.Expires = r.end64()
	}
	if flags&propertyHasID != 0 {
		c.UserID = r.value()
	}
	c.Value = r.value()
	for flags&propertyHasMeta != 0 && r.err == nil && len(r.b) > 0 {
		c.Meta = append(c.Meta, MetaCell{Key: Symbol(r.uvarint()), Value: r.value()})
	}
	return c, r.end("property")
}

// DecodeEdgePropertyCell reads what AppendEdgeProperty wrote.
func DecodeEdgePropertyCell(b []byte) (EdgePropertyCell, error) {
	if len(b) == 0 || b[0] != edgeEnvelope {
		v, err := DecodeEdgeProperty(b)
		return EdgePropertyCell{Value: v}, err
	}
	r := cellReader{b: b[1:]}
	if flags := r.byte(); flags != propertyExpires {
		return EdgePropertyCell{}, foreignForm("edge property", flags)
	}
	c := EdgePropertyCell{Expires: r.end64(), Value: r.value()}
	return c, r.end("edge property")
}

// DecodeEdgeProperty reads the value in an edge's PROPERTY cell.
func DecodeEdgeProperty(b []byte) (value.Value, error) {
	if len(b) > 1 && b[0] == edgeEnvelope {
		c, err := DecodeEdgePropertyCell(b)
		return c.Value, err
	}
	v, err := value.DecodeMsgpack(b)
	if err != nil {
		return v, corrupt("edge property", err)
	}
	return v, nil
}

// cellReader reads the parts of a cell; err stays once something was missing.
type cellReader struct {
	b   []byte
	err error
}

func (r *cellReader) uvarint() uint64 {
	n, size := binary.Uvarint(r.b)
	if size <= 0 {
		r.fail(nil)
		return 0
	}
	r.b = r.b[size:]
	return n
}

// end64 reads when something ends, which is some time.
func (r *cellReader) end64() uint64 {
	n := r.uvarint()
	if n == 0 {
		r.fail(nil)
	}
	return n
}

func (r *cellReader) byte() byte {
	if len(r.b) == 0 {
		r.fail(nil)
		return 0
	}
	c := r.b[0]
	r.b = r.b[1:]
	return c
}

func (r *cellReader) value() value.Value {
	v, rest, err := value.ReadMsgpack(r.b)
	if err != nil {
		r.fail(err)
		return value.Null
	}
	r.b = rest
	return v
}

func (r *cellReader) fail(err error) {
	if r.err == nil {
		r.err = corrupt("malformed", err)
	}
	r.b = nil
}

func (r *cellReader) end(what string) error {
	if r.err != nil {
		return corrupt(what, r.err)
	}
	if len(r.b) > 0 {
		return corrupt(what, fmt.Errorf("%d bytes left over", len(r.b)))
	}
	return nil
}
