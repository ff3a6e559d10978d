package keyindex

import (
	"encoding/json"
	"errors"
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
	Hidden   State = "HIDDEN"
	Dropping State = "DROPPING"
)

// Definition is one index.
type Definition struct {
	Name  string // the property key, or the name of another index
	Class table.Class
	Named bool // clients fill it by hand
	State State
	// Symbol is the property key's symbol.
	Symbol uint32
	// Number is the place in its keys of an index that has a name.
	Number uint32

	// What follows is a declared index's alone. Without a label it is about all elements of
	// the class.
	Kind        Kind
	Keys        []string
	Symbols     []uint32 // of the keys
	Label       string
	LabelSymbol uint32
	Unique      bool
	Direction   string // OUT, IN or BOTH of an edge-centric index
	Analyzer    string // of a text index
	Tables      string // of one of words: UnicodeTables when it was made

	// Since is when the index became complete, in a graph with history; 0 if before that began.
	Since storage.Stamp
}

// record is the value of a definition's cell, as JSON.
type record struct {
	State       State    `json:"state"`
	Class       string   `json:"class"`
	Symbol      uint32   `json:"symbol,omitempty"`
	Number      uint32   `json:"number,omitempty"`
	Kind        Kind     `json:"kind,omitempty"`
	Keys        []string `json:"keys,omitempty"`
	Symbols     []uint32 `json:"symbols,omitempty"`
	Label       string   `json:"label,omitempty"`
	LabelSymbol uint32   `json:"labelSymbol,omitempty"`
	Unique      bool     `json:"unique,omitempty"`
	Direction   string   `json:"direction,omitempty"`
	Analyzer    string   `json:"analyzer,omitempty"`
	Tables      string   `json:"tables,omitempty"`
	Since       uint64   `json:"since,omitempty"`
}

// Definitions are the indexes of a graph as of one commit. It is immutable.
type Definitions struct {
	keys   [2][]Definition // key indexes by class, by name
	active [2][]string     // names of those that are complete, sorted
	named  []Definition    // by name
	every  [2]bool         // by class: every key has an index, see auto.go
	// places are those in keys by symbol, where there are many.
	places [2]map[uint32]int

	declared   [2][]*Definition // by class, by name
	maintained [2][]*Definition // of them, those that changes have to reach
	complete   [2][]*Definition // of them, those that look-ups may use
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
	return err == nil && !d.Family.OfBuilder()
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
		if k.Family.OfBuilder() || k.Family == table.IndexSchema || k.Family == table.IndexTTL || k.Family == table.IndexCounters {
			continue
		}
		if k.Family != table.IndexKey && k.Family != table.IndexName && k.Family != table.IndexDeclared {
			return nil, fmt.Errorf("index metadata: family %d of %q is unknown: restore a backup, or use the gremlind that wrote it: %w", k.Family, k.Name, storage.ErrCorrupt)
		}
		def, err := decodeDefinition(k, it.Value())
		if err != nil {
			return nil, err
		}
		switch {
		case k.Family == table.IndexKey && def.Name == "":
			d.every[slot(def.Class)] = true
		case def.Named:
			d.named = append(d.named, def)
		case def.Declared():
			d.declare(&def)
		default:
			d.keys[slot(def.Class)] = append(d.keys[slot(def.Class)], def)
		}
	}
	for i, defs := range d.keys {
		d.active[i] = complete(defs)
		if len(defs) > fewKeys {
			d.places[i] = make(map[uint32]int, len(defs))
			for at := range defs {
				d.places[i][defs[at].Symbol] = at
			}
		}
	}
	return d, it.Err()
}

// declare adds a declared index.
func (d *Definitions) declare(def *Definition) {
	i := slot(def.Class)
	d.declared[i] = append(d.declared[i], def)
	if def.State != Dropping {
		d.maintained[i] = append(d.maintained[i], def)
	}
	if def.State == Active {
		d.complete[i] = append(d.complete[i], def)
	}
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
	d := Definition{
		Name: k.Name, Class: k.Class, Named: k.Family == table.IndexName, State: r.State, Symbol: r.Symbol, Number: r.Number,
		Kind: r.Kind, Keys: r.Keys, Symbols: r.Symbols, Label: r.Label, LabelSymbol: r.LabelSymbol, Unique: r.Unique, Direction: r.Direction,
		Analyzer: r.Analyzer, Tables: r.Tables, Since: storage.Stamp(r.Since),
	}
	if k.Family == table.IndexDeclared && (len(d.Keys) == 0 || len(d.Keys) != len(d.Symbols) || !slices.Contains(kinds, d.Kind)) {
		return d, fmt.Errorf("definition of index %q: kind %q of %d keys and %d symbols: %w", k.Name, d.Kind, len(d.Keys), len(d.Symbols), storage.ErrCorrupt)
	}
	if k.Family != table.IndexKey {
		d.Class = table.VertexClass
		if r.Class == table.EdgeClass.String() {
			d.Class = table.EdgeClass
		}
	}
	return d, nil
}

