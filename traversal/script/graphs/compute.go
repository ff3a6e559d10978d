package graphs

import (
	"slices"
	"strings"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script/host"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// graph.compute().program(..).submit().get(): what a vertex program does is a traversal
// with the step that does the same (vertex_programs.go).

// graphComputer is graph.compute().
type graphComputer struct {
	g host.Global
	p *vertexProgram
}

func (c *graphComputer) Belongs() host.Global { return c.g }

func (c *graphComputer) ClassName() string {
	return "org.apache.tinkerpop.gremlin.tinkergraph.process.computer.TinkerGraphComputer"
}

func (c *graphComputer) Text(*machine.Machine) string { return "tinkergraphcomputer" }

func (c *graphComputer) Property(*machine.Machine, string) (value.Value, bool) {
	return value.Null, false
}

func (c *graphComputer) Method(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	return m.Tables().Computers.Try(m, machine.Wrap(c), name, args)
}

func graphCompute(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	return machine.Wrap(&graphComputer{g: graphOf(self)}), nil
}

func computerMethods() machine.Methods {
	return machine.Methods{
		"program": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			p, ok := machine.Foreign(a[0]).(*vertexProgram)
			if !ok || p.building {
				return value.Null, m.NoMethod(self, "program", a)
			}
			return machine.Wrap(&graphComputer{machine.Foreign(self).(*graphComputer).g, p}), nil
		}},
		"workers": {1, 1, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) { return self, nil }},
		"submit":  {0, 0, submitProgram},
	}
}

// submitProgram runs the program; the future that it returns is done.
func submitProgram(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	c := machine.Foreign(self).(*graphComputer)
	if c.p == nil {
		return value.Null, machine.Fail(machine.StateException, "The provided vertex program can not be null when there are no map reducers")
	}
	began := time.Now()
	r := &computerResult{g: c.g, p: c.p, values: value.NewMap(), iteration: -1}
	if err := c.p.submit(m, r); err != nil {
		return value.Null, err
	}
	r.runtime = time.Since(began).Milliseconds()
	return machine.Wrap(&future{r}), nil
}

// future is what submit() returns.
type future struct{ r *computerResult }

func (f *future) ClassName() string { return "java.util.concurrent.CompletableFuture" }

func (f *future) Text(*machine.Machine) string { return machine.Identity(f) + "[Completed normally]" }

func (f *future) Keeps() ([]value.Value, int) { return []value.Value{machine.Wrap(f.r)}, 0 }

func (f *future) Property(*machine.Machine, string) (value.Value, bool) { return value.Null, false }

func (f *future) Method(_ *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	switch {
	case (name == "get" || name == "join") && len(args) == 0:
		return machine.Wrap(f.r), true, nil
	case name == "isDone" && len(args) == 0:
		return value.Bool(true), true, nil
	}
	return value.Null, false, nil
}

// computerResult is what a program computed: what it left in memory, and the graph.
type computerResult struct {
	g         host.Global
	p         *vertexProgram
	values    *value.Map
	iteration int32 // -1: not known
	runtime   int64 // ms
	graph     *Graph
}

func (r *computerResult) ClassName() string {
	return "org.apache.tinkerpop.gremlin.process.computer.util.DefaultComputerResult"
}

func (r *computerResult) Text(m *machine.Machine) string {
	graph := graphText(m, r.g)
	if r.p.key != "" { // the new one has no edges
		graph = graph[:strings.LastIndexByte(graph, ' ')+1] + "edges:0]"
	}
	return "result[" + graph + "," + (&computerMemory{r}).Text(m) + "]"
}

func (r *computerResult) Keeps() ([]value.Value, int) {
	held := []value.Value{machine.Wrap(&Graph{Global: r.g}), r.values.Value()}
	if r.graph != nil {
		held = append(held, machine.Wrap(r.graph))
	}
	return held, 0
}

func (r *computerResult) Property(*machine.Machine, string) (value.Value, bool) {
	return value.Null, false
}

func (r *computerResult) Method(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	return m.Tables().Results.Try(m, machine.Wrap(r), name, args)
}

