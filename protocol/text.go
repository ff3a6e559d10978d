package protocol

import (
	"bytes"
	"errors"
	"strings"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

const mimeText = "text/plain"

// textCodec writes results as the console prints them. It reads nothing.
type textCodec struct{}

// DecodeRequest refuses.
func (textCodec) DecodeRequest([]byte, *account.Account) (*message.Request, error) {
	return nil, errors.New("text is not a request")
}

// Form finds none.
func (textCodec) Form([]byte, *message.Form) bool { return false }

// AppendItem appends one line.
func (textCodec) AppendItem(dst []byte, _ int, v value.Value, o message.ItemOptions) ([]byte, error) {
	if b := v.Traverser(); b != nil {
		v = b.Value
	}
	dst = append(dst, "==>"...)
	dst, err := o.AppendText(dst, v)
	return append(dst, '\n'), err
}

// AppendResponse appends the lines; the last one is not ended.
func (textCodec) AppendResponse(dst []byte, _ *message.Response, items []byte, _ int) ([]byte, error) {
	return append(dst, bytes.TrimSuffix(items, []byte("\n"))...), nil
}

// bytecodeText shows bytecode in logs and messages, in Java's manner and bounded.
func bytecodeText(b *traversal.Bytecode) string {
	const max = 200
	var s strings.Builder
	part := func(list []traversal.Instruction) {
		s.WriteByte('[')
		for i, in := range list {
			if s.Len() > max {
				break
			}
			if i > 0 {
				s.WriteString(", ")
			}
			s.WriteString(in.Name + "(")
			for j, a := range in.Args {
				if j > 0 {
					s.WriteString(", ")
				}
				if nested, ok := a.Object().(*traversal.Bytecode); ok {
					s.WriteString(bytecodeText(nested))
				} else {
					s.WriteString(clip(a.JavaString()))
				}
			}
			s.WriteByte(')')
		}
		s.WriteByte(']')
	}
	s.WriteByte('[')
	part(b.Source)
	s.WriteString(", ")
	part(b.Steps)
	s.WriteByte(']')
	return s.String()
}
