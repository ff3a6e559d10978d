package client

import (
	"fmt"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/protocol/graphbinary"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
)

// Status codes of answers that carry no error.
const (
	success      = 200
	noContent    = 204
	partial      = 206
	authenticate = 407 // it asks for a login
)

// Encode makes the binary frame of a request: mime type, then the message.
func Encode(id uuid.UUID, processor, op string, args *value.Map) ([]byte, error) {
	return encode(mimeType, id, processor, op, args)
}

func encode(mime string, id uuid.UUID, processor, op string, args *value.Map) ([]byte, error) {
	b := append([]byte{byte(len(mime))}, mime...)
	b, err := graphbinary.AppendRequest(b, &message.Request{ID: id, Op: op, Processor: processor, Args: args})
	if err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	return b, nil
}

// takeTraversersApart repeats each traverser's value as often as its bulk says.
func takeTraversersApart(results []value.Value) []value.Value {
	var all []value.Value
	for _, e := range results {
		t := e.Traverser()
		if t == nil {
			all = append(all, e)
			continue
		}
		for range t.Bulk {
			all = append(all, t.Value)
		}
	}
	return all
}
