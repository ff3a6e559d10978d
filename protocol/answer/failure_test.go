package answer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/strategy"
)

type failing struct{}

func (failing) Error() string       { return "fail() Step Triggered" }
func (failing) FailMessage() string { return "as asked" }

type javaClass struct{ class string }

func (javaClass) Error() string       { return "cannot be cast to" }
func (j javaClass) JavaClass() string { return j.class }

// TestFailures: each error's code, HTTP status and Java classes, for scripts and for
// bytecode, whatever it is wrapped in.
func TestFailures(t *testing.T) {
	const transaction, concurrent = message.ClassTransactionException, message.ClassConcurrent
	for _, c := range []struct {
		err      error
		code     int32
		bytecode int32 // 0: the same
		http     int
		text     string // "" for the error's own
		classes  string // separated by a blank
	}{
		{err: storage.ErrConflict, code: 596, http: 409, text: conflictText, classes: transaction + " " + concurrent},
		{err: storage.ErrUndetermined, code: 500, http: 500, classes: transaction},
		{err: storage.ErrUnavailable, code: 596, http: 409, classes: transaction},
		{err: storage.ErrReadOnly, code: 500, http: 500, classes: transaction},
		{err: storage.ErrTooLarge, code: 500, http: 500, classes: transaction},
		{err: storage.ErrCorrupt, code: 500, http: 500, classes: message.ClassIllegalState},
		{err: account.ErrLimit, code: 500, http: 500, classes: "java.lang.OutOfMemoryError"},
		{err: contract.ErrUnauthorized, code: 401, http: 401},
		{err: contract.ErrNoTransactions, code: 500, http: 500, text: contract.ErrNoTransactions.Error(), classes: "java.lang.UnsupportedOperationException"},
		{err: ErrDraining, code: 596, http: 503, text: ShuttingDown},
		{err: message.InvalidArgs("no %s", "session"), code: 499, http: 400, text: "no session"},
		{err: message.Malformed("bad"), code: 498, http: 400, text: "bad"},
		{err: message.TooMuch(errors.New("x")), code: 429, http: 429, text: "Rate limiting: x"},
		{err: &message.StatusError{Code: 415, Message: "type"}, code: 415, http: 415, text: "type"},
		{err: &message.StatusError{Code: 599, Message: "s", Class: "C"}, code: 599, http: 500, text: "s", classes: "C"},
		{err: failing{}, code: 595, http: 500, classes: message.ClassIllegalState},
		{err: errors.New("The step is wrong"), code: 597, bytecode: 500, http: 500, classes: message.ClassIllegalState},
		{err: errors.New("Not a legal range: [5, 1]"), code: 597, bytecode: 500, http: 500, classes: message.ClassIllegalArgument},
		{err: javaClass{"java.lang.ArithmeticException"}, code: 597, bytecode: 500, http: 500, classes: "java.lang.ArithmeticException"},
		{err: javaClass{}, code: 597, bytecode: 500, http: 500, classes: "java.lang.ClassCastException"},
		{err: traversal.ErrTimeout, code: 597, bytecode: 500, http: 500, classes: message.ClassIllegalState},
	} {
		for _, bytecode := range []bool{false, true} {
			err, want := fmt.Errorf("around it: %w", c.err), c.code
			if bytecode && c.bytecode != 0 {
				want = c.bytecode
			}
			text := c.text
			if text == "" {
				text = err.Error()
			}
			f := FailureOf(nil, &asker{bytecode: bytecode}, err)
			if f.Code != want || f.text != text {
				t.Errorf("%v: %d %q, want %d %q", c.err, f.Code, f.text, want, text)
			}
			if got := attribute(f, "exceptions"); got != c.classes {
				t.Errorf("%v: exceptions %q, want %q", c.err, got, c.classes)
			}
			if trace := attribute(f, "stackTrace"); c.classes != "" && trace != strings.Replace(c.classes, " ", ": "+text+"\nCaused by: ", 1)+one(c.classes, ": "+text) {
				t.Errorf("%v: stack trace %q", c.err, trace)
			}
			if got := httpStatus(f); got != c.http {
				t.Errorf("%v: HTTP %d, want %d", c.err, got, c.http)
			}
			again := attribute(f, "retryable") == "true" && attribute(f, "retryAfterMs") == "10"
			if again != (want == message.StatusTemporary) {
				t.Errorf("%v: retryable %v", c.err, again)
			}
		}
	}
}

