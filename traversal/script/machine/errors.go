package machine

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
	// meant finds the name that was, when nothing of that name is there; nil otherwise.
	meant *lookup
}

// Error returns the exception's message.
func (e *Error) Error() string { return e.Message }

// JavaClass is the exception that the reference reports.
func (e *Error) JavaClass() string { return e.Class }

// Java classes of errors.
const (
	compilationError     = "org.codehaus.groovy.control.MultipleCompilationErrorsException"
	MissingProperty      = "groovy.lang.MissingPropertyException"
	MissingMethod        = "groovy.lang.MissingMethodException"
	ReadOnlyProperty     = "groovy.lang.ReadOnlyPropertyException"
	CastException        = "org.codehaus.groovy.runtime.typehandling.GroovyCastException"
	ArithmeticException  = "java.lang.ArithmeticException"
	ArgumentException    = "java.lang.IllegalArgumentException"
	StateException       = "java.lang.IllegalStateException"
	nullPointer          = "java.lang.NullPointerException"
	numberFormat         = "java.lang.NumberFormatException"
	IndexException       = "java.lang.IndexOutOfBoundsException"
	StringIndexException = "java.lang.StringIndexOutOfBoundsException"
	NoSuchElement        = "java.util.NoSuchElementException"
	stackOverflow        = "java.lang.StackOverflowError"
	Unsupported          = "java.lang.UnsupportedOperationException"
	SecurityException    = "java.lang.SecurityException"
	AssertionError       = "org.codehaus.groovy.runtime.powerassert.PowerAssertionError"
	ScriptEngineClass    = "org.apache.tinkerpop.gremlin.groovy.jsr223.GremlinGroovyScriptEngine"
)

// ErrLimit is returned when a script makes more than its limits allow. No script
// catches it.
var ErrLimit = errors.New("script limit exceeded")

// Fail returns an exception of a Java class, which a script may catch.
func Fail(class, format string, args ...any) error {
	return &Error{Class: class, Message: fmt.Sprintf(format, args...)}
}

// position finds line and column of a byte offset.
func position(src string, offset int) (line, column int) {
	offset = min(offset, len(src))
	start := strings.LastIndexByte(src[:offset], '\n') + 1
	return strings.Count(src[:start], "\n") + 1, utf8.RuneCountInString(src[start:offset]) + 1
}

// Refused is the error for what exists in Groovy and not here.
func (s *Source) Refused(offset int, what string) error {
	line, column := position(s.Text, offset)
	return &Error{
		Class:   SecurityException,
		Message: fmt.Sprintf("%s is not supported in scripts (line %d, column %d)", what, line, column),
		Line:    line, Column: column,
	}
}

// Syntax is the error for a text that cannot be read.
func (s *Source) Syntax(offset int, format string, args ...any) error {
	line, column := position(s.Text, offset)
	return &Error{
		Class:   compilationError,
		Message: fmt.Sprintf("startup failed:\nScript1.groovy: %d: %s @ line %d, column %d.", line, fmt.Sprintf(format, args...), line, column),
		Line:    line, Column: column,
	}
}

// Locate adds the place to an error that has none.
func (s *Source) Locate(err error, offset int) error {
	if e, ok := err.(*Error); ok && e.Line == 0 {
		c := *e
		c.Line, c.Column = position(s.Text, offset)
		return &c
	}
	return err
}

// Catchable reports whether a script's catch may see err: not limits and timeouts.
func Catchable(err error) bool {
	return !errors.Is(err, ErrLimit) && !errors.Is(err, traversal.ErrTimeout) && !errors.Is(err, account.ErrLimit)
}

// Source is a script's text, for the places of errors.
type Source struct{ Text string }

// Refused is the error for what a script wants at a place of src and cannot have.
func (m *Machine) Refused(src *Source, at int, what string) error {
	return m.State.Moved.place(src, &at).Refused(at, what)
}
