package traversal

import (
	"slices"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// What hidden keys say of properties: they are read as the properties of a property are, where
// they are asked for by name.

func isHidden(key string) bool { return strings.HasPrefix(key, "~") }

// AreHidden reports whether all keys, at least one, are hidden ones: these alone tell something of
// a property that is no element, such as one of an edge.
func AreHidden(keys []string) bool {
	for _, key := range keys {
		if !isHidden(key) {
			return false
		}
	}
	return len(keys) > 0
}

// propertyHidden returns what a hidden key says of a property of a stored element, false for
// nothing.
func (r *Run) propertyHidden(v value.Value, key string) (value.Value, bool, error) {
	if !isHidden(key) {
		return value.Null, false, nil
	}
	class, owner, name, ordinal := blueprints.VertexClass, value.Null, "", uint64(0)
	if p := v.VertexProperty(); p != nil {
		owner, name, ordinal = p.Vertex, p.Key, p.Ordinal
	} else if p := v.Property(); p != nil {
		class, owner, name = blueprints.EdgeClass, p.Element, p.Key
	}
	if !owner.IsStored() || (owner.Kind() == value.KindEdge) != (class == blueprints.EdgeClass) {
		return value.Null, false, nil
	}
	hidden, ok := r.View.Symbol(key)
	sym, known := r.View.Symbol(name)
	if !ok || !known {
		return value.Null, false, nil
	}
	return r.View.PropertyHidden(class, owner.Ref(), blueprints.PropertyEntry{Key: sym, Ordinal: ordinal}, hidden)
}

// appendHidden appends what hidden keys among keys say of a property.
func (r *Run) appendHidden(dst []value.Value, v value.Value, keys []string) ([]value.Value, error) {
	for i, key := range keys {
		if !isHidden(key) || slices.Contains(keys[:i], key) {
			continue
		}
		val, ok, err := r.propertyHidden(v, key)
		if err != nil {
			return dst, err
		}
		if ok {
			dst = append(dst, value.OfProperty(&value.Property{Element: v, Key: key, Value: val}))
		}
	}
	return dst, nil
}
