package services

import (
	"errors"
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// The administration of graphs. A graph that is made has its name as its traversal source;
// what is done is done at once, and outlives a rollback of the query's transaction. Graphs
// that the user does not reach are not there. All but list and stats want the role admin.
//
//	gremlind.graph.create    name, options   makes a graph, as in the configuration
//	gremlind.graph.list                      the names of all
//	gremlind.graph.stats     name            what it holds, takes and was made with
//	gremlind.graph.set       name, options   changes its limits, and what else can change
//	gremlind.graph.truncate  name, confirm   removes all elements
//	gremlind.graph.drop      name, confirm   removes it
var (
	createGraph = &service{name: "gremlind.graph.create", kinds: atStart, right: traversal.AdminRight, noted: true, call: callCreateGraph, params: graphParams(blueprints.OptionKeys())}
	listGraphs  = &service{name: "gremlind.graph.list", kinds: atStart, call: callListGraphs}
	graphStats  = &service{name: "gremlind.graph.stats", kinds: atStart, call: callGraphStats, params: []traversal.ServiceParam{graphParam}}

	setGraph = &service{name: "gremlind.graph.set", kinds: atStart, right: traversal.AdminRight, noted: true, call: callSetGraph, params: graphParams(blueprints.ChangeableKeys())}

	truncateGraph = &service{name: "gremlind.graph.truncate", kinds: atStart, right: traversal.AdminRight, noted: true, call: callTruncateGraph, params: []traversal.ServiceParam{graphParam, confirmParam}}
	dropGraph     = &service{name: "gremlind.graph.drop", kinds: atStart, right: traversal.AdminRight, noted: true, call: callDropGraph, params: []traversal.ServiceParam{graphParam, confirmParam}}
)

var (
	graphParam   = traversal.ServiceParam{Name: "name", Type: "String", Doc: "The name of the graph"}
	confirmParam = traversal.ServiceParam{Name: "confirm", Type: "String", Doc: "The name once more"}
)

func graphParams(keys []string) []traversal.ServiceParam {
	params := []traversal.ServiceParam{graphParam}
	for _, key := range keys {
		params = append(params, traversal.ServiceParam{Name: key, Type: blueprints.OptionType(key), Doc: "As in the configuration of a graph (optional)"})
	}
	return params
}

// graphsOf are the graphs beside that of a call.
func graphsOf(c traversal.ServiceCall) (*blueprints.Database, error) {
	g := graphRead(c)
	if g == nil {
		return nil, errors.New("graphs cannot be reached through a filtered view of one")
	}
	if db := g.Database(); db != nil {
		return db, nil
	}
	return nil, errors.New("a graph that a script opened is alone: ask a traversal source of the server")
}

// graphRead is the graph that a call reads, nil beneath strategies that hide parts of it.
func graphRead(c traversal.ServiceCall) *blueprints.Graph {
	if tx := transactionRead(c); tx != nil {
		return tx.Graph()
	}
	return nil
}

// transactionRead is the transaction that a call reads in, nil where graphRead is.
func transactionRead(c traversal.ServiceCall) *blueprints.Tx {
	switch v := c.Run.View.(type) {
	case *blueprints.Tx:
		return v
	case *blueprints.Restricted:
		return v.Tx()
	}
	return nil
}

// graphNamed is the name of a graph that a call is about, which its user must be free to
// administer.
func graphNamed(c traversal.ServiceCall) (*blueprints.Database, string, error) {
	db, err := graphsOf(c)
	if err != nil {
		return nil, "", err
	}
	if id := c.Run.Identity; !id.Administers() {
		return nil, "", fmt.Errorf("%w: user %s may not administer graphs", traversal.ErrUnauthorized, id.User())
	}
	name, err := text(c, "name")
	return db, name, err
}

// graphThere is a graph that a call names, which is there for its user. Strategies of its
// sources may keep something from their clients, so a graph of the configuration is reached
// from these alone.
func graphThere(c traversal.ServiceCall, db *blueprints.Database, name string) (*blueprints.Graph, error) {
	if !c.Run.Identity.Reaches(name) {
		return nil, fmt.Errorf("%w: %q", blueprints.ErrNoGraph, name)
	}
	g, err := db.Graph(name)
	if err == nil && graphRead(c) != g && reserved(c, name) != "" {
		return nil, fmt.Errorf("graph %q is in the server's configuration: ask one of its own traversal sources", name)
	}
	return g, err
}

func callCreateGraph(c traversal.ServiceCall) (traversal.Cursor, error) {
	db, name, err := graphNamed(c)
	if err != nil {
		return nil, err
	}
	if err := graphName(name); err != nil {
		return nil, err
	}
	if why := reserved(c, name); why != "" {
		return nil, fmt.Errorf("graph %q: %s", name, why)
	}
	if id := c.Run.Identity; !id.May(traversal.AdminRight, name) {
		return nil, fmt.Errorf("%w: user %s may not make a graph %s, which would be out of reach", traversal.ErrUnauthorized, id.User(), name)
	}
	o := blueprints.NewOptions()
	if err := given(c, &o); err != nil {
		return nil, fmt.Errorf("graph %q: %w", name, err)
	}
	if err := db.MakeGraph(name, o); err != nil {
		return nil, err
	}
	return one(value.String(name)), nil
}

// given sets the options that a call names.
func given(c traversal.ServiceCall, o *blueprints.Options) error {
	for _, key := range blueprints.OptionKeys() {
		if v, ok := c.Params.GetString(key); ok {
			if err := o.Set(key, v.JavaString()); err != nil {
				return err
			}
		}
	}
	return nil
}

// callSetGraph answers with what is so now, of what can change.
func callSetGraph(c traversal.ServiceCall) (traversal.Cursor, error) {
	db, name, err := graphNamed(c)
	if err != nil {
		return nil, err
	}
	g, err := graphThere(c, db, name)
	if err != nil {
		return nil, err
	}
	if err := db.ChangeOptions(c.Ctx, name, func(o *blueprints.Options) error { return given(c, o) }); err != nil {
		return nil, err
	}
	m := value.NewMap()
	o := g.Options()
	for _, key := range blueprints.ChangeableKeys() {
		m.PutString(key, value.String(o.Get(key)))
	}
	return one(m.Value()), nil
}

// graphName refuses names that could not be told apart where they are printed or typed.
func graphName(name string) error {
	odd := func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) || r == '*' }
	for _, r := range name {
		if odd(r) {
			return fmt.Errorf("graph name %s: %q has no place in a name", value.Brief(name), r)
		}
	}
	if !utf8.ValidString(name) {
		return fmt.Errorf("graph name %q is not UTF-8", value.Brief(name))
	}
	return nil
}

