package blueprints

import (
	"encoding/json"
	"fmt"

	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// Versions of a catalog entry. The store's format says the same of the whole directory,
// and is raised to an entry's version before the entry is written.
const (
	entryPlain    = 1 // no features
	entryFeatures = 2 // features may be named
)

// catalogEntry is the value of a graph's row in the catalog, as JSON so that it can
// be read without this program.
type catalogEntry struct {
	Number   uint32      `json:"number"`
	Version  int         `json:"version"`
	Features []Feature   `json:"features,omitempty"`
	Options  graphRecord `json:"options"`
}

type graphRecord struct {
	VertexIDs          ids.Manager `json:"vertexIds"`
	EdgeIDs            ids.Manager `json:"edgeIds"`
	VertexPropertyIDs  ids.Manager `json:"vertexPropertyIds"`
	DefaultCardinality string      `json:"defaultCardinality"`
	AllowNull          bool        `json:"allowNull,omitempty"`
	Transactional      bool        `json:"transactional,omitempty"`
	Isolation          string      `json:"isolation"`
	InMemory           bool        `json:"inMemory,omitempty"`
	Limits             *Limits     `json:"limits,omitempty"`
	History            string      `json:"history,omitempty"` // how long, see Retention
}

const (
	isolationSerializable = "serializable"
	isolationSnapshot     = "snapshot"
)

// normalized fills in defaults and checks the rest.
func (o Options) normalized() (Options, error) {
	for _, m := range []*ids.Manager{&o.VertexIDs, &o.EdgeIDs, &o.VertexPropertyIDs} {
		if *m == "" {
			*m = ids.Any
		}
		if !m.Valid() {
			return o, fmt.Errorf("unknown id manager %q: want ANY, INTEGER, LONG, UUID or STRING", string(*m))
		}
	}
	if o.VertexIDs != ids.Any && o.EdgeIDs != ids.Any {
		o.IDsByValue = false // the managers see to it
	}
	switch o.DefaultCardinality {
	case "":
		o.DefaultCardinality = cardinalitySingle
	case cardinalitySingle, cardinalityList, cardinalitySet:
	default:
		return o, fmt.Errorf("unknown cardinality %q: want single, list or set", o.DefaultCardinality)
	}
	if o.Isolation > storage.CommittedIsolation {
		return o, fmt.Errorf("unknown isolation level %d", o.Isolation)
	}
	return o, o.Limits.check(o.InMemory)
}

func (e catalogEntry) encode() ([]byte, error) { return json.Marshal(e) }

func newCatalogEntry(number uint32, o Options) catalogEntry {
	r := graphRecord{
		VertexIDs: o.VertexIDs, EdgeIDs: o.EdgeIDs, VertexPropertyIDs: o.VertexPropertyIDs,
		DefaultCardinality: o.DefaultCardinality, AllowNull: o.AllowNull,
		Transactional: o.Transactional, Isolation: isolationSerializable, InMemory: o.InMemory,
	}
	if o.Limits != (Limits{}) {
		r.Limits = &o.Limits
	}
	if o.History != NoHistory {
		r.History = o.History.String()
	}
	if o.Isolation != storage.StrictSerializable { // a feature says which
		r.Isolation = isolationSnapshot
	}
	e := catalogEntry{Number: number, Version: entryPlain, Features: o.Features(), Options: r}
	if len(e.Features) > 0 {
		e.Version = entryFeatures
	}
	return e
}

func decodeCatalogEntry(name string, b []byte) (catalogEntry, Options, error) {
	var e catalogEntry
	if err := json.Unmarshal(b, &e); err != nil {
		return e, Options{}, fmt.Errorf("catalog entry of graph %q: %w: %w", name, storage.ErrCorrupt, err)
	}
	if e.Version > entryFeatures {
		return e, Options{}, fmt.Errorf("graph %q has format version %d, this program knows versions up to %d: use the gremlind that made it, or a newer one: %w",
			name, e.Version, entryFeatures, storage.ErrFormat)
	}
	if e.Version < entryPlain || e.Version == entryPlain && len(e.Features) > 0 {
		return e, Options{}, fmt.Errorf("catalog entry of graph %q: version %d with features %v: %w", name, e.Version, e.Features, storage.ErrCorrupt)
	}
	r := e.Options
	o := Options{
		VertexIDs: r.VertexIDs, EdgeIDs: r.EdgeIDs, VertexPropertyIDs: r.VertexPropertyIDs,
		DefaultCardinality: r.DefaultCardinality, AllowNull: r.AllowNull,
		Transactional: r.Transactional, InMemory: r.InMemory,
	}
	if r.Limits != nil {
		o.Limits = *r.Limits
	}
	if r.History != "" {
		var err error
		if o.History, err = ParseRetention(r.History); err != nil {
			return e, o, fmt.Errorf("catalog entry of graph %q: %w: %w", name, storage.ErrCorrupt, err)
		}
	}
	switch r.Isolation {
	case isolationSerializable:
	case isolationSnapshot:
		o.Isolation = storage.SnapshotIsolation
	default:
		return e, o, fmt.Errorf("catalog entry of graph %q: isolation %q is unknown: %w", name, r.Isolation, storage.ErrCorrupt)
	}
	for _, f := range e.Features {
		if err := o.use(f); err != nil {
			return e, o, fmt.Errorf("graph %q: %w", name, err)
		}
	}
	o, err := o.normalized()
	if err != nil {
		return e, o, fmt.Errorf("catalog entry of graph %q: %w: %w", name, storage.ErrCorrupt, err)
	}
	return e, o, nil
}

// readCatalog calls fn for each graph, by name.
func readCatalog(r storage.Reader, fn func(name string, e catalogEntry, o Options) error) error {
	from := table.AppendCatalog(nil, "")
	it := r.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from)})
	defer it.Close()
	for it.Next() {
		name, err := table.DecodeCatalog(it.Key())
		if err != nil {
			return fmt.Errorf("catalog: %w: %w", storage.ErrCorrupt, err)
		}
		e, o, err := decodeCatalogEntry(name, it.Value())
		if err != nil {
			return err
		}
		if err := fn(name, e, o); err != nil {
			return err
		}
	}
	return it.Err()
}
