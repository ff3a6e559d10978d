package check

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// counterKey checks the definition of a counter.
func (c *checker) counterKey(key []byte) error {
	k, err := table.DecodeCounterKey(key)
	if err != nil {
		return nil // reported when the definitions were read
	}
	if !c.options.Counts() {
		c.bad("I16", key, "the graph does not use the feature counters")
	}
	if err := c.known(key, k.Label); err != nil {
		return err
	}
	return c.known(key, k.Key)
}

// plain keeps the key of a property that is no counter, where there may be counters.
func (c *checker) plain(key uint32) {
	if c.countable == nil {
		return
	}
	if c.plainKeys == nil {
		c.plainKeys = map[uint32]bool{}
	}
	c.plainKeys[key] = true
}

// elementCounter checks the sum of a counter, or one of its intervals.
func (c *checker) elementCounter(key, val []byte) error {
	k, err := table.DecodeElementCounter(key)
	n, ok := storage.Count(val)
	if err != nil || !ok || len(val) == 0 {
		c.bad("I1", key, "malformed")
		return nil
	}
	if k.Interval != 0 {
		if !c.row.counted || c.row.counter != k.Key {
			c.bad("I16", key, "an interval of a counter that is not there")
		}
		return nil
	}
	c.row.counter, c.row.counted = k.Key, true
	c.report.Properties++
	c.holding(k.Key, value.Long(n))
	if !c.row.exists { // reported as such
		return nil
	}
	switch label := blueprints.Symbol(c.indexing.element.Label); {
	case !c.countable.Has(k.Class, label, blueprints.Symbol(k.Key)):
		c.bad("I16", key, "key #%d is no counter of label #%d", k.Key, label)
	case c.plainKeys[k.Key]:
		c.bad("I16", key, "the %s has another property of that key", k.Class)
	}
	return nil
}
