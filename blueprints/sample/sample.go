// Package sample holds the graphs that TinkerPop's documentation and tests are written
// about, to try a server with: modern, classic, crew and sink are built here; grateful
// and airroutes come from compressed files beside it (see data/README.md).
//
// Elements carry TinkerPop's ids. Labels are interned in the order in which
// TinkerGraph visits a vertex's edges, so that traversals give the documented order.
package sample

import (
	"context"
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// graph is a sample before it is loaded.
type graph struct {
	// labels are edge labels in the order of their symbols.
	labels   []string
	vertices []blueprints.VertexRecord
	edges    []blueprints.EdgeRecord
}

// Names lists the samples.
func Names() []string {
	return []string{"modern", "classic", "crew", "sink", "grateful", "airroutes"}
}

// Load fills an empty graph with a sample. A graph that holds anything is left alone,
// and false returned.
func Load(ctx context.Context, g *blueprints.Graph, name string) (bool, error) {
	if !slices.Contains(Names(), name) {
		return false, fmt.Errorf("no sample graph %q: want one of %v", name, Names())
	}
	loaded := false
	err := g.Update(ctx, func(tx *blueprints.Tx) error {
		n, err := tx.VertexCount()
		if err != nil || n > 0 {
			loaded = false
			return err
		}
		loaded = true
		return Fill(ctx, tx, name)
	})
	if err != nil {
		return false, fmt.Errorf("load sample %s: %w", name, err)
	}
	return loaded, nil
}

// Fill adds a sample to what tx sees of a graph.
func Fill(ctx context.Context, tx *blueprints.Tx, name string) error {
	if !slices.Contains(Names(), name) {
		return fmt.Errorf("no sample graph %q: want one of %v", name, Names())
	}
	s, err := build(name)
	if err != nil {
		return err
	}
	if err := s.store(ctx, tx); err != nil || name != "crew" {
		return err
	}
	for key, v := range crewVariables {
		if err := tx.SetVariable(key, v); err != nil {
			return err
		}
	}
	return nil
}

// crewVariables are those that TinkerFactory gives this graph alone.
var crewVariables = map[string]value.Value{
	"creator": value.String("marko"), "lastModified": value.Int(2014),
	"comment": value.String("this graph was created to provide examples and test coverage for tinkerpop3 api advances"),
}

func build(name string) (*graph, error) {
	switch name {
	case "modern":
		return modern(), nil
	case "classic":
		return classic(), nil
	case "crew":
		return crew(), nil
	case "sink":
		return sink(), nil
	}
	return read(name)
}

// pollEvery is how many elements are stored between two looks at the context.
const pollEvery = 256

func (s *graph) store(ctx context.Context, tx *blueprints.Tx) error {
	for _, l := range s.labels {
		if _, err := tx.Intern(l); err != nil {
			return err
		}
	}
	ids := make(map[int64]blueprints.VertexID, len(s.vertices))
	for i := range s.vertices {
		v := &s.vertices[i]
		if err := ctx.Err(); err != nil && i%pollEvery == 0 {
			return err
		}
		id, err := tx.AddVertex(v.Label, v.ID)
		if err != nil {
			return err
		}
		ids[v.ID.Int64()] = id
	}
	for i := range s.vertices {
		v := &s.vertices[i]
		for _, p := range v.Properties {
			if _, err := tx.SetVertexProperty(ids[v.ID.Int64()], "list", p.Key, p.Value, p.ID, p.Meta); err != nil {
				return err
			}
		}
	}
	for i := range s.edges {
		e := &s.edges[i]
		if err := ctx.Err(); err != nil && i%pollEvery == 0 {
			return err
		}
		id, err := tx.AddEdge(e.Label, ids[e.Out.Int64()], ids[e.In.Int64()], e.ID)
		if err != nil {
			return err
		}
		for _, p := range e.Properties {
			if err := tx.SetEdgeProperty(id, p.Key, p.Value); err != nil {
				return err
			}
		}
	}
	return nil
}

func vertex(id int32, label string, properties ...blueprints.PropertyRecord) blueprints.VertexRecord {
	return blueprints.VertexRecord{ID: value.Int(id), Label: label, Properties: properties}
}

func edge(id int32, label string, out, in int32, properties ...blueprints.PropertyRecord) blueprints.EdgeRecord {
	return blueprints.EdgeRecord{ID: value.Int(id), Label: label, Out: value.Int(out), In: value.Int(in), Properties: properties}
}

// prop is a property; its id is given where TinkerPop's is not the next one.
func prop(key string, v value.Value, id ...int64) blueprints.PropertyRecord {
	p := blueprints.PropertyRecord{Key: key, Value: v}
	if len(id) > 0 {
		p.ID = value.Long(id[0])
	}
	return p
}
