package message

import "fmt"

// Status codes of responses, by TinkerPop's names.
const (
	StatusSuccess          = 200
	StatusNoContent        = 204
	StatusPartialContent   = 206
	StatusUnauthorized     = 401
	StatusAuthenticate     = 407
	StatusTooManyRequests  = 429
	StatusMalformedRequest = 498
	StatusInvalidArguments = 499
	StatusServerError      = 500
	StatusFailStep         = 595
	StatusTemporary        = 596
	StatusEvaluation       = 597
	StatusTimeout          = 598
	StatusSerialization    = 599
)

// Texts that several places send.
const (
	RateLimiting   = "Rate limiting"
	NotParsed      = "Message could not be parsed"
	BadCredentials = "Username and/or password are incorrect"
)

// Java classes of errors.
const (
	ClassIllegalState         = "java.lang.IllegalStateException"
	ClassIllegalArgument      = "java.lang.IllegalArgumentException"
	ClassConcurrent           = "java.util.ConcurrentModificationException"
	ClassTransactionException = "org.apache.tinkerpop.gremlin.structure.util.TransactionException"
)

// StatusError is an error that knows its status code.
type StatusError struct {
	Code    int32
	Message string
	// Class is the Java class that drivers find in the attribute exceptions; empty
	// for errors of the protocol itself, which carry no such attribute.
	Class string

	cause error
}

func (e *StatusError) Error() string { return e.Message }

// Unwrap returns what led to the error, if that matters to anybody.
func (e *StatusError) Unwrap() error { return e.cause }

// InvalidArgs refuses a request whose arguments are wrong.
func InvalidArgs(format string, args ...any) error {
	return &StatusError{Code: StatusInvalidArguments, Message: fmt.Sprintf(format, args...)}
}

// TooMuch refuses a request for whose message there is no memory.
func TooMuch(err error) error {
	return &StatusError{Code: StatusTooManyRequests, Message: RateLimiting + ": " + err.Error(), cause: err}
}

// Malformed refuses a message that is not what it should be.
func Malformed(format string, args ...any) error {
	return &StatusError{Code: StatusMalformedRequest, Message: fmt.Sprintf(format, args...)}
}
