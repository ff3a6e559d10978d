package web

import (
	"context"
	"net/http"
	"time"

	"github.com/gremlind/gremlind/blueprints/graphio/graphson"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/request"
	"github.com/gremlind/gremlind/storage/account"
)

// follower is a request for the changes of a graph. It takes turns: with a slot it reads
// commits into memory, without one it writes them to its client, or waits for more.
type follower struct {
	s      *Endpoint
	t      *request.Task
	source string
	after  string // where it goes on
	limit  int    // commits that are still wanted; of a stream 0
	wait   time.Duration
	told   int
	out    feedWriter
}

// pieceBytes is how much is read before it is written, about.
const pieceBytes = 256 << 10

// follow answers the request, of which everything was checked.
func (f *follower) follow(parent context.Context) {
	s := f.s
	s.mu.Lock()
	s.running[f.t] = struct{}{}
	s.mu.Unlock()
	defer s.over(f.t)
	ctx := f.t.Begin(parent, time.Now())
	defer f.t.Over()
	f.t.Renew()
	if err := f.run(ctx); err != nil && parent.Err() == nil {
		f.t.Await(ctx, err)
		f.fail(ctx, err)
		return
	}
	f.t.End(message.StatusSuccess, nil) // a client that leaves has what it wanted
}

// run tells until the client has what it wants. Where something was told an error ends the
// answer, and the client reads it when it comes again.
func (f *follower) run(ctx context.Context) error {
	end := time.Now().Add(f.wait)
	pass := f.wait == 0 && !f.out.events
	for {
		news, err := f.s.desk.Feed.News(f.t.Identity, f.source)
		if err != nil {
			return err
		}
		before := f.told
		whole, err := f.read(ctx, pass)
		if err != nil {
			return err
		}
		if err := f.write(pass && f.told == before); err != nil {
			return err
		}
		switch {
		case !f.out.events && f.told >= f.limit:
			return nil
		case !whole:
			continue
		case !f.out.events && (f.told > 0 || pass):
			return f.finish()
		}
		pass = f.await(ctx, news, end)
		if f.s.waitsEnded() { // first: nobody waits any more until such as this one have ended
			return f.finish()
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// read is one turn: it reads commits into memory, and reports whether there are no more.
func (f *follower) read(ctx context.Context, pass bool) (whole bool, err error) {
	err = f.t.Turn(ctx, func(ctx context.Context) error {
		f.out.buf, f.out.memory = f.out.buf[:0], account.Ledger{Account: &f.t.Account}
		q := contract.FeedQuery{Identity: f.t.Identity, Source: f.source, After: f.after, Pass: pass, Request: f.t.Req.ID, Account: &f.t.Account}
		place, err := f.s.desk.Feed.Changes(ctx, &q, func(c contract.Told) (bool, error) {
			f.told++
			if err := f.out.add(&c); err != nil {
				return false, err
			}
			f.after = c.Cursor
			return len(f.out.buf) < pieceBytes && (f.out.events || f.told < f.limit), nil
		})
		if err != nil {
			return err
		}
		f.after, whole = place.Cursor, place.End
		if f.out.cursor == "" {
			f.out.cursor = place.From
		}
		return nil
	})
	return whole, err
}

// await returns when there may be more to tell, or for long enough there was not: then the
// place is to be told.
func (f *follower) await(ctx context.Context, news <-chan struct{}, end time.Time) (pass bool) {
	if f.out.events {
		end = time.Now().Add(f.s.desk.Limits().FeedBeat)
	}
	f.out.buf = nil
	f.t.Account.Clear()
	f.s.desk.Absent(f.t, func() {
		timer := time.NewTimer(time.Until(end))
		defer timer.Stop()
		select {
		case <-news:
		case <-timer.C:
			pass = true
		case <-f.s.ended:
		case <-ctx.Done():
		}
	})
	return pass
}

// write hands on what was read, without a slot. silent: that is nothing, and the client is told
// where it is.
func (f *follower) write(silent bool) (err error) {
	if silent && f.out.events {
		f.out.beat(f.after)
	}
	if len(f.out.buf) == 0 && !f.out.events {
		return nil
	}
	f.s.desk.Idle(f.t, func() { err = f.out.flush(f.s.desk.Limits().StallTimeout) })
	return err
}

// finish ends an answer, which may be empty.
func (f *follower) finish() (err error) {
	if f.out.begun {
		return nil
	}
	f.out.cursor = f.after
	f.s.desk.Idle(f.t, func() { err = f.out.flush(f.s.desk.Limits().StallTimeout) })
	return err
}

// feedWriter writes commits to a client, in one of two forms.
type feedWriter struct {
	w      http.ResponseWriter
	rc     *http.ResponseController
	events bool
	shared bool   // with a page of another site
	cursor string // where the answer begins
	begun  bool
	buf    []byte
	memory account.Ledger // is charged for buf
	enc    graphson.Encoder
}

// Grown implements graphson.Meter.
func (o *feedWriter) Grown(n int) error { return o.charge(n) }

// charge pays for n bytes, and for as many again: what grows is copied.
func (o *feedWriter) charge(n int) error { return o.memory.Cover(2 * int64(n)) }

// add appends a commit.
func (o *feedWriter) add(c *contract.Told) (err error) {
	o.enc.Form, o.enc.Meter = graphson.Form{Version: 3}, o
	if o.events {
		o.buf = append(append(append(o.buf, "id: "...), c.Cursor...), "\ndata: "...)
	}
	if o.buf, err = o.enc.Append(o.buf, c.Commit.Value()); err != nil {
		return err
	}
	if o.buf = append(o.buf, '\n'); o.events {
		o.buf = append(o.buf, '\n')
	}
	return o.charge(len(o.buf))
}

// beat appends what keeps a stream alive, and says where it is.
func (o *feedWriter) beat(cursor string) {
	o.buf = append(append(append(o.buf, ":\nid: "...), cursor...), "\n\n"...)
}

// flush writes what was added, in pieces, each of which the client must take within stall.
func (o *feedWriter) flush(stall time.Duration) error {
	if !o.begun {
		o.begin()
	}
	for body := o.buf; ; {
		n := min(len(body), bodyChunk)
		_ = o.rc.SetWriteDeadline(time.Now().Add(stall))
		if _, err := o.w.Write(body[:n]); err != nil {
			return gone(err)
		}
		if body = body[n:]; len(body) == 0 {
			break
		}
	}
	if err := o.rc.Flush(); err != nil {
		return gone(err)
	}
	_ = o.rc.SetWriteDeadline(time.Time{})
	return nil
}

// gone is the error of an answer that its client does not take.
func gone(err error) error {
	return &message.StatusError{Code: message.StatusTimeout, Message: "the client takes no data: " + err.Error()}
}

func (o *feedWriter) begin() {
	o.begun = true
	h := o.w.Header()
	h.Set("Content-Type", mimeLines)
	if o.events {
		h.Set("Content-Type", mimeEvents)
	}
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Accel-Buffering", "no")
	h.Set(cursorHeader, o.cursor)
	if o.shared {
		h.Set("Access-Control-Expose-Headers", cursorHeader)
	}
	o.w.WriteHeader(http.StatusOK)
}
