package steps

import (
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/computer"
	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// shortestPath() gives all shortest paths from the incoming vertices.
//
//	.with(ShortestPath.target, has("name", "x"))  only to vertices that pass
//	.with(ShortestPath.edges, outE())             over these edges; a Direction too
//	.with(ShortestPath.distance, "weight")        length of an edge; 1 without
//	.with(ShortestPath.maxDistance, 3)            no longer than this
//	.with(ShortestPath.includeEdges)              edges between the vertices of a path
var shortestPathSpec = traversal.Spec{
	Name: "shortestPath", Class: "ShortestPathVertexProgramStep", Kind: traversal.BarrierStep, Mods: []string{"with"},
	Effects: traversal.ReadsGraph, HoldsChildren: true,
	Doc: "Gives all shortest paths from the incoming vertices.", Prepare: prepareShortestPath, Open: openShortestPath,
	Print: func(n *traversal.Node) string {
		o, ok := n.Data.(*shortestPathOptions)
		if !ok {
			return n.Spec.Class
		}
		return printProgram(n, o.edges)
	},
}

// shortestPathOptions is the Data of shortestPath.
type shortestPathOptions struct {
	target, distance *traversal.Plan
	edges            programEdges
	dir              blueprints.Direction
	distanceKey      string
	max              float64 // negative: no bound
	includeEdges     bool
}

func prepareShortestPath(n *traversal.Node) error {
	o := &shortestPathOptions{dir: blueprints.Both, max: -1}
	for _, m := range n.ModsNamed("with") {
		arg := traversal.Const(value.Bool(true))
		if len(m.Args) > 1 {
			arg = m.Args[1]
		}
		if err := o.set(m.Args[0].Value.Str(), arg); err != nil {
			return err
		}
	}
	n.Data = o
	return o.edges.takeHop(n)
}

func (o *shortestPathOptions) set(key string, arg traversal.Arg) error {
	switch key {
	case "~tinkerpop.shortestPath.target":
		o.target = arg.Child
	case "~tinkerpop.shortestPath.edges":
		o.edges = alongEdges(arg.Child)
		if arg.Child == nil {
			o.dir = direction(arg.Value.Str())
		}
	case "~tinkerpop.shortestPath.distance":
		o.distance, o.distanceKey = arg.Child, arg.Value.Str()
	case "~tinkerpop.shortestPath.maxDistance":
		o.max = toFloat(arg.Value)
	case "~tinkerpop.shortestPath.includeEdges":
		o.includeEdges = arg.Value.Bool()
	default:
		return fmt.Errorf("shortestPath() does not know the setting %s", value.Brief(key))
	}
	return nil
}

func direction(name string) blueprints.Direction {
	switch name {
	case "OUT", "from":
		return blueprints.Out
	case "IN", "to":
		return blueprints.In
	}
	return blueprints.Both
}

func openShortestPath(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	s := &shortestPaths{r: r, o: n.Data.(*shortestPathOptions)}
	return r.Barrier(up, false, s.fill), nil
}

type shortestPaths struct {
	r      *traversal.Run
	o      *shortestPathOptions
	g      *computer.Graph
	target func(*traversal.Traverser) (bool, error)
	length traversal.Func
	out    []traversal.Traverser
	way    []value.Value // back from a target
	on     []bool        // vertices that are on it, by number
}

func (s *shortestPaths) fill(all []traversal.Traverser) ([]traversal.Traverser, error) {
	s.out = nil
	if err := s.open(); err != nil {
		return nil, err
	}
	begun := keyed.Set{Account: s.r.Account}
	defer begun.Release()
	for i := range all {
		n, ok := s.g.Number(blueprints.VertexID(all[i].Ref()))
		if all[i].Kind() != value.KindVertex || !ok {
			continue
		}
		if isNew, err := begun.Add(uint64(n)); err != nil {
			return nil, err
		} else if !isNew {
			continue
		}
		ways, err := computer.ShortestPaths(s.g, n, s.distance, s.o.max, s.r.Poll)
		if err != nil {
			return nil, err
		}
		for _, t := range ways.Reached {
			if err := s.pathsTo(ways, n, t); err != nil {
				return nil, err
			}
		}
	}
	return s.out, nil
}

func (s *shortestPaths) open() error {
	var err error
	if s.o.target != nil {
		if s.target, err = s.r.ChildTest(s.o.target); err != nil {
			return err
		}
	}
	if s.o.distance != nil {
		if s.length, err = s.r.ChildFunc(s.o.distance); err != nil {
			return err
		}
	}
	if s.g, err = readGraph(s.r, s.o.edges.or(s.o.dir)); err != nil {
		return err
	}
	s.on = make([]bool, s.g.Len())
	return nil
}

// distance is the length of an edge.
func (s *shortestPaths) distance(edge int64) (float64, error) {
	if s.length == nil && s.o.distanceKey == "" {
		return 1, nil
	}
	e := value.EdgeRef(uint64(s.g.Edges[edge]))
	var v value.Value
	var ok bool
	var err error
	if s.length != nil {
		t := s.r.Generate(e)
		v, ok, err = s.length(&t)
	} else {
		v, ok, err = s.r.Property(e, s.o.distanceKey)
	}
	if err != nil {
		return 0, err
	}
	if !ok || !v.Kind().IsNumber() || toFloat(v) < 0 {
		return 0, fmt.Errorf("shortestPath() needs a number that is not negative as the distance of every edge, not %s", s.r.Text(v))
	}
	return toFloat(v), nil
}

// pathsTo emits every shortest path from source to t.
func (s *shortestPaths) pathsTo(ways *computer.Shortest, source, t int32) error {
	if s.target != nil {
		tr := s.r.Generate(s.vertex(t))
		if ok, err := s.target(&tr); err != nil || !ok {
			return err
		}
	}
	s.way = s.way[:0]
	return s.walk(ways, source, t)
}

// walk goes back from t to the source along every way. Edges of length 0 lead in circles, but
// a path has a vertex once.
func (s *shortestPaths) walk(ways *computer.Shortest, source, t int32) error {
	if err := s.r.Poll(); err != nil {
		return err
	}
	s.way = append(s.way, s.vertex(t))
	if t == source {
		return s.emit()
	}
	s.on[t] = true
	here := len(s.way)
	for _, b := range ways.Before[t] {
		if s.on[b.From] {
			continue
		}
		if s.way = s.way[:here]; s.o.includeEdges {
			s.way = append(s.way, value.EdgeRef(uint64(s.g.Edges[b.Edge])))
		}
		if err := s.walk(ways, source, b.From); err != nil {
			return err
		}
	}
	s.on[t] = false
	return nil
}

// What a path is charged, and each of its objects with its labels.
const (
	wayBytes   = 128
	wayAtBytes = 48
)

// emit gives the way as a path.
func (s *shortestPaths) emit() error {
	if err := s.r.Charge(wayBytes + len(s.way)*wayAtBytes); err != nil {
		return err
	}
	path := slices.Clone(s.way)
	slices.Reverse(path)
	s.out = append(s.out, s.r.Generate((&value.Path{Labels: make([][]string, len(path)), Objects: path}).Value()))
	return nil
}

func (s *shortestPaths) vertex(n int32) value.Value { return value.VertexRef(uint64(s.g.IDs[n])) }