// one is text when there is one class.
func one(classes, text string) string {
	if strings.Contains(classes, " ") {
		return ""
	}
	return text
}

// attribute is what f says under a key, elements of a list with blanks between.
func attribute(f Failure, key string) string {
	for _, a := range f.attrs {
		if a.Key != key {
			continue
		}
		var texts []string
		for _, v := range a.Value.Elems() {
			texts = append(texts, v.Str())
		}
		if texts != nil {
			return strings.Join(texts, " ")
		}
		return a.Value.JavaString()
	}
	return ""
}

// onlyCall is a call's error that is none of compiling.
type onlyCall struct{ call *traversal.CallError }

func (e onlyCall) Error() string { return e.call.Error() }

func (e onlyCall) As(target any) bool {
	call, ok := target.(**traversal.CallError)
	if ok {
		*call = e.call
	}
	return ok
}

// Errors that only bytecode reports otherwise.
func TestFailures_Bytecode(t *testing.T) {
	_, compile := traversal.Compile(nil, traversal.NewRegistry(), &traversal.Bytecode{Steps: []traversal.Instruction{{Name: "nothing"}}})
	if compile == nil {
		t.Fatal("compiles")
	}
	if f := FailureOf(nil, &asker{bytecode: true}, compile); f.Code != message.StatusSerialization {
		t.Errorf("what does not compile: %d %s", f.Code, f.text)
	}
	misfit := &traversal.CallError{}
	_, err := traversal.Compile(nil, steps.Registry(), &traversal.Bytecode{Steps: []traversal.Instruction{{Name: "V"}, {Name: "out", Args: []value.Value{value.Int(1)}}}})
	if !errors.As(err, &misfit) {
		t.Fatalf("out(1): %v", err)
	}
	evaluated := fmt.Errorf("x: %w", onlyCall{misfit})
	if f := FailureOf(nil, &asker{bytecode: true}, evaluated); f.Code != message.StatusSerialization || !strings.HasPrefix(f.text, "Could not locate exact method") {
		t.Errorf("arguments that no method takes: %d %s", f.Code, f.text)
	}
	if f := FailureOf(nil, &asker{}, evaluated); f.Code != message.StatusEvaluation || strings.HasPrefix(f.text, "Could not locate") {
		t.Errorf("arguments that no method takes, as a script: %d %s", f.Code, f.text)
	}
	if f := FailureOf(nil, &asker{}, compile); f.Code != message.StatusEvaluation {
		t.Errorf("what does not compile, as a script: %d", f.Code)
	}
	f := FailureOf(nil, &asker{}, fmt.Errorf("x: %w", strategy.Error{}))
	if got := attribute(f, "exceptions"); !strings.HasSuffix(got, ".VerificationException") {
		t.Errorf("a strategy's: %q", got)
	}
	f = FailureOf(nil, &asker{}, failing{})
	if got := attribute(f, "failStepMessage"); got != "as asked" {
		t.Errorf("fail(): %q", got)
	}
}

