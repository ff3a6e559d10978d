package step

import (
	"github.com/gremlind/gremlind/storage/value"
)

// The keys under which maps of elements keep id and label.
var (
	KeyID    = value.Enum(value.KindT, "id")
	KeyLabel = value.Enum(value.KindT, "label")
)

// IsStoredVertex reports whether v is a vertex of the graph, not a copy or a new one of a
// client's.
func IsStoredVertex(v value.Value) bool { return v.Kind() == value.KindVertex && v.IsStored() }
