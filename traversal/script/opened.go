package script

import (
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Graphs that scripts open: TinkerGraph.open(), TinkerFactory.createModern() and the like.

// open makes an empty graph.
func (m *machine) open(o blueprints.Options) (*graphObject, error) {
	h, err := m.graphs()
	if err != nil {
		return nil, err
	}
	g, err := h.Open(m.ctx, o)
	return &graphObject{g: g}, err
}

// detached is a copy of an element, charged.
func (m *machine) detached(v value.Value) (value.Value, error) {
	h, err := m.graphs()
	if err != nil {
		return v, err
	}
	if v.Detached() == nil {
		if v, err = h.Detach(v); err != nil {
			return v, err
		}
	}
	if v.Detached() == nil {
		return v, m.noMethodName(v, "graph")
	}
	return v, m.charge(copyBytes * (1 + len(v.Detached().Properties)))
}

// copyBytes is what the copy of an element, and each property, is charged.
const copyBytes = 256

// whole is a graph with all that it holds, as it is sent.
func (m *machine) whole(g Global) (value.Value, error) {
	s := &value.Subgraph{}
	for _, part := range []struct {
		step string
		to   *[]value.Value
	}{{"V", &s.Vertices}, {"E", &s.Edges}} {
		t := &Traversal{Global: g, Bytecode: &traversal.Bytecode{Steps: []traversal.Instruction{step(part.step)}}}
		err := m.each(wrap(t), func(v value.Value) (bool, error) {
			v, err := m.detached(v)
			*part.to = append(*part.to, v)
			return true, err
		})
		if err != nil {
			return value.Null, err
		}
	}
	return s.Value(), nil
}

// openCopy opens a graph with copies of elements.
func (m *machine) openCopy(o blueprints.Options, s *value.Subgraph) (Global, error) {
	h, err := m.graphs()
	if err != nil {
		return Global{}, err
	}
	g, err := h.Open(m.ctx, o)
	if err == nil {
		err = h.Copy(m.ctx, g, s)
	}
	return g, err
}

// numbered are TinkerFactory's graphs: whole numbers as ids.
var numbered = blueprints.Options{
	VertexIDs: blueprints.IntegerIDs, EdgeIDs: blueprints.IntegerIDs, VertexPropertyIDs: blueprints.LongIDs,
}

// samples are TinkerFactory's names of the samples.
var samples = map[string]string{
	"Modern": "modern", "Classic": "classic", "TheCrew": "crew", "KitchenSink": "sink", "GratefulDead": "grateful", "AirRoutes": "airroutes",
}

// sampleStatics are createModern(), generateModern(graph) and so on.
func sampleStatics() methods {
	all := methods{}
	for name, sample := range samples {
		all["TinkerFactory.create"+name] = method{0, 0, func(m *machine, _ value.Value, _ []value.Value) (value.Value, error) {
			o := numbered
			if sample == "crew" {
				o.DefaultCardinality = "list"
			}
			g, err := m.open(o)
			if err != nil {
				return value.Null, err
			}
			return wrap(g), m.fill(g.g, sample)
		}}
		all["TinkerFactory.generate"+name] = method{1, 1, func(m *machine, _ value.Value, a []value.Value) (value.Value, error) {
			g, ok := foreign(a[0]).(*graphObject)
			if !ok {
				return value.Null, m.noMethodName(a[0], "generate"+name)
			}
			return value.Null, m.fill(g.g, sample)
		}}
	}
	return all
}

func (m *machine) fill(g Global, sample string) error {
	if m.s.o.Startup != nil {
		return m.s.o.Startup.Sample(m.ctx, g.Name, sample)
	}
	h, err := m.graphs()
	if err != nil {
		return err
	}
	return h.Fill(m.ctx, g, sample)
}

// tinkerPop is the version of TinkerPop whose behaviour scripts find.
const tinkerPop = "3.8.1"

// graphStatics open graphs and sources.
func graphStatics() methods {
	return methods{
		"TinkerGraph.open":                   {0, 1, openGraph},
		"AnonymousTraversalSource.traversal": {0, 0, anonymousTraversal},
		"Gremlin.version":                    {0, 0, func(*machine, value.Value, []value.Value) (value.Value, error) { return value.String(tinkerPop), nil }},
		"GroovyTranslator.of": {1, 1, func(m *machine, _ value.Value, a []value.Value) (value.Value, error) {
			return wrap(&translator{m.string(a[0])}), nil
		}},
	}
}

func anonymousTraversal(*machine, value.Value, []value.Value) (value.Value, error) {
	return wrap(anonymousSource{}), nil
}

func openGraph(m *machine, _ value.Value, a []value.Value) (value.Value, error) {
	settings := value.NewMap()
	if len(a) == 1 {
		switch o := foreign(a[0]).(type) {
		case *configuration:
			settings = o.settings
		default:
			if a[0].Kind() != value.KindMap {
				return value.Null, m.noMethodName(a[0], "open")
			}
			settings = a[0].Map()
		}
	}
	o, err := m.graphOptions(settings)
	if err != nil {
		return value.Null, err
	}
	g, err := m.open(o)
	if err != nil {
		return value.Null, err
	}
	return wrap(g), nil
}

const (
	settingPrefix          = "gremlin.tinkergraph."
	configurationException = "org.apache.commons.configuration2.ex.ConfigurationException"
)

// graphOptions reads TinkerGraph's settings; those that are no setting of it are passed
// over, as it does.
func (m *machine) graphOptions(settings *value.Map) (o blueprints.Options, err error) {
	o.IDsByValue = true
	for i := range settings.Len() {
		k, v := settings.Entry(i)
		name, ours := strings.CutPrefix(k.Str(), settingPrefix)
		if !ours {
			continue
		}
		text := m.string(v)
		switch name {
		case "vertexIdManager":
			o.VertexIDs = idManager(text)
		case "edgeIdManager":
			o.EdgeIDs = idManager(text)
		case "vertexPropertyIdManager":
			o.VertexPropertyIDs = idManager(text)
		case "defaultVertexPropertyCardinality":
			o.DefaultCardinality = text
		case "allowNullPropertyValues":
			o.AllowNull, err = strconv.ParseBool(text)
		case "graphLocation", "graphFormat":
			err = fail(securityException, "%s: graphs of scripts have no files", k.Str())
		}
		if err != nil {
			return o, err
		}
	}
	return o, nil
}

// idManager is the name of a manager: alone, or at the end of that of its class.
func idManager(text string) blueprints.IDManager {
	return blueprints.IDManager(strings.ToUpper(text[strings.LastIndexAny(text, ".$")+1:]))
}

// configuration is what TinkerGraph.open() takes: new BaseConfiguration().
type configuration struct{ settings *value.Map }

func (c *configuration) className() string {
	return "org.apache.commons.configuration2.BaseConfiguration"
}

func (c *configuration) text(*machine) string { return identity(c) }

func (c *configuration) keeps() ([]value.Value, int) { return []value.Value{c.settings.Value()}, 0 }

func (c *configuration) property(*machine, string) (value.Value, bool) { return value.Null, false }

func (c *configuration) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	return m.tables().configurations.try(m, wrap(c), name, args)
}

