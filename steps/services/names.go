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
	if r, ok := c.Run.View.(*blueprints.Restricted); ok {
		known := func(name string) (bool, error) {
			_, known, err := r.NameUse(name)
			return known, err
		}
		return &namesCursor{r: c.Run, g: r.Tx().Graph(), known: known}, nil
	}
	tx, err := transaction(c)
	if err != nil {
		return nil, err
	}
	return &namesCursor{r: c.Run, g: tx.Graph()}, nil
}

type namesCursor struct {
	r    *traversal.Run
	g    *blueprints.Graph
	next blueprints.Symbol // the last one seen
	// known tells which names are there for who asks; nil: all are.
	known func(name string) (bool, error)
}

func (n *namesCursor) Next(dst []value.Value, max int) ([]value.Value, error) {
	for from := len(dst); len(dst)-from < max; {
		if err := n.r.Poll(); err != nil {
			return dst, err
		}
		name, sym, ok := n.g.NameAfter(n.next)
		if !ok {
			return dst, nil
		}
		n.next = sym
		if n.known != nil {
			if known, err := n.known(name); !known || err != nil {
				if err != nil {
					return dst, err
				}
				continue
			}
		}
		vertices, err := n.r.View.VertexCount(sym)
		if err != nil {
			return dst, err
		}
		edges, err := n.r.View.EdgeCount(sym)
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
