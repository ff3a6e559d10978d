package script

import (
	"context"
	"fmt"
	"hash/crc32"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// closure is a function with the variables around it.
type closure struct {
	fn *function
	up *frame
	m  *machine
}

func (c *closure) value() value.Value { return value.Object(value.KindForeign, c) }

// Call runs the closure for a running traversal.
func (c *closure) Call(ctx context.Context, args ...value.Value) (value.Value, error) {
	m := c.m
	before, failed := m.ctx, m.failed
	m.ctx, m.failed = ctx, nil
	v, err := c.called(m, args)
	m.ctx, m.failed = before, failed
	return v, err
}

// called is call between the values of a traversal.
func (c *closure) called(m *machine, args []value.Value) (v value.Value, err error) {
	for i, a := range args {
		seen, err := m.outward(a)
		if err != nil {
			return v, err
		}
		args[i] = seen
	}
	if v, err = c.call(m, args); err != nil {
		return v, err
	}
	if v, err = m.drained(v); err != nil {
		return v, err
	}
	v, err = m.checkedExport(v)
	return m.inward(v), err
}

// drained is what a traversal takes of a closure's result: flatMap{ it.get().vertices(OUT) }
// makes results, not a traversal.
func (m *machine) drained(v value.Value) (value.Value, error) {
	switch o := foreign(v).(type) {
	case drained:
		if o.drains() {
			return m.toList(v)
		}
	case streamed:
		return newList(o.elements()), nil
	}
	return v, nil
}

func (c *closure) call(m *machine, args []value.Value) (value.Value, error) {
	fn := c.fn
	if fn.implicit {
		it := value.Null
		if len(args) > 0 {
			it = args[0]
		}
		if len(args) > 1 {
			return value.Null, c.mismatch(m, args)
		}
		return fn.call(m, c.up, []value.Value{it})
	}
	if n := len(fn.params); n > 1 && len(args) == 1 && !fn.rest {
		if l, ok := listElems(args[0]); ok {
			args = l // Groovy spreads one list over several parameters
		}
	}
	if !fn.accepts(len(args)) {
		return value.Null, c.mismatch(m, args)
	}
	return fn.call(m, c.up, args)
}

func (c *closure) isCase(m *machine, v value.Value) (bool, error) {
	r, err := c.call(m, []value.Value{v})
	return m.truth(r), err
}

func (c *closure) mismatch(m *machine, args []value.Value) error {
	return fail(missingMethod, "No signature of method: Script1$_run_closure1.call() is applicable for argument types: (%s) values: %s",
		m.types(args), m.string(newList(args)))
}

func (c *closure) className() string { return "groovy.lang.Closure" }

// text ends in a number for what the closure is, as a hash code does.
func (c *closure) text(m *machine) string {
	_ = m.Work(len(c.fn.text)) // the machine keeps the error
	return fmt.Sprintf("Script1$_run_closure1@%08x", crc32.ChecksumIEEE([]byte(c.fn.text)))
}

func (c *closure) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	return closureMethod(m, c.value(), name, args)
}

func (c *closure) property(_ *machine, name string) (value.Value, bool) {
	if name == "maximumNumberOfParameters" {
		return value.Int(int32(max(len(c.fn.params), 1))), true
	}
	return value.Null, false
}

// lambda makes the closure an argument of a step.
func (c *closure) lambda() value.Value {
	return value.Object(value.KindLambda, &traversal.Lambda{
		Script: c.fn.text, Language: "gremlin-groovy", Arguments: int32(max(len(c.fn.params), 1)), Native: c,
	})
}
