package answer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Asked is the request that a reply answers, with the way back to who asked.
type Asked interface {
	// Message is what the client sent.
	Message() *message.Request
	// IsBytecode reports whether it asks by bytecode.
	IsBytecode() bool
	// TimeoutText is what its client reads when it took too long.
	TimeoutText() string

	// Reserve makes room for a frame of n bytes, if need be by waiting for the client.
	Reserve(ctx context.Context, n int) error
	// Send takes one whole frame, for which there is room.
	Send(frame []byte)
	// Yield sends what was taken, and waits for a client that is far behind.
	Yield(ctx context.Context) error
	// Forget gives the request's id free: its terminal frame comes next, and the client
	// may use the id again as soon as it has that.
	Forget()
	// Answered says that the terminal frame was taken.
	Answered()
	// Lost says that the request cannot be answered at all.
	Lost(err error)
}

// Reply collects the results of one request into responses, in frames of up to Batch
// results. What a writing request answers is held until its commit.
type Reply struct {
	Asked   Asked
	Codec   message.Codec
	Limits  *quota.Limits
	Account *account.Account // charged for results
	// Batch is how many results one response has at most.
	Batch int
	// Whole collects everything into one response, in Body, or a failure: HTTP.
	Whole bool
	Body  []byte
	// Attributes are those of a terminal success.
	Attributes []message.Attribute

	bulks bool // a result is sent with its bulk, not as often as that says
	// items are the encoded results of the batch being filled, frames is scratch for what
	// is sent at once.
	Memory
	n     int
	total int64
	hold  bool
	sent  bool // something has left for the client
	held  [][]byte
	bytes int // of held
	paid  int // bytes of items that the request's account covers
	// failed is set instead of sending a frame when Whole is.
	failed *Failure
	// response is scratch for what is sent at once.
	response message.Response
}

// Memory is what a reply can leave to the next one.
type Memory struct{ items, frames []byte }

// Left is the memory of a reply that is over, if that is no more than max bytes.
func (p *Reply) Left(max int) Memory {
	if cap(p.items)+cap(p.frames) > max {
		return Memory{}
	}
	return Memory{p.items[:0], p.frames[:0]}
}

// Begin is called before the first result; hold keeps frames back until Finish.
func (p *Reply) Begin(hold bool) { p.hold, p.bulks = hold, p.Asked.IsBytecode() }

// Prepay says that an evaluation begins, whose first results cost nothing.
func (p *Reply) Prepay() { p.paid = freeReply }

// Sent reports whether anything has left for the client.
func (p *Reply) Sent() bool { return p.sent }

// Total is how many results there were.
func (p *Reply) Total() int64 { return p.total }

// Failed is the failure of a whole reply, nil for a success.
func (p *Reply) Failed() *Failure { return p.failed }

// Reset forgets all results, before a rerun.
func (p *Reply) Reset() {
	p.items, p.n, p.total = p.items[:0], 0, 0
	p.held, p.bytes = nil, 0
}

// Add encodes one result as often as its bulk asks; bytecode sends the bulk along.
func (p *Reply) Add(ctx context.Context, b *value.Bulked, o *message.ItemOptions) error {
	if p.bulks {
		if p.Whole && b.Bulk > 1 {
			return p.repeat(ctx, b.Bulk, value.OfTraverser(&value.Bulked{Bulk: 1, Value: b.Value}), o)
		}
		return p.append(ctx, value.OfTraverser(b), o)
	}
	return p.repeat(ctx, b.Bulk, b.Value, o)
}

// repeatPoll is how many copies of one result are written between two looks at the context.
const repeatPoll = 256

func (p *Reply) repeat(ctx context.Context, n int64, v value.Value, o *message.ItemOptions) error {
	for ; n > 0; n-- {
		if err := p.append(ctx, v, o); err != nil {
			return err
		}
		if n%repeatPoll == 0 && ctx.Err() != nil {
			return traversal.ErrTimeout
		}
	}
	return nil
}

func (p *Reply) append(ctx context.Context, v value.Value, o *message.ItemOptions) error {
	l := p.Limits
	if p.n > 0 && !p.Whole && (p.n >= p.Batch || len(p.items) >= l.BatchBytes) {
		if err := p.cut(ctx); err != nil {
			return err
		}
	}
	if p.total >= l.ResultsMax {
		return &message.StatusError{Code: message.StatusServerError, Message: fmt.Sprintf("the request yields more than %d results (resultsMax)", l.ResultsMax), Class: message.ClassIllegalState}
	}
	before := len(p.items)
	if v.Exceeds(l.ResponseBytes) { // each takes a byte at least
		return p.tooLarge()
	}
	items, err := p.Codec.AppendItem(p.items, p.n, v, *o)
	switch {
	case err != nil:
		p.items = p.items[:before]
		if errors.Is(err, account.ErrLimit) || errors.Is(err, traversal.ErrTimeout) {
			return err
		}
		return serializationError(err)
	case len(items)-before > l.ResponseBytes:
		return p.tooLarge()
	}
	p.items = items
	p.n++
	p.total++
	return p.pay(len(items))
}

