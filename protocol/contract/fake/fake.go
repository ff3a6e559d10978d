// Package fake has what tests of the endpoint's rooms put in place of an engine's own.
package fake

import (
	"time"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

// Results gives values that are known before, all of them at once.
func Results(list ...value.Value) contract.Results { return &results{list} }

type results struct{ list []value.Value }

func (r *results) Next(dst []value.Bulked, _ int) ([]value.Bulked, error) {
	for _, v := range r.list {
		dst = append(dst, value.Bulked{Bulk: 1, Value: v})
	}
	r.list = nil
	return dst, nil
}

// Full is a refusal by a quota whose owner has so many that the next waits for as long as any.
func Full() error {
	e := &fullError{}
	for now := time.Now(); e.pace.Place(now) < time.Second; {
	}
	return e
}

type fullError struct{ pace account.Pace }

func (*fullError) Error() string         { return "full" }
func (e *fullError) Pace() *account.Pace { return &e.pace }

func (*results) Resolver() value.Resolver { return nil }
func (*results) Writes() bool             { return false }
func (*results) Close()                   {}
