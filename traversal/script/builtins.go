package script

import (
	"maps"
	"reflect"
	"slices"
)

// Builtins returns the names of all built-in methods by what they are called on, in
// order: for tools that try each of them.
func Builtins() map[string][]string {
	names := map[string][]string{}
	for kind, table := range builtinTables() {
		names[kind] = slices.Sorted(maps.Keys(table))
	}
	return names
}

// builtinTables are all tables of methods by name: a new one is there by itself.
func builtinTables() map[string]methods {
	all := map[string]methods{}
	fields := reflect.ValueOf(builtin()).Elem()
	for i := range fields.NumField() {
		all[fields.Type().Field(i).Name] = *(*methods)(fields.Field(i).Addr().UnsafePointer())
	}
	return all
}