func configurationMethods() methods {
	of := func(v value.Value) *value.Map { return foreign(v).(*configuration).settings }
	get := func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
		if v, ok := of(self).Get(m.key(a[0])); ok || len(a) == 1 {
			return v, nil
		}
		return a[1], nil
	}
	set := method{2, 2, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
		if err := m.charge(entryBytes); err != nil {
			return value.Null, err
		}
		return value.Null, m.put(of(self), m.key(a[0]), a[1])
	}}
	return methods{
		"setProperty": set, "addProperty": set,
		"getProperty": {1, 2, get}, "getString": {1, 2, get}, "getBoolean": {1, 2, get}, "getInt": {1, 2, get}, "getLong": {1, 2, get},
		"containsKey": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			_, ok := of(self).Get(m.key(a[0]))
			return value.Bool(ok), nil
		}},
		"getKeys": {0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.copied(of(self).Keys())
		}},
		"isEmpty": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(of(self).Len() == 0), nil
		}},
		"size": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Int(int32(of(self).Len())), nil
		}},
		"clearProperty": {1, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			of(self).Delete(m.key(a[0]))
			return value.Null, nil
		}},
	}
}

// anonymousSource is traversal(), a source without a graph.
type anonymousSource struct{}

func (anonymousSource) className() string {
	return "org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource"
}

func (o anonymousSource) text(*machine) string { return identity(o) }

func (anonymousSource) property(*machine, string) (value.Value, bool) { return value.Null, false }

func (anonymousSource) method(m *machine, name string, args []value.Value) (value.Value, bool, error) {
	if len(args) != 1 {
		return value.Null, false, nil
	}
	switch name {
	case "withRemote":
		return value.Null, false, &unknownClass{"withRemote()"}
	case "with", "withEmbedded", "withGraph":
	default:
		return value.Null, false, nil
	}
	if g, ok := foreign(args[0]).(*graphObject); ok {
		return wrap(&traversalSource{g: g.g}), true, nil
	}
	switch args[0].Kind() {
	case value.KindString: // a file of properties
		return value.Null, true, fail(configurationException, "Could not locate: %s: scripts read no files", clip(args[0].Str()))
	case value.KindGraph:
		g, err := m.openCopy(blueprints.Options{IDsByValue: true}, args[0].Subgraph())
		return wrap(&traversalSource{g: g}), true, err
	}
	return value.Null, false, nil
}
