package blueprints

import (
	"slices"

	"github.com/gremlind/gremlind/keyindex"
)

// shownIndexes are those of some definitions that are about nothing that is denied: of vertices
// and of edges.
type shownIndexes struct {
	of       *keyindex.Definitions
	keys     [2][]string
	declared [2][]*IndexDefinition
}

// indexes lists what indexes there are for who asks. As in Tx, it is none where the definitions
// cannot be read.
func (r *Restricted) indexes() *shownIndexes {
	defs, err := r.tx.definitions()
	if err != nil {
		return &shownIndexes{}
	}
	s := r.by.shown.Load()
	if s == nil || s.of != defs {
		s = r.by.indexesIn(defs)
		r.by.shown.Store(s)
	}
	return s
}

// indexesIn leaves out of definitions what is denied.
func (r *Restriction) indexesIn(defs *keyindex.Definitions) *shownIndexes {
	s := &shownIndexes{of: defs}
	for i, c := range [...]ElementClass{VertexClass, EdgeClass} {
		s.keys[i] = leftOf(defs.Active(c), r.deniesKey)
		s.declared[i] = leftOf(defs.Complete(c), r.deniesIndex)
	}
	return s
}

// leftOf returns a list without what is denied, itself where nothing is.
func leftOf[T any](all []T, denies func(T) bool) []T {
	if !slices.ContainsFunc(all, denies) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), denies)
}

func (r *Restriction) deniesKey(name string) bool { return slices.Contains(r.Denied.Keys, name) }

// deniesIndex reports whether an index is about something that is denied.
func (r *Restriction) deniesIndex(d *IndexDefinition) bool {
	return r.deniesAny(d.Class, d.Label, d.Keys)
}

func (r *Restriction) deniesAny(c ElementClass, label string, keys []string) bool {
	labels := r.Denied.VertexLabels
	if c == EdgeClass {
		labels = r.Denied.EdgeLabels
	}
	return slices.ContainsFunc(keys, r.deniesKey) || label != "" && slices.Contains(labels, label)
}
