package protocol

import (
	"context"
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// reply collects the results of one task into responses. What a writing request
// answers is held until its commit.
type reply struct {
	items []byte // encoded results of the batch being filled
	n     int
	total int64
	hold  bool
	sent  bool // something has left for the client
	held  [][]byte
	bytes int // of held
	// whole collects everything into one response (HTTP), which body receives.
	whole bool
	body  []byte
	// failure is set instead of sending a frame when whole is.
	failure *failure
	// response and frames are scratch for what is sent at once.
	response message.Response
	frames   []byte
}

func (p *reply) begin(hold bool) { p.hold = hold }

// reset forgets everything, before a rerun.
func (p *reply) reset() {
	p.items, p.n, p.total = p.items[:0], 0, 0
	p.held, p.bytes = nil, 0
}

// add encodes one result as often as its bulk asks; bytecode sends the bulk along.
func (p *reply) add(ctx context.Context, t *task, b *value.Bulked, o message.ItemOptions) error {
	if t.isBytecode() {
		if p.whole && b.Bulk > 1 {
			return p.repeat(ctx, t, b.Bulk, value.OfTraverser(&value.Bulked{Bulk: 1, Value: b.Value}), o)
		}
		return p.append(ctx, t, value.OfTraverser(b), o)
	}
	return p.repeat(ctx, t, b.Bulk, b.Value, o)
}

// repeatPoll is how many copies of one result are written between two looks at the context.
const repeatPoll = 256

func (p *reply) repeat(ctx context.Context, t *task, n int64, v value.Value, o message.ItemOptions) error {
	for ; n > 0; n-- {
		if err := p.append(ctx, t, v, o); err != nil {
			return err
		}
		if n%repeatPoll == 0 && ctx.Err() != nil {
			return traversal.ErrTimeout
		}
	}
	return nil
}

func (p *reply) append(ctx context.Context, t *task, v value.Value, o message.ItemOptions) error {
	l := &t.srv.limits
	if p.n > 0 && !p.whole && (p.n >= t.batch || len(p.items) >= l.BatchBytes) {
		if err := p.cut(ctx, t); err != nil {
			return err
		}
	}
	if p.total >= l.ResultsMax {
		return &StatusError{Code: statusServerError, Message: fmt.Sprintf("the request yields more than %d results (resultsMax)", l.ResultsMax), Class: classIllegalState}
	}
	before := len(p.items)
	if v.Exceeds(p.sizeMax(t)) { // each takes a byte at least
		return p.tooLarge(t)
	}
	items, err := t.codec.AppendItem(p.items, p.n, v, o)
	if err != nil {
		p.items = p.items[:before]
		return serializationError(err)
	}
	p.items = items
	p.n++
	p.total++
	return p.checkSize(t, len(items)-before)
}

func (p *reply) checkSize(t *task, size int) error {
	if p.whole {
		size = len(p.items)
	}
	if size > p.sizeMax(t) {
		return p.tooLarge(t)
	}
	return nil
}

// sizeMax is how many bytes one result may have, or all when they are sent as a whole.
func (p *reply) sizeMax(t *task) int {
	if p.whole {
		return int(t.srv.limits.QueryBytes / 4)
	}
	return t.srv.limits.ResponseBytes
}

func (p *reply) tooLarge(t *task) error {
	if p.whole {
		return serializationError(fmt.Errorf("the results take more than %d bytes (queryMemory/4)", p.sizeMax(t)))
	}
	return serializationError(fmt.Errorf("one result takes more than %d bytes, which a response may have (responseBytes)", p.sizeMax(t)))
}

// cut ends a full batch: a 206 that leaves at once, or waits for the commit.
func (p *reply) cut(ctx context.Context, t *task) error {
	frame, err := p.frame(t, message.Response{Code: statusPartialContent})
	if err != nil {
		return err
	}
	p.items, p.n = p.items[:0], 0
	if p.hold && p.bytes+len(frame) <= t.srv.limits.HeldBytes {
		p.held = append(p.held, slices.Clone(frame))
		p.bytes += len(frame)
		return nil
	}
	p.release(t)
	p.emit(t, frame)
	return t.conn.waitRoom(ctx)
}

// release sends what was held.
func (p *reply) release(t *task) {
	for _, f := range p.held {
		p.emit(t, f)
	}
	p.held, p.bytes = nil, 0
}

func (p *reply) emit(t *task, frame []byte) {
	p.sent = true
	if p.whole {
		p.body = frame
		return
	}
	t.conn.send(t, frame)
}

// frameRoom is what a response takes beside its results and its message, mostly.
const frameRoom = 160

// frame encodes a response into memory that the next one overwrites.
func (p *reply) frame(t *task, r message.Response) ([]byte, error) {
	r.ID, r.HasID = t.req.ID, t.req.HasID
	p.response = r
	dst := slices.Grow(p.frames[:0], len(p.items)+len(r.Message)+frameRoom)
	frame, err := t.codec.AppendResponse(dst, &p.response, p.items, p.n)
	if err != nil {
		return nil, serializationError(err)
	}
	p.frames = frame
	return frame, nil
}

// finish sends the terminal frame of a success and returns its code.
func (p *reply) finish(t *task) int32 {
	r := message.Response{Code: statusSuccess}
	if p.total == 0 && !p.whole {
		r.Code, r.NoData = statusNoContent, true
	}
	if !p.whole && t.req.Op != opClose {
		r.Attributes = t.conn.success
	}
	frame, err := p.frame(t, r)
	if err != nil {
		return p.fail(t, failureOf(nil, t, err))
	}
	p.release(t)
	p.last(t, frame)
	return r.Code
}

// fail sends the terminal frame of a failure; held results are forgotten.
func (p *reply) fail(t *task, f failure) int32 {
	p.reset()
	if p.whole {
		p.failure = &f
		t.srv.forget(t)
		return f.code
	}
	frame, err := p.frame(t, message.Response{Code: f.code, Message: f.text, Attributes: f.attrs, NoData: true})
	if err != nil {
		// Nothing but the code and a plain text can be left to say.
		frame, err = p.frame(t, message.Response{Code: f.code, Message: "error could not be serialized", NoData: true})
	}
	if err != nil {
		t.srv.log.Error("error response could not be encoded", "request", t.id(), "error", err)
		t.srv.forget(t)
		t.answered()
		return f.code
	}
	p.last(t, frame)
	return f.code
}

// last gives the request's id free before the frame leaves: the client may use it
// again at once.
func (p *reply) last(t *task, frame []byte) {
	t.srv.forget(t)
	p.emit(t, frame)
	t.answered()
}
