// Package graphson reads and writes the endpoint's messages in GraphSON 1, 2 and 3,
// typed and untyped. The forms of values are those of blueprints/graphio/graphson;
// here are the envelopes and the types that only travel over the wire: bytecode,
// predicates, lambdas, strategies, traversers and measurements.
package graphson

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/google/uuid"

	forms "github.com/gremlind/gremlind/blueprints/graphio/graphson"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

// Codec is one of the mime types application/vnd.gremlin-v{1,2,3}.0+json, with
// ;types=false when Untyped.
type Codec struct {
	Version int // 1, 2 or 3
	Untyped bool
}

var _ message.Codec = Codec{}

func (c Codec) form() forms.Form { return forms.Form{Version: c.Version, Typed: !c.Untyped} }

// noArgs stands in for the arguments that could not be read; nobody writes to it.
var noArgs = value.NewMap()

// DecodeRequest reads a request. A failure still returns the Request with its id when
// that was readable, also out of a message that breaks off.
func (c Codec) DecodeRequest(b []byte, memory *account.Account) (*message.Request, error) {
	q := &message.Request{Args: noArgs}
	if err := memory.Charge(forms.Weight(b)); err != nil {
		return q, err
	}
	n, err := forms.Parse(b)
	id, idErr := requestID(n.Field("requestId"))
	q.ID, q.HasID = id, idErr == nil
	if err == nil {
		err = c.request(q, n)
	}
	if err == nil {
		err = idErr
	}
	if err != nil {
		return q, fmt.Errorf("decode request: %w", err)
	}
	return q, nil
}

func (c Codec) request(q *message.Request, n *forms.Node) error {
	if n.Kind() != forms.NodeObject {
		return fmt.Errorf("a request is an object, not %s", n.Kind())
	}
	var err error
	if q.Op, err = text(n, "op"); err != nil {
		return err
	}
	if q.Processor, err = text(n, "processor"); err != nil {
		return err
	}
	args, err := c.DecodeNode(n.Field("args"))
	if err != nil {
		return err
	}
	switch args.Kind() {
	case value.KindMap:
		q.Args = args.Map()
	case value.KindNull:
		q.Args = value.NewMap()
	default:
		return fmt.Errorf("args is a %s, not a map", args.Kind())
	}
	return nil
}

func text(n *forms.Node, field string) (string, error) {
	switch f := n.Field(field); f.Kind() {
	case forms.NodeNull, forms.NodeString:
		return f.Text(), nil
	default:
		return "", fmt.Errorf("%s is %s, not a string", field, f.Kind())
	}
}

var errNoID = errors.New("requestId is missing or no UUID")

// requestID reads a plain string, a g:UUID, or version 1's ["java.util.UUID", id].
func requestID(n *forms.Node) (uuid.UUID, error) {
	switch {
	case n.Kind() == forms.NodeObject:
		n = n.Field("@value")
	case n.Kind() == forms.NodeArray && n.Len() == 2:
		n = n.Elem(1)
	}
	id, err := uuid.Parse(n.Text())
	if err != nil || n.Kind() != forms.NodeString {
		return uuid.UUID{}, errNoID
	}
	return id, nil
}

// Form finds none.
func (Codec) Form([]byte, *message.Form) bool { return false }

// Again finds none.
func (Codec) Again([]byte, *message.Form, *message.Form) bool { return false }

// AppendItem writes one result, behind a comma when others stand before it.
func (c Codec) AppendItem(dst []byte, n int, v value.Value, o message.ItemOptions) ([]byte, error) {
	if n > 0 {
		dst = append(dst, ',')
	}
	e := c.encoder()
	e.Resolver, e.Tokens, e.Meter = o.Resolver, o.Tokens, o.Meter
	return e.Append(dst, v)
}

// AppendResponse writes a response around n results.
func (c Codec) AppendResponse(dst []byte, r *message.Response, items []byte, _ int) ([]byte, error) {
	e := c.encoder()
	dst = append(c.open(dst), `"requestId":`...)
	if r.HasID {
		dst = append(append(append(dst, '"'), r.ID.String()...), '"')
	} else {
		dst = append(dst, "null"...)
	}
	dst = append(c.open(append(dst, `,"status":`...)), `"message":`...)
	dst = append(forms.AppendString(dst, r.Message), `,"code":`...)
	dst = append(strconv.AppendInt(dst, int64(r.Code), 10), `,"attributes":`...)
	attributes := value.NewMapSize(len(r.Attributes))
	for _, a := range r.Attributes {
		attributes.PutString(a.Key, a.Value)
	}
	dst, err := e.AppendMap(dst, attributes)
	if err != nil {
		return dst, fmt.Errorf("encode attributes: %w", err)
	}
	dst = append(c.open(append(dst, `},"result":`...)), `"data":`...)
	if r.NoData {
		dst = append(dst, "null"...)
	} else {
		dst = c.appendData(dst, items)
	}
	if dst, err = e.AppendMap(append(dst, `,"meta":`...), nil); err != nil {
		return dst, err
	}
	return append(dst, "}}"...), nil
}

// open begins an object of the envelope, which version 1 types as a map.
func (c Codec) open(dst []byte) []byte {
	if c.Version == 1 && !c.Untyped {
		return append(dst, `{"@class":"java.util.HashMap",`...)
	}
	return append(dst, '{')
}

func (c Codec) appendData(dst, items []byte) []byte {
	e := c.encoder()
	wrap := !c.Untyped && c.Version != 2
	if wrap {
		dst = e.Begin(dst, "g:List", "java.util.ArrayList")
	}
	dst = append(append(append(dst, '['), items...), ']')
	if wrap {
		dst = e.End(dst)
	}
	return dst
}

// AppendValue writes one value.
func (c Codec) AppendValue(dst []byte, v value.Value, r value.Resolver) ([]byte, error) {
	e := c.encoder()
	e.Resolver = r
	return e.Append(dst, v)
}

// DecodeValue reads the one value that b is.
func (c Codec) DecodeValue(b []byte) (value.Value, error) {
	n, err := forms.Parse(b)
	if err != nil {
		return value.Null, err
	}
	return c.DecodeNode(n)
}

// DecodeNode reads the value of a node.
func (c Codec) DecodeNode(n *forms.Node) (value.Value, error) {
	d := forms.Decoder{Form: c.form(), Extend: decodeExtended}
	return d.Value(n)
}

func (c Codec) encoder() *forms.Encoder {
	return &forms.Encoder{Form: c.form(), Extend: appendExtended}
}
