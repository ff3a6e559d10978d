package main

import (
	"slices"
	"strconv"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage"
)

var (
	idManagers    = []string{"ANY", "INTEGER", "LONG", "UUID", "STRING"}
	cardinalities = []string{"single", "list", "set"}
	isolations    = []string{"strict", "snapshot"}
)

// set reads one key of a graph's entry.
func (g *graphConfig) set(key, text, at string) error {
	var err error
	oneOf := func(p *string, choices []string) {
		if !slices.Contains(choices, text) {
			err = usage("%s: graph %s: %s: %q is not one of %v", at, g.Name, key, text, choices)
		}
		*p = text
	}
	flag := func(p *bool) {
		var perr error
		if *p, perr = strconv.ParseBool(text); perr != nil {
			err = usage("%s: graph %s: %s: %q is not true or false", at, g.Name, key, text)
		}
	}
	switch key {
	case "vertexIdManager":
		oneOf(&g.VertexIDs, idManagers)
	case "edgeIdManager":
		oneOf(&g.EdgeIDs, idManagers)
	case "vertexPropertyIdManager":
		oneOf(&g.VertexPropertyIDs, idManagers)
	case "defaultVertexPropertyCardinality":
		oneOf(&g.DefaultCardinality, cardinalities)
	case "isolation":
		oneOf(&g.Isolation, isolations)
	case "sample":
		oneOf(&g.Sample, sampleNames)
	case "allowNullPropertyValues":
		flag(&g.AllowNull)
	case "transactional":
		flag(&g.Transactional)
	case "inMemory":
		flag(&g.InMemory)
	default:
		return usage("%s: graph %s: unknown key %s", at, g.Name, key)
	}
	return err
}

// options are what blueprints keeps of a graph.
func (g *graphConfig) options(memory bool) blueprints.Options {
	o := blueprints.Options{
		VertexIDs: blueprints.IDManager(g.VertexIDs), EdgeIDs: blueprints.IDManager(g.EdgeIDs),
		VertexPropertyIDs:  blueprints.IDManager(g.VertexPropertyIDs),
		DefaultCardinality: g.DefaultCardinality, AllowNull: g.AllowNull, Transactional: g.Transactional,
		InMemory: g.InMemory && !memory,
	}
	if g.Isolation == "snapshot" {
		o.Isolation = storage.SnapshotIsolation
	}
	return o
}
