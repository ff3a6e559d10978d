package graphs

import (
	"slices"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// programKind is one of TinkerPop's vertex programs: the step that does the same, and what
// the methods of its builder set there.
type programKind struct {
	pack         string            // of its class, behind computer
	step, prefix string            // of the step, and of the keys of its with()
	key          string            // the property that every vertex is given
	Settings     map[string]string // method of the builder -> key of with()
}

const shortestPaths = "gremlin.shortestPathVertexProgram.shortestPaths"

// ProgramKinds are the vertex programs that scripts build, by class.
var ProgramKinds = map[string]programKind{
	"PageRankVertexProgram": {"ranking.pagerank.", "pageRank", "~tinkerpop.pageRank.", "gremlin.pageRankVertexProgram.pageRank",
		map[string]string{"property": "propertyName", "edges": "edges", "iterations": "times", "alpha": ""}},
	"PeerPressureVertexProgram": {"clustering.peerpressure.", "peerPressure", "~tinkerpop.peerPressure.", "gremlin.peerPressureVertexProgram.cluster",
		map[string]string{"property": "propertyName", "edges": "edges", "maxIterations": "times"}},
	"ConnectedComponentVertexProgram": {"clustering.connected.", "connectedComponent", "~tinkerpop.connectedComponent.", "gremlin.connectedComponentVertexProgram.component",
		map[string]string{"property": "propertyName", "edges": "edges"}},
	"ShortestPathVertexProgram": {"search.path.", "shortestPath", "~tinkerpop.shortestPath.", "",
		map[string]string{"target": "target", "edgeTraversal": "edges", "edgeDirection": "edges", "distanceTraversal": "distance",
			"distanceProperty": "distance", "maxDistance": "maxDistance", "includeEdges": "includeEdges", "source": ""}},
	"TraversalVertexProgram": {pack: "traversal.", Settings: map[string]string{"traversal": ""}},
}

// ProgramConstants are the keys that programs have as constants.
var ProgramConstants = map[string]string{
	"PageRankVertexProgram.PAGE_RANK": ProgramKinds["PageRankVertexProgram"].key, "PeerPressureVertexProgram.CLUSTER": ProgramKinds["PeerPressureVertexProgram"].key,
	"ConnectedComponentVertexProgram.COMPONENT": ProgramKinds["ConnectedComponentVertexProgram"].key, "ShortestPathVertexProgram.SHORTEST_PATHS": shortestPaths,
	"TraversalVertexProgram.HALTED_TRAVERSERS": haltedTraversers,
}

const haltedTraversers = "gremlin.traversalVertexProgram.haltedTraversers"

// vertexProgram is a program, or what builds one.
type vertexProgram struct {
	class    string
	building bool
	key      string      // the property that every vertex is given, "" for none
	alpha    value.Value // of pageRank
	source   value.Value // of shortestPath: a traversal that its vertices pass
	with     []traversal.Instruction
	of       *Traversal
}

// programStatics are build() of the programs' classes.
func programStatics() machine.Methods {
	all := machine.Methods{}
	for class, kind := range ProgramKinds {
		all[class+".build"] = machine.Method{0, 1, func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
			return machine.Wrap(&vertexProgram{class: class, building: true, key: kind.key}), nil
		}}
	}
	return all
}

func (p *vertexProgram) ClassName() string {
	name := "org.apache.tinkerpop.gremlin.process.computer." + ProgramKinds[p.class].pack + p.class
	if p.building {
		return name + "$Builder"
	}
	return name
}

// Text shows what the program was built with.
func (p *vertexProgram) Text(m *machine.Machine) string {
	shown := func(key, otherwise string) string {
		for _, in := range p.with {
			if in.Args[0].Str() == ProgramKinds[p.class].prefix+key {
				return m.String(in.Args[1])
			}
		}
		return otherwise
	}
	switch {
	case p.building:
	case p.class == "PageRankVertexProgram":
		alpha := "0.85"
		if !p.alpha.IsNull() {
			alpha = m.String(p.alpha)
		}
		return p.class + "[alpha=" + alpha + ", epsilon=1.0E-5, iterations=" + shown("times", "20") + "]"
	case p.class == "PeerPressureVertexProgram":
		return p.class + "[distributeVote=false, maxIterations=" + shown("times", "30") + "]"
	case p.class == "ShortestPathVertexProgram":
		return p.class + "[includeEdges=" + shown("includeEdges", "false") + "]"
	case p.of != nil:
		return p.class + p.of.Text(m)
	}
	return machine.Identity(p)
}

