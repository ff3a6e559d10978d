package blueprints

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/blueprints/schema"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Rules are a schema with the names of its labels and keys as symbols. They are immutable.
type Rules struct {
	schema *schema.Schema
	name   func(Symbol) string
	// checking is set while it is not known yet whether what is there keeps to them.
	checking bool
	labels   [2]map[Symbol]*LabelRules // by class
}

// LabelRules are the rules of one label.
type LabelRules struct {
	*schema.Label
	name     func(Symbol) string
	keys     []keyRule
	byKey    map[Symbol]*schema.Key // when there are many keys
	required []Symbol
	from, to []Symbol
}

type keyRule struct {
	sym Symbol
	key *schema.Key
}

// fewKeys is how many keys are searched one by one.
const fewKeys = 8

// schemaKey is the cell of a graph's schema.
func schemaKey(graph uint32) []byte {
	return table.AppendIndexDefinition(nil, table.IndexDefinition{Graph: graph, Family: table.IndexSchema})
}

// readSchema reads the schema that a graph has in a snapshot, nil when it has none.
func readSchema(r storage.Reader, graph uint32) (*schema.Schema, error) {
	b, err := r.Get(schemaKey(graph))
	if errors.Is(err, storage.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return schema.Decode(b)
}

// loadRules reads the rules that hold in a snapshot: none or one. A graph has the feature
// before it has a schema, so that without it there is nothing to ask the store for.
func (g *Graph) loadRules(r storage.Reader) ([]*Rules, error) {
	if !g.Uses(SchemaFeature) {
		return nil, nil
	}
	s, err := readSchema(r, g.number)
	if s == nil || err != nil {
		return nil, err
	}
	all, err := compile(s, g.ruledName, g.symbols.name)
	if err != nil {
		return nil, err
	}
	return []*Rules{all}, nil
}

// compile puts symbols in place of a schema's names, which messages get back by name.
func compile(s *schema.Schema, symbol func(name string) (Symbol, error), name func(Symbol) string) (*Rules, error) {
	r := &Rules{schema: s, name: name, labels: [2]map[Symbol]*LabelRules{{}, {}}}
	for _, l := range s.Labels() {
		lr := &LabelRules{Label: l, name: name}
		sym, err := symbol(l.Name)
		if err != nil {
			return nil, err
		}
		for _, k := range l.Sorted() {
			key, err := symbol(k.Name)
			if err != nil {
				return nil, err
			}
			lr.add(key, k)
		}
		for _, end := range []struct {
			names []string
			to    *[]Symbol
		}{{l.From, &lr.from}, {l.To, &lr.to}} {
			for _, name := range end.names {
				label, err := symbol(name)
				if err != nil {
					return nil, err
				}
				*end.to = append(*end.to, label)
			}
		}
		r.labels[edgeSlot(l.Edge)][sym] = lr
	}
	return r, nil
}

func edgeSlot(edge bool) int {
	if edge {
		return classSlot(table.EdgeClass)
	}
	return classSlot(table.VertexClass)
}

// ReadRules reads the rules of a graph for whoever reads its cells without a Graph; nil when
// it has none. The names are read while they are asked for: r has to stay open.
func ReadRules(r storage.Reader, graph uint32) (*Rules, error) {
	s, err := readSchema(r, graph)
	if s == nil || err != nil {
		return nil, err
	}
	symbol := func(name string) (Symbol, error) {
		b, err := r.Get(table.AppendSymbolName(nil, graph, name))
		if err == nil && len(b) == 4 {
			return Symbol(binary.BigEndian.Uint32(b)), nil
		}
		if err == nil || errors.Is(err, storage.ErrNotFound) {
			err = nameless(name)
		}
		return 0, err
	}
	return compile(s, symbol, func(s Symbol) string {
		b, err := r.Get(table.AppendSymbol(nil, graph, uint32(s)))
		if err != nil {
			return fmt.Sprintf("#%d", s)
		}
		return string(b)
	})
}

// ruledName returns the symbol of a name that stands in a schema. All of them are durable,
// so nobody makes a label afterwards that the rules do not know.
func (g *Graph) ruledName(name string) (Symbol, error) {
	sym := g.symbols.get(name)
	if sym == nil {
		return 0, nameless(name)
	}
	return sym.number, nil
}

func nameless(name string) error {
	return fmt.Errorf("schema: the name %.64q has no symbol: restore a backup: %w", name, storage.ErrCorrupt)
}

// knownName returns symbols for a schema that does not hold yet: names that nothing in the
// graph has get symbols that nothing has.
func (g *Graph) knownName() func(name string) (Symbol, error) {
	next := ^Symbol(0)
	return func(name string) (Symbol, error) {
		if sym := g.symbols.get(name); sym != nil {
			return sym.number, nil
		}
		next--
		return next, nil
	}
}

func (r *LabelRules) add(sym Symbol, k *schema.Key) {
	r.keys = append(r.keys, keyRule{sym, k})
	if k.Required {
		r.required = append(r.required, sym)
	}
	if len(r.keys) <= fewKeys {
		return
	}
	if r.byKey == nil {
		r.byKey = map[Symbol]*schema.Key{}
	}
	for _, known := range r.keys {
		r.byKey[known.sym] = known.key
	}
}

// key returns the rules of a key, nil when it has none.
func (r *LabelRules) key(sym Symbol) *schema.Key {
	if r.byKey != nil {
		return r.byKey[sym]
	}
	for i := range r.keys {
		if r.keys[i].sym == sym {
			return r.keys[i].key
		}
	}
	return nil
}

// Of returns the rules of a label, nil when it has none, unless that is a misfit itself.
func (r *Rules) Of(class table.Class, label Symbol) (*LabelRules, *schema.Misfit) {
	lr := r.labels[classSlot(class)][label]
	if lr == nil && r.schema.Closed {
		return nil, schema.Undefined(class == table.EdgeClass, r.name(label))
	}
	return lr, nil
}

// Element reports why an element with these properties does not fit the label, nil when it
// does; what it is joined with is not looked at.
func (r *LabelRules) Element(id value.Value, props []PropertyEntry) *schema.Misfit {
	if m := r.Identity(id); m != nil {
		return m
	}
	for i := range props {
		if m := r.value(props[i].Key, props[i].Value); m != nil {
			return m
		}
	}
	for _, key := range r.required {
		if !hasValue(props, key) {
			return r.Missing(r.name(key), id)
		}
	}
	return nil
}

// value reports why a value does not fit a key of the label.
func (r *LabelRules) value(key Symbol, v value.Value) *schema.Misfit {
	if k := r.key(key); k != nil {
		return r.Value(k, v)
	}
	if r.Closed {
		return r.Unknown(r.name(key))
	}
	return nil
}

// hasValue reports whether a key has a value that is not null.
func hasValue(props []PropertyEntry, key Symbol) bool {
	for i := range props {
		if props[i].Key == key && !props[i].Value.IsNull() {
			return true
		}
	}
	return false
}

// requires reports whether a label has to have a key.
func (r *Rules) requires(c table.Class, label, key Symbol) bool {
	lr := r.labels[classSlot(c)][label]
	return lr != nil && lr.requires(key)
}

func (r *LabelRules) requires(key Symbol) bool { return slices.Contains(r.required, key) }

// JoinsAny reports whether an edge may join vertices of any label.
func (r *LabelRules) JoinsAny() bool { return len(r.from)+len(r.to) == 0 }

// Joins reports why an edge may not lead from a label to a label, nil when it may.
func (r *LabelRules) Joins(out, in Symbol) *schema.Misfit {
	if (len(r.from) == 0 || slices.Contains(r.from, out)) && (len(r.to) == 0 || slices.Contains(r.to, in)) {
		return nil
	}
	return r.Ends(r.name(out), r.name(in))
}

// fitting is an error unless there is no misfit.
func fitting(m *schema.Misfit) error {
	if m == nil {
		return nil
	}
	return m
}
