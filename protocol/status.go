package protocol

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// Status codes of responses, by TinkerPop's names.
const (
	statusSuccess             = 200
	statusNoContent           = 204
	statusPartialContent      = 206
	statusUnauthorized        = 401
	statusAuthenticate        = 407
	statusTooManyRequests     = 429
	statusMalformedRequest    = 498
	statusInvalidArguments    = 499
	statusServerError         = 500
	statusFailStep            = 595
	statusTemporary           = 596
	statusEvaluation          = 597
	statusTimeout             = 598
	statusSerialization       = 599
	messageRateLimiting       = "Rate limiting"
	messageShuttingDown       = "the server is shutting down [SHUTTING_DOWN]"
	messageNoTransactions     = "Graph does not support transactions"
	messageNotParsed          = "Message could not be parsed"
	conflictText              = "Conflict: element modified in another transaction (ConcurrentModificationException) [TX_CONFLICT]; transaction rolled back, retry it"
	classIllegalState         = "java.lang.IllegalStateException"
	classConcurrent           = "java.util.ConcurrentModificationException"
	classTransactionException = "org.apache.tinkerpop.gremlin.structure.util.TransactionException"
)

// Errors that an Engine returns for the server to name.
var (
	// ErrNoTransactions is returned by GraphOp on a graph without transactions.
	ErrNoTransactions = errors.New(messageNoTransactions)
	// ErrUnauthorized is wrapped by errors about missing rights.
	ErrUnauthorized = errors.New("Failed to authorize")
)

// Causes with which the context of a request ends.
var (
	errEvaluationTimeout = errors.New("evaluation timeout")
	errKilled            = errors.New("killed by an administrator")
	errConnectionGone    = errors.New("connection closed")
	errDraining          = errors.New("server is shutting down")
	errUserGone          = errors.New("the user is gone or has another password")
	errStalled           = errors.New("client takes no data")
)

// StatusError is an error that knows its status code.
type StatusError struct {
	Code    int32
	Message string
	// Class is the Java class that drivers find in the attribute exceptions; empty
	// for errors of the protocol itself, which carry no such attribute.
	Class string
	// FailMessage is the argument of fail(), with code 595.
	FailMessage string

	cause error
}

func (e *StatusError) Error() string { return e.Message }

// Unwrap returns what led to the error, if that matters to anybody.
func (e *StatusError) Unwrap() error { return e.cause }

func invalidArgs(format string, args ...any) error {
	return &StatusError{Code: statusInvalidArguments, Message: fmt.Sprintf(format, args...)}
}

// tooMuch refuses a request for whose message there is no memory.
func tooMuch(err error) error {
	return &StatusError{Code: statusTooManyRequests, Message: messageRateLimiting + ": " + err.Error(), cause: err}
}

func malformed(format string, args ...any) error {
	return &StatusError{Code: statusMalformedRequest, Message: fmt.Sprintf(format, args...)}
}

// Interfaces by which errors of the packages below say more about themselves.
type (
	javaError interface{ JavaClass() string }
	failError interface{ FailMessage() string }
)

// failure is what a client is told about an error.
type failure struct {
	code  int32
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
	{storage.ErrConflict, statusTemporary, conflictText, []string{classTransactionException, classConcurrent}},
	{storage.ErrUndetermined, statusServerError, "", []string{classTransactionException}},
	{storage.ErrUnavailable, statusTemporary, "", []string{classTransactionException}},
	{storage.ErrReadOnly, statusServerError, "", []string{classTransactionException}},
	{storage.ErrTooLarge, statusServerError, "", []string{classTransactionException}},
	{storage.ErrCorrupt, statusServerError, "", []string{classIllegalState}},
	{account.ErrLimit, statusServerError, "", []string{"java.lang.OutOfMemoryError"}},
	{ErrUnauthorized, statusUnauthorized, "", nil},
	{ErrNoTransactions, statusServerError, messageNoTransactions, []string{"java.lang.UnsupportedOperationException"}},
	{errDraining, statusTemporary, messageShuttingDown, nil},
}

// failureOf turns the error of t into a status. ctx is the evaluation's.
func failureOf(ctx context.Context, t *task, err error) failure {
	if f, ok := interrupted(ctx, t, err); ok {
		return f
	}
	var s *StatusError
	if errors.As(err, &s) {
		return s.failure()
	}
	for _, r := range rules {
		if errors.Is(err, r.is) {
			return r.failure(err)
		}
	}
	var fail failError
	if errors.As(err, &fail) {
		f := withException(statusFailStep, err)
		f.attrs = append(f.attrs, message.Attribute{Key: "failStepMessage", Value: value.String(fail.FailMessage())})
		return f
	}
	var compile traversal.CompileError
	if t.isBytecode() && errors.As(err, &compile) {
		return withException(statusSerialization, err)
	}
	if misfit := misfitting(err); t.isBytecode() && misfit != nil {
		return withException(statusSerialization, misfit)
	}
	if t.isBytecode() {
		return withException(statusServerError, err)
	}
	return withException(statusEvaluation, err)
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

func (s *StatusError) failure() failure {
	f := failure{code: s.Code, text: s.Message}
	if s.Class != "" {
		f.attrs = exceptionAttrs(s.Message, s.Class)
	}
	return f
}

func (r rule) failure(err error) failure {
	f := failure{code: r.code, text: err.Error()}
	if r.text != "" {
		f.text = r.text
	}
	if len(r.classes) > 0 {
		f.attrs = exceptionAttrs(f.text, r.classes...)
	}
	if r.code == statusTemporary {
		f.attrs = append(f.attrs,
			message.Attribute{Key: "retryable", Value: value.Bool(true)},
			message.Attribute{Key: "retryAfterMs", Value: value.Int(10)})
	}
	return f
}

// interrupted says how an evaluation whose context ended is reported.
func interrupted(ctx context.Context, t *task, err error) (failure, bool) {
	if ctx == nil || ctx.Err() == nil {
		return failure{}, false
	}
	if !errors.Is(err, traversal.ErrTimeout) && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		return failure{}, false
	}
	switch cause := context.Cause(ctx); cause {
	case errDraining:
		return rule{code: statusTemporary, text: messageShuttingDown}.failure(err), true
	case errKilled:
		text := fmt.Sprintf("Evaluation was stopped by an administrator for request [%s]", t.id())
		return failure{code: statusTimeout, text: text, attrs: exceptionAttrs(text, "java.util.concurrent.CancellationException")}, true
	case errUserGone:
		return failure{code: statusUnauthorized, text: ErrUnauthorized.Error() + ": " + errUserGone.Error()}, true
	case errStalled:
		return failure{code: statusTimeout, text: "the client takes no data: response abandoned"}, true
	}
	text := t.timeoutText()
	return failure{code: statusTimeout, text: text, attrs: exceptionAttrs(text, "java.util.concurrent.TimeoutException")}, true
}

func withException(code int32, err error) failure {
	return failure{code: code, text: err.Error(), attrs: exceptionAttrs(err.Error(), classOf(err))}
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
	return &StatusError{Code: statusSerialization, Message: "Error during serialization: " + err.Error(),
		Class: "org.apache.tinkerpop.gremlin.util.ser.SerializationException"}
}
