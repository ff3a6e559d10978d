package main

import (
	"context"
	"log/slog"
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/traversal"
)

// graphKeys are the keys of a graph's entry.
var graphKeys = append(blueprints.OptionKeys(), "sample")

// graphConfig is one entry of graphs.
type graphConfig struct {
	Name   string
	Sample string
	blueprints.Options

	given []string // keys that the configuration names
}

// newGraphConfig has the defaults of a new graph, whoever makes it.
func newGraphConfig(name string) graphConfig {
	return graphConfig{Name: name, Options: blueprints.NewOptions()}
}

// set reads one key of a graph's entry.
func (g *graphConfig) set(key, text, at string) error {
	switch {
	case !slices.Contains(graphKeys, key):
		return usage("%s: graph %s: unknown key %s%s", at, g.Name, key, traversal.Suggestion(key, "", graphKeys))
	case key != "sample":
		text, err := optionText(key, text)
		if err == nil {
			err = g.Set(key, text)
		}
		if err != nil {
			return usage("%s: graph %s: %s", at, g.Name, err)
		}
	case !slices.Contains(sampleNames, text):
		return usage("%s: graph %s: %s: %q is not one of %v", at, g.Name, key, text, sampleNames)
	default:
		g.Sample = text
	}
	g.given = append(g.given, key)
	return nil
}

// options are what blueprints keeps of a graph.
func (g *graphConfig) options(memory bool) blueprints.Options {
	o := g.Options
	o.InMemory = o.InMemory && !memory
	return o
}

// adopt brings a graph that exists and its entry together. Whether clients are offered
// transactions says nothing about what is stored, so that follows the entry. All else
// stays as the graph was made, with a warning where the entry says otherwise.
func (g *graphConfig) adopt(db *blueprints.Database, have, want blueprints.Options, log *slog.Logger) error {
	for _, key := range blueprints.OptionKeys() {
		if has, wants := have.Get(key), want.Get(key); key != "transactional" && slices.Contains(g.given, key) && has != wants {
			log.Warn("the graph keeps the option that it was made with", "graph", g.Name, "option", key, "has", has, "configured", wants)
		}
	}
	switch {
	case have.Transactional == want.Transactional:
	case slices.Contains(g.given, "transactional"):
		err := db.ChangeOptions(context.Background(), g.Name, func(o *blueprints.Options) error {
			o.Transactional = want.Transactional
			return nil
		})
		if err != nil {
			return err
		}
		log.Info("whether clients are offered transactions was changed", "graph", g.Name, "transactional", want.Transactional)
	default:
		log.Info("the graph was made without transactions; transactional: true in its entry offers them", "graph", g.Name)
	}
	return nil
}
