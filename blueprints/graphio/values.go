package graphio

import (
	"encoding/json"
	"errors"

	"github.com/gremlind/gremlind/blueprints/graphio/graphson"
	"github.com/gremlind/gremlind/storage/value"
)

// form3 is the form of GraphSON files.
var form3 = graphson.Form{Version: 3, Typed: true}

var errMissing = errors.New("a value is missing")

// decodeValue reads one typed value of GraphSON 3.
func decodeValue(raw json.RawMessage) (value.Value, error) {
	if len(raw) == 0 {
		return value.Null, errMissing
	}
	n, err := graphson.Parse(raw)
	if err != nil {
		return value.Null, err
	}
	d := graphson.Decoder{Form: form3}
	return d.Value(n)
}

// appendValue writes one typed value of GraphSON 3.
func appendValue(dst []byte, v value.Value) ([]byte, error) {
	e := graphson.Encoder{Form: form3}
	return e.Append(dst, v)
}
