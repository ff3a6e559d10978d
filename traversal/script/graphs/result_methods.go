package graphs

import (
	"strings"
	"time"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script/machine"
	"github.com/gremlind/gremlind/traversal/script/methods"
)

// predicateTest is P.test(value).
func predicateTest(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	q, ok := self.Object().(*traversal.P)
	if !ok {
		return self, machine.Fail(machine.StateException, "not a predicate")
	}
	test, err := q.Compile(m)
	if err != nil {
		return value.Null, machine.Fail(machine.ArgumentException, "%v", err)
	}
	holds, err := test(m.Export(a[0]))
	return value.Bool(holds), err
}

func predicateValue(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	q, ok := self.Object().(*traversal.P)
	switch {
	case !ok || len(q.Args) == 0:
		return value.Null, nil
	case len(q.Args) == 1 && q.Name != "within" && q.Name != "without":
		return q.Args[0], nil
	}
	return machine.NewList(append([]value.Value(nil), q.Args...)), nil
}

// moreTreeMethods are those of TinkerPop's Tree, which is a map of trees.
func moreTreeMethods() machine.Methods {
	return machine.Methods{
		"getObjectsAtDepth": {1, 1, treeAtDepth(false)},
		"getTreesAtDepth":   {1, 1, treeAtDepth(true)},
		"getLeafObjects":    {0, 0, treeLeaves},
		"isLeaf": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(len(self.Tree().Keys) == 0), nil
		}},
		"isEmpty": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(len(self.Tree().Keys) == 0), nil
		}},
		"values": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return treeChildren(m, self.Tree())
		}},
		"entrySet": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return treeEntries(m, self.Tree())
		}},
		"containsKey": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			key := m.Export(a[0])
			for _, k := range self.Tree().Keys {
				if err := m.Work(machine.ItemWork + machine.Extent(k)); err != nil {
					return value.Null, err
				}
				if value.Identical(k, key) {
					return value.Bool(true), nil
				}
			}
			return value.Bool(false), nil
		}},
	}
}

func treeChildren(m *machine.Machine, t *value.Tree) (value.Value, error) {
	if err := m.Charge(machine.ValueBytes * len(t.Children)); err != nil {
		return value.Null, err
	}
	out := make([]value.Value, len(t.Children))
	for i, c := range t.Children {
		out[i] = c.Value()
	}
	return machine.NewList(out), nil
}

// treeEntries are those of the map that a tree is in Java.
func treeEntries(m *machine.Machine, t *value.Tree) (value.Value, error) {
	if err := m.Charge(machine.EntryBytes * len(t.Keys)); err != nil {
		return value.Null, err
	}
	out := make([]value.Value, len(t.Keys))
	for i, c := range t.Children {
		out[i] = value.OfMapEntry(&value.MapEntry{Key: t.Keys[i], Value: c.Value()})
	}
	return machine.NewList(out), nil
}

// treeAtDepth lists the objects, or the trees, of a depth; the root is at depth 1.
func treeAtDepth(trees bool) methods.Call {
	return func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		level := []*value.Tree{self.Tree()}
		depth := value.AsInt64(a[0])
		if depth < 1 {
			return machine.NewList(nil), nil
		}
		for ; depth > 1 && len(level) > 0; depth-- {
			var next []*value.Tree
			for _, t := range level {
				if err := m.Charge(8 * (len(t.Children) + 1)); err != nil {
					return value.Null, err
				}
				next = append(next, t.Children...)
			}
			level = next
		}
		var out []value.Value
		for _, t := range level {
			if err := m.Charge(machine.ValueBytes * (len(t.Keys) + 1)); err != nil {
				return value.Null, err
			}
			if trees {
				out = append(out, t.Value())
			} else {
				out = append(out, t.Keys...)
			}
		}
		return machine.NewList(out), nil
	}
}

