package services

import (
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// gremlind.purge removes the elements that have or had an id, with all that the graph's history
// knows of them: for who must be forgotten. It wants the role admin, and is part of the query's
// transaction.
//
//	call("gremlind.purge", [vertex: 4])       {vertices, edges, rows} that are forgotten
var purge = &service{name: "gremlind.purge", kinds: atStart, right: traversal.AdminRight, call: callPurge, params: []traversal.ServiceParam{vertexParam, edgeParam}}

func callPurge(c traversal.ServiceCall) (traversal.Cursor, error) {
	tx, err := wholeTx(c, "gremlind.purge")
	if err != nil {
		return nil, err
	}
	class, id, err := named(c, "gremlind.purge")
	if err != nil {
		return nil, err
	}
	if who := c.Run.Identity; !who.May(traversal.AdminRight, tx.Graph().Name()) {
		return nil, fmt.Errorf("%w: user %s may not administer graph %q", traversal.ErrUnauthorized, who.User(), tx.Graph().Name())
	}
	n, err := tx.Purge(class, id)
	if err != nil {
		return nil, err
	}
	m := value.NewMap()
	m.PutString("vertices", value.Long(n.Vertices))
	m.PutString("edges", value.Long(n.Edges))
	m.PutString("rows", value.Long(n.Rows))
	return one(m.Value()), nil
}
