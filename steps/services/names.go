package services

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// gremlind.names gives {name, vertices, edges} of each label and property key that the
// graph knows, with the number of vertices and edges that have it as their label: a name
// of neither is a property key, or the label of what is gone. It looks at no element.
var names = &service{name: "gremlind.names", kinds: atStart, call: callNames}

func callNames(c traversal.ServiceCall) (traversal.Cursor, error) {
	tx, err := transaction(c)
	if err != nil {
		return nil, err
	}
	return &namesCursor{r: c.Run, tx: tx}, nil
}

type namesCursor struct {
	r    *traversal.Run
	tx   *blueprints.Tx
	next blueprints.Symbol // the last one seen
}

func (n *namesCursor) Next(dst []value.Value, max int) ([]value.Value, error) {
	for from := len(dst); len(dst)-from < max; {
		if err := n.r.Poll(); err != nil {
			return dst, err
		}
		name, sym, ok := n.tx.Graph().NameAfter(n.next)
		if !ok {
			return dst, nil
		}
		n.next = sym
		vertices, err := n.tx.VertexCount(sym)
		if err != nil {
			return dst, err
		}
		edges, err := n.tx.EdgeCount(sym)
		if err != nil {
			return dst, err
		}
		m := value.NewMapSize(3)
		m.PutString("name", value.String(name))
		m.PutString("vertices", value.Long(vertices))
		m.PutString("edges", value.Long(edges))
		dst = append(dst, m.Value())
	}
	return dst, nil
}

func (n *namesCursor) Close() {}
