package answer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// asker is a client that writes down what becomes of its request.
type asker struct {
	request  message.Request
	bytecode bool
	refuse   error // of Reserve
	did      []string
}

func (a *asker) Message() *message.Request { return &a.request }
func (a *asker) IsBytecode() bool          { return a.bytecode }
func (a *asker) TimeoutText() string       { return "took too long" }

func (a *asker) Reserve(_ context.Context, n int) error {
	if a.refuse == nil {
		a.did = append(a.did, fmt.Sprint("reserve ", n))
	}
	return a.refuse
}

func (a *asker) Send(frame []byte)           { a.did = append(a.did, "send "+string(frame)) }
func (a *asker) Yield(context.Context) error { a.did = append(a.did, "yield"); return nil }
func (a *asker) Forget()                     { a.did = append(a.did, "forget") }
func (a *asker) Answered()                   { a.did = append(a.did, "answered") }
func (a *asker) Lost(err error)              { a.did = append(a.did, "lost "+err.Error()) }

// sent are the frames alone.
func (a *asker) sent() []string {
	var frames []string
	for _, d := range a.did {
		if frame, ok := strings.CutPrefix(d, "send "); ok {
			frames = append(frames, frame)
		}
	}
	return frames
}

// plain writes a response as "code message(attribute...) [item,item]", without data "-".
type plain struct {
	unreadable string // items of this text cannot be written
	mute       bool   // nor messages
}

func (plain) DecodeRequest([]byte, *account.Account) (*message.Request, error) { return nil, nil }
func (plain) Form([]byte, *message.Form) bool                                  { return false }
func (plain) Again([]byte, *message.Form, *message.Form) bool                  { return false }

func (p plain) AppendItem(dst []byte, n int, v value.Value, o message.ItemOptions) ([]byte, error) {
	if o.Meter != nil {
		if err := o.Meter.Grown(len(dst)); err != nil {
			return append(dst, "half"...), err
		}
	}
	if n > 0 {
		dst = append(dst, ',')
	}
	if b := v.Traverser(); b != nil {
		return fmt.Appendf(dst, "%s*%d", b.Value.JavaString(), b.Bulk), nil
	}
	if text := v.JavaString(); text == p.unreadable {
		return append(dst, "half"...), errors.New("no such type")
	}
	return append(dst, v.JavaString()...), nil
}

func (p plain) AppendResponse(dst []byte, r *message.Response, items []byte, n int) ([]byte, error) {
	if p.mute && r.Message != mute {
		return dst, errors.New("mute")
	}
	dst = fmt.Appendf(dst, "%d %s(", r.Code, r.Message)
	for _, a := range r.Attributes {
		dst = append(dst, a.Key...)
	}
	dst = append(dst, ')')
	if r.NoData {
		return append(dst, '-'), nil
	}
	return fmt.Appendf(dst, "%d[%s]", n, items), nil
}

// mute is what a client reads when not even its error can be written.
const mute = "error could not be serialized"

// newReply is a reply in batches of two.
func newReply(a *asker) *Reply {
	limits := quota.DefaultLimits()
	a.request = message.Request{ID: uuid.New(), HasID: true, Op: message.OpEval}
	return &Reply{Asked: a, Codec: plain{}, Limits: &limits, Account: account.New(nil, "queryMemory", 1<<20), Batch: 2}
}

