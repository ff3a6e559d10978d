package main

import (
	"log/slog"
	"slices"
	"strconv"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/traversal"
)

var (
	idManagers    = []string{"ANY", "INTEGER", "LONG", "UUID", "STRING"}
	cardinalities = []string{"single", "list", "set"}
	isolations    = []string{"strict", "snapshot", "committed"}
)

var graphKeys = []string{
	"vertexIdManager", "edgeIdManager", "vertexPropertyIdManager", "defaultVertexPropertyCardinality", "isolation",
	"sample", "allowNullPropertyValues", "transactional", "inMemory", "autoIndex",
}

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
	case "idsByValue":
		flag(&g.IDsByValue)
	case "autoIndex":
		flag(&g.AutoIndex)
	case "transactional":
		flag(&g.Transactional)
	case "inMemory":
		flag(&g.InMemory)
	default:
		return usage("%s: graph %s: unknown key %s%s", at, g.Name, key, traversal.Suggestion(key, "", graphKeys))
	}
	g.given = append(g.given, key)
	return err
}

// options are what blueprints keeps of a graph.
func (g *graphConfig) options(memory bool) blueprints.Options {
	o := blueprints.Options{
		VertexIDs: ids.Manager(g.VertexIDs), EdgeIDs: ids.Manager(g.EdgeIDs),
		VertexPropertyIDs:  ids.Manager(g.VertexPropertyIDs),
		IDsByValue:         g.IDsByValue,
		AutoIndex:          g.AutoIndex,
		DefaultCardinality: g.DefaultCardinality, AllowNull: g.AllowNull, Transactional: g.Transactional,
		InMemory: g.InMemory && !memory,
	}
	switch g.Isolation {
	case "snapshot":
		o.Isolation = storage.SnapshotIsolation
	case "committed":
		o.Isolation = storage.CommittedIsolation
	}
	return o
}

// keptOptions are what a graph keeps from its making, by the keys that ask for it.
var keptOptions = []struct {
	key string
	of  func(o blueprints.Options) any
}{
	{"vertexIdManager", func(o blueprints.Options) any { return o.VertexIDs }},
	{"edgeIdManager", func(o blueprints.Options) any { return o.EdgeIDs }},
	{"vertexPropertyIdManager", func(o blueprints.Options) any { return o.VertexPropertyIDs }},
	{"idsByValue", func(o blueprints.Options) any { return o.IDsByValue }},
	{"defaultVertexPropertyCardinality", func(o blueprints.Options) any { return o.DefaultCardinality }},
	{"allowNullPropertyValues", func(o blueprints.Options) any { return o.AllowNull }},
	{"isolation", func(o blueprints.Options) any { return isolationName(o.Isolation) }},
	{"autoIndex", func(o blueprints.Options) any { return o.AutoIndex }},
	{"inMemory", func(o blueprints.Options) any { return o.InMemory }},
}

func isolationName(i storage.Isolation) string {
	if i == storage.SnapshotIsolation {
		return "snapshot"
	}
	return "strict"
}

// adopt brings a graph that exists and its entry together. Whether clients are offered
// transactions says nothing about what is stored, so that follows the entry. All else
// stays as the graph was made, with a warning where the entry says otherwise.
func (g *graphConfig) adopt(db *blueprints.Database, have, want blueprints.Options, log *slog.Logger) error {
	for _, o := range keptOptions {
		if slices.Contains(g.given, o.key) && o.of(have) != o.of(want) {
			log.Warn("the graph keeps the option that it was made with", "graph", g.Name, "option", o.key, "has", o.of(have), "configured", o.of(want))
		}
	}
	switch {
	case have.Transactional == want.Transactional:
	case slices.Contains(g.given, "transactional"):
		if err := db.SetTransactional(g.Name, want.Transactional); err != nil {
			return err
		}
		log.Info("whether clients are offered transactions was changed", "graph", g.Name, "transactional", want.Transactional)
	default:
		log.Info("the graph was made without transactions; transactional: true in its entry offers them", "graph", g.Name)
	}
	return nil
}
