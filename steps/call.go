package steps

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/steps/services"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// call() reaches a service, at the start of a traversal or for each traverser.
//
//	call()                                        lists the services
//	call("tinker.search", [search: "mar"])
//	V().call("tinker.degree.centrality").with("direction", OUT)
//
// Parameters come from a map, a traversal that gives one, and with(); the later wins.
var callSpec = traversal.Spec{
	Name: "call", Class: "CallStep", Kind: traversal.FlatMapStep, Start: true, Mods: []string{"with"},
	HoldsChildren: true, EffectsOf: callEffects,
	Doc: "Reaches a service.", Prepare: prepareCall, Open: openCall,
}

// serviceCall is the Data of call.
type serviceCall struct {
	name   string
	static *value.Map
	// dynamic gives more parameters, with are pairs of names and values.
	dynamic traversal.Arg
	with    []traversal.Arg
}

func prepareCall(n *traversal.Node) error {
	c := &serviceCall{name: services.ListName}
	for i, a := range n.Args {
		switch k := a.Value.Kind(); {
		case a.Child != nil && i > 0:
			c.dynamic = a
		case i == 0 && k == value.KindString:
			c.name = a.Value.Str()
		case i > 0 && k == value.KindMap:
			c.static = a.Value.Map()
		case k == value.KindNull:
		default:
			return fmt.Errorf("call() takes a name, a Map and a Traversal, not %s", step.BriefArg(a))
		}
	}
	for _, m := range n.Mods {
		args := m.Args
		if len(args) == 1 {
			args = append(args, traversal.Const(value.Bool(true)))
		}
		if len(args) != 2 {
			return fmt.Errorf("call().with() takes a name and a value, not %d arguments", len(m.Args))
		}
		c.with = append(c.with, args...)
	}
	n.Data = c
	return nil
}

// callEffects trusts what TinkerPop's and our services declare; what a host adds may
// do anything.
func callEffects(n *traversal.Node) traversal.Effects {
	c, ok := n.Data.(*serviceCall)
	if !ok || c.name == services.ListName {
		return 0
	}
	s, ok := services.Lookup(c.name)
	switch {
	case !ok && strings.HasPrefix(c.name, "gremlind."): // the host's too reads only
		return traversal.ReadsGraph
	case !ok:
		return traversal.External
	}
	e := traversal.ReadsGraph
	if services.ReadsPast(c.name) {
		e |= traversal.ReadsPast
	}
	switch s.Right(c.known()) {
	case traversal.AdminRight:
		e |= traversal.External | traversal.WritesGraph | traversal.Administers
	case traversal.WriteRight:
		e |= traversal.External | traversal.WritesGraph
	}
	return e
}

// known are the parameters, nil when some are found out as the traversal runs.
func (c *serviceCall) known() *value.Map {
	if c.dynamic.Child != nil {
		return nil
	}
	m := c.static.Clone()
	for i := 0; i+1 < len(c.with); i += 2 {
		if c.with[i].Child != nil || c.with[i+1].Child != nil {
			return nil
		}
		m.Put(c.with[i].Value, c.with[i+1].Value)
	}
	return m
}

// findService asks the host, then takes our own.
func findService(r *traversal.Run, name string) (traversal.Service, error) {
	if r.Host != nil {
		if s, ok := r.Host.Service(name); ok {
			return s, nil
		}
	}
	if s, ok := services.Lookup(name); ok {
		return s, nil
	}
	return nil, fmt.Errorf("Unrecognized service: %s%s", value.Brief(name), traversal.Suggestion(name, "", serviceNames(r)))
}

func serviceNames(r *traversal.Run) []string {
	names := services.Names()
	if r.Host != nil {
		names = append(names, r.Host.ServiceNames()...)
	}
	return names
}

func openCall(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	c := n.Data.(*serviceCall)
	dynamic, err := step.NewOperand(n, r, c.dynamic)
	if err != nil {
		return nil, err
	}
	with, err := step.NewOperands(n, r, c.with)
	if err != nil {
		return nil, err
	}
	s := &caller{r: r, c: c, dynamic: dynamic, with: with, start: up == nil}
	if up == nil {
		up = step.Once(r, value.Null)
	}
	if c.name != services.ListName {
		if err := s.find(); err != nil {
			return nil, err
		}
	}
	return r.FlatMap(up, s.open), nil
}

// caller is a running call().
type caller struct {
	r       *traversal.Run
	c       *serviceCall
	service traversal.Service
	dynamic step.Operand
	with    []step.Operand
	start   bool
}

func (s *caller) find() (err error) {
	if s.service, err = findService(s.r, s.c.name); err != nil {
		return err
	}
	kind := traversal.StreamingService
	if s.start {
		kind = traversal.StartService
	}
	switch {
	case slices.Contains(s.service.Kinds(), kind):
		return nil
	case s.start:
		return errors.New("This service cannot be used to start a traversal.")
	}
	return errors.New("This service cannot be used mid-traversal.")
}

func (s *caller) open(t *traversal.Traverser) (traversal.Cursor, error) {
	params, err := s.params(t)
	if err != nil {
		return nil, err
	}
	if s.service == nil {
		return traversal.Values(services.List(params, hostServices(s.r))), nil
	}
	if s.service.Right(params) == traversal.WriteRight {
		if _, err := s.r.Write(); err != nil {
			return nil, err
		}
	}
	return s.service.Call(traversal.ServiceCall{Ctx: s.r.Ctx, Run: s.r, In: t.Value, Bulk: t.Bulk, Start: s.start, Params: params})
}

func hostServices(r *traversal.Run) []traversal.Service {
	if r.Host == nil {
		return nil
	}
	var list []traversal.Service
	for _, name := range r.Host.ServiceNames() {
		if _, own := services.Lookup(name); own {
			continue
		}
		if s, ok := r.Host.Service(name); ok {
			list = append(list, s)
		}
	}
	return list
}

func (s *caller) params(t *traversal.Traverser) (*value.Map, error) {
	m := s.c.static.Clone()
	if s.c.dynamic.Child != nil {
		v, err := s.dynamic.Get(t)
		if err != nil {
			return nil, err
		}
		if v.Kind() != value.KindMap {
			return nil, step.CastError(v, "java.util.Map")
		}
		for i := 0; i < v.Map().Len(); i++ {
			m.Put(v.Map().Entry(i))
		}
	}
	for i := 0; i+1 < len(s.with); i += 2 {
		k, err := s.with[i].Get(t)
		if err != nil {
			return nil, err
		}
		v, err := s.with[i+1].Get(t)
		if err != nil {
			return nil, err
		}
		m.Put(k, v)
	}
	return m, nil
}
