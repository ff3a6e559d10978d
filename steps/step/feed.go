package step

import (
	"github.com/gremlind/gremlind/traversal"
)

// Feed resets a pipe and feeds it t with the given bulk.
func Feed(p *traversal.Pipe, t *traversal.Traverser, bulk int64) *traversal.Pipe {
	p.Reset()
	p.Add(t.WithBulk(bulk))
	return p
}

// OpenChildren opens a pipe for every child argument of n.
func OpenChildren(n *traversal.Node, r *traversal.Run) ([]*traversal.Pipe, error) {
	var pipes []*traversal.Pipe
	for _, a := range n.Args {
		if a.Child == nil {
			continue
		}
		p, err := r.OpenChild(a.Child)
		if err != nil {
			return nil, err
		}
		pipes = append(pipes, p)
	}
	return pipes, nil
}
