package client

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/protocol/graphbinary"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
)

// Rows are the results of one request, in frames as they came.
type Rows struct {
	id    uuid.UUID
	ctx   context.Context
	link  *link
	ahead int         // bytes that may wait
	stop  func() bool // ends the watch over ctx

	mu      sync.Mutex
	changed sync.Cond
	frames  []rowsFrame
	bytes   int   // of frames
	over    error // io.EOF behind the last frame; nil while more may come
	asked   bool  // the server wanted to know who asks
	attrs   []message.Attribute
}

// rowsFrame is the values of a message and how long that was.
type rowsFrame struct {
	values []value.Value
	bytes  int
}

func newRows(ctx context.Context, l *link, id uuid.UUID, o *Options) *Rows {
	if id == uuid.Nil {
		id = uuid.New()
	}
	r := &Rows{id: id, ctx: ctx, link: l, ahead: o.ReadAhead}
	r.changed.L = &r.mu
	return r
}

// ID is the request's, by which the server's administrators know it.
func (r *Rows) ID() string { return r.id.String() }

// Next returns the results of the next frame, at least one; io.EOF behind the last.
func (r *Rows) Next() ([]value.Value, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.frames) == 0 && r.over == nil {
		r.changed.Wait()
	}
	if len(r.frames) == 0 {
		return nil, r.over
	}
	f := r.frames[0]
	r.frames[0] = rowsFrame{}
	r.frames = r.frames[1:]
	r.bytes -= f.bytes
	r.changed.Broadcast()
	return f.values, nil
}

// Warnings are what the server remarks on an answer that has ended.
func (r *Rows) Warnings() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []string
	for _, a := range r.attrs {
		if a.Key != "warnings" {
			continue
		}
		if a.Value.Kind() == value.KindString {
			out = append(out, a.Value.Str())
		}
		for _, v := range a.Value.Elems() {
			out = append(out, v.JavaString())
		}
	}
	return out
}

// Close ends the request. One that has not been answered whole takes its connection with
// it: no other way to stop it is known to every server.
func (r *Rows) Close() {
	r.mu.Lock()
	whole := r.over != nil
	r.mu.Unlock()
	if !whole {
		r.link.fail(fmt.Errorf("%w: the request was given up", ErrLost))
	}
	r.detach()
}

func (r *Rows) detach() {
	if r.stop != nil {
		r.stop()
	}
	r.link.mu.Lock()
	defer r.link.mu.Unlock()
	if r.link.rows == r {
		r.link.rows = nil
	}
}

// end says that no more comes. What came is still handed out, unless nobody wants it.
func (r *Rows) end(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over == nil {
		r.over = err
	}
	if r.ctx.Err() != nil {
		r.frames, r.over = nil, context.Cause(r.ctx)
	}
	r.changed.Broadcast()
}

// add takes a frame in when there is room. It returns at once when nobody wants it.
func (r *Rows) add(f rowsFrame) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.bytes > 0 && r.bytes+f.bytes > r.ahead && r.over == nil {
		r.changed.Wait()
	}
	if r.over != nil || len(f.values) == 0 {
		return
	}
	r.frames = append(r.frames, f)
	r.bytes += f.bytes
	r.changed.Broadcast()
}

// take reads a message. An error ends the link.
func (l *link) take(b []byte, o *Options) error {
	p, data, err := graphbinary.DecodeResponse(b)
	if err != nil {
		return fmt.Errorf("%w: the answer cannot be read: %w", ErrLost, err)
	}
	r := l.current(p.ID, p.HasID)
	if r == nil {
		return nil // of a request that nobody waits for
	}
	switch p.Code {
	case codeSuccess, codePartial:
		r.add(rowsFrame{data.Elems(), len(b)})
		if p.Code == codePartial {
			return nil
		}
		fallthrough
	case codeNoContent:
		r.finish(p, io.EOF)
	case codeChallenge:
		return l.identify(r, o)
	default:
		r.finish(p, failureOf(p))
	}
	return nil
}

func (r *Rows) finish(p *message.Response, err error) {
	r.mu.Lock()
	r.attrs = p.Attributes
	r.mu.Unlock()
	r.end(err)
}

// identify answers the question who asks.
func (l *link) identify(r *Rows, o *Options) error {
	r.mu.Lock()
	again := r.asked
	r.asked = true
	r.mu.Unlock()
	if o.User == "" || again {
		err := fmt.Errorf("%w: the server at %s wants a user and a password (--user)", ErrLogin, o.URL.Host)
		r.end(err)
		return err
	}
	b, err := frame(login(o.User, o.Password))
	if err != nil {
		return err
	}
	return l.send(b)
}

func failureOf(p *message.Response) error {
	e := &ServerError{Code: p.Code, Message: p.Message}
	for _, a := range p.Attributes {
		if a.Key != "exceptions" {
			continue
		}
		for _, v := range a.Value.Elems() {
			e.Exceptions = append(e.Exceptions, v.JavaString())
		}
	}
	return e
}
