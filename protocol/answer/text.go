package answer

import (
	"bytes"
	"errors"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

// MimeText is the mime type of results as the console prints them.
const MimeText = "text/plain"

// textCodec writes results as the console prints them. It reads nothing.
type Text struct{}

// DecodeRequest refuses.
func (Text) DecodeRequest([]byte, *account.Account) (*message.Request, error) {
	return nil, errors.New("text is not a request")
}

// Form finds none.
func (Text) Form([]byte, *message.Form) bool { return false }

// Again finds none.
func (Text) Again([]byte, *message.Form, *message.Form) bool { return false }

// AppendItem appends one line.
func (Text) AppendItem(dst []byte, _ int, v value.Value, o message.ItemOptions) ([]byte, error) {
	if b := v.Traverser(); b != nil {
		v = b.Value
	}
	dst = append(dst, "==>"...)
	dst, err := o.AppendText(dst, v)
	return append(dst, '\n'), err
}

// AppendResponse appends the lines; the last one is not ended.
func (Text) AppendResponse(dst []byte, _ *message.Response, items []byte, _ int) ([]byte, error) {
	return append(dst, bytes.TrimSuffix(items, []byte("\n"))...), nil
}
