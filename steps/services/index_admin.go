package services

import (
	"errors"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// The administration of key indexes (KeyIndexableGraph) and named indexes
// (IndexableGraph). Definitions change at once, in a transaction of their own, and
// outlive a rollback of the query's.
//
//	gremlind.index.createKey  class, key   makes and fills a key index; returns when complete
//	gremlind.index.dropKey    class, key
//	gremlind.index.keys       [class]      {class, key, state, bytes} of each
//	gremlind.index.create     name, class  makes a named index; with keys a declared one, see
//	                                       index_declare.go
//	gremlind.index.drop       name
//	gremlind.index.list                    {name, class, lookups, bytes, entries, exact} of each, and more of
//	                                       declared ones
var (
	createKey = &service{name: "gremlind.index.createKey", kinds: atStart, params: []traversal.ServiceParam{classParam, keyParam}, right: traversal.WriteRight, call: callCreateKey}
	dropKey   = &service{name: "gremlind.index.dropKey", kinds: atStart, params: []traversal.ServiceParam{classParam, keyParam}, right: traversal.WriteRight, call: callDropKey}
	listKeys  = &service{name: "gremlind.index.keys", kinds: atStart,
		params: []traversal.ServiceParam{{Name: "class", Type: "String", Doc: "vertex or edge (optional)"}}, call: callKeys}
	dropIndex = &service{name: "gremlind.index.drop", kinds: atStart, params: []traversal.ServiceParam{nameParam}, right: traversal.WriteRight, call: callDrop}
)

var (
	classParam = traversal.ServiceParam{Name: "class", Type: "String", Doc: "vertex or edge"}
	keyParam   = traversal.ServiceParam{Name: "key", Type: "String", Doc: "The property key"}
	nameParam  = traversal.ServiceParam{Name: "name", Type: "String", Doc: "The name of the index"}
)

// transaction returns the transaction that a query reads through.
func transaction(c traversal.ServiceCall) (*blueprints.Tx, error) {
	tx, ok := c.Run.View.(*blueprints.Tx)
	if !ok {
		return nil, errFiltered
	}
	return tx, nil
}

var errFiltered = errors.New("indexes and names cannot be reached through a filtered view of the graph")

func graphOf(c traversal.ServiceCall) (*blueprints.Graph, error) {
	tx, err := transaction(c)
	if err != nil {
		return nil, err
	}
	return tx.Graph(), nil
}

func class(c traversal.ServiceCall) (blueprints.ElementClass, error) {
	s, err := text(c, "class")
	if err != nil {
		return 0, err
	}
	return blueprints.ParseClass(s)
}

// classAndKey reads what createKey and dropKey take.
func classAndKey(c traversal.ServiceCall) (g *blueprints.Graph, cl blueprints.ElementClass, key string, err error) {
	if g, err = graphOf(c); err != nil {
		return nil, 0, "", err
	}
	if cl, err = class(c); err != nil {
		return nil, 0, "", err
	}
	key, err = text(c, "key")
	return g, cl, key, err
}

func callCreateKey(c traversal.ServiceCall) (traversal.Cursor, error) {
	g, cl, key, err := classAndKey(c)
	if err != nil {
		return nil, err
	}
	return none(), g.CreateKeyIndex(c.Ctx, cl, key)
}

func callDropKey(c traversal.ServiceCall) (traversal.Cursor, error) {
	g, cl, key, err := classAndKey(c)
	if err != nil {
		return nil, err
	}
	return none(), g.DropKeyIndex(c.Ctx, cl, key)
}

// listed is the graph whose indexes a call lists, and what of them is not there for who asks;
// nil: all are.
func listed(c traversal.ServiceCall) (*blueprints.Graph, *blueprints.Restricted, error) {
	if r, ok := c.Run.View.(*blueprints.Restricted); ok {
		return r.Tx().Graph(), r, nil
	}
	g, err := graphOf(c)
	return g, nil, err
}

func callKeys(c traversal.ServiceCall) (traversal.Cursor, error) {
	g, seen, err := listed(c)
	if err != nil {
		return nil, err
	}
	classes := []blueprints.ElementClass{blueprints.VertexClass, blueprints.EdgeClass}
	if _, ok := c.Params.GetString("class"); ok {
		cl, err := class(c)
		if err != nil {
			return nil, err
		}
		classes = []blueprints.ElementClass{cl}
	}
	var out []value.Value
	for _, cl := range classes {
		infos, err := g.KeyIndexes(cl)
		if err != nil {
			return nil, err
		}
		bytes, err := g.KeyIndexBytes(cl)
		if err != nil {
			return nil, err
		}
		for _, i := range infos {
			if seen != nil && seen.HidesIndex(&i) {
				continue
			}
			m := value.NewMap()
			m.PutString("class", value.String(i.Class.String()))
			m.PutString("key", value.String(i.Name))
			m.PutString("state", value.String(string(i.State)))
			if seen == nil { // it would tell of elements that are not there
				m.PutString("bytes", value.Long(bytes[i.Name]))
			}
			out = append(out, m.Value())
		}
	}
	return traversal.Values(out), nil
}

func callDrop(c traversal.ServiceCall) (traversal.Cursor, error) {
	g, err := graphOf(c)
	if err != nil {
		return nil, err
	}
	name, err := text(c, "name")
	if err != nil {
		return nil, err
	}
	return none(), g.DropIndex(c.Ctx, name)
}