func (p *Reply) tooLarge() error {
	return serializationError(fmt.Errorf("one result takes more than %d bytes (responseBytes)", p.Limits.ResponseBytes))
}

// freeReply is how many bytes of results a request has for nothing.
const freeReply = 16 << 10

// pay charges the request for n bytes of results, and as much again for the response
// that they go into. It charges ahead, so that it is mostly done already.
func (p *Reply) pay(n int) error {
	if n <= p.paid {
		return nil
	}
	ahead := n + n/2
	if err := p.Account.Charge(int64(2 * (ahead - p.paid))); err != nil {
		return err
	}
	p.paid = ahead
	return nil
}

// Grow pays for results of which n bytes are written now.
func (p *Reply) Grow(n int) error { return p.pay(n) }

// cut ends a full batch: a 206 that leaves at once, or waits for the commit.
func (p *Reply) cut(ctx context.Context) error {
	frame, err := p.frame(message.Response{Code: message.StatusPartialContent})
	if err != nil {
		return err
	}
	p.items, p.n = p.items[:0], 0
	if p.hold && p.bytes+len(frame) <= p.Limits.HeldBytes {
		if err := p.Account.Charge(int64(len(frame))); err != nil {
			return err
		}
		p.held = append(p.held, slices.Clone(frame))
		p.bytes += len(frame)
		return nil
	}
	if err := p.release(ctx); err != nil {
		return err
	}
	if err := p.emit(ctx, frame); err != nil {
		return err
	}
	return p.Asked.Yield(ctx)
}

// release sends what was held.
func (p *Reply) release(ctx context.Context) error {
	for _, f := range p.held {
		if err := p.emit(ctx, f); err != nil {
			return err
		}
	}
	p.held, p.bytes = nil, 0
	return nil
}

// emit sends a frame when there is room for it.
func (p *Reply) emit(ctx context.Context, frame []byte) error {
	if p.Whole {
		p.sent, p.Body = true, frame
		return nil
	}
	if err := p.Asked.Reserve(ctx, len(frame)); err != nil {
		return err
	}
	p.sent = true
	p.Asked.Send(frame)
	return nil
}

// frameRoom is what a response takes beside its results and its message, mostly.
const frameRoom = 160

// frame encodes a response into memory that the next one overwrites.
func (p *Reply) frame(r message.Response) ([]byte, error) {
	q := p.Asked.Message()
	r.ID, r.HasID = q.ID, q.HasID
	p.response = r
	dst := slices.Grow(p.frames[:0], len(p.items)+len(r.Message)+frameRoom)
	frame, err := p.Codec.AppendResponse(dst, &p.response, p.items, p.n)
	if err != nil {
		return nil, serializationError(err)
	}
	p.frames = frame
	return frame, nil
}

// Finish sends the terminal frame of a success and returns its code. ctx is the
// evaluation's.
func (p *Reply) Finish(ctx context.Context) int32 {
	r := message.Response{Code: message.StatusSuccess}
	if p.total == 0 && !p.Whole {
		r.Code, r.NoData = message.StatusNoContent, true
	}
	if !p.Whole && p.Asked.Message().Op != message.OpClose {
		r.Attributes = p.Attributes
	}
	err := p.release(ctx)
	if err != nil {
		return p.Fail(FailureOf(ctx, p.Asked, err))
	}
	frame, err := p.frame(r)
	if err == nil {
		err = p.last(ctx, frame)
	}
	if err != nil {
		return p.Fail(FailureOf(ctx, p.Asked, err))
	}
	return r.Code
}

// Refuse answers a request that was never evaluated, and returns the code.
func (p *Reply) Refuse(err error) int32 { return p.Fail(FailureOf(nil, p.Asked, err)) }

// Fail sends the terminal frame of a failure; held results are forgotten.
func (p *Reply) Fail(f Failure) int32 {
	p.Reset()
	if p.Whole {
		p.failed = &f
		return f.Code
	}
	frame, err := p.frame(message.Response{Code: f.Code, Message: f.text, Attributes: f.attrs, NoData: true})
	if err != nil {
		// Nothing but the code and a plain text can be left to say.
		frame, err = p.frame(message.Response{Code: f.Code, Message: "error could not be serialized", NoData: true})
	}
	if err == nil {
		err = p.last(context.Background(), frame)
	}
	if err != nil {
		// A client that gets no answer to one request must not wait for it.
		p.Asked.Lost(err)
	}
	return f.Code
}

// last sends the terminal frame. The request's id is free before that: the client may
// use it again at once.
func (p *Reply) last(ctx context.Context, frame []byte) error {
	if p.Whole {
		return p.emit(ctx, frame)
	}
	if err := p.Asked.Reserve(ctx, len(frame)); err != nil {
		return err
	}
	p.Asked.Forget()
	p.sent = true
	p.Asked.Send(frame)
	p.Asked.Answered()
	return nil
}