func (p *vertexProgram) Keeps() ([]value.Value, int) {
	held := []value.Value{p.alpha, p.source}
	for _, in := range p.with {
		held = append(held, in.Args...)
	}
	if p.of != nil {
		held = append(held, machine.Wrap(p.of))
	}
	return held, 0
}

func (p *vertexProgram) Property(*machine.Machine, string) (value.Value, bool) {
	return value.Null, false
}

// Method is a setting of a builder, or its create().
func (p *vertexProgram) Method(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	if !p.building || len(args) > 1 {
		return value.Null, false, nil
	}
	if name == "create" {
		made := *p
		made.building, made.with = false, slices.Clone(p.with)
		return machine.Wrap(&made), true, m.Charge(machine.ValueBytes * (8 + 4*len(p.with)))
	}
	key, ok := ProgramKinds[p.class].Settings[name]
	switch {
	case !ok:
		return value.Null, false, &machine.UnknownClass{Name: p.class + ".build()." + name + "()"}
	case len(args) != 1:
		return value.Null, false, nil
	}
	return machine.Wrap(p), true, p.set(m, name, key, args[0])
}

func (p *vertexProgram) set(m *machine.Machine, name, key string, v value.Value) error {
	if name == "traversal" {
		t, ok := machine.Foreign(v).(*Traversal)
		if !ok || t.anonymous() || t.Started() {
			return machine.Fail(machine.ArgumentException, "traversal() takes a traversal of a source that was not started")
		}
		p.of = t
		return nil
	}
	args, err := StepArguments(m, []value.Value{v})
	if err != nil {
		return err
	}
	v = args[0]
	switch name {
	case "alpha":
		p.alpha = v
		return nil
	case "source":
		p.source = v
		return nil
	case "property":
		if v.Kind() != value.KindString {
			return machine.Fail(machine.ArgumentException, "property() takes a text")
		}
		p.key = v.Str()
	}
	p.with = append(p.with, step("with", value.String(ProgramKinds[p.class].prefix+key), v))
	return m.Charge(machine.ValueBytes * 4)
}

// steps are the program as a traversal over all vertices, with more behind it.
func (p *vertexProgram) steps(more ...traversal.Instruction) []traversal.Instruction {
	all := []traversal.Instruction{step("V")}
	if !p.source.IsNull() {
		all = append(all, step("where", p.source))
	}
	return append(append(all, p.asSteps()...), more...)
}

// asSteps are what program(p) is in a traversal.
func (p *vertexProgram) asSteps() []traversal.Instruction {
	does := step(ProgramKinds[p.class].step)
	if !p.alpha.IsNull() {
		does.Args = []value.Value{p.alpha}
	}
	return append([]traversal.Instruction{does}, p.with...)
}

// programIn is the program among the arguments of program().
func programIn(args []value.Value) *vertexProgram {
	if len(args) != 1 {
		return nil
	}
	p, _ := machine.Foreign(args[0]).(*vertexProgram)
	return p
}

// addProgram is program(p) in a traversal.
func (t *Traversal) addProgram(m *machine.Machine, p *vertexProgram) error {
	if p.of != nil || !p.source.IsNull() || p.building {
		return machine.Fail(machine.Unsupported, "program() does not take this %s", p.class)
	}
	for _, in := range p.asSteps() {
		if err := t.add(m, in.Name, in.Args); err != nil {
			return err
		}
	}
	return nil
}

// submit runs the program for what it leaves in memory.
func (p *vertexProgram) submit(m *machine.Machine, r *computerResult) error {
	switch p.class {
	case "ShortestPathVertexProgram":
		paths, err := runSource(m, r.g, computing(), p.steps()...)
		r.values.PutString(shortestPaths, machine.NewList(paths))
		return err
	case "TraversalVertexProgram":
		return p.traverse(m, r)
	}
	_, err := runSource(m, r.g, computing(), p.steps(step("count"))...)
	return err
}

// traverse is submit of a traversal: its results and side effects stay in memory.
func (p *vertexProgram) traverse(m *machine.Machine, r *computerResult) error {
	if p.of == nil {
		return machine.Fail(machine.StateException, "The TraversalVertexProgram has no traversal: traversal() gives it one")
	}
	b := *p.of.Bytecode
	b.Source = slices.Concat(b.Source, computing())
	t := &Traversal{Global: r.g, Bytecode: &b}
	halted, err := m.Items(machine.Wrap(t))
	if err != nil {
		return err
	}
	r.iteration = hops(&b) + 1
	r.values.PutString(haltedTraversers, machine.NewList(halted))
	effects, err := t.sideEffects(m)
	if err != nil {
		return err
	}
	return m.PutAll(r.values, effects)
}