func definitionKey(graph uint32, d Definition) []byte {
	k := table.IndexDefinition{Graph: graph, Family: table.IndexKey, Class: d.Class, Name: d.Name}
	switch {
	case d.Named:
		k.Family, k.Class = table.IndexName, 0
	case d.Declared():
		k.Family, k.Class = table.IndexDeclared, 0
	}
	return table.AppendIndexDefinition(nil, k)
}

// cursorKey is the cell of the builder's place. That of a declared index has no class:
// it is another than that of a key index on a key of its name.
func cursorKey(graph uint32, d Definition) []byte { return builderKey(graph, d, table.IndexCursor) }

// doubtsKey is the cell of what tables have to be mended of.
func doubtsKey(graph uint32, d Definition) []byte { return builderKey(graph, d, table.IndexDoubts) }

// forgetWork deletes the builder's cells.
func forgetWork(tx storage.Tx, graph uint32, d Definition) error {
	return errors.Join(tx.Delete(cursorKey(graph, d)), tx.Delete(doubtsKey(graph, d)))
}

func builderKey(graph uint32, d Definition, f table.IndexFamily) []byte {
	k := table.IndexDefinition{Graph: graph, Family: f, Class: d.Class, Name: d.Name}
	if d.Declared() {
		k.Class = 0
	}
	return table.AppendIndexDefinition(nil, k)
}

// encode is the value of a definition's cell.
func (d *Definition) encode() ([]byte, error) {
	return json.Marshal(record{
		State: d.State, Class: d.Class.String(), Symbol: d.Symbol, Number: d.Number,
		Kind: d.Kind, Keys: d.Keys, Symbols: d.Symbols, Label: d.Label, LabelSymbol: d.LabelSymbol, Unique: d.Unique, Direction: d.Direction,
		Analyzer: d.Analyzer, Tables: d.Tables, Since: uint64(d.Since),
	})
}

// store writes a definition. When transactions must take notice it also writes the
// version that they guard.
func store(tx storage.Tx, graph uint32, d Definition, notice bool) error {
	if d.State == Active {
		var err error
		if d.Since, err = since(tx.Snapshot(), graph); err != nil {
			return err
		}
	}
	b, err := d.encode()
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

// fewKeys is how many key indexes are looked through.
const fewKeys = 16

// key returns the key index on a property key, nil when there is none.
func (d *Definitions) key(c table.Class, symbol uint32) *Definition {
	defs := d.keys[slot(c)]
	if places := d.places[slot(c)]; places != nil {
		if at, ok := places[symbol]; ok {
			return &defs[at]
		}
		return nil
	}
	for i := range defs {
		if defs[i].Symbol == symbol {
			return &defs[i]
		}
	}
	return nil
}

// Key returns the key index on a property key, if there is one.
func (d *Definitions) Key(c table.Class, symbol uint32) (Definition, bool) {
	if def := d.key(c, symbol); def != nil {
		return *def, true
	}
	return Definition{}, false
}

// Maintained reports whether changes of a property key have to reach an index.
func (d *Definitions) Maintained(c table.Class, symbol uint32) bool {
	def := d.key(c, symbol)
	return def != nil && def.State != Dropping
}

// Declared lists the declared indexes of a class, by name.
func (d *Definitions) Declared(c table.Class) []*Definition { return d.declared[slot(c)] }

// Upkeep lists the declared indexes of a class that changes have to reach. The caller must
// not change the list.
func (d *Definitions) Upkeep(c table.Class) []*Definition { return d.maintained[slot(c)] }

// Complete lists the declared indexes of a class that look-ups may use. It is the same list
// as long as the Definitions are the same; the caller must not change it.
func (d *Definitions) Complete(c table.Class) []*Definition { return d.complete[slot(c)] }

// OfName returns the declared index of a name.
func (d *Definitions) OfName(name string) (*Definition, bool) {
	for _, of := range d.declared {
		for _, def := range of {
			if def.Name == name {
				return def, true
			}
		}
	}
	return nil, false
}

// OfNumber returns the declared index of a number.
func (d *Definitions) OfNumber(number uint32) (*Definition, bool) {
	for _, of := range d.declared {
		for _, def := range of {
			if def.Number == number {
				return def, true
			}
		}
	}
	return nil, false
}

// Any reports whether elements of a class may have entries anywhere.
func (d *Definitions) Any(c table.Class) bool {
	if len(d.keys[slot(c)]) > 0 || d.every[slot(c)] {
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

// Unfinished lists the key indexes and declared indexes that somebody has to work on.
func (d *Definitions) Unfinished() []Definition {
	var defs []Definition
	for _, of := range d.keys {
		for _, def := range of {
			if def.State != Active {
				defs = append(defs, def)
			}
		}
	}
	for _, of := range d.declared {
		for _, def := range of {
			if def.State == Building || def.State == Dropping {
				defs = append(defs, *def)
			}
		}
	}
	return defs
}
