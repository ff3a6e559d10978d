package machine

import (
	"context"
	"fmt"
	"hash/crc32"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Closure is a function with the variables around it.
type Closure struct {
	Function *Function
	Up       *Frame
	Machine  *Machine
}

// Value makes a value of the closure.
func (c *Closure) Value() value.Value { return value.Object(value.KindForeign, c) }

// Call runs the closure for a running traversal.
func (c *Closure) Call(ctx context.Context, args ...value.Value) (value.Value, error) {
	m := c.Machine
	before, failed := m.Context, m.Failed
	m.Context, m.Failed = ctx, nil
	v, err := c.called(m, args)
	m.Context, m.Failed = before, failed
	return v, err
}

// called is call between the values of a traversal.
func (c *Closure) called(m *Machine, args []value.Value) (v value.Value, err error) {
	for i, a := range args {
		seen, err := m.Outward(a)
		if err != nil {
			return v, err
		}
		args[i] = seen
	}
	if v, err = c.Run(m, args); err != nil {
		return v, err
	}
	if v, err = m.drained(v); err != nil {
		return v, err
	}
	v, err = m.CheckedExport(v)
	return m.inward(v), err
}

// drained is what a traversal takes of a closure's result: flatMap{ it.get().vertices(OUT) }
// makes results, not a traversal.
func (m *Machine) drained(v value.Value) (value.Value, error) {
	switch o := Foreign(v).(type) {
	case drained:
		if o.Drains() {
			return m.ToList(v)
		}
	case streamed:
		return NewList(o.Elements()), nil
	}
	return v, nil
}

// Run calls the closure with the arguments of a script.
func (c *Closure) Run(m *Machine, args []value.Value) (value.Value, error) {
	fn := c.Function
	if fn.Implicit {
		it := value.Null
		if len(args) > 0 {
			it = args[0]
		}
		if len(args) > 1 {
			return value.Null, c.mismatch(m, args)
		}
		return fn.Call(m, c.Up, []value.Value{it})
	}
	if n := len(fn.Params); n > 1 && len(args) == 1 && !fn.Rest {
		if l, ok := ListElems(args[0]); ok {
			args = l // Groovy spreads one list over several parameters
		}
	}
	if !fn.Accepts(len(args)) {
		return value.Null, c.mismatch(m, args)
	}
	return fn.Call(m, c.Up, args)
}

// IsCase tests a value as a label of a switch does.
func (c *Closure) IsCase(m *Machine, v value.Value) (bool, error) {
	r, err := c.Run(m, []value.Value{v})
	return m.Truth(r), err
}

func (c *Closure) mismatch(m *Machine, args []value.Value) error {
	return Fail(MissingMethod, "No signature of method: Script1$_run_closure1.call() is applicable for argument types: (%s) values: %s",
		m.Types(args), m.String(NewList(args)))
}

// ClassName returns the name of the Java class.
func (c *Closure) ClassName() string { return "groovy.lang.Closure" }

// Text ends in a number for what the closure is, as a hash code does.
func (c *Closure) Text(m *Machine) string {
	_ = m.Work(len(c.Function.Text)) // the machine keeps the error
	return fmt.Sprintf("Script1$_run_closure1@%08x", crc32.ChecksumIEEE([]byte(c.Function.Text)))
}

// Method calls a method, false when there is none for these arguments.
func (c *Closure) Method(m *Machine, name string, args []value.Value) (value.Value, bool, error) {
	return closureMethod(m, c.Value(), name, args)
}

// Property reads a property, false when there is none of that name.
func (c *Closure) Property(_ *Machine, name string) (value.Value, bool) {
	if name == "maximumNumberOfParameters" {
		return value.Int(int32(max(len(c.Function.Params), 1))), true
	}
	return value.Null, false
}

// Lambda makes the closure an argument of a step.
func (c *Closure) Lambda() value.Value {
	return value.Object(value.KindLambda, &traversal.Lambda{
		Script: c.Function.Text, Language: "gremlin-groovy", Arguments: int32(max(len(c.Function.Params), 1)), Native: c,
	})
}
