package traversal

import (
	"cmp"
	"slices"
	"unicode/utf16"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/storage/value"
)

// referenceOrder is a View that visits edges in the order of the reference's hash
// tables. SeedStrategy promises that a seeded traversal chooses what it chooses there,
// and what shuffle and sample choose depends on the order in which things come.
// TinkerGraph keeps, for each vertex and direction, a hash table of labels with a hash
// set of edges each; both are walked by bucket, and within a bucket by age.
type referenceOrder struct {
	blueprints.View
	value.Resolver
}

func newReferenceOrder(v blueprints.View) blueprints.View {
	res, _ := v.(value.Resolver)
	return &referenceOrder{v, res}
}

// Expand sorts all edges of each vertex; a supernode costs what it weighs. Ends and
// counts have no order.
func (o *referenceOrder) Expand(vs []blueprints.VertexID, x blueprints.Expansion, into blueprints.Sink) error {
	if x.Want != blueprints.WantEdges {
		return o.View.Expand(vs, x, into)
	}
	for i := range vs {
		edges, err := o.sorted(vs[i:i+1], x)
		if err != nil {
			return err
		}
		if x.After.Dir != 0 {
			edges = edges[slices.Index(edges, x.After)+1:]
		}
		if x.Max > 0 && len(edges) > x.Max {
			edges = edges[:x.Max]
		}
		if err := into.Take(i, blueprints.Expanded{Edges: edges}); err != nil {
			return err
		}
	}
	return nil
}

// sorted returns all edges of a vertex.
func (o *referenceOrder) sorted(v []blueprints.VertexID, x blueprints.Expansion) (out []blueprints.Adjacent, err error) {
	for _, d := range []blueprints.Direction{blueprints.Out, blueprints.In} {
		if x.Dir&d == 0 {
			continue
		}
		err := o.View.Expand(v, blueprints.Expansion{Dir: d, Labels: x.Labels}, blueprints.SinkFunc(func(_ int, e blueprints.Expanded) error {
			edges, err := o.byBucket(e.Edges, x.Labels)
			out = append(out, edges...)
			return err
		}))
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// byBucket orders the edges of one vertex and direction. Labels that were asked for
// come in the order asked.
func (o *referenceOrder) byBucket(edges []blueprints.Adjacent, asked []blueprints.Symbol) ([]blueprints.Adjacent, error) {
	groups := map[blueprints.Symbol][]blueprints.Adjacent{}
	var labels []blueprints.Symbol
	for _, e := range edges {
		if groups[e.Label] == nil {
			labels = append(labels, e.Label)
		}
		groups[e.Label] = append(groups[e.Label], e)
	}
	if len(asked) > 0 {
		labels = asked
	} else {
		size := tableSize(len(labels))
		slices.SortStableFunc(labels, func(a, b blueprints.Symbol) int {
			return cmp.Compare(bucket(stringHash(o.Name(a)), size), bucket(stringHash(o.Name(b)), size))
		})
	}
	out := edges[:0:0]
	for _, l := range labels {
		group, err := o.sortGroup(groups[l])
		if err != nil {
			return nil, err
		}
		out = append(out, group...)
	}
	return out, nil
}

func (o *referenceOrder) sortGroup(group []blueprints.Adjacent) ([]blueprints.Adjacent, error) {
	size := tableSize(len(group))
	var at keyed.Index
	at.Grow(len(group))
	buckets := make([]uint32, 0, len(group))
	for _, e := range group {
		id, err := o.EdgeUserID(e.Edge)
		if err != nil {
			return nil, err
		}
		at.Append(uint64(e.Edge))
		buckets = append(buckets, bucket(idHash(id), size))
	}
	place := func(e blueprints.Adjacent) uint32 { return buckets[at.Find(uint64(e.Edge))] }
	slices.SortFunc(group, func(a, b blueprints.Adjacent) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Edge, b.Edge))
	})
	return group, nil
}

// tableSize is the number of buckets of a Java hash table grown to n entries: 16 at
// first, doubled whenever three quarters are exceeded.
func tableSize(n int) uint32 {
	size := uint32(16)
	for uint32(n) > size/4*3 {
		size *= 2
	}
	return size
}

// bucket spreads a hash code over a table, as java.util.HashMap does.
func bucket(hash, size uint32) uint32 { return (hash ^ hash>>16) & (size - 1) }

// stringHash is String.hashCode.
func stringHash(s string) uint32 {
	var h uint32
	for _, u := range utf16.Encode([]rune(s)) {
		h = 31*h + uint32(u)
	}
	return h
}

// idHash is the hashCode of the usual ids.
func idHash(id value.Value) uint32 {
	switch id.Kind() {
	case value.KindString:
		return stringHash(id.Str())
	case value.KindUUID:
		u := id.UUID()
		var h uint32
		for i := 0; i < 16; i += 4 {
			h ^= uint32(u[i])<<24 | uint32(u[i+1])<<16 | uint32(u[i+2])<<8 | uint32(u[i+3])
		}
		return h
	}
	n := uint64(id.Int64())
	if id.Kind() == value.KindLong {
		n ^= n >> 32
	}
	return uint32(n)
}
