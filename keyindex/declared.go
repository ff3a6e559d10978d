package keyindex

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/storage/table"
)

// Kind is what the entries of an index are. Key indexes and named indexes have none.
type Kind string

// The kinds of declared indexes, which have a name, a class and keys, and maybe a label.
const (
	// Composite indexes hold elements by the values of their keys, in the order of the keys.
	Composite Kind = "composite"
	// EdgeCentric indexes hold the edges of each vertex by the values of their keys.
	EdgeCentric Kind = "edge-centric"
	// Text indexes hold elements by what their analyzer finds in the texts of their keys.
	Text Kind = "text"
	// Geo indexes hold elements by points on the earth's surface.
	Geo Kind = "geo"
)

// kinds are those of declared indexes.
var kinds = []Kind{Composite, EdgeCentric, Text, Geo}

// Declared reports whether the index has a name, a class and keys of its own.
func (d *Definition) Declared() bool { return d.Kind != "" }

// Covers reports whether a value of a property key matters for the entries of an element
// with a label.
func (d *Definition) Covers(label, symbol uint32) bool {
	return d.State != Dropping && d.covers(label, symbol)
}

func (d *Definition) covers(label, symbol uint32) bool {
	if !d.Declared() {
		return d.Symbol == symbol
	}
	return (d.LabelSymbol == 0 || d.LabelSymbol == label) && slices.Contains(d.Symbols, symbol)
}

// Late reports whether entries are put once an element has changed, not before.
func (d *Definition) Late() bool { return d.Kind == Text || d.Kind == Geo }

// Ways lists the directions in which an edge has entries in an edge-centric index: the
// families of its cells in the rows of its ends.
func (d *Definition) Ways() []table.Family {
	switch d.Direction {
	case "OUT":
		return []table.Family{table.OutEdge}
	case "IN":
		return []table.Family{table.InEdge}
	case "BOTH":
		return []table.Family{table.OutEdge, table.InEdge}
	}
	return nil
}

// String names what the index is about: person(city, age).
func (d *Definition) String() string {
	label := d.Label
	if label == "" {
		label = d.Class.String()
	}
	return label + "(" + strings.Join(d.Keys, ", ") + ")"
}

// KeysMax is how many keys an index may have.
const KeysMax = 8

// Valid returns an error unless a declared index can be.
func (d *Definition) Valid() error {
	seen := map[string]bool{}
	for _, k := range d.Keys {
		if seen[k] {
			return fmt.Errorf("Index %s: the key %s comes twice", d.Name, k)
		}
		seen[k] = true
	}
	switch {
	case len(d.Keys) == 0 || len(d.Keys) > KeysMax:
		return fmt.Errorf("Index %s: want 1 to %d keys, not %d", d.Name, KeysMax, len(d.Keys))
	case d.Kind == Text:
		return d.validText()
	case d.Kind == Geo:
		return d.validGeo()
	case d.Kind == Composite && d.Direction == "":
		return nil
	case d.Kind != EdgeCentric || d.Ways() == nil:
		return fmt.Errorf("Index %s: the direction is OUT, IN or BOTH, not %q", d.Name, d.Direction)
	case d.Class != table.EdgeClass:
		return fmt.Errorf("Index %s: an index of a direction is for edges: its class is edge", d.Name)
	case d.Label == "":
		return fmt.Errorf("Index %s: an index of a direction needs a label", d.Name)
	case d.Unique:
		return fmt.Errorf("Index %s: an index of a direction cannot be unique", d.Name)
	}
	return nil
}
