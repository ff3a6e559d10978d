// Package services holds what call() reaches: TinkerPop's own services, counters, and the
// administration of indexes, of the schema, of features and of graphs.
//
//	call("tinker.search", [search: "mar"])
//	V().call("tinker.degree.centrality").with("direction", OUT)
//	call("gremlind.index.createKey", [class: "vertex", key: "name"])
//
// A service is one file and one line in all.
package services

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// all lists the services in the order in which call("--list") names them. Those of
// gremlind are hidden there unless with("all", true) asks for them, since clients
// expect TinkerPop's alone.
var all = []traversal.Service{
	search, degree,
	createKey, dropKey, listKeys,
	createIndex, dropIndex, listIndexes, verifyIndex, hideIndex, showIndex,
	put, remove, get, count, query,
	searchText, near, within,
	increment, counter, ttlService,
	names,
	changes,
	schemaService, feature,
	history, diff, trash, undo, restore, purge,
	createGraph, listGraphs, graphStats, setGraph, truncateGraph, dropGraph,
	runningRequests, killRequest,
	lastVersion,
}

// Lookup returns a service by name.
func Lookup(name string) (traversal.Service, bool) {
	for _, s := range all {
		if s.Name() == name {
			return s, true
		}
	}
	return nil, false
}

// ReadsPast reports whether a service tells what the graph was, or brings that back.
func ReadsPast(name string) bool {
	s, _ := Lookup(name)
	own, ok := s.(*service)
	return ok && own.past
}

// Names are the names of all.
func Names() []string {
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = s.Name()
	}
	return names
}

// service is a Service made of its parts.
type service struct {
	name   string
	kinds  []traversal.ServiceKind
	params []traversal.ServiceParam
	// right is what a call wants; "" is to read.
	right traversal.Right
	// reads reports whether a call only reads though others write; nil: none does.
	reads func(params *value.Map) bool
	// past is set when it tells what the graph was, or brings that back.
	past bool
	// noted is set when it is written down that somebody called it.
	noted bool
	call  func(c traversal.ServiceCall) (traversal.Cursor, error)
}

var _ traversal.Service = (*service)(nil)

// Name returns the name by which call() reaches it.
func (s *service) Name() string { return s.name }

// Kinds says where in a traversal it may stand.
func (s *service) Kinds() []traversal.ServiceKind { return s.kinds }

// Params lists the parameters.
func (s *service) Params() []traversal.ServiceParam { return s.params }

// Right is what a call wants of who asks.
func (s *service) Right(params *value.Map) traversal.Right {
	if s.right == traversal.NoRight || params != nil && s.reads != nil && s.reads(params) {
		return traversal.ReadRight
	}
	return s.right
}

// Call runs the service, unless a parameter is given that it does not know: what was
// misspelt would else be as if it had not been said. TinkerPop's own leave it unsaid.
func (s *service) Call(c traversal.ServiceCall) (traversal.Cursor, error) {
	if !strings.HasPrefix(s.name, "gremlind.") {
		return s.call(c)
	}
	for i := range c.Params.Len() {
		k, _ := c.Params.Entry(i)
		if !slices.ContainsFunc(s.params, func(p traversal.ServiceParam) bool { return p.Name == k.Str() }) {
			return nil, fmt.Errorf("%s has no parameter %s: %s%s", s.name, k.Brief(), s.takes(), traversal.Suggestion(k.Str(), "", s.paramNames()))
		}
	}
	cursor, err := s.call(c)
	if h, ok := c.Run.Host.(notes); ok && s.noted {
		graph := ""
		if name, ok := c.Params.GetString("name"); ok && name.Kind() == value.KindString {
			graph = name.Str()
		}
		h.Administered(c.Run.Identity, s.name, graph, err)
	}
	return cursor, err
}

// notes is a Host that writes down who did something to a graph, or why he could not.
type notes interface {
	Administered(who *traversal.Identity, service, graph string, err error)
}

// takes names the parameters for an error.
func (s *service) takes() string {
	if len(s.params) == 0 {
		return "it takes none"
	}
	return "it takes " + strings.Join(s.paramNames(), ", ")
}

func (s *service) paramNames() []string {
	names := make([]string, len(s.params))
	for i, p := range s.params {
		names[i] = p.Name
	}
	return names
}

var (
	atStart = []traversal.ServiceKind{traversal.StartService}
	inside  = []traversal.ServiceKind{traversal.StreamingService}
	either  = []traversal.ServiceKind{traversal.StartService, traversal.StreamingService}
)

// text returns a parameter that is a String; a missing one is an error.
func text(c traversal.ServiceCall, name string) (string, error) {
	v, ok := c.Params.GetString(name)
	if !ok {
		return "", fmt.Errorf("Missing %s parameter", name)
	}
	if v.Kind() != value.KindString {
		return "", fmt.Errorf("the parameter %s is a String, not %s", name, v.Brief())
	}
	return v.Str(), nil
}

// one is a result of a single object.
func one(v value.Value) traversal.Cursor { return traversal.Values([]value.Value{v}) }

// none is a result of nothing.
func none() traversal.Cursor { return traversal.Values(nil) }
