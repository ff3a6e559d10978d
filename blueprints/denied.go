package blueprints

import "slices"

// Denied is what of a graph is not there for somebody: properties by their keys, those of
// properties too, and edges and vertices by their labels. An edge goes with a vertex.
type Denied struct {
	Keys         []string `json:"denyKeys,omitempty" yaml:"denyKeys"`
	EdgeLabels   []string `json:"denyEdgeLabels,omitempty" yaml:"denyEdgeLabels"`
	VertexLabels []string `json:"denyVertexLabels,omitempty" yaml:"denyVertexLabels"`
}

// Empty reports whether all is there.
func (d *Denied) Empty() bool {
	return len(d.Keys) == 0 && len(d.EdgeLabels) == 0 && len(d.VertexLabels) == 0
}

// Equal reports whether both deny the same, in the same order.
func (d *Denied) Equal(o *Denied) bool {
	return slices.Equal(d.Keys, o.Keys) && slices.Equal(d.EdgeLabels, o.EdgeLabels) && slices.Equal(d.VertexLabels, o.VertexLabels)
}

// And returns what either denies.
func (d Denied) And(o *Denied) Denied {
	join := func(a, b []string) []string {
		if len(b) == 0 {
			return a
		}
		all := append(slices.Clone(a), b...)
		slices.Sort(all)
		return slices.Compact(all)
	}
	return Denied{join(d.Keys, o.Keys), join(d.EdgeLabels, o.EdgeLabels), join(d.VertexLabels, o.VertexLabels)}
}
