package answer

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// conflictText is what a client reads whose transaction lost a conflict.
const conflictText = "Conflict: element modified in another transaction (ConcurrentModificationException) [TX_CONFLICT]; transaction rolled back, retry it"

// messageShuttingDown is what a client reads that asks while the server ends.
const ShuttingDown = "the server is shutting down [SHUTTING_DOWN]"

// Causes with which the context of a request ends.
var (
	ErrEvaluationTimeout = errors.New("evaluation timeout")
	ErrKilled            = errors.New("killed by an administrator")
	ErrConnectionGone    = errors.New("connection closed")
	ErrDraining          = errors.New("server is shutting down")
	ErrUserGone          = errors.New("the user is gone or has another password")
	ErrTokenEnded        = errors.New("the token has ended, or counts no more")
	ErrStalled           = errors.New("client takes no data")
)

// Interfaces by which errors of the packages below say more about themselves.
type (
	javaError interface{ JavaClass() string }
	failError interface{ FailMessage() string }
)

// Failure is what a client is told about an error.
type Failure struct {
	Code  int32
	text  string
	attrs []message.Attribute
}

// rule names the code of the errors that match.
type rule struct {
	is      error
	code    int32
	text    string // replaces the error's own
	classes []string
}

// rules are tried in order; what matches none is the evaluation's own fault.
var rules = []rule{
	{storage.ErrConflict, message.StatusTemporary, conflictText, []string{message.ClassTransactionException, message.ClassConcurrent}},
	{storage.ErrUndetermined, message.StatusServerError, "", []string{message.ClassTransactionException}},
	{storage.ErrUnavailable, message.StatusTemporary, "", []string{message.ClassTransactionException}},
	{storage.ErrReadOnly, message.StatusServerError, "", []string{message.ClassTransactionException}},
	{storage.ErrTooLarge, message.StatusServerError, "", []string{message.ClassTransactionException}},
	{storage.ErrCorrupt, message.StatusServerError, "", []string{message.ClassIllegalState}},
	{account.ErrLimit, message.StatusServerError, "", []string{"java.lang.OutOfMemoryError"}},
	{contract.ErrUnauthorized, message.StatusUnauthorized, "", nil},
	{contract.ErrNoTransactions, message.StatusServerError, contract.ErrNoTransactions.Error(), []string{"java.lang.UnsupportedOperationException"}},
	{ErrDraining, message.StatusTemporary, ShuttingDown, nil},
}

// FailureOf turns the error of t into a status. ctx is the evaluation's, nil when none began.
func FailureOf(ctx context.Context, t Asked, err error) Failure {
	if f, ok := interrupted(ctx, t, err); ok {
		return f
	}
	var s *message.StatusError
	if errors.As(err, &s) {
		return ofStatus(s)
	}
	for _, r := range rules {
		if errors.Is(err, r.is) {
			return r.failure(err)
		}
	}
	var fail failError
	if errors.As(err, &fail) {
		f := withException(message.StatusFailStep, err)
		f.attrs = append(f.attrs, message.Attribute{Key: "failStepMessage", Value: value.String(fail.FailMessage())})
		return f
	}
	var compile traversal.CompileError
	if t.IsBytecode() && errors.As(err, &compile) {
		return withException(message.StatusSerialization, err)
	}
	if misfit := misfitting(err); t.IsBytecode() && misfit != nil {
		return withException(message.StatusSerialization, misfit)
	}
	if t.IsBytecode() {
		return withException(message.StatusServerError, err)
	}
	return withException(message.StatusEvaluation, err)
}

// misfitting is the reference's error for a method of bytecode that takes no such
// arguments, nil when err is about something else.
func misfitting(err error) error {
	var call *traversal.CallError
	if !errors.As(err, &call) {
		return nil
	}
	for _, c := range call.Calls {
		if types, fits := lang.Fits(c); !fits {
			return fmt.Errorf("Could not locate exact method given the supplied arguments: %s.%s(%s): %w", call.On, c.Name, types, err)
		}
	}
	return nil
}

// ofStatus is the failure that an error says itself.
func ofStatus(s *message.StatusError) Failure {
	f := Failure{Code: s.Code, text: s.Message}
	if s.Class != "" {
		f.attrs = exceptionAttrs(s.Message, s.Class)
	}
	return f
}

func (r rule) failure(err error) Failure {
	f := Failure{Code: r.code, text: err.Error()}
	if r.text != "" {
		f.text = r.text
	}
	if len(r.classes) > 0 {
		f.attrs = exceptionAttrs(f.text, r.classes...)
	}
	if r.code == message.StatusTemporary {
		f.attrs = append(f.attrs,
			message.Attribute{Key: "retryable", Value: value.Bool(true)},
			message.Attribute{Key: "retryAfterMs", Value: value.Int(10)})
	}
	return f
}

// interrupted says how an evaluation whose context ended is reported.
func interrupted(ctx context.Context, t Asked, err error) (Failure, bool) {
	if ctx == nil || ctx.Err() == nil {
		return Failure{}, false
	}
	if !errors.Is(err, traversal.ErrTimeout) && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		return Failure{}, false
	}
	switch cause := context.Cause(ctx); cause {
	case ErrDraining:
		return rule{code: message.StatusTemporary, text: ShuttingDown}.failure(err), true
	case ErrKilled:
		text := fmt.Sprintf("Evaluation was stopped by an administrator for request [%s]", t.Message().ID)
		return Failure{Code: message.StatusTimeout, text: text, attrs: exceptionAttrs(text, "java.util.concurrent.CancellationException")}, true
	case ErrUserGone, ErrTokenEnded:
		return Failure{Code: message.StatusUnauthorized, text: contract.ErrUnauthorized.Error() + ": " + cause.Error()}, true
	case ErrStalled:
		return Failure{Code: message.StatusTimeout, text: "the client takes no data: response abandoned"}, true
	}
	text := t.TimeoutText()
	return Failure{Code: message.StatusTimeout, text: text, attrs: exceptionAttrs(text, "java.util.concurrent.TimeoutException")}, true
}

func withException(code int32, err error) Failure {
	return Failure{Code: code, text: err.Error(), attrs: exceptionAttrs(err.Error(), classOf(err))}
}

// classOf is the Java exception that stands for an error.
func classOf(err error) string {
	var j javaError
	if errors.As(err, &j) && j.JavaClass() != "" {
		return j.JavaClass()
	}
	var verification strategy.Error
	if errors.As(err, &verification) {
		return "org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.VerificationException"
	}
	return exceptionByText(err.Error())
}

// exceptionAttrs are the attributes that drivers show of a remote exception. The stack
// trace names the classes only: the server's own frames are nobody's business.
func exceptionAttrs(text string, classes ...string) []message.Attribute {
	names := make([]value.Value, len(classes))
	for i, c := range classes {
		names[i] = value.String(c)
	}
	trace := classes[0] + ": " + text
	if len(classes) > 1 {
		trace += "\nCaused by: " + strings.Join(classes[1:], "\nCaused by: ")
	}
	return []message.Attribute{
		{Key: "exceptions", Value: value.List(names)},
		{Key: "stackTrace", Value: value.String(trace)},
	}
}

// serializationError is reported as 599 whatever else it is.
func serializationError(err error) error {
	return &message.StatusError{Code: message.StatusSerialization, Message: "Error during serialization: " + err.Error(),
		Class: "org.apache.tinkerpop.gremlin.util.ser.SerializationException"}
}