// add adds values, each once.
func add(t *testing.T, p *Reply, values ...value.Value) {
	t.Helper()
	for _, v := range values {
		if err := p.Add(context.Background(), &value.Bulked{Bulk: 1, Value: v}, &message.ItemOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

func ints(to int) []value.Value {
	var all []value.Value
	for i := range to {
		all = append(all, value.Int(int32(i)))
	}
	return all
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got  %q\n want %q", what, got, want)
	}
}

// A full batch leaves when the next result comes; the request's id is free before the
// terminal frame leaves.
func TestReply_Batches(t *testing.T) {
	a := &asker{}
	p := newReply(a)
	p.Attributes = []message.Attribute{{Key: "host"}}
	p.Begin(false)
	add(t, p, ints(2)...)
	if p.Sent() || len(a.did) != 0 {
		t.Errorf("a full batch left before anybody knows whether it is the last: %q", a.did)
	}
	add(t, p, value.Int(2))
	if !p.Sent() || p.Total() != 3 {
		t.Errorf("sent %v, %d results", p.Sent(), p.Total())
	}
	if code := p.Finish(context.Background()); code != message.StatusSuccess {
		t.Errorf("code %d", code)
	}
	same(t, "three results", a.did, []string{"reserve 12", "send 206 ()2[0,1]", "yield", "reserve 14", "forget", "send 200 (host)1[2]", "answered"})
}

func TestReply_NoContent(t *testing.T) {
	a := &asker{}
	p := newReply(a)
	p.Attributes = []message.Attribute{{Key: "host"}}
	p.Begin(false)
	if code := p.Finish(context.Background()); code != message.StatusNoContent {
		t.Errorf("code %d", code)
	}
	a.request.Op = message.OpClose
	p.Finish(context.Background())
	same(t, "none", a.sent(), []string{"204 (host)-", "204 ()-"})
}

// A batch is cut by its bytes too.
func TestReply_BatchBytes(t *testing.T) {
	a := &asker{}
	p := newReply(a)
	p.Batch, p.Limits.BatchBytes = 100, 5
	p.Begin(false)
	for _, s := range []string{"abcd", "e", "f", "ghijklm", "nopqr", "s"} {
		add(t, p, value.String(s))
	}
	p.Finish(context.Background())
	same(t, "by bytes", a.sent(), []string{"206 ()2[abcd,e]", "206 ()2[f,ghijklm]", "206 ()1[nopqr]", "200 ()1[s]"})
}

// What a writing request answers waits for its commit, up to HeldBytes.
func TestReply_Held(t *testing.T) {
	for _, c := range []struct {
		name string
		held int
		sent bool
		want []string // before Finish
	}{
		{"all", 24, false, nil},
		{"one too many", 23, true, []string{"206 ()2[0,1]", "206 ()2[2,3]"}},
		{"none", 0, true, []string{"206 ()2[0,1]", "206 ()2[2,3]"}},
	} {
		a := &asker{}
		p := newReply(a)
		p.Limits.HeldBytes = c.held
		p.Begin(true)
		add(t, p, ints(5)...)
		if p.Sent() != c.sent {
			t.Errorf("%s: sent %v", c.name, p.Sent())
		}
		same(t, c.name, a.sent(), c.want)
		p.Finish(context.Background())
		same(t, c.name+", all", a.sent(), []string{"206 ()2[0,1]", "206 ()2[2,3]", "200 ()1[4]"})
	}
}

// A request that runs again begins anew, and one that fails says nothing but that.
func TestReply_Reset(t *testing.T) {
	a := &asker{}
	p := newReply(a)
	p.Begin(true)
	add(t, p, ints(5)...)
	p.Reset()
	if p.Total() != 0 {
		t.Errorf("%d results after the reset", p.Total())
	}
	add(t, p, ints(5)...)
	if code := p.Fail(Failure{Code: message.StatusEvaluation, text: "no"}); code != message.StatusEvaluation {
		t.Errorf("code %d", code)
	}
	same(t, "failed", a.did, []string{"reserve 9", "forget", "send 597 no()-", "answered"})

	a.did = nil
	add(t, p, ints(1)...)
	p.Finish(context.Background())
	same(t, "after it", a.sent(), []string{"200 ()1[0]"})
}

// Bytecode gets a result once with its bulk, a script as often as that says.
func TestReply_Bulk(t *testing.T) {
	for _, c := range []struct {
		bytecode, whole bool
		want            string
	}{
		{true, false, "7*3"},
		{true, true, "7*1,7*1,7*1"},
		{false, false, "7,7,7"},
		{false, true, "7,7,7"},
	} {
		a := &asker{bytecode: c.bytecode}
		p := newReply(a)
		p.Batch, p.Whole = 10, c.whole
		p.Begin(false)
		if err := p.Add(context.Background(), &value.Bulked{Bulk: 3, Value: value.Int(7)}, &message.ItemOptions{}); err != nil {
			t.Fatal(err)
		}
		p.Finish(context.Background())
		got := string(p.Body)
		if !c.whole {
			got = a.sent()[0]
		}
		if !strings.Contains(got, "["+c.want+"]") {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// A large bulk ends with the request's time, and with resultsMax.
func TestReply_LargeBulk(t *testing.T) {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	p := newReply(&asker{})
	p.Begin(false)
	b := &value.Bulked{Bulk: 1 << 40, Value: value.Int(1)}
	if err := p.Add(over, b, &message.ItemOptions{}); err != traversal.ErrTimeout || p.Total() != 1 {
		t.Errorf("%v after %d", err, p.Total())
	}
	p = newReply(&asker{})
	p.Limits.ResultsMax = 1000
	p.Begin(false)
	err := p.Add(context.Background(), b, &message.ItemOptions{})
	if err == nil || err.Error() != "the request yields more than 1000 results (resultsMax)" || p.Total() != 1000 {
		t.Errorf("%v after %d", err, p.Total())
	}
}

func TestReply_TooLarge(t *testing.T) {
	p := newReply(&asker{})
	p.Limits.ResponseBytes = 10
	p.Begin(false)
	one := func(v value.Value) error {
		return p.Add(context.Background(), &value.Bulked{Bulk: 1, Value: v}, &message.ItemOptions{})
	}
	if err := one(value.String("0123456789")); err != nil {
		t.Error(err)
	}
	want := "Error during serialization: one result takes more than 10 bytes (responseBytes)"
	list := value.List(ints(4)) // 12 bytes as text
	for _, v := range []value.Value{value.String("0123456789a"), list} {
		if err := one(v); err == nil || err.Error() != want {
			t.Errorf("%s: %v", v.Brief(), err)
		}
	}
	if p.Total() != 1 {
		t.Errorf("%d results", p.Total())
	}
}

// The first results are free, what follows is charged before it is kept, twice: for
// itself and for the response that it goes into.
func TestReply_Memory(t *testing.T) {
	p := newReply(&asker{})
	p.Account = account.New(nil, "queryMemory", 8*freeReply)
	p.Prepay()
	p.Batch = 1 << 20
	p.Begin(false)
	b := &value.Bulked{Bulk: 1, Value: value.String(strings.Repeat("x", freeReply/4-1))}
	var err error
	for err == nil {
		if err = p.Add(context.Background(), b, &message.ItemOptions{}); p.Total() == 4 && p.Account.Used() != 0 {
			t.Errorf("%d bytes charged for what is free", p.Account.Used())
		}
	}
	if !errors.Is(err, account.ErrLimit) {
		t.Fatal(err)
	}
	// 16 KiB are free, and 128 KiB pay for half as much, read up to a half ahead.
	if n := p.Total(); n < 4*3 || n > 4*5 {
		t.Errorf("%d results of %d bytes", n, freeReply/4)
	}
	// Held frames are charged as well.
	p = newReply(&asker{})
	p.Account = account.New(nil, "queryMemory", 30)
	p.Prepay()
	p.Begin(true)
	add(t, p, ints(5)...)
	if used := p.Account.Used(); used != 24 {
		t.Errorf("%d bytes for two frames of 12", used)
	}
	if err := p.Add(context.Background(), &value.Bulked{Bulk: 1, Value: value.Int(5)}, &message.ItemOptions{}); err != nil {
		t.Error(err)
	}
	if err := p.Add(context.Background(), &value.Bulked{Bulk: 1, Value: value.Int(6)}, &message.ItemOptions{}); !errors.Is(err, account.ErrLimit) {
		t.Errorf("a third frame: %v", err)
	}
}

// meter refuses.
type meter struct{ err error }

func (m meter) Grown(int) error { return m.err }

// What cannot be written leaves nothing half written; a limit and the end of the time
// stay what they are.
func TestReply_Unwritable(t *testing.T) {
	for _, c := range []struct {
		meter error
		want  error // nil: an error of serialization
	}{{nil, nil}, {account.ErrLimit, account.ErrLimit}, {traversal.ErrTimeout, traversal.ErrTimeout}} {
		a := &asker{}
		p := newReply(a)
		p.Codec = plain{unreadable: "x"}
		p.Begin(false)
		add(t, p, value.Int(1))
		o := &message.ItemOptions{}
		if c.meter != nil {
			o.Meter = meter{c.meter}
		}
		err := p.Add(context.Background(), &value.Bulked{Bulk: 1, Value: value.String("x")}, o)
		var status *message.StatusError
		if c.want == nil && (!errors.As(err, &status) || status.Code != message.StatusSerialization || status.Class == "") {
			t.Errorf("not an error of serialization: %v", err)
		}
		if c.want != nil && err != c.want {
			t.Errorf("%v, want %v", err, c.want)
		}
		p.Finish(context.Background())
		same(t, "what went before", a.sent(), []string{"200 ()1[1]"})
	}
}

// Over HTTP there is one response, and a failure is kept for the one who writes it.
func TestReply_Whole(t *testing.T) {
	a := &asker{}
	p := newReply(a)
	p.Whole = true
	p.Attributes = []message.Attribute{{Key: "host"}}
	p.Begin(true)
	add(t, p, ints(5)...)
	if code := p.Finish(context.Background()); code != message.StatusSuccess || string(p.Body) != "200 ()5[0,1,2,3,4]" || !p.Sent() {
		t.Errorf("%d %s, sent %v", code, p.Body, p.Sent())
	}
	p = newReply(a)
	p.Whole = true
	if code := p.Finish(context.Background()); code != message.StatusSuccess || string(p.Body) != "200 ()0[]" {
		t.Errorf("nothing: %d %s", code, p.Body)
	}
	p = newReply(a)
	p.Whole = true
	if code := p.Refuse(ErrDraining); code != message.StatusTemporary || p.Failed() == nil || p.Failed().text != ShuttingDown || p.Body != nil {
		t.Errorf("%d %v %s", code, p.Failed(), p.Body)
	}
	if len(a.did) != 0 {
		t.Errorf("sent over HTTP: %q", a.did)
	}
}

// A request whose error cannot be written gets a plain one, and one that can get no
// answer at all loses its connection.
func TestReply_Lost(t *testing.T) {
	a := &asker{}
	p := newReply(a)
	p.Codec = plain{mute: true}
	if code := p.Fail(Failure{Code: message.StatusEvaluation, text: "no"}); code != message.StatusEvaluation {
		t.Errorf("code %d", code)
	}
	same(t, "mute", a.sent(), []string{"597 " + mute + "()-"})

	a = &asker{refuse: errors.New("gone")}
	p = newReply(a)
	p.Begin(false)
	if code := p.Finish(context.Background()); code != message.StatusServerError && code != message.StatusEvaluation {
		t.Errorf("code %d", code)
	}
	same(t, "gone", a.did, []string{"lost gone"})
}

// Memory is left to the next reply unless it has become large.
func TestReply_Left(t *testing.T) {
	p := newReply(&asker{})
	p.Begin(false)
	add(t, p, value.String("abcdefgh"))
	if _, err := p.frame(message.Response{}); err != nil {
		t.Fatal(err)
	}
	all := cap(p.items) + cap(p.frames)
	if m := p.Left(all); cap(m.items)+cap(m.frames) != all || len(m.items)+len(m.frames) != 0 {
		t.Errorf("%d of %d bytes left", cap(m.items)+cap(m.frames), all)
	}
	if m := p.Left(all - 1); m.items != nil || m.frames != nil {
		t.Error("too much is left")
	}
}
