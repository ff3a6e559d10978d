package request

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/plancache"
)

// A form is the bytes of a request without its id and its constants (message.Form). Clients
// send few forms, again and again: one that was decoded, checked and found to have a plan
// is not decoded again, but its constants go to that plan.
//
// What this brings: BenchmarkForms (protocol/engine) takes a small request from its bytes to
// its plan in 0.3 to 0.8 µs with 80 to 104 bytes when the form is known, and in 2.2 to 4.0 µs
// with 8 to 12 allocations of 0.9 to 1.5 kB when it is decoded. Of a whole
// request over a connection that is a third: with forms BenchmarkRequest/ID takes 0.63 of
// the processor time that it takes without, client and server together. A decoder that
// finds names in a table and uses its memory again would save the allocations, and would
// still have to build, check and key what a known form does without.
//
// What is a constant is said by plancache.Constants alone; a form that sees it differently from
// the plan's shape is refused when it is learnt (asForm).

// How many forms are kept before the older half is forgotten, and how many bytes they
// take then.
const (
	formsMax     = 512
	formBytesMax = 2 << 20
)

// Forms keeps what checking requests of bytecode found out, by their form: clients send
// few, again and again, and those need not be decoded.
type Forms struct {
	*plancache.Recent[Known]
	// last holds, by their length, the forms of requests that came last: the next of that length
	// is compared with it before its form is looked for. These few are kept beside the bounds above.
	last *[lastForms]atomic.Pointer[Known]
}

const lastForms = 64

func newForms() Forms {
	return Forms{plancache.NewRecent[Known](formsMax, formBytesMax), new([lastForms]atomic.Pointer[Known])}
}

// Known is what checking found out about the requests of one form. It is immutable.
type Known struct {
	form    message.Form    // without id and constants
	plan    *plancache.Form // nil: they are decoded each time
	op      string
	proc    string
	source  string
	batch   int
	timeout time.Duration
	tokens  bool
	quick   bool
}

// met stands for a form that was seen once, unfit for one that a plan's form does not
// agree with.
var met, unfit = &Known{}, &Known{}

// Recall fills in a task whose request has the form of ones that were checked before.
// Otherwise it returns what learn is to know.
func (s *Forms) Recall(t *Task, b []byte, scanned *message.Form) (known *Known, ok bool) {
	scanned.Constants = t.constants[:0]
	f, ok := s.look(t.Reply.Codec, b, scanned)
	if ok {
		t.recall(f, scanned)
	}
	return f, ok
}

// look finds what is known of requests like the one in b; ok is false when that is not enough.
// A form that came last of its length is as good as found, so it is kept when another takes
// its place.
func (s *Forms) look(codec message.Codec, b []byte, scanned *message.Form) (f *Known, ok bool) {
	last := &s.last[len(b)%lastForms]
	if f = last.Load(); f != nil && codec.Again(b, &f.form, scanned) {
		return f, true
	}
	scanned.Bytes, scanned.Constants, scanned.At = scanned.Bytes[:0], scanned.Constants[:0], scanned.At[:0]
	if !codec.Form(b, scanned) {
		return unfit, false
	}
	if f = s.Find(scanned.Bytes); f == nil || f.plan == nil {
		return f, false
	}
	if old := last.Swap(f); old != nil && s.Find(old.form.Bytes) == nil {
		s.Keep(old.form.Bytes, old, old.size())
	}
	return f, true
}

// size is what it takes in memory, in bytes, without the copy of the form that it is found by.
func (f *Known) size() int { return f.plan.Size() + len(f.form.Bytes) + 8*len(f.form.At) }

// recall fills in what is known of a request's form, and what is its own.
func (t *Task) recall(f *Known, scanned *message.Form) {
	t.request = message.Request{ID: scanned.ID, HasID: true, Op: f.op, Processor: f.proc}
	t.Req, t.Form = &t.request, f
	t.Query.Form, t.Query.Constants, t.Query.Source = f.plan, scanned.Constants, f.source
	t.Reply.Batch, t.timeout, t.tokens = f.batch, f.timeout, f.tokens
}

// Knows reports whether requests like the one in b need not be decoded.
func (s *Forms) Knows(codec message.Codec, b []byte) bool {
	_, ok := s.look(codec, b, &message.Form{})
	return ok
}

// Learn takes note of a request that was decoded and checked, the second time with
// what came out. known is what recall returned.
func (s *Forms) Learn(t *Task, known *Known, scanned *message.Form) {
	switch {
	case known == unfit || t.Query.Bytecode == nil || t.Req.Processor == message.ProcessorSession || t.SeesAs() != "":
	case known == nil:
		s.Keep(scanned.Bytes, met, 0)
	case known == met:
		f := t.asForm(scanned)
		s.Keep(scanned.Bytes, f, f.size())
	}
}

// asForm is what is known of the requests of a form, one of which was decoded.
func (t *Task) asForm(scanned *message.Form) *Known {
	plan, same := plancache.NewForm(t.Query.Bytecode)
	if plan == nil || !slices.EqualFunc(scanned.Constants, same, value.Identical) {
		return unfit
	}
	return &Known{
		form: message.Form{Bytes: slices.Clone(scanned.Bytes), At: slices.Clone(scanned.At)},
		plan: plan, op: t.Req.Op, proc: t.Req.Processor, source: t.Query.Source,
		batch: t.Reply.Batch, timeout: t.timeout, tokens: t.tokens, quick: t.desk.Engine.Quick(&t.Query),
	}
}

// Quick reports whether the request is evaluated where it was read.
func (t *Task) Quick() bool {
	if t.Form != nil {
		return t.Form.quick
	}
	return t.desk.Engine.Quick(&t.Query)
}