func treeLeaves(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	var out []value.Value
	var walk func(t *value.Tree) error
	walk = func(t *value.Tree) error {
		if err := m.Enter(); err != nil {
			return err
		}
		defer m.Leave()
		if err := m.Charge(machine.ValueBytes * len(t.Keys)); err != nil {
			return err
		}
		for i, c := range t.Children {
			if len(c.Keys) == 0 {
				out = append(out, t.Keys[i])
			} else if err := walk(c); err != nil {
				return err
			}
		}
		return nil
	}
	if err := walk(self.Tree()); err != nil {
		return value.Null, err
	}
	return machine.NewList(out), nil
}

// metricsMethods are those of TraversalMetrics and of the Metrics in it.
func metricsMethods() machine.Methods {
	return machine.Methods{
		"getDuration": {0, 1, metricsDuration},
		"getMetrics":  {0, 1, metricsOf},
		"getNested":   {0, 1, metricsOf},
		"getName":     {0, 0, metricsField(func(x *traversal.Metrics) value.Value { return value.String(x.Name) })},
		"getId":       {0, 0, metricsField(func(x *traversal.Metrics) value.Value { return value.String(x.ID) })},
		"getCounts": {0, 0, metricsField(func(x *traversal.Metrics) value.Value {
			out := value.NewMap()
			for k, n := range x.Counts {
				out.PutString(k, value.Long(n))
			}
			return out.Value()
		})},
		"getCount": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			x, ok := self.Object().(*traversal.Metrics)
			if !ok {
				return value.Null, m.NoMethod(self, "getCount", a)
			}
			n, ok := x.Counts[m.String(a[0])]
			if !ok {
				return value.Null, nil
			}
			return value.Long(n), nil
		}},
		"getAnnotations": {0, 0, metricsField(func(x *traversal.Metrics) value.Value {
			out := value.NewMap()
			for _, a := range x.Annotations {
				out.PutString(a.Key, a.Value)
			}
			return out.Value()
		})},
	}
}

func metricsField(get func(*traversal.Metrics) value.Value) methods.Call {
	return func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		x, ok := self.Object().(*traversal.Metrics)
		if !ok {
			return value.Null, m.NoMethod(self, "getName", a)
		}
		return get(x), nil
	}
}

// TimeUnits are java.util.concurrent.TimeUnit's names.
var TimeUnits = map[string]time.Duration{
	"NANOSECONDS": 1, "MICROSECONDS": time.Microsecond, "MILLISECONDS": time.Millisecond, "SECONDS": time.Second, "MINUTES": time.Minute,
}

func metricsDuration(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	var ns int64
	switch x := self.Object().(type) {
	case *traversal.Metrics:
		ns = x.DurationNS
	case *traversal.TraversalMetrics:
		ns = x.DurationNS
	}
	unit := time.Duration(1)
	if len(a) == 1 {
		var ok bool
		if unit, ok = TimeUnits[strings.ToUpper(m.String(a[0]))]; !ok {
			return value.Null, m.NoMethod(self, "getDuration", a)
		}
	}
	return value.Long(ns / int64(unit)), nil
}

// metricsOf lists the metrics inside, or the one at an index or of an id.
func metricsOf(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	var inside []*traversal.Metrics
	switch x := self.Object().(type) {
	case *traversal.Metrics:
		inside = x.Nested
	case *traversal.TraversalMetrics:
		inside = x.Metrics
	}
	var all []value.Value
	for _, x := range inside {
		v := value.Object(value.KindMetrics, x)
		if len(a) == 1 && a[0].Kind() == value.KindString && x.ID == a[0].Str() {
			return v, nil
		}
		all = append(all, v)
	}
	switch {
	case len(a) == 0:
		return m.Copied(all)
	case a[0].Kind().IsNumber():
		return methods.ListGet(m, all, a[0])
	}
	return value.Null, nil
}

func explanationMethods() machine.Methods {
	return machine.Methods{
		"prettyPrint": {0, 1, prettyPrint},
		"getOriginalTraversal": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			x, _ := self.Object().(*traversal.Explanation)
			return value.String("[" + strings.Join(x.Original, ", ") + "]"), nil
		}},
		"getFinalTraversal": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			x, _ := self.Object().(*traversal.Explanation)
			return value.String("[" + strings.Join(x.Final, ", ") + "]"), nil
		}},
	}
}
