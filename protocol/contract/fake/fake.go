// Package fake has what tests of the endpoint's rooms put in place of an engine's own.
package fake

import (
	"github.com/gremlind/gremlind/protocol/contract"
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

func (*results) Resolver() value.Resolver { return nil }
func (*results) Writes() bool             { return false }
func (*results) Close()                   {}
