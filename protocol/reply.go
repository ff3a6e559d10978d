package protocol

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/account"
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
	paid  int // bytes of items that the request's account covers
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
	if v.Exceeds(l.ResponseBytes) { // each takes a byte at least
		return p.tooLarge(t)
	}
	items, err := t.codec.AppendItem(p.items, p.n, v, o)
	switch {
	case err != nil:
		p.items = p.items[:before]
		if errors.Is(err, account.ErrLimit) || errors.Is(err, traversal.ErrTimeout) {
			return err
		}
		return serializationError(err)
	case len(items)-before > l.ResponseBytes:
		return p.tooLarge(t)
	}
	p.items = items
	p.n++
	p.total++
	return p.pay(t, len(items))
}

func (p *reply) tooLarge(t *task) error {
	return serializationError(fmt.Errorf("one result takes more than %d bytes (responseBytes)", t.srv.limits.ResponseBytes))
}

// freeReply is how many bytes of results a request has for nothing.
const freeReply = 16 << 10

// pay charges the request for n bytes of results, and as much again for the response
// that they go into. It charges ahead, so that it is mostly done already.
func (p *reply) pay(t *task, n int) error {
	if n <= p.paid {
		return nil
	}
	ahead := n + n/2
	if err := t.account.Charge(int64(2 * (ahead - p.paid))); err != nil {
		return err
	}
	p.paid = ahead
	return nil
}

// Grown is asked by the codecs while they write results, of which there are n bytes now.
func (t *task) Grown(n int) error {
	if t.eval.Err() != nil {
		return traversal.ErrTimeout
	}
	return t.reply.pay(t, n)
}

// cut ends a full batch: a 206 that leaves at once, or waits for the commit.
func (p *reply) cut(ctx context.Context, t *task) error {
	frame, err := p.frame(t, message.Response{Code: statusPartialContent})
	if err != nil {
		return err
	}
	p.items, p.n = p.items[:0], 0
	if p.hold && p.bytes+len(frame) <= t.srv.limits.HeldBytes {
		if err := t.account.Charge(int64(len(frame))); err != nil {
			return err
		}
		p.held = append(p.held, slices.Clone(frame))
		p.bytes += len(frame)
		return nil
	}
	if err := p.release(ctx, t); err != nil {
		return err
	}
	if err := p.emit(ctx, t, frame); err != nil {
		return err
	}
	t.conn.push()
	if t.conn.crowded() {
		return t.conn.waitRoom(ctx, t, t.srv.limits.SendBytes/2)
	}
	return nil
}

// release sends what was held.
func (p *reply) release(ctx context.Context, t *task) error {
	for _, f := range p.held {
		if err := p.emit(ctx, t, f); err != nil {
			return err
		}
	}
	p.held, p.bytes = nil, 0
	return nil
}

// emit sends a frame when there is room for it.
func (p *reply) emit(ctx context.Context, t *task, frame []byte) error {
	if p.whole {
		p.sent, p.body = true, frame
		return nil
	}
	if err := t.conn.reserve(ctx, t, len(frame)); err != nil {
		return err
	}
	p.sent = true
	t.conn.send(t, frame)
	return nil
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
	err := p.release(&t.eval, t)
	if err != nil {
		return p.fail(t, failureOf(&t.eval, t, err))
	}
	frame, err := p.frame(t, r)
	if err == nil {
		err = p.last(&t.eval, t, frame)
	}
	if err != nil {
		return p.fail(t, failureOf(&t.eval, t, err))
	}
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
	if err == nil {
		err = p.last(context.Background(), t, frame)
	}
	if err != nil {
		// A client that gets no answer to one request must not wait for it.
		t.srv.log.Error("error response could not be sent, connection closed", "request", t.id(), "remote", t.remote, "error", err)
		t.srv.forget(t)
		t.conn.cancel(errConnectionGone)
		t.conn.out.fail(err)
		t.answered()
	}
	return f.code
}

// last sends the terminal frame. The request's id is free before that: the client may
// use it again at once.
func (p *reply) last(ctx context.Context, t *task, frame []byte) error {
	if p.whole {
		t.srv.forget(t)
		return p.emit(ctx, t, frame)
	}
	if err := t.conn.reserve(ctx, t, len(frame)); err != nil {
		return err
	}
	t.srv.forget(t)
	p.sent = true
	t.conn.send(t, frame)
	t.answered()
	return nil
}
