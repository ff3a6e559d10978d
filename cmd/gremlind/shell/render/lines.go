package render

import (
	"io"

	"github.com/gremlind/gremlind/protocol/graphson"
	"github.com/gremlind/gremlind/storage/value"
)

var (
	typed   = graphson.Codec{Version: 3}
	untyped = graphson.Codec{Version: 3, Untyped: true}
)

// lineWriter writes one value of GraphSON a line.
type lineWriter struct {
	w     io.Writer
	codec graphson.Codec
	buf   []byte
}

// Write writes each value as a line.
func (l *lineWriter) Write(rows []value.Value) error {
	var err error
	for _, v := range rows {
		if l.buf, err = l.codec.AppendValue(l.buf, v, nil); err != nil {
			return err
		}
		l.buf = append(l.buf, '\n')
	}
	_, err = l.w.Write(l.buf)
	l.buf = l.buf[:0]
	return err
}

// Flush has nothing to do.
func (*lineWriter) Flush() error { return nil }

func (*lineWriter) Close() error { return nil }
