// Package message holds a request and a response as the server sees them, free of
// any wire format. The codecs (protocol/graphbinary, protocol/graphson) turn bytes
// into a Request and a Response into bytes.
//
// Results are encoded one by one as they come and joined by AppendResponse, so that a
// batch can be cut by bytes and a mutating request can encode before it commits.
package message

import (
	"github.com/google/uuid"

	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

// Request is one message of a client.
type Request struct {
	ID uuid.UUID
	// HasID is false when the message was so broken that its id could not be read.
	HasID     bool
	Op        string
	Processor string
	// Args has string keys; never nil in a decoded request.
	Args *value.Map
}

// Response is one message to a client, without its results.
type Response struct {
	ID uuid.UUID
	// HasID is false in the answer to a message whose id could not be read.
	HasID      bool
	Code       int32
	Message    string
	Attributes []Attribute
	// NoData makes the result null (204, 407 and errors) instead of a list.
	NoData bool
}

// Attribute is one entry of a response's status attributes, in order.
type Attribute struct {
	Key   string
	Value value.Value
}

// ItemOptions say how results are written.
type ItemOptions struct {
	// Resolver finds stored elements; nil when results hold none.
	Resolver value.Resolver
	// Tokens writes elements without their properties (materializeProperties=tokens).
	Tokens bool
	// NullProperties writes the properties of elements as null where Tokens does, for
	// drivers that can read nothing else; kept apart because GraphSON differs.
	NullProperties bool
	// Room, when not nil, is memory for stored vertices, which are read into it one
	// after the other.
	Room *value.Element
	// Meter, when not nil, is asked now and then whether a result may become larger.
	Meter Meter
}

// AppendText appends what Java prints of v.
func (o *ItemOptions) AppendText(dst []byte, v value.Value) ([]byte, error) {
	t := value.JavaText{Resolver: o.Resolver}
	if o.Meter != nil {
		t.Grown = o.Meter.Grown
	}
	return t.Append(dst, v)
}

// Meter bounds the writing of results, in bytes and in time.
type Meter interface {
	// Grown is told how many bytes are written. Its error ends the writing.
	Grown(n int) error
}

// Form is the bytes of a request without its id and its constants (plancache.Constants):
// what those have in common that a client sends again and again. Two requests with the
// same form and equal constants are equal but for their ids.
type Form struct {
	ID        uuid.UUID
	Bytes     []byte
	Constants []value.Value // in the order of the request
	At        []int         // where they are left out of Bytes
}

// Codec is one mime type's way to write messages. It is stateless and safe for
// concurrent use.
type Codec interface {
	// DecodeRequest reads one whole message. On an error the Request is still
	// returned when its id was read (HasID), so that the answer can carry it.
	// Nothing in the Request may alias b after the call. What the Request takes in memory
	// is charged to memory before it is taken, and stays charged; a small one is free.
	DecodeRequest(b []byte, memory *account.Account) (*Request, error)
	// Form finds the form of a request of bytecode, appending to what f has room for; it
	// is false for those without. It only looks for constants: whether a request is
	// sound is known of one with the same form that was decoded.
	Form(b []byte, f *Form) bool
	// Again is Form for a request that probably has the form known: when it has, f gets its
	// id and its constants. It takes a fifth of Form's time.
	Again(b []byte, known, f *Form) bool
	// AppendItem appends the result with index n of a batch: dst holds the n before.
	AppendItem(dst []byte, n int, v value.Value, o ItemOptions) ([]byte, error)
	// AppendResponse appends a whole message around n items made by AppendItem.
	AppendResponse(dst []byte, r *Response, items []byte, n int) ([]byte, error)
}
