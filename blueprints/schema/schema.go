package schema

import (
	"maps"
	"slices"

	"github.com/gremlind/gremlind/storage/value"
)

// Schema is the rules of a graph. Labels without rules are as free as in a graph without
// a schema, unless it is closed.
type Schema struct {
	// Version counts the changes, from 1; 0 is the schema of a graph that has none.
	Version int64
	// Closed refuses elements of a label that is not among these.
	Closed   bool
	Vertices map[string]*Label
	Edges    map[string]*Label
}

// Label is the rules for the elements of one label.
type Label struct {
	Edge bool
	Name string
	// ID is what the ids of new elements have to be; the zero Type allows any.
	ID Type
	// Closed refuses properties whose key is not among these.
	Closed bool
	Keys   map[string]*Key

	// Of edges: the labels that the vertices may have, none for any, and how many there may
	// be.
	From, To     []string
	Multiplicity Multiplicity
}

// Key is the rules for the values under one key. They hold for each value when a vertex has
// several. Null is a value where the graph allows it, which fits unless the key is required.
type Key struct {
	Name string
	// Type is what a value has to be; the zero Type allows any.
	Type Type
	// Required keys have a value that is not null.
	Required bool
	// Min and Max bound a value, as P.gte and P.lte compare; Null for no bound.
	Min, Max value.Value
	// MaxLength is how many characters (code points) a String may have; 0 for any number.
	MaxLength int
}

// Multiplicity is how many edges of a label there may be, in JanusGraph's words.
type Multiplicity string

// The multiplicities.
const (
	// Multi allows any number of edges.
	Multi Multiplicity = "MULTI"
	// Simple allows one edge from one vertex to another.
	Simple Multiplicity = "SIMPLE"
	// ManyToOne allows one edge out of each vertex.
	ManyToOne Multiplicity = "MANY2ONE"
	// OneToMany allows one edge into each vertex.
	OneToMany Multiplicity = "ONE2MANY"
	// OneToOne allows one edge out of each vertex, and one into it.
	OneToOne Multiplicity = "ONE2ONE"
)

var multiplicities = []Multiplicity{Multi, Simple, ManyToOne, OneToMany, OneToOne}

// OneOut reports whether a vertex may have one edge that goes out, and no more.
func (m Multiplicity) OneOut() bool { return m == ManyToOne || m == OneToOne }

// OneIn reports whether a vertex may have one edge that comes in, and no more.
func (m Multiplicity) OneIn() bool { return m == OneToMany || m == OneToOne }

// Of returns the rules of a label, nil when it has none.
func (s *Schema) Of(edge bool, label string) *Label { return s.labels(edge)[label] }

func (s *Schema) labels(edge bool) map[string]*Label {
	if edge {
		return s.Edges
	}
	return s.Vertices
}

// Labels lists the rules, those of vertices first, by name.
func (s *Schema) Labels() []*Label {
	all := make([]*Label, 0, len(s.Vertices)+len(s.Edges))
	for _, of := range []map[string]*Label{s.Vertices, s.Edges} {
		for _, name := range slices.Sorted(maps.Keys(of)) {
			all = append(all, of[name])
		}
	}
	return all
}

// Empty reports whether there is no rule at all.
func (s *Schema) Empty() bool { return !s.Closed && len(s.Vertices)+len(s.Edges) == 0 }

// Names lists every label and key that the rules name, each once, sorted.
func (s *Schema) Names() []string {
	names := map[string]struct{}{}
	for _, l := range s.Labels() {
		names[l.Name] = struct{}{}
		for _, of := range [][]string{slices.Collect(maps.Keys(l.Keys)), l.From, l.To} {
			for _, n := range of {
				names[n] = struct{}{}
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// Sorted lists the keys by name.
func (l *Label) Sorted() []*Key {
	keys := make([]*Key, 0, len(l.Keys))
	for _, name := range slices.Sorted(maps.Keys(l.Keys)) {
		keys = append(keys, l.Keys[name])
	}
	return keys
}

// clone copies rules for a change.
func (s *Schema) clone() *Schema {
	next := *s
	next.Vertices, next.Edges = map[string]*Label{}, map[string]*Label{}
	for _, l := range s.Labels() {
		own := *l
		own.Keys = map[string]*Key{}
		for name, k := range l.Keys {
			key := *k
			own.Keys[name] = &key
		}
		next.labels(l.Edge)[l.Name] = &own
	}
	return &next
}
