package keyindex

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// State is where an index is in its life.
type State string

// The states; see the package comment.
const (
	Building State = "BUILDING"
	Active   State = "ACTIVE"
	Dropping State = "DROPPING"
)

// Definition is one index. Further fields of its JSON, written for indexes of features
// alone, have their names already: since (the storage.Stamp when it became ACTIVE), kind,
// label, keys, analyzer.
type Definition struct {
	Name  string // the property key, or the name of a named index
	Class table.Class
	Named bool
	State State
	// Symbol is the property key's symbol.
	Symbol uint32
	// Number is a named index's place in its keys.
	Number uint32
}

// record is the value of a definition's cell, as JSON.
type record struct {
	State  State  `json:"state"`
	Class  string `json:"class"`
	Symbol uint32 `json:"symbol,omitempty"`
	Number uint32 `json:"number,omitempty"`
}

// Definitions are the indexes of a graph as of one commit. It is immutable.
type Definitions struct {
	keys   [2][]Definition // key indexes by class, by name
	active [2][]string     // names of those that are complete, sorted
	named  []Definition    // by name
}

func slot(c table.Class) int {
	if c == table.EdgeClass {
		return 1
	}
	return 0
}

// VersionKey is the cell that a transaction guards when it depends on definitions.
func VersionKey(graph uint32) []byte { return table.AppendMeta(nil, graph, "index-version") }

// IsDefinition reports whether a written key belongs to a definition of an index.
func IsDefinition(key []byte) bool {
	_, c, ok := table.Head(key)
	if !ok || c != table.IndexMetadata {
		return false
	}
	d, err := table.DecodeIndexDefinition(key)
	return err == nil && d.Family != table.IndexCursor
}

// Load reads the definitions of a graph, without observing.
func Load(r storage.Reader, graph uint32) (*Definitions, error) {
	d := &Definitions{}
	from := table.AppendTable(nil, graph, table.IndexMetadata)
	it := r.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from), Unobserved: true})
	defer it.Close()
	for it.Next() {
		k, err := table.DecodeIndexDefinition(it.Key())
		if err != nil {
			return nil, fmt.Errorf("index metadata: %w: %w", storage.ErrCorrupt, err)
		}
		if k.Family == table.IndexCursor || k.Family == table.IndexSchema {
			continue
		}
		if k.Family != table.IndexKey && k.Family != table.IndexName {
			return nil, fmt.Errorf("index metadata: family %d of %q is unknown: restore a backup, or use the gremlind that wrote it: %w", k.Family, k.Name, storage.ErrCorrupt)
		}
		def, err := decodeDefinition(k, it.Value())
		if err != nil {
			return nil, err
		}
		if def.Named {
			d.named = append(d.named, def)
		} else {
			d.keys[slot(def.Class)] = append(d.keys[slot(def.Class)], def)
		}
	}
	for i, defs := range d.keys {
		d.active[i] = complete(defs)
	}
	return d, it.Err()
}

func complete(defs []Definition) []string {
	var names []string
	for _, def := range defs {
		if def.State == Active {
			names = append(names, def.Name)
		}
	}
	slices.SortFunc(names, strings.Compare)
	return names
}

func decodeDefinition(k table.IndexDefinition, b []byte) (Definition, error) {
	var r record
	if err := json.Unmarshal(b, &r); err != nil {
		return Definition{}, fmt.Errorf("definition of index %q: %w: %w", k.Name, storage.ErrCorrupt, err)
	}
	d := Definition{Name: k.Name, Class: k.Class, Named: k.Family == table.IndexName, State: r.State, Symbol: r.Symbol, Number: r.Number}
	if d.Named {
		d.Class = table.VertexClass
		if r.Class == table.EdgeClass.String() {
			d.Class = table.EdgeClass
		}
	}
	return d, nil
}

func definitionKey(graph uint32, d Definition) []byte {
	k := table.IndexDefinition{Graph: graph, Family: table.IndexKey, Class: d.Class, Name: d.Name}
	if d.Named {
		k.Family, k.Class = table.IndexName, 0
	}
	return table.AppendIndexDefinition(nil, k)
}

func cursorKey(graph uint32, d Definition) []byte {
	return table.AppendIndexDefinition(nil, table.IndexDefinition{
		Graph: graph, Family: table.IndexCursor, Class: d.Class, Name: d.Name,
	})
}

// store writes a definition. When transactions must take notice it also writes the
// version that they guard.
func store(tx storage.Tx, graph uint32, d Definition, notice bool) error {
	b, err := json.Marshal(record{State: d.State, Class: d.Class.String(), Symbol: d.Symbol, Number: d.Number})
	if err != nil {
		return err
	}
	if err := tx.Set(definitionKey(graph, d), b); err != nil || !notice {
		return err
	}
	return touchVersion(tx, graph)
}

func touchVersion(tx storage.Tx, graph uint32) error {
	return tx.Set(VersionKey(graph), storage.AppendCount(nil, int64(tx.Seq())))
}

// Key returns the key index on a property key, if there is one.
func (d *Definitions) Key(c table.Class, symbol uint32) (Definition, bool) {
	for _, def := range d.keys[slot(c)] {
		if def.Symbol == symbol {
			return def, true
		}
	}
	return Definition{}, false
}

// Maintained reports whether changes of a property key have to reach an index.
func (d *Definitions) Maintained(c table.Class, symbol uint32) bool {
	for i := range d.keys[slot(c)] {
		if def := &d.keys[slot(c)][i]; def.Symbol == symbol {
			return def.State != Dropping
		}
	}
	return false
}

// Any reports whether elements of a class may have entries anywhere.
func (d *Definitions) Any(c table.Class) bool {
	if len(d.keys[slot(c)]) > 0 {
		return true
	}
	return slices.ContainsFunc(d.named, func(n Definition) bool { return n.Class == c })
}

// Keys lists the key indexes of a class, by key.
func (d *Definitions) Keys(c table.Class) []Definition { return d.keys[slot(c)] }

// Active lists the keys of a class whose index is complete, sorted. The caller must not
// change the list.
func (d *Definitions) Active(c table.Class) []string { return d.active[slot(c)] }

// Named returns a named index.
func (d *Definitions) Named(name string) (Definition, bool) {
	for _, def := range d.named {
		if def.Name == name {
			return def, true
		}
	}
	return Definition{}, false
}

// AllNamed lists the named indexes, by name.
func (d *Definitions) AllNamed() []Definition { return d.named }

// Unfinished lists the key indexes that somebody has to work on.
func (d *Definitions) Unfinished() []Definition {
	var defs []Definition
	for _, of := range d.keys {
		for _, def := range of {
			if def.State != Active {
				defs = append(defs, def)
			}
		}
	}
	return defs
}