func computerResultMethods() machine.Methods {
	memory := machine.Method{0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
		return machine.Wrap(&computerMemory{machine.Foreign(self).(*computerResult)}), nil
	}}
	graph := machine.Method{0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
		return machine.Foreign(self).(*computerResult).computed(m)
	}}
	return machine.Methods{"memory": memory, "getMemory": memory, "graph": graph, "getGraph": graph,
		"close": {0, 0, func(*machine.Machine, value.Value, []value.Value) (value.Value, error) { return value.Null, nil }}}
}

// computed is the graph of the result: the graph itself, or, of a program that gives
// each vertex a property, a new one of the vertices with it.
func (r *computerResult) computed(m *machine.Machine) (value.Value, error) {
	if r.p.key == "" {
		return machine.Wrap(&Graph{Global: r.g}), nil
	}
	if r.graph != nil {
		return machine.Wrap(r.graph), nil
	}
	pairs, err := runSource(m, r.g, computing(), r.p.steps(step("project", value.String("v"), value.String("p")), step("by"), step("by", value.String(r.p.key)))...)
	if err != nil {
		return value.Null, err
	}
	s := &value.Subgraph{}
	for _, pair := range pairs {
		v, _ := pair.Map().GetString("v")
		computed, has := pair.Map().GetString("p")
		if v, err = detached(m, v); err != nil {
			return value.Null, err
		}
		e := *v.Detached()
		if has {
			e.Properties = append(slices.Clone(e.Properties), value.OfVertexProperty(&value.VertexProperty{Key: r.p.key, Value: computed}))
		}
		s.Vertices = append(s.Vertices, value.DetachedVertex(&e))
	}
	g, err := openCopy(m, blueprints.Options{IDsByValue: true}, s)
	if err != nil {
		return value.Null, err
	}
	r.graph = &Graph{Global: g}
	return machine.Wrap(r.graph), nil
}

// computing is what a source has in front of a program.
func computing() []traversal.Instruction { return []traversal.Instruction{step("withComputer")} }

// computerMemory is result.memory().
type computerMemory struct{ r *computerResult }

func (o *computerMemory) ClassName() string {
	return "org.apache.tinkerpop.gremlin.process.computer.util.ImmutableMemory"
}

func (o *computerMemory) Text(m *machine.Machine) string {
	return "memory[size:" + m.String(value.Int(int32(o.r.values.Len()))) + "]"
}

func (o *computerMemory) Keeps() ([]value.Value, int) { return []value.Value{machine.Wrap(o.r)}, 0 }

// Property is memory.runtime, or a value that the program left.
func (o *computerMemory) Property(_ *machine.Machine, name string) (value.Value, bool) {
	return o.r.values.GetString(name)
}

func (o *computerMemory) Method(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	return m.Tables().Memories.Try(m, machine.Wrap(o), name, args)
}

func memoryMethods() machine.Methods {
	of := func(v value.Value) *computerResult { return machine.Foreign(v).(*computerMemory).r }
	return machine.Methods{
		"getRuntime": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Long(of(self).runtime), nil
		}},
		"getIteration": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			r := of(self)
			if r.iteration < 0 {
				return value.Null, machine.Fail(machine.Unsupported, "how many iterations %s took is not known", r.p.class)
			}
			return value.Int(r.iteration), nil
		}},
		"get": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			v, ok := of(self).values.Get(m.Key(a[0]))
			if !ok {
				return v, machine.Fail(machine.ArgumentException, "The memory does not have a value for provided key: %s", m.Shown(a[0]))
			}
			return v, nil
		}},
		"exists": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			_, ok := of(self).values.Get(m.Key(a[0]))
			return value.Bool(ok), nil
		}},
		"keys": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.NewSet(of(self).values.Keys())
		}},
		"asMap": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			all := value.NewMap()
			return all.Value(), m.PutAll(all, of(self).values)
		}},
	}
}

// hops counts the steps of a traversal that go to other vertices: between two of them a
// vertex program has an iteration.
func hops(b *traversal.Bytecode) int32 {
	n := int32(0)
	for _, in := range b.Steps {
		switch in.Name {
		case "out", "in", "both":
			n++
		default:
			if strings.HasSuffix(in.Name, "V") && in.Name != "V" && in.Name != "addV" {
				n++
			}
		}
	}
	return n
}
