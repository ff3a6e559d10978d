package script

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/gremlind/gremlind/traversal/script/classes"
	"github.com/gremlind/gremlind/traversal/script/graphs"
	"github.com/gremlind/gremlind/traversal/script/machine"
	"github.com/gremlind/gremlind/traversal/script/methods"
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
func builtinTables() map[string]machine.Methods {
	all := map[string]machine.Methods{}
	fields := reflect.ValueOf(builtin()).Elem()
	for i := range fields.NumField() {
		name := fields.Type().Field(i).Name
		all[strings.ToLower(name[:1])+name[1:]] = *(*machine.Methods)(fields.Field(i).Addr().UnsafePointer())
	}
	return all
}

// built is filled at first use: its functions call each other through it, which an
// initialised variable could not.
var (
	building sync.Once
	built    *machine.Tables
)

func builtin() *machine.Tables {
	building.Do(func() {
		built = &machine.Tables{}
		methods.Add(built)
		graphs.Add(built)
		classes.Add(built)
	})
	return built
}
