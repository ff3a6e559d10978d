package script

import (
	"context"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/host"
)

// Iterate unrolls a script's final value as the server does: collections, ranges and
// paths give their elements, a map one map for each of its entries, null is one null.
func Iterate(v value.Value) []value.Bulked {
	if s := v.BulkSet(); s != nil {
		out := make([]value.Bulked, s.Len())
		for i := range out {
			out[i].Value, out[i].Bulk = s.Entry(i)
		}
		return out
	}
	vs := unrolled(v)
	out := make([]value.Bulked, len(vs))
	for i := range vs {
		out[i] = value.Bulked{Bulk: 1, Value: vs[i]}
	}
	return out
}

func unrolled(v value.Value) []value.Value {
	switch v.Kind() {
	case value.KindList:
		return v.Elems()
	case value.KindSet:
		return v.Set().Elems()
	case value.KindPath:
		return v.Path().Objects
	case value.KindMap:
		return singles(v.Map().Keys(), v.Map().Values())
	case value.KindMapEntry:
		return singles([]value.Value{v.MapEntry().Key}, []value.Value{v.MapEntry().Value})
	case value.KindTree:
		t := v.Tree()
		children := make([]value.Value, len(t.Children))
		for i, c := range t.Children {
			children[i] = c.Value()
		}
		return singles(t.Keys, children)
	}
	return []value.Value{v}
}

func singles(keys, values []value.Value) []value.Value {
	out := make([]value.Value, len(keys))
	for i, k := range keys {
		m := value.NewMapSize(1)
		m.Put(k, values[i])
		out[i] = m.Value()
	}
	return out
}

// Results returns an iterator over what the server sends for a result.
func (r Result) Results(ctx context.Context, h host.Host) (host.Iterator, error) {
	if r.Traversal != nil {
		return r.Traversal.Iterate(ctx, h)
	}
	return &values{Iterate(r.Value)}, nil
}

// values is an Iterator over values at hand.
type values struct{ rest []value.Bulked }

func (it *values) Next(dst []value.Bulked, max int) ([]value.Bulked, error) {
	n := min(max, len(it.rest))
	dst = append(dst, it.rest[:n]...)
	it.rest = it.rest[n:]
	return dst, nil
}

func (it *values) Close() {}
