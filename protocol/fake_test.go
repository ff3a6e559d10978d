package protocol

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// fakeEngine understands one word and a number:
//
//	count N     the numbers below N          write N   the same, and writes
//	text N      one string of N bytes        block     waits for its context
//	lose N      writes and loses N conflicts panic     panics
//	error       fails                        set N     keeps N in the session
//	get         yields what set kept         bulk N    one result of bulk N
//	poll        asks its context until it ends
//	sleep       waits for its context, idle
//	store N     as text N, and writes      gate N     as write N, when a test lets it
//
// In bytecode V(N) is count and E(N) block.
type fakeEngine struct {
	mu      sync.Mutex
	lost    int
	alone   int
	commits atomic.Int64
	rolled  atomic.Int64
	closed  atomic.Int64
	blocked atomic.Int64
	gate    chan struct{}
	held    chan heldCommit // gets the commits that nobody waits for, when not nil
}

func (e *fakeEngine) Lookup(_ *traversal.Identity, name string) contract.NameKind {
	switch name {
	case "g", "gmodern":
		return contract.SourceName
	case "graph":
		return contract.GraphName
	}
	return contract.NoName
}

func (e *fakeEngine) Quick(q *contract.Query) bool {
	for _, word := range []string{"count", "block", "poll", "panic", "text", "shared", "bulk", "write", "lose", "store", "gate"} {
		if strings.HasPrefix(q.Script, word) {
			return true
		}
	}
	return q.IsBytecode()
}

func (e *fakeEngine) Open(o contract.WorkOptions) contract.Work { return &fakeWork{e: e, o: o} }

type fakeWork struct {
	e       *fakeEngine
	o       contract.WorkOptions
	open    bool
	pending bool
	losing  int
	kept    value.Value
}

func (w *fakeWork) Run(ctx context.Context, q *contract.Query) (contract.Results, error) {
	text := q.Script
	if b := q.Code(); b != nil {
		text = b.Steps[0].Name
		if len(b.Steps[0].Args) > 0 {
			text += " " + b.Steps[0].Args[0].JavaString()
		}
	}
	word, arg, _ := strings.Cut(text, " ")
	n, _ := strconv.ParseInt(arg, 10, 64)
	w.open = true
	r := &fakeResults{ctx: ctx}
	switch word {
	case "write":
		if !w.o.Identity.MayWrite("graph") {
			return nil, contract.ErrUnauthorized
		}
		w.pending, r.writes, r.left = true, true, n
	case "count", "V":
		r.left = n
	case "text":
		r.list = []value.Bulked{{Bulk: 1, Value: value.String(strings.Repeat("x", int(n)))}}
	case "shared": // n levels of a list that holds the next one twice
		v := value.Int(1)
		for range n {
			v = value.List([]value.Value{v, v})
		}
		r.list = []value.Bulked{{Bulk: 1, Value: v}}
	case "gate":
		<-w.e.gate
		w.pending, r.writes, r.left = true, true, n
	case "store":
		w.pending, r.writes = true, true
		r.list = []value.Bulked{{Bulk: 1, Value: value.String(strings.Repeat("x", int(n)))}}
	case "bulk":
		r.list = []value.Bulked{{Bulk: n, Value: value.Int(7)}}
	case "block", "E":
		w.e.blocked.Add(1)
		<-ctx.Done()
		w.e.blocked.Add(-1)
		return nil, traversal.ErrTimeout
	case "sleep":
		traversal.Idle(ctx, func() { <-ctx.Done() })
		return nil, traversal.ErrTimeout
	case "poll":
		w.e.blocked.Add(1)
		for ctx.Err() == nil {
			runtime.Gosched()
		}
		w.e.blocked.Add(-1)
		return nil, traversal.ErrTimeout
	case "lose":
		w.pending, r.writes, r.left, w.losing = true, true, 1, int(n)
	case "panic":
		panic("on request")
	case "set":
		w.kept = value.Long(n)
	case "get":
		r.list = []value.Bulked{{Bulk: 1, Value: w.kept}}
	case "foreign":
		r.list = []value.Bulked{{Bulk: 1, Value: value.Object(value.KindForeign, struct{}{})}}
	default:
		return nil, errors.New("No such property: " + word)
	}
	return r, nil
}

func (w *fakeWork) GraphOp(_ context.Context, q *contract.Query, op string) error {
	if q.Source == "gmodern" {
		return contract.ErrNoTransactions
	}
	if op == "commit" {
		return w.Commit(context.Background(), true)
	}
	w.Rollback(true)
	return nil
}

func (w *fakeWork) Commit(_ context.Context, all bool) error {
	if !all && w.o.Session {
		return nil
	}
	w.open, w.pending = false, false
	w.e.mu.Lock()
	defer w.e.mu.Unlock()
	if w.o.Alone {
		w.e.alone++
	}
	if w.e.lost < w.losing {
		w.e.lost++
		return fmt.Errorf("commit: %w", storage.ErrConflict)
	}
	w.e.lost = 0
	w.e.commits.Add(1)
	return nil
}

// CommitAsync ends the commit on another goroutine, or when a test says so.
func (w *fakeWork) CommitAsync(ctx context.Context, done func(error)) {
	if w.e.held != nil {
		w.e.held <- heldCommit{w, done, &sync.Once{}}
		return
	}
	go func() { done(w.Commit(ctx, true)) }()
}

// heldCommit is a commit that has begun.
type heldCommit struct {
	w    *fakeWork
	done func(error)
	once *sync.Once
}

func (c heldCommit) end() {
	c.once.Do(func() { c.done(c.w.Commit(context.Background(), true)) })
}

func (c heldCommit) endWith(err error) { c.once.Do(func() { c.done(err) }) }

func (w *fakeWork) Rollback(all bool) {
	if all {
		w.open, w.pending = false, false
		w.e.rolled.Add(1)
	}
}

func (w *fakeWork) Rest()         {}
func (w *fakeWork) Pending() bool { return w.pending }
func (w *fakeWork) Open() bool    { return w.open }
func (w *fakeWork) Close() {
	if w.pending {
		w.Rollback(true)
	}
	w.e.closed.Add(1)
}

type fakeResults struct {
	ctx    context.Context
	list   []value.Bulked
	left   int64
	next   int32
	writes bool
}

func (r *fakeResults) Next(dst []value.Bulked, max int) ([]value.Bulked, error) {
	if r.ctx.Err() != nil {
		return dst, traversal.ErrTimeout
	}
	if r.list != nil {
		dst = append(dst, r.list...)
		r.list = nil
		return dst, nil
	}
	for ; r.left > 0 && max > 0; max-- {
		dst = append(dst, value.Bulked{Bulk: 1, Value: value.Int(r.next)})
		r.left--
		r.next++
	}
	return dst, nil
}

func (r *fakeResults) Resolver() value.Resolver { return nil }
func (r *fakeResults) Writes() bool             { return r.writes }
func (r *fakeResults) Close()                   {}
