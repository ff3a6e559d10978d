package methods

import (
	"time"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// bareCalls are the functions that the console and its plugins give every script.
func bareCalls() machine.Methods {
	return machine.Methods{
		"clock":           {1, 2, clock},
		"clockWithResult": {1, 2, clockWithResult},
	}
}

const clockDefault = 100 // loops

// timed runs a closure once, and then as often as it is told: it returns what came last
// and the average of the times in ms.
func timed(m *machine.Machine, a []value.Value) (last, average value.Value, err error) {
	loops := int64(clockDefault)
	if len(a) == 2 {
		if !a[0].Kind().IsNumber() {
			return last, average, m.NoMethodName(a[0], "clock")
		}
		loops = value.AsInt64(a[0])
	}
	c := a[len(a)-1]
	if !machine.IsCallable(c) {
		return last, average, m.NoMethodName(c, "clock")
	}
	if last, err = m.Invoke(c, "call", nil); err != nil {
		return last, average, err
	}
	var taken time.Duration
	for range loops {
		if err := m.Step(); err != nil {
			return last, average, err
		}
		began := time.Now()
		if last, err = m.Invoke(c, "call", nil); err != nil {
			return last, average, err
		}
		taken += time.Since(began)
	}
	return last, value.Double(float64(taken) / float64(time.Millisecond) / float64(max(loops, 1))), nil
}

// clock is the average time of a closure in ms.
func clock(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
	_, average, err := timed(m, a)
	return average, err
}

// clockWithResult is that with what the closure returned.
func clockWithResult(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
	last, average, err := timed(m, a)
	return machine.NewList([]value.Value{average, last}), err
}