// configured is a Host whose configuration names graphs and sources.
type configured interface {
	// Reserved says why nobody makes or drops a graph of that name, "" where one may.
	Reserved(name string) string
}

func reserved(c traversal.ServiceCall, name string) string {
	if h, ok := c.Run.Host.(configured); ok {
		return h.Reserved(name)
	}
	return ""
}

func callListGraphs(c traversal.ServiceCall) (traversal.Cursor, error) {
	db, err := graphsOf(c)
	if err != nil {
		return nil, err
	}
	var out []value.Value
	for _, name := range db.GraphNames() {
		if c.Run.Identity.Reaches(name) {
			out = append(out, value.String(name))
		}
	}
	return traversal.Values(out), nil
}

func callGraphStats(c traversal.ServiceCall) (traversal.Cursor, error) {
	db, err := graphsOf(c)
	if err != nil {
		return nil, err
	}
	name, err := text(c, "name")
	if err != nil {
		return nil, err
	}
	g, err := graphThere(c, db, name)
	if err != nil {
		return nil, err
	}
	if id := c.Run.Identity; !id.MayRead(name) {
		return nil, fmt.Errorf("%w: user %s may not read graph %s", traversal.ErrUnauthorized, id.User(), name)
	}
	m := value.NewMap()
	m.PutString("name", value.String(name))
	err = g.View(c.Ctx, func(tx *blueprints.Tx) error {
		seen := c.Run.Identity.See(tx)
		n, err := seen.VertexCount()
		if err != nil {
			return err
		}
		m.PutString("vertices", value.Long(n))
		n, err = seen.EdgeCount()
		m.PutString("edges", value.Long(n))
		return err
	})
	if err != nil {
		return nil, err
	}
	if c.Run.Identity.On(name).Denied() == nil { // it would tell of what is not there
		bytes, err := g.DiskBytes()
		if err != nil {
			return nil, err
		}
		m.PutString("bytes", value.Long(bytes))
	}
	o := g.Options()
	for _, key := range blueprints.OptionKeys() {
		m.PutString(key, value.String(o.Get(key)))
	}
	return one(m.Value()), nil
}

// confirmed is the graph of a call that takes something away for good.
func confirmed(c traversal.ServiceCall) (*blueprints.Database, *blueprints.Graph, error) {
	db, name, err := graphNamed(c)
	if err != nil {
		return nil, nil, err
	}
	g, err := graphThere(c, db, name)
	if err != nil {
		return nil, nil, err
	}
	if id := c.Run.Identity; !id.May(traversal.AdminRight, name) {
		return nil, nil, fmt.Errorf("%w: user %s may not administer graph %s", traversal.ErrUnauthorized, id.User(), name)
	}
	if v, _ := c.Params.GetString("confirm"); v.Kind() != value.KindString || v.Str() != name {
		return nil, nil, fmt.Errorf("graph %q and all that is in it: name the graph again in confirm", name)
	}
	return db, g, nil
}

func callTruncateGraph(c traversal.ServiceCall) (traversal.Cursor, error) {
	_, g, err := confirmed(c)
	if err != nil {
		return nil, err
	}
	return none(), g.Truncate(c.Ctx)
}

func callDropGraph(c traversal.ServiceCall) (traversal.Cursor, error) {
	db, g, err := confirmed(c)
	if err != nil {
		return nil, err
	}
	if why := reserved(c, g.Name()); why != "" {
		return nil, fmt.Errorf("graph %q: %s", g.Name(), why)
	}
	return none(), db.DropGraph(g.Name())
}
