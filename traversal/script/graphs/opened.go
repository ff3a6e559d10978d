package graphs

import (
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/script/host"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// Graphs that scripts open: TinkerGraph.open(), TinkerFactory.createModern() and the like.

// open makes an empty graph.
func open(m *machine.Machine, o blueprints.Options) (*Graph, error) {
	h, err := m.Graphs()
	if err != nil {
		return nil, err
	}
	g, err := h.Open(m.Context, o)
	return &Graph{Global: g}, err
}

// detached is a copy of an element, charged.
func detached(m *machine.Machine, v value.Value) (value.Value, error) {
	h, err := m.Graphs()
	if err != nil {
		return v, err
	}
	if v.Detached() == nil {
		if v, err = h.Detach(v); err != nil {
			return v, err
		}
	}
	if v.Detached() == nil {
		return v, m.NoMethodName(v, "graph")
	}
	return v, m.Charge(copyBytes * (1 + len(v.Detached().Properties)))
}

// copyBytes is what the copy of an element, and each property, is charged.
const copyBytes = 256

// whole is a graph with all that it holds, as it is sent.
func whole(m *machine.Machine, g host.Global) (value.Value, error) {
	s := &value.Subgraph{}
	for _, part := range []struct {
		step string
		to   *[]value.Value
	}{{"V", &s.Vertices}, {"E", &s.Edges}} {
		t := &Traversal{Global: g, Bytecode: &traversal.Bytecode{Steps: []traversal.Instruction{step(part.step)}}}
		err := m.Each(machine.Wrap(t), func(v value.Value) (bool, error) {
			v, err := detached(m, v)
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
func openCopy(m *machine.Machine, o blueprints.Options, s *value.Subgraph) (host.Global, error) {
	h, err := m.Graphs()
	if err != nil {
		return host.Global{}, err
	}
	g, err := h.Open(m.Context, o)
	if err == nil {
		err = h.Copy(m.Context, g, s)
	}
	return g, err
}

// numbered are TinkerFactory's graphs: whole numbers as ids.
var numbered = blueprints.Options{
	VertexIDs: ids.Integer, EdgeIDs: ids.Integer, VertexPropertyIDs: ids.Long,
}

// samples are TinkerFactory's names of the samples.
var samples = map[string]string{
	"Modern": "modern", "Classic": "classic", "TheCrew": "crew", "KitchenSink": "sink", "GratefulDead": "grateful", "AirRoutes": "airroutes",
}

// sampleStatics are createModern(), generateModern(graph) and so on.
func sampleStatics() machine.Methods {
	all := machine.Methods{}
	for name, sample := range samples {
		all["TinkerFactory.create"+name] = machine.Method{0, 0, func(m *machine.Machine, _ value.Value, _ []value.Value) (value.Value, error) {
			o := numbered
			if sample == "crew" {
				o.DefaultCardinality = "list"
			}
			g, err := open(m, o)
			if err != nil {
				return value.Null, err
			}
			return machine.Wrap(g), fill(m, g.Global, sample)
		}}
		all["TinkerFactory.generate"+name] = machine.Method{1, 1, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			g, ok := machine.Foreign(a[0]).(*Graph)
			if !ok {
				return value.Null, m.NoMethodName(a[0], "generate"+name)
			}
			return value.Null, fill(m, g.Global, sample)
		}}
	}
	return all
}

func fill(m *machine.Machine, g host.Global, sample string) error {
	if m.State.Options.Startup != nil {
		return m.State.Options.Startup.Sample(m.Context, g.Name, sample)
	}
	h, err := m.Graphs()
	if err != nil {
		return err
	}
	return h.Fill(m.Context, g, sample)
}

// tinkerPop is the version of TinkerPop whose behaviour scripts find.
const tinkerPop = "3.8.1"

// graphStatics open graphs and sources.
func graphStatics() machine.Methods {
	return machine.Methods{
		"TinkerGraph.open":                   {0, 1, openGraph},
		"AnonymousTraversalSource.traversal": {0, 0, anonymousTraversal},
		"Gremlin.version": {0, 0, func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
			return value.String(tinkerPop), nil
		}},
		"GroovyTranslator.of": {1, 1, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return machine.Wrap(&translator{m.String(a[0])}), nil
		}},
	}
}

func anonymousTraversal(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
	return machine.Wrap(anonymousSource{}), nil
}

func openGraph(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
	settings := value.NewMap()
	if len(a) == 1 {
		switch o := machine.Foreign(a[0]).(type) {
		case *Configuration:
			settings = o.Settings
		default:
			if a[0].Kind() != value.KindMap {
				return value.Null, m.NoMethodName(a[0], "open")
			}
			settings = a[0].Map()
		}
	}
	o, err := graphOptions(m, settings)
	if err != nil {
		return value.Null, err
	}
	g, err := open(m, o)
	if err != nil {
		return value.Null, err
	}
	return machine.Wrap(g), nil
}

const (
	settingPrefix          = "gremlin.tinkergraph."
	configurationException = "org.apache.commons.configuration2.ex.ConfigurationException"
)

// graphOptions reads TinkerGraph's settings; those that are no setting of it are passed
// over, as it does.
func graphOptions(m *machine.Machine, settings *value.Map) (o blueprints.Options, err error) {
	o.IDsByValue = true
	for i := range settings.Len() {
		k, v := settings.Entry(i)
		name, ours := strings.CutPrefix(k.Str(), settingPrefix)
		if !ours {
			continue
		}
		text := m.String(v)
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
			err = machine.Fail(machine.SecurityException, "%s: graphs of scripts have no files", k.Str())
		}
		if err != nil {
			return o, err
		}
	}
	return o, nil
}

// idManager is the name of a manager: alone, or at the end of that of its class.
func idManager(text string) ids.Manager {
	return ids.Manager(strings.ToUpper(text[strings.LastIndexAny(text, ".$")+1:]))
}

// Configuration is what TinkerGraph.open() takes: new BaseConfiguration().
type Configuration struct{ Settings *value.Map }

// ClassName returns the name of the Java class.
func (c *Configuration) ClassName() string {
	return "org.apache.commons.configuration2.BaseConfiguration"
}

// Text returns the text of the object.
func (c *Configuration) Text(*machine.Machine) string { return machine.Identity(c) }

// Keeps returns what the object holds.
func (c *Configuration) Keeps() ([]value.Value, int) { return []value.Value{c.Settings.Value()}, 0 }

// Property reads a property, false when there is none of that name.
func (c *Configuration) Property(*machine.Machine, string) (value.Value, bool) {
	return value.Null, false
}

// Method calls a method, false when there is none for these arguments.
func (c *Configuration) Method(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	return m.Tables().Configurations.Try(m, machine.Wrap(c), name, args)
}

func configurationMethods() machine.Methods {
	of := func(v value.Value) *value.Map { return machine.Foreign(v).(*Configuration).Settings }
	get := func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		if v, ok := of(self).Get(m.Key(a[0])); ok || len(a) == 1 {
			return v, nil
		}
		return a[1], nil
	}
	set := machine.Method{2, 2, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		if err := m.Charge(machine.EntryBytes); err != nil {
			return value.Null, err
		}
		return value.Null, m.Put(of(self), m.Key(a[0]), a[1])
	}}
	return machine.Methods{
		"setProperty": set, "addProperty": set,
		"getProperty": {1, 2, get}, "getString": {1, 2, get}, "getBoolean": {1, 2, get}, "getInt": {1, 2, get}, "getLong": {1, 2, get},
		"containsKey": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			_, ok := of(self).Get(m.Key(a[0]))
			return value.Bool(ok), nil
		}},
		"getKeys": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.Copied(of(self).Keys())
		}},
		"isEmpty": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Bool(of(self).Len() == 0), nil
		}},
		"size": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.Int(int32(of(self).Len())), nil
		}},
		"clearProperty": {1, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			of(self).Delete(m.Key(a[0]))
			return value.Null, nil
		}},
	}
}

// anonymousSource is traversal(), a source without a graph.
type anonymousSource struct{}

func (anonymousSource) ClassName() string {
	return "org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource"
}

func (o anonymousSource) Text(*machine.Machine) string { return machine.Identity(o) }

func (anonymousSource) Property(*machine.Machine, string) (value.Value, bool) {
	return value.Null, false
}

func (anonymousSource) Method(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	if len(args) != 1 {
		return value.Null, false, nil
	}
	switch name {
	case "withRemote":
		return value.Null, false, &machine.UnknownClass{Name: "withRemote()"}
	case "with", "withEmbedded", "withGraph":
	default:
		return value.Null, false, nil
	}
	if g, ok := machine.Foreign(args[0]).(*Graph); ok {
		return machine.Wrap(&Source{Global: g.Global}), true, nil
	}
	switch args[0].Kind() {
	case value.KindString: // a file of properties
		return value.Null, true, machine.Fail(configurationException, "Could not locate: %s: scripts read no files", machine.Clip(args[0].Str()))
	case value.KindGraph:
		g, err := openCopy(m, blueprints.Options{IDsByValue: true}, args[0].Subgraph())
		return machine.Wrap(&Source{Global: g}), true, err
	}
	return value.Null, false, nil
}
