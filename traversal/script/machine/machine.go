package machine

import (
	"context"
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/script/host"
)

// Machine is one evaluation: what it may reach and what it has used.
type Machine struct {
	Context context.Context
	State   *State
	steps   int64
	Bytes   int64
	calls   int

	worked  int   // bytes of work since the last look at the context
	Failed  error // see stop
	Printed int   // lines
	brief   bool  // see shown
}

// Machine makes a machine for one evaluation, which ends with ctx.
func (s *State) Machine(ctx context.Context) *Machine { return &Machine{Context: ctx, State: s} }

// Run defines the functions of a program and evaluates its body.
func (m *Machine) Run(p *Program) (value.Value, error) {
	return m.run(p, NewFrame(m, nil, p.Scope))
}

func (m *Machine) run(p *Program, f *Frame) (value.Value, error) {
	if err := m.Poll(); err != nil {
		return value.Null, err
	}
	for _, fn := range p.Functions {
		if err := m.State.Functions.define(fn.Name, fn); err != nil {
			return value.Null, err
		}
	}
	v, _, err := p.Body(f)
	if err == nil {
		err = m.Surface()
	}
	return v, err
}

// Tables are the built-in methods.
func (m *Machine) Tables() *Tables { return m.State.methods }

const pollEvery = 1024 // steps between two looks at the context

// Step counts one turn of a loop or one call.
func (m *Machine) Step() error {
	m.steps++
	if m.Failed != nil {
		return m.Surface()
	}
	if m.steps%pollEvery != 0 {
		return nil
	}
	if m.steps > m.State.Options.Limits.Steps {
		return m.Stop(fmt.Errorf("%w: more than %d steps", ErrLimit, m.State.Options.Limits.Steps))
	}
	return m.Poll()
}

// Enter counts a call within calls; leave must follow when it succeeds.
func (m *Machine) Enter() error {
	if err := m.Step(); err != nil {
		return err
	}
	if m.calls >= m.State.Options.Limits.Calls {
		return Fail(stackOverflow, "calls are nested deeper than %d", m.State.Options.Limits.Calls)
	}
	m.calls++
	return nil
}

// Leave ends a call that Enter began.
func (m *Machine) Leave() { m.calls-- }

// Elements is the host's reader, nil without a host.
func (m *Machine) Elements() (host.Elements, error) {
	if m.State.Host != nil {
		if e := m.State.Host.Elements(); e != nil {
			return e, nil
		}
	}
	return nil, Fail(StateException, "no graph is open")
}

// IsStep reports whether a name is one of a step.
func (m *Machine) IsStep(name string) bool {
	return lang.IsStep(name) || m.State.Options.Steps != nil && m.State.Options.Steps(name)
}
