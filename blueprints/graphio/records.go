package graphio

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// The form in which records go from one process to another: a byte for the class, then
// id, label, for an edge its endpoints, and the properties, each part in MessagePack.
const (
	vertexRecord = 'v'
	edgeRecordOf = 'e'
)

// AppendVertexRecord appends a vertex in the form that EachRecord reads.
func AppendVertexRecord(dst []byte, v *blueprints.VertexRecord) ([]byte, error) {
	a := appender{b: append(dst, vertexRecord)}
	a.values(v.ID, value.String(v.Label))
	a.count(len(v.Properties))
	for i := range v.Properties {
		p := &v.Properties[i]
		a.values(value.String(p.Key), p.Value, p.ID)
		a.count(len(p.Meta))
		for _, m := range p.Meta {
			a.values(value.String(m.Key), m.Value)
		}
	}
	return a.b, a.err
}

// AppendEdgeRecord appends an edge in the form that EachRecord reads.
func AppendEdgeRecord(dst []byte, e *blueprints.EdgeRecord) ([]byte, error) {
	a := appender{b: append(dst, edgeRecordOf)}
	a.values(e.ID, value.String(e.Label), e.Out, e.In)
	a.count(len(e.Properties))
	for i := range e.Properties {
		a.values(value.String(e.Properties[i].Key), e.Properties[i].Value)
	}
	return a.b, a.err
}

// appender appends parts; the first error sticks.
type appender struct {
	b   []byte
	err error
}

func (a *appender) values(vs ...value.Value) {
	for _, v := range vs {
		if a.err == nil {
			a.b, a.err = value.AppendMsgpack(a.b, v)
		}
	}
}

func (a *appender) count(n int) { a.b = binary.AppendUvarint(a.b, uint64(n)) }

// EachRecord hands the records in b to sink, until it returns an error.
func EachRecord(b []byte, sink blueprints.RecordSink) error {
	p := recordParser{b: b}
	for len(p.b) > 0 {
		class := p.b[0]
		p.b = p.b[1:]
		var err error
		switch class {
		case vertexRecord:
			if v := p.vertex(); p.err == nil {
				err = sink.Vertex(v)
			}
		case edgeRecordOf:
			e := &blueprints.EdgeRecord{}
			if p.edge(e, nil); p.err == nil {
				err = sink.Edge(e)
			}
		default:
			return fmt.Errorf("no record begins with the byte %#x", class)
		}
		if err := firstError(p.err, err); err != nil {
			return err
		}
	}
	return nil
}

// recordParser takes records apart; the first error sticks.
type recordParser struct {
	b   []byte
	err error
}

func (p *recordParser) value() (v value.Value) {
	if p.err == nil {
		v, p.b, p.err = value.ReadMsgpack(p.b)
	}
	return v
}

func (p *recordParser) text() string {
	v := p.value()
	if p.err == nil && v.Kind() != value.KindString {
		p.err = errors.New("a record has no text where a name belongs")
	}
	if p.err != nil {
		return ""
	}
	return v.Str()
}

// count reads how many parts follow, each of which takes a byte at least.
func (p *recordParser) count() int {
	if p.err != nil {
		return 0
	}
	n, size := binary.Uvarint(p.b)
	if size <= 0 || n > uint64(len(p.b)-size) {
		p.err = errors.New("a record is cut short")
		return 0
	}
	p.b = p.b[size:]
	return int(n)
}

func (p *recordParser) vertex() *blueprints.VertexRecord {
	v := &blueprints.VertexRecord{ID: p.value(), Label: p.text()}
	for n := p.count(); n > 0 && p.err == nil; n-- {
		r := blueprints.PropertyRecord{Key: p.text(), Value: p.value(), ID: p.value()}
		for m := p.count(); m > 0 && p.err == nil; m-- {
			r.Meta = append(r.Meta, value.Property{Key: p.text(), Value: p.value()})
		}
		v.Properties = append(v.Properties, r)
	}
	return v
}

// edge reads an edge, whose properties it puts behind others in the same memory, which it
// returns.
func (p *recordParser) edge(e *blueprints.EdgeRecord, props []blueprints.PropertyRecord) []blueprints.PropertyRecord {
	*e = blueprints.EdgeRecord{ID: p.value(), Label: p.text(), Out: p.value(), In: p.value()}
	start := len(props)
	for n := p.count(); n > 0 && p.err == nil; n-- {
		props = append(props, blueprints.PropertyRecord{Key: p.text(), Value: p.value()})
	}
	e.Properties = props[start:len(props):len(props)]
	return props
}
