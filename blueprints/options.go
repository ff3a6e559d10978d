package blueprints

import "github.com/gremlind/gremlind/storage"

// IDManager names how user-supplied ids are brought to a canonical form.
type IDManager string

// TinkerGraph's id managers.
const (
	AnyIDs     IDManager = "ANY"
	IntegerIDs IDManager = "INTEGER"
	LongIDs    IDManager = "LONG"
	UUIDIDs    IDManager = "UUID"
	StringIDs  IDManager = "STRING"
)

// Options are a graph's properties, kept in the catalog. All but Transactional are fixed
// when the graph is made.
type Options struct {
	VertexIDs         IDManager
	EdgeIDs           IDManager
	VertexPropertyIDs IDManager
	// IDsByValue makes whole numbers equal by value as ids, whatever their width, where
	// the manager takes ids of any kind. They come back as they were given. It is the
	// feature "ids:byValue"; graphs made before it keep 1 and 1L apart.
	IDsByValue bool
	// DefaultCardinality is "single", "list" or "set".
	DefaultCardinality string
	// AllowNull lets properties hold null.
	AllowNull bool
	// Transactional graphs accept tx().commit() and rollback() from clients;
	// others answer "Graph does not support transactions", as TinkerGraph does.
	Transactional bool
	// Isolation of the graph's transactions. CommittedIsolation is the feature
	// "isolation:committed".
	Isolation storage.Isolation
	// InMemory graphs keep nothing on disk; a fresh start finds them empty.
	InMemory bool
}
