package strategy

import (
	"errors"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// partition reads only elements whose partition key is in one of the read
// partitions, and writes new ones into the write partition.
//
//	with PartitionStrategy(partitionKey: "p", writePartition: "a", readPartitions: ["a", "b"])
//	V()       => V().has("p", within("a", "b"))
//	V().out() => V().has("p", within("a", "b")).out().has("p", within("a", "b"))
//	addV()    => addV().property("p", "a")
var partition = Strategy{Name: "PartitionStrategy", Category: Decoration, Whole: rewritePartition}

type partitions struct {
	c          *Context
	key, write value.Value
	read       value.Value // P.within
	meta       bool
}

func rewritePartition(c *Context, p *traversal.Plan) (*traversal.Plan, error) {
	s := &partitions{c: c, meta: c.truth("includeMetaProperties", false)}
	var ok bool
	if s.key, ok = c.setting("partitionKey"); !ok {
		return nil, errors.New("The partition key cannot be null")
	}
	s.write, _ = c.setting("writePartition")
	within := &traversal.P{Name: "within"}
	if list, ok := c.setting("readPartitions"); ok {
		traversal.Each(list, func(v value.Value, _ int64) { within.Args = append(within.Args, v) })
	}
	s.read = within.Value()
	return c.eachPlan(p, s.rewrite)
}

func (s *partitions) rewrite(p *traversal.Plan) (*traversal.Plan, error) {
	var out []*traversal.Node
	from := unknownElement
	for i := 0; i < len(p.Nodes); i++ {
		n, before := p.Nodes[i], from
		from = elementType(n, from)
		switch {
		case graphStart(n) != nil || hop(n) != nil || endVertex(n):
			out = append(out, n)
			for i+1 < len(p.Nodes) && p.Nodes[i+1].Name() == "has" {
				i++
				out = append(out, p.Nodes[i])
			}
			f, err := s.has()
			if err != nil {
				return nil, err
			}
			last := len(out) - 1
			out[last], f = moveLabels(out[last], f)
			out = append(out, f)
		case n.Name() == "addV" || n.Name() == "addE":
			m, err := s.written(n, "property")
			if err != nil {
				return nil, err
			}
			out = append(out, m)
		case n.Name() == "mergeV" || n.Name() == "mergeE" || s.meta && n.Name() == "property":
			m, err := s.written(n, "~property")
			if err != nil {
				return nil, err
			}
			out = append(out, m)
		case s.meta && (n.Name() == "properties" || n.Name() == "values" || n.Name() == "valueMap" || n.Name() == "propertyMap"):
			nodes, err := s.properties(n, before)
			if err != nil {
				return nil, err
			}
			out = append(out, nodes...)
		default:
			out = append(out, n)
		}
	}
	return p.With(out), nil
}

func (s *partitions) has() (*traversal.Node, error) {
	return s.c.node("has", traversal.Const(s.key), traversal.Const(s.read))
}

// written has n set the partition key too.
func (s *partitions) written(n *traversal.Node, mod string) (*traversal.Node, error) {
	c := *n
	c.Mods = append(append([]traversal.Mod{}, n.Mods...), traversal.Mod{
		Name: mod, Args: []traversal.Arg{traversal.Const(s.key), traversal.Const(s.write)},
	})
	return &c, c.Prepare()
}

// properties hides the partition key and, on vertex properties, foreign partitions.
func (s *partitions) properties(n *traversal.Node, from byte) ([]*traversal.Node, error) {
	for _, a := range n.Args {
		if value.Equal(a.Value, s.key) {
			return nil, errors.New("Cannot explicitly request the partitionKey in the traversal")
		}
	}
	if from == 'p' {
		return []*traversal.Node{n}, nil
	}
	has, err := s.has()
	if err != nil {
		return nil, err
	}
	crit := &subgraphCriteria{c: s.c, vertexPs: s.c.plan(has)}
	return crit.properties(n, from)
}
