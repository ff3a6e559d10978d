package services

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Taking back, in a graph with history. What is written is part of the query's transaction, as
// what steps write, and can be taken back itself.
//
//	call("gremlind.undo", [version: v2])        {vertices, edges, properties} that changed
//	call("gremlind.restore", [vertex: 4])       {vertices, edges, skipped}
var (
	undo = &service{name: "gremlind.undo", past: true, kinds: atStart, right: traversal.WriteRight, call: callUndo, params: []traversal.ServiceParam{
		{Name: "version", Type: "Long or String", Doc: "The commit that is taken back"},
		{Name: "force", Type: "Boolean", Doc: "true takes back what was changed again since, too (optional)"},
	}}
	restore = &service{name: "gremlind.restore", past: true, kinds: atStart, right: traversal.WriteRight, call: callRestore, params: []traversal.ServiceParam{
		vertexParam, edgeParam,
	}}
)

// wholeTx is the transaction of a call, for what must see all of the graph: what its user may
// not see, or a strategy hides, would come back with the rest.
func wholeTx(c traversal.ServiceCall, service string) (*blueprints.Tx, error) {
	if err := unfiltered(c); err != nil {
		return nil, err
	}
	if _, err := c.Run.Write(); err != nil {
		return nil, err
	}
	tx, ok := c.Run.View.(*blueprints.Tx)
	if !ok {
		return nil, step.IllegalArgument("%s is for who sees the whole graph, and something of it is hidden here", service)
	}
	return tx, nil
}

func callUndo(c traversal.ServiceCall) (traversal.Cursor, error) {
	tx, err := wholeTx(c, "gremlind.undo")
	if err != nil {
		return nil, err
	}
	version, err := versionOf(c, "version")
	if err != nil {
		return nil, err
	}
	if version == 0 {
		return nil, step.IllegalArgument("Missing version parameter")
	}
	force := false
	if v, ok := c.Params.GetString("force"); ok {
		if v.Kind() != value.KindBool {
			return nil, step.IllegalArgument("the parameter force is a Boolean, not %s", v.Brief())
		}
		force = v.Bool()
	}
	n, err := tx.Undo(version, force)
	if err != nil {
		return nil, err
	}
	m := value.NewMap()
	m.PutString("vertices", value.Long(n.Vertices))
	m.PutString("edges", value.Long(n.Edges))
	m.PutString("properties", value.Long(n.Properties))
	if n.Skipped > 0 {
		m.PutString("skipped", value.Long(n.Skipped))
	}
	return one(m.Value()), nil
}

func callRestore(c traversal.ServiceCall) (traversal.Cursor, error) {
	tx, err := wholeTx(c, "gremlind.restore")
	if err != nil {
		return nil, err
	}
	class, id, err := named(c, "gremlind.restore")
	if err != nil {
		return nil, err
	}
	n, err := tx.Restore(class, id)
	if err != nil {
		return nil, err
	}
	m := value.NewMap()
	m.PutString("vertices", value.Long(n.Vertices))
	m.PutString("edges", value.Long(n.Edges))
	m.PutString("skipped", value.Long(n.Skipped))
	return one(m.Value()), nil
}
