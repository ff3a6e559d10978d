package script

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/traversal"
)

// Error is a script that cannot be read or that fails, as the Java exception that
// the reference reports.
type Error struct {
	Class        string
	Message      string
	Line, Column int // from 1; 0 when not known
}

// Error returns the exception's message.
func (e *Error) Error() string { return e.Message }

// JavaClass is the exception that the reference reports.
func (e *Error) JavaClass() string { return e.Class }

// Java classes of errors.
const (
	compilationError     = "org.codehaus.groovy.control.MultipleCompilationErrorsException"
	missingProperty      = "groovy.lang.MissingPropertyException"
	missingMethod        = "groovy.lang.MissingMethodException"
	readOnlyProperty     = "groovy.lang.ReadOnlyPropertyException"
	castException        = "org.codehaus.groovy.runtime.typehandling.GroovyCastException"
	arithmeticException  = "java.lang.ArithmeticException"
	argumentException    = "java.lang.IllegalArgumentException"
	stateException       = "java.lang.IllegalStateException"
	nullPointer          = "java.lang.NullPointerException"
	numberFormat         = "java.lang.NumberFormatException"
	indexException       = "java.lang.IndexOutOfBoundsException"
	stringIndexException = "java.lang.StringIndexOutOfBoundsException"
	noSuchElement        = "java.util.NoSuchElementException"
	stackOverflow        = "java.lang.StackOverflowError"
	unsupported          = "java.lang.UnsupportedOperationException"
	securityException    = "java.lang.SecurityException"
	assertionError       = "org.codehaus.groovy.runtime.powerassert.PowerAssertionError"
	scriptEngineClass    = "org.apache.tinkerpop.gremlin.groovy.jsr223.GremlinGroovyScriptEngine"
)

// ErrLimit is returned when a script makes more than its limits allow. No script
// catches it.
var ErrLimit = errors.New("script limit exceeded")

func fail(class, format string, args ...any) error {
	return &Error{Class: class, Message: fmt.Sprintf(format, args...)}
}

// position finds line and column of a byte offset.
func position(src string, offset int) (line, column int) {
	offset = min(offset, len(src))
	start := strings.LastIndexByte(src[:offset], '\n') + 1
	return strings.Count(src[:start], "\n") + 1, utf8.RuneCountInString(src[start:offset]) + 1
}

// refused is the error for what exists in Groovy and not here.
func (s *source) refused(offset int, what string) error {
	line, column := position(s.text, offset)
	return &Error{
		Class:   securityException,
		Message: fmt.Sprintf("%s is not supported in scripts (line %d, column %d)", what, line, column),
		Line:    line, Column: column,
	}
}

// syntax is the error for a text that cannot be read.
func (s *source) syntax(offset int, format string, args ...any) error {
	line, column := position(s.text, offset)
	return &Error{
		Class:   compilationError,
		Message: fmt.Sprintf("startup failed:\nScript1.groovy: %d: %s @ line %d, column %d.", line, fmt.Sprintf(format, args...), line, column),
		Line:    line, Column: column,
	}
}

// locate adds the place to an error that has none.
func (s *source) locate(err error, offset int) error {
	if e, ok := err.(*Error); ok && e.Line == 0 {
		c := *e
		c.Line, c.Column = position(s.text, offset)
		return &c
	}
	return err
}

// catchable reports whether a script's catch may see err: not limits and timeouts.
func catchable(err error) bool {
	return !errors.Is(err, ErrLimit) && !errors.Is(err, traversal.ErrTimeout) && !errors.Is(err, account.ErrLimit)
}

// source is a script's text, for the places of errors.
type source struct{ text string }
