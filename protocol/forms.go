package protocol

import (
	"slices"
	"time"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/plancache"
)

// How many forms are kept before the older half is forgotten, and how many bytes they
// take then.
const (
	formsMax     = 512
	formBytesMax = 2 << 20
)

// forms keeps what checking requests of bytecode found out, by their form: clients send
// few, again and again, and those need not be decoded.
type forms struct{ *plancache.Recent[form] }

func newForms() forms { return forms{plancache.NewRecent[form](formsMax, formBytesMax)} }

// form is what is known of requests with the same form. It is immutable.
type form struct {
	plan    *plancache.Form // nil: they are decoded each time
	op      string
	proc    string
	source  string
	batch   int
	timeout time.Duration
	tokens  bool
	brief   bool
}

// met stands for a form that was seen once, unfit for one that a plan's form does not
// agree with.
var met, unfit = &form{}, &form{}

// recall fills in a task whose request has the form of ones that were checked before.
// Otherwise it returns what learn is to know.
func (s *forms) recall(t *task, b []byte, scanned *message.Form) (known *form, ok bool) {
	scanned.Bytes, scanned.Constants = scanned.Bytes[:0], t.constants[:0]
	if !t.codec.Form(b, scanned) {
		return unfit, false
	}
	f := s.Find(scanned.Bytes)
	if f == nil || f.plan == nil {
		return f, false
	}
	t.request = message.Request{ID: scanned.ID, HasID: true, Op: f.op, Processor: f.proc}
	t.req, t.form = &t.request, f
	t.query.Form, t.query.Constants, t.query.Source = f.plan, scanned.Constants, f.source
	t.batch, t.timeout, t.tokens = f.batch, f.timeout, f.tokens
	return f, true
}

// learn takes note of a request that was decoded and checked, the second time with
// what came out. known is what recall returned.
func (s *forms) learn(t *task, known *form, scanned *message.Form) {
	switch {
	case known == unfit || t.query.Bytecode == nil || t.req.Processor == processorSession:
	case known == nil:
		s.Keep(scanned.Bytes, met, 0)
	case known == met:
		f := t.asForm(scanned.Constants)
		s.Keep(scanned.Bytes, f, f.plan.Size())
	}
}

// asForm is the form of a request whose constants are found to be the given ones.
func (t *task) asForm(constants []value.Value) *form {
	plan, same := plancache.NewForm(t.query.Bytecode)
	if plan == nil || !slices.EqualFunc(constants, same, value.Identical) {
		return unfit
	}
	return &form{
		plan: plan, op: t.req.Op, proc: t.req.Processor, source: t.query.Source,
		batch: t.batch, timeout: t.timeout, tokens: t.tokens, brief: t.srv.engine.Brief(&t.query),
	}
}

// brief reports whether the request is evaluated where it was read.
func (t *task) brief() bool {
	if t.form != nil {
		return t.form.brief
	}
	return t.srv.engine.Brief(&t.query)
}
