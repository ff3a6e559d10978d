package client

import (
	"errors"
	"fmt"
)

// Errors of connections, matched with errors.Is.
var (
	// ErrConnect is returned when no connection comes about.
	ErrConnect = errors.New("cannot connect")
	// ErrLost is returned when a connection ends before the answer did.
	ErrLost = errors.New("connection lost")
	// ErrLogin is returned when the server wants a user, does not take this one, or does
	// not let this one do what was asked.
	ErrLogin = errors.New("login refused")
	// ErrTimeout is returned when the server gave a query up for its time.
	ErrTimeout = errors.New("timeout")
)

// Status codes of Gremlin servers.
const (
	codeSuccess      = 200
	codeNoContent    = 204
	codePartial      = 206
	codeUnauthorized = 401
	codeForbidden    = 403
	codeChallenge    = 407
	codeTimeout      = 598
)

// ServerError is an answer that says that a request failed.
type ServerError struct {
	Code    int32 // the Gremlin status, as 597
	Message string
	// Exceptions are the Java classes of the failure, the nearest first; often none.
	Exceptions []string
}

// Error says what the server said.
func (e *ServerError) Error() string {
	if e.Message != "" {
		return e.Message
	}
	if len(e.Exceptions) > 0 {
		return e.Exceptions[0]
	}
	return fmt.Sprintf("the server answered with status %d and no message", e.Code)
}

// Is makes an error match the class of its status.
func (e *ServerError) Is(target error) bool {
	switch target {
	case ErrLogin:
		return e.Code == codeUnauthorized || e.Code == codeForbidden
	case ErrTimeout:
		return e.Code == codeTimeout
	}
	return false
}
