package script

import (
	"context"
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// closures compiles the lambdas of one request.
type closures struct{ s *Session }

// NewClosures returns the compiler of lambdas for traversals of a session. The closures
// see no variables of the session.
func NewClosures(s *Session) traversal.ClosureCompiler { return closures{s} }

// Compile reads a lambda's script, or takes the closure that a script made.
func (c closures) Compile(v value.Value) (traversal.Closure, error) {
	switch l := v.Object().(type) {
	case *closure:
		return l, nil
	case *traversal.Lambda:
		if l.Native != nil {
			return l.Native, nil
		}
		return c.compile(l)
	}
	return nil, fmt.Errorf("%s is not a closure", v.Kind())
}

func (c closures) compile(l *traversal.Lambda) (traversal.Closure, error) {
	if l.Language != "" && l.Language != "gremlin-groovy" {
		return nil, fail(argumentException, "closures in %s are not supported: only the subset of gremlin-groovy is", l.Language)
	}
	text := strings.TrimSpace(l.Script)
	if !strings.HasPrefix(text, "{") {
		text = "{" + text + "}"
	}
	p, err := c.s.Programs.closure(&traversal.Meter{Account: c.s.o.Account}, text, c.s.o.Limits)
	if err != nil {
		return nil, err
	}
	v, err := c.s.bare().machine(context.Background()).run(p)
	if err != nil {
		return nil, err
	}
	fn, ok := v.Object().(*closure)
	if !ok {
		return nil, fail(argumentException, "the lambda is not a closure: %s", clip(l.Script))
	}
	return fn, nil
}

// Wrap makes what a closure sees as the traverser.
func (c closures) Wrap(r *traversal.Run, t *traversal.Traverser) value.Value {
	return wrap(&traverser{r: r, t: t})
}
