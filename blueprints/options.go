package blueprints

import (
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// Options are a graph's properties, kept in the catalog. All but Transactional, Limits,
// AutoIndex, History, Stamps, TTL and Gained are fixed when the graph is made.
type Options struct {
	VertexIDs         ids.Manager
	EdgeIDs           ids.Manager
	VertexPropertyIDs ids.Manager
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
	// AutoIndex gives every property key an index with its first value. It is the feature
	// "autoIndex", which a graph can gain and lose.
	AutoIndex bool
	// History is how long what commits overwrite is kept. It is the feature "history", which
	// a graph can gain and lose.
	History Retention
	// Stamps gives elements the commits that added and last changed them. It is the feature
	// "stamps", which a graph can gain and lose.
	Stamps bool
	// TTL lets elements and properties end at a time. It is the feature "ttl", which a graph
	// can gain and lose.
	TTL bool
	// Limits are what the graph may hold and what may be asked of it.
	Limits Limits
	// Gained are the features that came with use; a new graph has none.
	Gained Gained
}

// idScheme returns the form of the ids of a class.
func (o *Options) idScheme(class table.Class) ids.Scheme {
	m := o.VertexIDs
	if class == table.EdgeClass {
		m = o.EdgeIDs
	}
	return ids.Scheme{Manager: m, EqualNumbers: m == ids.Any, OneRow: m == ids.Any && o.IDsByValue}
}

// AppendIDRow appends the row that the id of an element of class has in the table of
// ids of a graph with these options.
func (o *Options) AppendIDRow(dst []byte, class table.Class, id value.Value) ([]byte, error) {
	return o.idScheme(class).AppendRow(dst, id)
}

// CanonicalID returns the form that ids which are equal in a graph with these options
// have in common, for maps of ids; an id that the manager refuses stays as it is.
func (o *Options) CanonicalID(class table.Class, id value.Value) value.Value {
	f := o.idScheme(class)
	c, err := f.Manager.Convert(id)
	if err != nil {
		return id
	}
	if n, whole := ids.WholeNumber(c); whole && f.EqualNumbers {
		return value.Long(n)
	}
	return c
}

// EqualIDs lists the ids equal to id that another element of class can have had since
// before ids were equal by value, as far as they are likelier than id (see check).
func (o *Options) EqualIDs(class table.Class, id value.Value) []value.Value {
	n, whole := ids.WholeNumber(id)
	if f := o.idScheme(class); !whole || !f.EqualNumbers || f.OneRow {
		return nil
	}
	all := ids.Widths(n)
	for i, other := range all {
		if other.Kind() == id.Kind() {
			return all[:i]
		}
	}
	return nil
}