// TestFailures_Interrupted: what ended the context says what the client is told.
func TestFailures_Interrupted(t *testing.T) {
	for _, c := range []struct {
		cause       error
		code        int32
		text, class string
	}{
		{ErrDraining, 596, ShuttingDown, ""},
		{ErrKilled, 598, "Evaluation was stopped by an administrator for request [00000000-0000-0000-0000-000000000000]", "java.util.concurrent.CancellationException"},
		{ErrUserGone, 401, "Failed to authorize: the user is gone or has another password", ""},
		{ErrStalled, 598, "the client takes no data: response abandoned", ""},
		{ErrEvaluationTimeout, 598, "took too long", "java.util.concurrent.TimeoutException"},
		{ErrConnectionGone, 598, "took too long", "java.util.concurrent.TimeoutException"},
	} {
		ctx, cancel := context.WithCancelCause(context.Background())
		if f := FailureOf(ctx, &asker{}, traversal.ErrTimeout); f.Code != message.StatusEvaluation {
			t.Errorf("a context that has not ended: %d", f.Code)
		}
		cancel(c.cause)
		for _, err := range []error{traversal.ErrTimeout, context.Canceled, context.DeadlineExceeded} {
			f := FailureOf(ctx, &asker{}, fmt.Errorf("x: %w", err))
			if f.Code != c.code || f.text != c.text || attribute(f, "exceptions") != c.class {
				t.Errorf("%v: %d %q %q", c.cause, f.Code, f.text, attribute(f, "exceptions"))
			}
		}
		if f := FailureOf(ctx, &asker{}, failing{}); f.Code != message.StatusFailStep {
			t.Errorf("%v: an error that came before: %d", c.cause, f.Code)
		}
	}
}

func TestFailure_WriteHTTP(t *testing.T) {
	id := uuid.New()
	for _, c := range []struct {
		f       Failure
		status  int
		retry   string
		classes int
	}{
		{FailureOf(nil, &asker{}, storage.ErrConflict), 409, "1", 2},
		{FailureOf(nil, &asker{}, message.TooMuch(errors.New("x"))), 429, "1", 0},
		{FailureOf(nil, &asker{}, errors.New("x")), 500, "", 1},
		{Failure{Code: message.StatusTimeout, text: "late"}, 504, "", 0},
		{Failure{Code: 497}, 497, "", 0},
		{Failure{Code: 400}, 400, "", 0},
		{Failure{Code: 399}, 500, "", 0},
	} {
		w := httptest.NewRecorder()
		c.f.WriteHTTP(w, id)
		var body struct {
			Message    string
			RequestID  string `json:"requestId"`
			Code       int32
			Exceptions []string
			Class      string `json:"Exception-Class"`
		}
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
			t.Fatal(err)
		}
		if w.Code != c.status || w.Header().Get("Retry-After") != c.retry {
			t.Errorf("%d: HTTP %d, Retry-After %q", c.f.Code, w.Code, w.Header().Get("Retry-After"))
		}
		if body.Message != c.f.text || body.RequestID != id.String() || body.Code != c.f.Code || len(body.Exceptions) != c.classes {
			t.Errorf("%d: %+v", c.f.Code, body)
		}
		if c.classes > 0 && body.Class != body.Exceptions[0] {
			t.Errorf("%d: class %q", c.f.Code, body.Class)
		}
		if got := w.Header().Get("Content-Type"); got != message.MimeJSON {
			t.Errorf("type %q", got)
		}
	}
}

// A request that is refused unread is answered under its own id where the first bytes say it.
func TestRefuseHTTP(t *testing.T) {
	id := uuid.New()
	get := httptest.NewRequest("GET", "/?requestId="+id.String(), nil)
	post := httptest.NewRequest("POST", "/", strings.NewReader(`{"requestId": {"@type":"g:UUID","@value":"`+id.String()+`"}}`))
	waits := httptest.NewRequest("POST", "/", strings.NewReader(`{"requestId":"`+id.String()+`"}`))
	waits.Header.Set("Expect", "100-continue")
	nobody := httptest.NewRequest("POST", "/", nil)
	nobody.Body = nil
	for _, c := range []struct {
		name  string
		r     *http.Request
		known bool
	}{{"GET", get, true}, {"POST", post, true}, {"one that waits to be asked for it", waits, false}, {"one without a body", nobody, false}} {
		w := httptest.NewRecorder()
		RefuseHTTP(w, c.r, http.StatusRequestEntityTooLarge, "too large")
		var body map[string]string
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
			t.Fatal(err)
		}
		if w.Code != http.StatusRequestEntityTooLarge || body["message"] != "too large" || (body["requestId"] == id.String()) != c.known || uuid.Validate(body["requestId"]) != nil {
			t.Errorf("%s: %d %v", c.name, w.Code, body)
		}
	}
}
