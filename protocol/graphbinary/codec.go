package graphbinary

import (
	"encoding/binary"
	"fmt"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

// Codec is application/vnd.graphbinary-v1.0.
type Codec struct {
	// Stringd writes each result as its Java text: the form with suffix -stringd.
	Stringd bool
}

var _ message.Codec = Codec{}

// DecodeRequest reads a request: version, id, op, processor, arguments. Behind the
// id, a failure still returns the Request with its id.
func (Codec) DecodeRequest(b []byte, memory *account.Account) (*message.Request, error) {
	r := NewReader(b)
	r.memory = memory
	if r.text != "" {
		r.owe(len(b))
	}
	if v := r.byte(); r.err == nil && v != version {
		r.fail(errVersion)
	}
	// The arguments lie beside the request, which keeps them anyway.
	m := &struct {
		message.Request
		args value.Map
	}{}
	q := &m.Request
	q.ID, q.Args = r.uuid(), &m.args
	if r.err != nil {
		return &message.Request{Args: noArgs}, fmt.Errorf("decode request: %w", r.err)
	}
	q.HasID = true
	q.Op = r.string()
	q.Processor = r.string()
	r.mapInto(&m.args)
	if err := r.End(); err != nil {
		return q, fmt.Errorf("decode request: %w", err)
	}
	return q, nil
}

// noArgs stands in for the arguments that could not be read; nobody writes to it.
var noArgs = value.NewMap()

// AppendItem writes one result.
func (c Codec) AppendItem(dst []byte, _ int, v value.Value, o message.ItemOptions) ([]byte, error) {
	if c.Stringd {
		return appendTextOf(dst, v, o)
	}
	e := Encoder{Resolver: o.Resolver, Tokens: o.Tokens || o.NullProperties, Room: o.Room, meter: newMeter(o.Meter, dst)}
	return e.Append(dst, v)
}

// appendTextOf writes a String with the Java text of v.
func appendTextOf(dst []byte, v value.Value, o message.ItemOptions) ([]byte, error) {
	if v.Kind() == value.KindString {
		return appendQualifiedText(dst, v.Str()), nil
	}
	dst = appendQualifiedText(dst, "")
	from := len(dst)
	dst, err := o.AppendText(dst, v)
	binary.BigEndian.PutUint32(dst[from-4:], uint32(len(dst)-from))
	return dst, err
}

// AppendResponse writes a response around n results.
func (Codec) AppendResponse(dst []byte, r *message.Response, items []byte, n int) ([]byte, error) {
	dst = append(dst, version)
	if r.HasID {
		dst = append(append(dst, flagValue), r.ID[:]...)
	} else {
		dst = append(dst, flagNull)
	}
	dst = appendText(append(put32(dst, r.Code), flagValue), r.Message)
	dst = appendCount(dst, len(r.Attributes))
	var e Encoder
	var err error
	for _, a := range r.Attributes {
		if dst, err = e.Append(appendQualifiedText(dst, a.Key), a.Value); err != nil {
			return dst, fmt.Errorf("encode attribute %s: %w", a.Key, err)
		}
	}
	dst = appendCount(dst, 0) // meta
	if r.NoData {
		return append(dst, codeNull, flagNull), nil
	}
	return append(appendCount(append(dst, codeList, flagValue), n), items...), nil
}

// AppendRequest writes a request as a driver does.
func AppendRequest(dst []byte, q *message.Request) ([]byte, error) {
	dst = append(append(dst, version), q.ID[:]...)
	dst = appendText(appendText(dst, q.Op), q.Processor)
	return (&Encoder{}).appendMap(dst, q.Args)
}

// DecodeResponse reads a response as a driver does; data is Null or a List.
func DecodeResponse(b []byte) (p *message.Response, data value.Value, err error) {
	r := NewReader(b)
	if v := r.byte(); r.err == nil && v != version {
		r.fail(errVersion)
	}
	p = &message.Response{HasID: r.byte() == flagValue}
	if p.HasID {
		p.ID = r.uuid()
	}
	p.Code = r.int32()
	if r.byte() == flagValue {
		p.Message = r.string()
	}
	attributes := r.mapBody()
	for i := range attributes.Len() {
		k, v := attributes.Entry(i)
		p.Attributes = append(p.Attributes, message.Attribute{Key: k.Str(), Value: v})
	}
	r.mapBody() // meta
	data = r.Value()
	p.NoData = data.IsNull()
	if err := r.End(); err != nil {
		return nil, value.Null, fmt.Errorf("decode response: %w", err)
	}
	return p, data, nil
}
