package script

import (
	"slices"
	"strings"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// graph.compute().program(..).submit().get(): what a vertex program does is a traversal
// with the step that does the same (vertex_programs.go).

// graphComputer is graph.compute().
type graphComputer struct {
	g Global
	p *vertexProgram
}

func (c *graphComputer) global() Global { return c.g }

func (c *graphComputer) className() string {
	return "org.apache.tinkerpop.gremlin.tinkergraph.process.computer.TinkerGraphComputer"
}

func (c *graphComputer) text(*machine) string { return "tinkergraphcomputer" }

func (c *graphComputer) property(*machine, string) (value.Value, bool) { return value.Null, false }

func (c *graphComputer) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	return m.tables().computers.try(m, wrap(c), name, args)
}

func graphCompute(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
	return wrap(&graphComputer{g: graphOf(self)}), nil
}

func computerMethods() methods {
	return methods{
		"program": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			p, ok := foreign(a[0]).(*vertexProgram)
			if !ok {
				return value.Null, m.noMethod(self, "program", a)
			}
			return wrap(&graphComputer{foreign(self).(*graphComputer).g, p}), nil
		}},
		"workers": {1, 1, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) { return self, nil }},
		"submit":  {0, 0, submitProgram},
	}
}

// submitProgram runs the program; the future that it returns is done.
func submitProgram(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
	c := foreign(self).(*graphComputer)
	if c.p == nil {
		return value.Null, fail(stateException, "The provided vertex program can not be null when there are no map reducers")
	}
	began := time.Now()
	r := &computerResult{g: c.g, p: c.p, values: value.NewMap(), iteration: -1}
	if err := c.p.submit(m, r); err != nil {
		return value.Null, err
	}
	r.runtime = time.Since(began).Milliseconds()
	return wrap(&future{r}), nil
}

// future is what submit() returns.
type future struct{ r *computerResult }

func (f *future) className() string { return "java.util.concurrent.CompletableFuture" }

func (f *future) text(*machine) string { return identity(f) + "[Completed normally]" }

func (f *future) keeps() ([]value.Value, int) { return []value.Value{wrap(f.r)}, 0 }

func (f *future) property(*machine, string) (value.Value, bool) { return value.Null, false }

func (f *future) method(_ *machine, name string, args []value.Value) (value.Value, bool, error) {
	switch {
	case (name == "get" || name == "join") && len(args) == 0:
		return wrap(f.r), true, nil
	case name == "isDone" && len(args) == 0:
		return value.Bool(true), true, nil
	}
	return value.Null, false, nil
}

// computerResult is what a program computed: what it left in memory, and the graph.
type computerResult struct {
	g         Global
	p         *vertexProgram
	values    *value.Map
	iteration int32 // -1: not known
	runtime   int64 // ms
	graph     *graphObject
}

func (r *computerResult) className() string {
	return "org.apache.tinkerpop.gremlin.process.computer.util.DefaultComputerResult"
}

func (r *computerResult) text(m *machine) string {
	graph := m.graphText(r.g)
	if r.p.key != "" { // the new one has no edges
		graph = graph[:strings.LastIndexByte(graph, ' ')+1] + "edges:0]"
	}
	return "result[" + graph + "," + (&computerMemory{r}).text(m) + "]"
}

func (r *computerResult) keeps() ([]value.Value, int) {
	held := []value.Value{wrap(&graphObject{g: r.g}), r.values.Value()}
	if r.graph != nil {
		held = append(held, wrap(r.graph))
	}
	return held, 0
}

func (r *computerResult) property(*machine, string) (value.Value, bool) { return value.Null, false }

func (r *computerResult) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	return m.tables().results.try(m, wrap(r), name, args)
}

func computerResultMethods() methods {
	memory := method{0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
		return wrap(&computerMemory{foreign(self).(*computerResult)}), nil
	}}
	graph := method{0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
		return foreign(self).(*computerResult).computed(m)
	}}
	return methods{"memory": memory, "getMemory": memory, "graph": graph, "getGraph": graph,
		"close": {0, 0, func(*machine, value.Value, []value.Value) (value.Value, error) { return value.Null, nil }}}
}

// computed is the graph of the result: the graph itself, or, of a program that gives
// each vertex a property, a new one of the vertices with it.
func (r *computerResult) computed(m *machine) (value.Value, error) {
	if r.p.key == "" {
		return wrap(&graphObject{g: r.g}), nil
	}
	if r.graph != nil {
		return wrap(r.graph), nil
	}
	pairs, err := m.runSource(r.g, computing(), r.p.steps(step("project", value.String("v"), value.String("p")), step("by"), step("by", value.String(r.p.key)))...)
	if err != nil {
		return value.Null, err
	}
	s := &value.Subgraph{}
	for _, pair := range pairs {
		v, _ := pair.Map().GetString("v")
		computed, has := pair.Map().GetString("p")
		if v, err = m.detached(v); err != nil {
			return value.Null, err
		}
		e := *v.Detached()
		if has {
			e.Properties = append(slices.Clone(e.Properties), value.OfVertexProperty(&value.VertexProperty{Key: r.p.key, Value: computed}))
		}
		s.Vertices = append(s.Vertices, value.DetachedVertex(&e))
	}
	g, err := m.openCopy(blueprints.Options{IDsByValue: true}, s)
	if err != nil {
		return value.Null, err
	}
	r.graph = &graphObject{g: g}
	return wrap(r.graph), nil
}

// computing is what a source has in front of a program.
func computing() []traversal.Instruction { return []traversal.Instruction{step("withComputer")} }

// computerMemory is result.memory().
type computerMemory struct{ r *computerResult }

func (o *computerMemory) className() string {
	return "org.apache.tinkerpop.gremlin.process.computer.util.ImmutableMemory"
}

func (o *computerMemory) text(m *machine) string {
	return "memory[size:" + m.string(value.Int(int32(o.r.values.Len()))) + "]"
}

func (o *computerMemory) keeps() ([]value.Value, int) { return []value.Value{wrap(o.r)}, 0 }

// property is memory.runtime, or a value that the program left.
func (o *computerMemory) property(_ *machine, name string) (value.Value, bool) {
	return o.r.values.GetString(name)
}

func (o *computerMemory) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	return m.tables().memories.try(m, wrap(o), name, args)
}

func memoryMethods() methods {
	of := func(v value.Value) *computerResult { return foreign(v).(*computerMemory).r }
	return methods{
		"getRuntime": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Long(of(self).runtime), nil
		}},
		"getIteration": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			r := of(self)
			if r.iteration < 0 {
				return value.Null, fail(unsupported, "how many iterations %s took is not known", r.p.class)
			}
			return value.Int(r.iteration), nil
		}},
		"get": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			v, ok := of(self).values.Get(m.key(a[0]))
			if !ok {
				return v, fail(argumentException, "The memory does not have a value for provided key: %s", m.shown(a[0]))
			}
			return v, nil
		}},
		"exists": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			_, ok := of(self).values.Get(m.key(a[0]))
			return value.Bool(ok), nil
		}},
		"keys": {0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.newSet(of(self).values.Keys())
		}},
		"asMap": {0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
			all := value.NewMap()
			return all.Value(), m.putAll(all, of(self).values)
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
