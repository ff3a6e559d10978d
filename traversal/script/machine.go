package script

import (
	"context"
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/lang"
)

// machine is one evaluation: what it may reach and what it has used.
type machine struct {
	ctx   context.Context
	s     *state
	steps int64
	bytes int64
	calls int

	worked  int   // bytes of work since the last look at the context
	failed  error // see stop
	printed int   // lines
	brief   bool  // see shown
}

func (s *state) machine(ctx context.Context) *machine { return &machine{ctx: ctx, s: s} }

func (m *machine) run(p *program) (value.Value, error) {
	if err := m.poll(); err != nil {
		return value.Null, err
	}
	for _, f := range p.functions {
		if err := m.s.functions.define(f.name, f); err != nil {
			return value.Null, err
		}
	}
	v, _, err := p.body(newFrame(m, nil, p.scope))
	if err == nil {
		err = m.surface()
	}
	return v, err
}

// tables are the built-in methods.
func (m *machine) tables() *tables { return m.s.methods }

const pollEvery = 1024 // steps between two looks at the context

// step counts one turn of a loop or one call.
func (m *machine) step() error {
	m.steps++
	if m.failed != nil {
		return m.surface()
	}
	if m.steps%pollEvery != 0 {
		return nil
	}
	if m.steps > m.s.o.Limits.Steps {
		return m.stop(fmt.Errorf("%w: more than %d steps", ErrLimit, m.s.o.Limits.Steps))
	}
	return m.poll()
}

// enter counts a call within calls; leave must follow when it succeeds.
func (m *machine) enter() error {
	if err := m.step(); err != nil {
		return err
	}
	if m.calls >= m.s.o.Limits.Calls {
		return fail(stackOverflow, "calls are nested deeper than %d", m.s.o.Limits.Calls)
	}
	m.calls++
	return nil
}

func (m *machine) leave() { m.calls-- }

// elements is the host's reader, nil without a host.
func (m *machine) elements() (Elements, error) {
	if m.s.host != nil {
		if e := m.s.host.Elements(); e != nil {
			return e, nil
		}
	}
	return nil, fail(stateException, "no graph is open")
}

func (m *machine) isStep(name string) bool {
	return lang.IsStep(name) || m.s.o.Steps != nil && m.s.o.Steps(name)
}
