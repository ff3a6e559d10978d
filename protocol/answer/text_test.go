package answer

import (
	"context"
	"testing"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
)

// Results as text are lines, of which the last one is not ended; a bulk is that many lines.
func TestText(t *testing.T) {
	for _, bytecode := range []bool{false, true} {
		a := &asker{bytecode: bytecode}
		p := newReply(a)
		p.Codec, p.Whole = Text{}, true
		p.Begin(false)
		add(t, p, value.String("a"))
		if err := p.Add(context.Background(), &value.Bulked{Bulk: 2, Value: value.Int(7)}, &message.ItemOptions{}); err != nil {
			t.Fatal(err)
		}
		p.Finish(context.Background())
		if got := string(p.Body); got != "==>a\n==>7\n==>7" {
			t.Errorf("%q", got)
		}
	}
	if _, err := (Text{}).DecodeRequest(nil, nil); err == nil {
		t.Error("a request in text is read")
	}
	if (Text{}).Form(nil, nil) {
		t.Error("text has a form")
	}
}
