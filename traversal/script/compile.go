package script

import (
	"context"
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script/graphs"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// closures compiles the lambdas of one request.
type closures struct{ s *Session }

// NewClosures returns the compiler of lambdas for traversals of a session. The closures
// see no variables of the session.
func NewClosures(s *Session) traversal.ClosureCompiler { return closures{s} }

// Compile reads a lambda's script, or takes the closure that a script made.
func (c closures) Compile(v value.Value) (traversal.Closure, error) {
	switch l := v.Object().(type) {
	case *machine.Closure:
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
		return nil, machine.Fail(machine.ArgumentException, "closures in %s are not supported: only the subset of gremlin-groovy is", l.Language)
	}
	text := strings.TrimSpace(l.Script)
	if !strings.HasPrefix(text, "{") {
		text = "{" + text + "}"
	}
	p, err := c.s.Programs.closure(&traversal.Meter{Account: c.s.Options.Account}, text, c.s.Options.Limits)
	if err != nil {
		return nil, err
	}
	v, err := c.s.Bare().Machine(context.Background()).Run(p)
	if err != nil {
		return nil, err
	}
	fn, ok := v.Object().(*machine.Closure)
	if !ok {
		return nil, machine.Fail(machine.ArgumentException, "the lambda is not a closure: %s", machine.Clip(l.Script))
	}
	return fn, nil
}

// Wrap makes what a closure sees as the traverser.
func (c closures) Wrap(r *traversal.Run, t *traversal.Traverser) value.Value {
	return machine.Wrap(&graphs.Traverser{Run: r, Of: t})
}
