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
//
// As with SubgraphStrategy, a traversal.Guard hides foreign partitions from whatever
// reads elements otherwise, and with includeMetaProperties the vertex properties
// of foreign partitions.
//
// Tolerates: any effects, side effects and children, for the guard stands beneath all
// steps. Labels go to the last of the steps that one becomes.
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
	has, err := s.has()
	if err != nil {
		return nil, err
	}
	if p, err = c.eachPlan(p, s.rewrite); err != nil {
		return nil, err
	}
	inside := c.plan(has)
	g := &traversal.Guard{Vertices: inside, Edges: inside}
	if s.meta {
		g.Properties = inside
	}
	return p.WithGuard(g), nil
}

func (s *partitions) rewrite(p *traversal.Plan) (*traversal.Plan, error) {
	var out []*traversal.Node
	for i := 0; i < len(p.Nodes); i++ {
		n := p.Nodes[i]
		switch {
		case graphStart(n) != nil || hop(n) != nil || endVertex(n):
			out = append(out, n)
			for i+1 < len(p.Nodes) && p.Nodes[i+1].Name() == "has" {
				i++
				out = append(out, p.Nodes[i])
			}
			f, err := s.inside()
			if err != nil {
				return nil, err
			}
			last := len(out) - 1
			out[last], f = moveLabels(out[last], f)
			out = append(out, f)
		case n.Name() == "addV" || n.Name() == "addE":
			nodes, err := s.added(n)
			if err != nil {
				return nil, err
			}
			out = append(out, nodes...)
		case n.Name() == "mergeV" || n.Name() == "mergeE" || s.meta && n.Name() == "property":
			m, err := s.written(n, "~property")
			if err != nil {
				return nil, err
			}
			out = append(out, m)
		case s.meta && (n.Name() == "properties" || n.Name() == "values" || n.Name() == "valueMap" || n.Name() == "propertyMap"):
			if err := s.requested(n); err != nil {
				return nil, err
			}
			out = append(out, n)
		default:
			out = append(out, n)
		}
	}
	return p.With(out), nil
}

// inside makes the test of an element. Where properties are hidden, the partition key may
// be one of them, and the guard answers.
func (s *partitions) inside() (*traversal.Node, error) {
	if s.c.hidesProperties() {
		return s.c.node("~visible")
	}
	return s.has()
}

func (s *partitions) has() (*traversal.Node, error) {
	return s.c.node("has", traversal.Const(s.key), traversal.Const(s.read))
}

// added makes what addV() and addE() become. With meta-properties, those of the vertex
// get theirs, so they are set by steps of their own.
func (s *partitions) added(n *traversal.Node) ([]*traversal.Node, error) {
	plain := *n
	plain.Mods = nil
	var calls []traversal.Mod
	for _, m := range n.Mods {
		if s.meta && n.Name() == "addV" && m.Name == "property" && m.Args[0].Value.Kind() != value.KindT {
			calls = append(calls, m)
		} else {
			plain.Mods = append(plain.Mods, m)
		}
	}
	first, err := s.written(&plain, "property")
	if err != nil {
		return nil, err
	}
	nodes := []*traversal.Node{first}
	for _, m := range calls {
		// The partition key behind the value is a property of the property. All values
		// of a key given twice are kept, as addV() keeps them.
		list := traversal.Const(value.Enum(value.KindCardinality, "list"))
		p, err := s.c.node("property", append(append([]traversal.Arg{list}, m.Args...), traversal.Const(s.key), traversal.Const(s.write))...)
		if err != nil {
			return nil, err
		}
		last := len(nodes) - 1
		nodes[last], p = moveLabels(nodes[last], p)
		nodes = append(nodes, p)
	}
	return nodes, nil
}

// written has n set the partition key too.
func (s *partitions) written(n *traversal.Node, mod string) (*traversal.Node, error) {
	c := *n
	c.Mods = append(append([]traversal.Mod{}, n.Mods...), traversal.Mod{
		Name: mod, Args: []traversal.Arg{traversal.Const(s.key), traversal.Const(s.write)},
	})
	return &c, c.Prepare()
}

// requested refuses to read the partition key where it is hidden.
func (s *partitions) requested(n *traversal.Node) error {
	for _, a := range n.Args {
		if value.Equal(a.Value, s.key) {
			return errors.New("Cannot explicitly request the partitionKey in the traversal")
		}
	}
	return nil
}
