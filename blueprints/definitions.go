package blueprints

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/blueprints/schema"
	"github.com/gremlind/gremlind/keyindex"
)

// Definitions are what a graph has beside its elements, in the form of a file: its options,
// indexes, the schema, which keys are counters and how long elements of labels are there.
type Definitions struct {
	// Options are those that a new graph does not have by itself, as Options.Set takes them.
	Options map[string]string `json:"options,omitempty"`
	Indexes []DefinedIndex    `json:"indexes,omitempty"`
	Schema  json.RawMessage   `json:"schema,omitempty"` // as schema.Encode writes it
	// Counters are the keys that are counters, by class and label.
	Counters []DefinedCounter `json:"counters,omitempty"`
	TTL      []DefinedTTL     `json:"ttl,omitempty"`
	// AutoIndex is set when every key has an index.
	AutoIndex bool `json:"autoIndex,omitempty"`
}

// DefinedIndex is a key index, which has a Key, a declared index, which has a name and Keys, or
// a named one, which has a name alone.
type DefinedIndex struct {
	Class     string   `json:"class"` // vertex or edge
	Key       string   `json:"key,omitempty"`
	Name      string   `json:"name,omitempty"`
	Label     string   `json:"label,omitempty"`
	Keys      []string `json:"keys,omitempty"`
	Unique    bool     `json:"unique,omitempty"`
	Direction string   `json:"direction,omitempty"`
	Analyzer  string   `json:"analyzer,omitempty"`
	Hidden    bool     `json:"hidden,omitempty"`
}

var definedClasses = [...]ElementClass{VertexClass, EdgeClass}

// Definitions returns what Define makes of a graph without any. Indexes that are being dropped
// are not among it; what is put by hand into named ones is not either.
func (g *Graph) Definitions(ctx context.Context) (*Definitions, error) {
	d := &Definitions{AutoIndex: g.Uses(AutoIndex), Options: definedOptions(g.Options())}
	for _, c := range definedClasses {
		keys, err := g.KeyIndexes(c)
		if err != nil {
			return nil, err
		}
		for _, i := range keys {
			if i.State != keyindex.Dropping {
				d.Indexes = append(d.Indexes, DefinedIndex{Class: c.String(), Key: i.Name})
			}
		}
	}
	declared, err := g.DeclaredIndexes()
	if err != nil {
		return nil, err
	}
	named, err := g.Indices()
	if err != nil {
		return nil, err
	}
	for _, i := range append(declared, named...) {
		if i.State != keyindex.Dropping {
			d.Indexes = append(d.Indexes, definedIndex(&i))
		}
	}
	s, err := g.Schema(ctx)
	if err == nil && s.Version > 0 {
		d.Schema, err = s.Encode()
	}
	if err != nil {
		return nil, err
	}
	if d.Counters, err = g.definedCounters(ctx); err != nil {
		return nil, err
	}
	d.TTL, err = g.definedTTLs(ctx)
	return d, err
}

func definedIndex(i *IndexInfo) DefinedIndex {
	return DefinedIndex{
		Class: i.Class.String(), Name: i.Name, Label: i.Label, Keys: i.Keys, Unique: i.Unique, Direction: i.Direction, Analyzer: i.Analyzer,
		Hidden: i.State == keyindex.Hidden,
	}
}

// Define makes what the graph does not have. It returns an error when the graph has another
// index of a name, or another schema, or when its elements do not fit; what came before stays.
func (g *Graph) Define(ctx context.Context, d *Definitions) error {
	if err := g.defineFeatures(ctx, d); err != nil {
		return err
	}
	if len(d.Schema) > 0 {
		if err := g.defineSchema(ctx, d.Schema); err != nil {
			return err
		}
	}
	if err := g.defineCounters(ctx, d.Counters); err != nil {
		return err
	}
	if d.AutoIndex {
		if err := g.IndexEveryKey(ctx); err != nil {
			return err
		}
	}
	had, err := g.Definitions(ctx)
	if err != nil {
		return err
	}
	for _, x := range d.Indexes {
		if err := g.defineIndex(ctx, had.Indexes, x); err != nil {
			return err
		}
	}
	return nil
}

func (g *Graph) defineSchema(ctx context.Context, text []byte) error {
	wanted, err := schema.Decode(text)
	if err != nil {
		return err
	}
	_, err = g.ChangeSchema(ctx, func(old *schema.Schema) (*schema.Schema, error) {
		if old.Version > 0 && !wanted.Same(old) {
			return nil, illegalArgument("the graph has a schema of its own, at version %d, which is another one", old.Version)
		}
		return wanted, nil
	})
	return err
}

// defineIndex makes an index unless it is one of those there are.
func (g *Graph) defineIndex(ctx context.Context, had []DefinedIndex, x DefinedIndex) error {
	class := ElementClass(0)
	for _, c := range definedClasses {
		if c.String() == x.Class {
			class = c
		}
	}
	if class == 0 || x.Key == "" && x.Name == "" {
		return illegalArgument("an index has the class vertex or edge, and a key or a name: not %+v", x)
	}
	for _, h := range had {
		switch {
		case h.Name != x.Name || x.Name == "" && (h.Key != x.Key || h.Class != x.Class):
		case same(h, x):
			return nil
		default:
			return illegalArgument("Index %s: the graph has another one of that name", x.Name)
		}
	}
	var err error
	switch {
	case x.Key != "":
		err = g.CreateKeyIndex(ctx, class, x.Key)
	case len(x.Keys) == 0:
		err = g.CreateIndex(ctx, x.Name, class)
	default:
		spec := IndexSpec{Name: x.Name, Class: class, Label: x.Label, Keys: x.Keys, Unique: x.Unique, Direction: x.Direction, Analyzer: x.Analyzer}
		if _, err = g.DeclareIndex(ctx, ctx, spec); err == nil && x.Hidden {
			_, err = g.HideIndex(ctx, x.Name, true)
		}
	}
	if err != nil {
		return fmt.Errorf("make the index %s%s: %w", x.Key, x.Name, err)
	}
	return nil
}

// same reports whether two definitions are of one index, hidden or not.
func same(a, b DefinedIndex) bool {
	keys := slices.Equal(a.Keys, b.Keys)
	a.Keys, b.Keys, a.Hidden, b.Hidden = nil, nil, false, false
	return keys && fmt.Sprint(a) == fmt.Sprint(b)
}
