package services

import (
	"context"
	"fmt"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Declared indexes: unique, composite and edge-centric, which the graph keeps by itself.
//
//	call("gremlind.index.create", [name: "email", class: "vertex", label: "person", keys: ["email"], unique: true])
//	call("gremlind.index.create", [name: "stars", class: "edge", label: "rated", keys: ["stars"], direction: "OUT"])
//	call("gremlind.index.create", [name: "t", class: "vertex", keys: ["title"], analyzer: "trigram"])
//
// create answers {name, state}, ACTIVE when it is complete; BUILDING when the time of the
// request ends before, or at once with wait: false, and the building goes on.
//
//	gremlind.index.verify  name  {entries, missing, stale}: whether it agrees with the elements
//	gremlind.index.hide    name  keeps look-ups from it, to try what dropping it would do
//	gremlind.index.show    name  lets them use it again
var (
	createIndex = &service{name: "gremlind.index.create", kinds: atStart, right: traversal.WriteRight, call: callCreate, params: append([]traversal.ServiceParam{
		nameParam, classParam}, declaredParams...)}
	listIndexes = &service{name: "gremlind.index.list", kinds: atStart, call: callList}
	verifyIndex = &service{name: "gremlind.index.verify", kinds: atStart, params: []traversal.ServiceParam{nameParam}, call: callVerify}
	hideIndex   = &service{name: "gremlind.index.hide", kinds: atStart, params: []traversal.ServiceParam{nameParam}, right: traversal.WriteRight, call: hides(true)}
	showIndex   = &service{name: "gremlind.index.show", kinds: atStart, params: []traversal.ServiceParam{nameParam}, right: traversal.WriteRight, call: hides(false)}
)

// declaredParams are those that only declared indexes have.
var declaredParams = []traversal.ServiceParam{
	{Name: "keys", Type: "List of Strings", Doc: "The property keys, as a list; without them the index is one whose entries are put by hand"},
	{Name: "label", Type: "String", Doc: "The label of the elements (optional)"},
	{Name: "unique", Type: "Boolean", Doc: "Whether no two elements may have the same values (optional)"},
	{Name: "direction", Type: "String or Direction", Doc: "OUT, IN or BOTH makes it an index of the edges of each vertex (optional)"},
	{Name: "analyzer", Type: "String", Doc: "For an index of texts: trigram serves TextP.containing and the like, words serves gremlind.text; of points: geo (optional)"},
	{Name: "wait", Type: "Boolean", Doc: "false answers at once while the index is built (optional)"},
}

func callCreate(c traversal.ServiceCall) (traversal.Cursor, error) {
	g, err := graphOf(c)
	if err != nil {
		return nil, err
	}
	s := blueprints.IndexSpec{}
	if s.Name, err = text(c, "name"); err != nil {
		return nil, err
	}
	if s.Class, err = class(c); err != nil {
		return nil, err
	}
	if _, declared := c.Params.GetString("keys"); !declared {
		for _, p := range declaredParams {
			if _, ok := c.Params.GetString(p.Name); ok {
				return nil, fmt.Errorf("the parameter %s is for an index with keys: name them in keys, as a list", p.Name)
			}
		}
		return none(), g.CreateIndex(c.Ctx, s.Name, s.Class)
	}
	wait, err := readSpec(c, &s)
	if err != nil {
		return nil, err
	}
	patience, cancel := patienceOf(c.Ctx, wait)
	defer cancel()
	i, err := g.DeclareIndex(c.Ctx, patience, s)
	if err != nil {
		return nil, err
	}
	return one(stateOf(&i)), nil
}

// readSpec reads what declared indexes have besides name and class.
func readSpec(c traversal.ServiceCall, s *blueprints.IndexSpec) (wait bool, err error) {
	if s.Keys, err = texts(c, "keys"); err != nil {
		return false, err
	}
	if _, ok := c.Params.GetString("label"); ok {
		if s.Label, err = text(c, "label"); err != nil {
			return false, err
		}
	}
	if d, ok := c.Params.GetString("direction"); ok {
		s.Direction = d.JavaString()
	}
	if s.Unique, err = truth(c.Params, "unique"); err != nil {
		return false, err
	}
	if _, ok := c.Params.GetString("analyzer"); ok {
		if s.Analyzer, err = text(c, "analyzer"); err != nil {
			return false, err
		}
	}
	wait, err = truth(c.Params, "wait")
	_, said := c.Params.GetString("wait")
	return wait || !said, err
}

// texts returns a parameter that is a list of Strings, or one of them.
func texts(c traversal.ServiceCall, name string) ([]string, error) {
	v, _ := c.Params.GetString(name)
	var out []string
	var err error
	traversal.Each(v, func(x value.Value, _ int64) {
		if x.Kind() != value.KindString {
			err = fmt.Errorf("the parameter %s is a list of Strings, not %s", name, v.Brief())
			return
		}
		out = append(out, x.Str())
	})
	return out, err
}

// answerTime is what is left of a request's time, at most, for the answer that says how far
// a building has come.
const answerTime = time.Second

// patienceOf ends a little before the request's time does, at once without wait.
func patienceOf(ctx context.Context, wait bool) (context.Context, context.CancelFunc) {
	patience, cancel := context.WithCancel(ctx)
	if !wait {
		cancel()
		return patience, cancel
	}
	if end, ok := ctx.Deadline(); ok {
		cancel()
		return context.WithDeadline(ctx, end.Add(-min(answerTime, time.Until(end)/4)))
	}
	return patience, cancel
}

func stateOf(i *blueprints.IndexInfo) value.Value {
	m := value.NewMap()
	m.PutString("name", value.String(i.Name))
	m.PutString("state", value.String(string(i.State)))
	return m.Value()
}

// graphAndName reads what the services about one index take.
func graphAndName(c traversal.ServiceCall) (g *blueprints.Graph, name string, err error) {
	if g, err = graphOf(c); err != nil {
		return nil, "", err
	}
	name, err = text(c, "name")
	return g, name, err
}

func callVerify(c traversal.ServiceCall) (traversal.Cursor, error) {
	g, name, err := graphAndName(c)
	if err != nil {
		return nil, err
	}
	rep, err := g.VerifyIndex(c.Ctx, name)
	if err != nil {
		return nil, err
	}
	m := value.NewMap()
	m.PutString("entries", value.Long(rep.Entries))
	m.PutString("missing", value.Long(rep.Missing))
	m.PutString("stale", value.Long(rep.Stale))
	return one(m.Value()), nil
}

func hides(hide bool) func(c traversal.ServiceCall) (traversal.Cursor, error) {
	return func(c traversal.ServiceCall) (traversal.Cursor, error) {
		g, name, err := graphAndName(c)
		if err != nil {
			return nil, err
		}
		i, err := g.HideIndex(c.Ctx, name, hide)
		if err != nil {
			return nil, err
		}
		return one(stateOf(&i)), nil
	}
}

func callList(c traversal.ServiceCall) (traversal.Cursor, error) {
	g, seen, err := listed(c)
	if err != nil {
		return nil, err
	}
	named, err := g.Indices()
	if err != nil {
		return nil, err
	}
	declared, err := g.DeclaredIndexes()
	if err != nil {
		return nil, err
	}
	var out []value.Value
	add := func(i *blueprints.IndexInfo, m *value.Map) error {
		m.PutString("lookups", value.Long(i.Lookups))
		if seen != nil { // bytes and entries would tell of elements that are not there
			out = append(out, m.Value())
			return nil
		}
		cost, err := g.IndexCost(c.Ctx, i.Name)
		if err != nil {
			return err
		}
		m.PutString("bytes", value.Long(cost.Bytes))
		m.PutString("entries", value.Long(cost.Entries))
		m.PutString("exact", value.Bool(cost.Exact))
		out = append(out, m.Value())
		return nil
	}
	for i := range named {
		if seen != nil {
			continue // what is in it may be about anything
		}
		if err := add(&named[i], indexMap(&named[i])); err != nil {
			return nil, err
		}
	}
	for i := range declared {
		if seen != nil && seen.HidesIndex(&declared[i]) {
			continue
		}
		if err := add(&declared[i], declaredMap(&declared[i])); err != nil {
			return nil, err
		}
	}
	return traversal.Values(out), nil
}

func indexMap(i *blueprints.IndexInfo) *value.Map {
	m := value.NewMap()
	m.PutString("name", value.String(i.Name))
	m.PutString("class", value.String(i.Class.String()))
	return m
}

// declaredMap describes a declared index: what it is about, and how it is used.
func declaredMap(i *blueprints.IndexInfo) *value.Map {
	m := indexMap(i)
	if i.Label != "" {
		m.PutString("label", value.String(i.Label))
	}
	keys := make([]value.Value, len(i.Keys))
	for n, k := range i.Keys {
		keys[n] = value.String(k)
	}
	m.PutString("keys", value.List(keys))
	m.PutString("unique", value.Bool(i.Unique))
	if i.Direction != "" {
		m.PutString("direction", value.String(i.Direction))
	}
	if i.Analyzer != "" {
		m.PutString("analyzer", value.String(i.Analyzer))
	}
	m.PutString("state", value.String(string(i.State)))
	return m
}
