package engine

import (
	"math"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// noSuchElement is what next() of nothing throws.
func noSuchElement() error {
	return &message.StatusError{Code: 597, Message: "java.util.NoSuchElementException", Class: "java.util.NoSuchElementException"}
}

// values are results that are there already.
type values struct {
	list     []value.Bulked
	resolver value.Resolver
	writes   bool
}

// Next appends up to max results.
func (r *values) Next(dst []value.Bulked, max int) ([]value.Bulked, error) {
	n := min(max, len(r.list))
	dst = append(dst, r.list[:n]...)
	r.list = r.list[n:]
	return dst, nil
}

// Resolver finds the elements among the values.
func (r *values) Resolver() value.Resolver { return r.resolver }

// Writes reports whether the evaluation may have written.
func (r *values) Writes() bool { return r.writes }

// Close has nothing to give back.
func (r *values) Close() {}

func single(v value.Value) *values { return &values{list: []value.Bulked{{Bulk: 1, Value: v}}} }

// iterated takes a final value apart as the reference does: lists, sets and paths by
// their objects, maps and trees by their entries; anything else is one result.
func iterated(v value.Value) []value.Bulked {
	var list []value.Bulked
	add := func(v value.Value) { list = append(list, value.Bulked{Bulk: 1, Value: v}) }
	switch v.Kind() {
	case value.KindList:
		for _, e := range v.Elems() {
			add(e)
		}
	case value.KindSet:
		for _, e := range v.Set().Elems() {
			add(e)
		}
	case value.KindBulkSet:
		s := v.BulkSet()
		for i := range s.Len() {
			e, bulk := s.Entry(i)
			list = append(list, value.Bulked{Bulk: bulk, Value: e})
		}
	case value.KindPath:
		for _, e := range v.Path().Objects {
			add(e)
		}
	case value.KindMap:
		m := v.Map()
		for i := range m.Len() {
			add(entry(m.Entry(i)))
		}
	case value.KindTree:
		t := v.Tree()
		for i, k := range t.Keys {
			add(entry(k, t.Children[i].Value()))
		}
	default:
		add(v)
	}
	return list
}

// entry is a Map.Entry: codecs write it as a map with one entry, text as k=v.
func entry(k, v value.Value) value.Value { return value.OfMapEntry(&value.MapEntry{Key: k, Value: v}) }

// terminate applies the terminal of a statement to the run of its traversal.
func terminate(r *run, s *lang.Statement) (contract.Results, error) {
	out := &values{resolver: r.Resolver(), writes: r.writes}
	switch {
	case s.Terminal == "" || s.Terminal == "toList" && !s.ToString:
		return r, nil
	case s.Terminal == "iterate":
		return out, drain(r)
	}
	v, err := terminated(r, s)
	if err != nil {
		return nil, err
	}
	if s.ToString {
		text, err := r.r.JavaString(v)
		if err != nil {
			return nil, err
		}
		v = value.String(text)
	}
	out.list = iterated(v)
	return out, nil
}

// terminated is what a terminal returns.
func terminated(r *run, s *lang.Statement) (value.Value, error) {
	switch s.Terminal {
	case "hasNext":
		b, err := r.Next(nil, 1)
		return value.Bool(len(b) > 0), err
	case "next":
		if len(s.Args) == 0 {
			return first(r)
		}
		list, err := take(r, s.Args[0].Int64())
		return value.List(list), err
	case "toList":
		list, err := take(r, math.MaxInt64)
		return value.List(list), err
	case "tryNext":
		return optional(r)
	}
	set, bulks := value.NewSet(), value.NewBulkSet()
	err := each(r, func(b value.Bulked) error {
		added := false
		if s.Terminal == "toSet" {
			added = set.Add(b.Value)
		} else {
			added = bulks.Add(b.Value, b.Bulk)
		}
		if !added {
			return nil
		}
		return r.r.ChargeText(b.Value, entryBytes)
	})
	if s.Terminal == "toSet" {
		return set.JavaOrdered(&r.r).Value(), err
	}
	return bulks.Value(), err
}

// optional is what tryNext() returns: an Optional, which has a text alone.
func optional(r *run) (value.Value, error) {
	b, err := r.Next(nil, 1)
	if err != nil {
		return value.Null, err
	}
	shown := &machine.Shown{Class: "java.util.Optional", Text: "Optional.empty"}
	if len(b) > 0 {
		text, err := r.r.JavaString(b[0].Value)
		if err != nil {
			return value.Null, err
		}
		shown.Text = "Optional[" + text + "]"
	}
	return value.Object(value.KindForeign, shown), nil
}

// entryBytes is what a set takes for an element.
const entryBytes = 104

// each calls fn for every result.
func each(r contract.Results, fn func(value.Bulked) error) error {
	var b []value.Bulked
	for {
		var err error
		b, err = r.Next(b[:0], 64)
		if err != nil || len(b) == 0 {
			return err
		}
		for _, v := range b {
			if err := fn(v); err != nil {
				return err
			}
		}
	}
}

func drain(r contract.Results) error {
	return each(r, func(value.Bulked) error { return nil })
}

// first returns the first result, which must exist.
func first(r contract.Results) (value.Value, error) {
	b, err := r.Next(nil, 1)
	if err != nil {
		return value.Null, err
	}
	if len(b) == 0 {
		return value.Null, noSuchElement()
	}
	return b[0].Value, nil
}

// take returns the first n results, each as often as its bulk says.
func take(r *run, n int64) ([]value.Value, error) {
	var list []value.Value
	for n > 0 {
		b, err := r.Next(nil, 1)
		if err != nil || len(b) == 0 {
			return list, err
		}
		if err := r.r.ChargeText(b[0].Value, 0); err != nil {
			return nil, err
		}
		for ; b[0].Bulk > 0 && n > 0; n-- {
			if err := r.r.Poll(); err != nil {
				return nil, err
			}
			if list, err = account.Append(r.r.Account, list, b[0].Value); err != nil {
				return nil, err
			}
			b[0].Bulk--
		}
	}
	return list, nil
}
