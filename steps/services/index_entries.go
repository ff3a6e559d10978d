package services

import (
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// The entries of named indexes. Put and remove work on the traverser's element and
// let it through; they belong to the query's transaction.
//
//	V(1).call("gremlind.index.put", [name: "people", key: "nick", value: "m"])
//	call("gremlind.index.put", [name: "people", key: "nick", value: "m", element: 1])
//	V(1).call("gremlind.index.remove", [name: "people", key: "nick", value: "m"])
//	call("gremlind.index.get", [name: "people", key: "nick", value: "m"])
//	call("gremlind.index.query", [name: "people", key: "age"]).with("value", P.gt(30))
//	call("gremlind.index.count", [name: "people", key: "nick", value: "m"])
var (
	put    = &service{name: "gremlind.index.put", kinds: either, params: elementParams, right: traversal.WriteRight, call: callPut}
	remove = &service{name: "gremlind.index.remove", kinds: either, params: elementParams, right: traversal.WriteRight, call: callRemove}
	get    = &service{name: "gremlind.index.get", kinds: either, params: entryParams, call: callGet}
	count  = &service{name: "gremlind.index.count", kinds: either, params: entryParams, call: callCount}
	query  = &service{name: "gremlind.index.query", kinds: either,
		params: []traversal.ServiceParam{nameParam, keyParam, {Name: "value", Type: "P", Doc: "A predicate on the value (optional)"}}, call: callQuery}
)

var entryParams = []traversal.ServiceParam{nameParam, keyParam, {Name: "value", Type: "Object", Doc: "The value of the entry"}}

var elementParams = append(entryParams[:len(entryParams):len(entryParams)],
	traversal.ServiceParam{Name: "element", Type: "Element or id", Doc: "The element or its id; without it, the traverser's"})

// entry reads the parameters that all of them take.
func entry(c traversal.ServiceCall) (x *blueprints.Index, key string, val value.Value, err error) {
	tx, err := transaction(c)
	if err != nil {
		return nil, "", value.Null, err
	}
	name, err := text(c, "name")
	if err != nil {
		return nil, "", value.Null, err
	}
	if x, err = tx.Index(name, 0); err != nil {
		return nil, "", value.Null, err
	}
	if x == nil {
		return nil, "", value.Null, fmt.Errorf("there is no index %q", name)
	}
	if key, err = text(c, "key"); err != nil {
		return nil, "", value.Null, err
	}
	val, _ = c.Params.GetString("value")
	return x, key, val, nil
}

// element returns the internal id of the element parameter, an element or its id, or
// else of the traverser's element. It must be of the index's class.
func element(c traversal.ServiceCall, x *blueprints.Index) (uint64, error) {
	want := value.KindVertex
	if x.Class() == blueprints.EdgeClass {
		want = value.KindEdge
	}
	e, given := c.Params.GetString("element")
	if !given {
		e = c.In
	}
	if e.Kind() == want && e.IsStored() {
		return e.Ref(), nil
	}
	if !given || e.Kind().IsElement() && e.Kind() != want {
		return 0, fmt.Errorf("the index %q holds elements of class %s, not %s", x.Name(), x.Class(), e.Brief())
	}
	if d := e.Detached(); d != nil {
		e = d.ID
	}
	return find(c, want, e)
}

// find looks an element up by its user-visible id.
func find(c traversal.ServiceCall, want value.Kind, id value.Value) (uint64, error) {
	tx, err := transaction(c)
	if err != nil {
		return 0, err
	}
	if want == value.KindEdge {
		e, ok, err := tx.FindEdge(id)
		if err == nil && !ok {
			err = fmt.Errorf("there is no edge %s", id.Brief())
		}
		return uint64(e), err
	}
	v, ok, err := tx.FindVertex(id)
	if err == nil && !ok {
		err = fmt.Errorf("there is no vertex %s", id.Brief())
	}
	return uint64(v), err
}

// through lets the traverser go on; a call that begins a traversal has none.
func through(c traversal.ServiceCall) traversal.Cursor {
	if c.Start {
		return none()
	}
	return one(c.In)
}

func callPut(c traversal.ServiceCall) (traversal.Cursor, error) {
	x, key, val, err := entry(c)
	if err != nil {
		return nil, err
	}
	e, err := element(c, x)
	if err != nil {
		return nil, err
	}
	return through(c), x.Put(key, val, e)
}

func callRemove(c traversal.ServiceCall) (traversal.Cursor, error) {
	x, key, val, err := entry(c)
	if err != nil {
		return nil, err
	}
	e, err := element(c, x)
	if err != nil {
		return nil, err
	}
	return through(c), x.Remove(key, val, e)
}

func callCount(c traversal.ServiceCall) (traversal.Cursor, error) {
	x, key, val, err := entry(c)
	if err != nil {
		return nil, err
	}
	n, err := x.Count(key, val)
	return one(value.Long(n)), err
}

func callGet(c traversal.ServiceCall) (traversal.Cursor, error) {
	x, key, val, err := entry(c)
	if err != nil {
		return nil, err
	}
	return &hits{run: c.Run, h: x.Get(key, val), edges: x.Class() == blueprints.EdgeClass}, nil
}
