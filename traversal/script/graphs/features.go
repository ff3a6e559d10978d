package graphs

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// features is graph.features(), or a group of them.
type features struct {
	o     blueprints.Options
	group int // in featureGroups, -1 for all
}

// featureGroup is one of graph(), variables(), vertex() and so on.
type featureGroup struct {
	name, method string
	within       string // the method of the group that method is called on, "" for features()
	has          []string
}

var (
	valueFeatures = []string{
		"ByteValues", "DoubleValues", "FloatValues", "IntegerValues", "LongValues", "MapValues", "MixedListValues", "SerializableValues",
		"StringValues", "UniformListValues", "BooleanArrayValues", "ByteArrayValues", "DoubleArrayValues", "FloatArrayValues",
		"IntegerArrayValues", "LongArrayValues", "StringArrayValues", "BooleanValues",
	}
	idFeatures    = []string{"NumericIds", "StringIds", "UuidIds", "CustomIds", "AnyIds", "NullPropertyValues"}
	featureGroups = []featureGroup{
		{"GraphFeatures", "graph", "", []string{
			"Transactions", "ThreadedTransactions", "IoRead", "IoWrite", "OrderabilitySemantics", "ServiceCall", "Computer", "Persistence", "ConcurrentAccess",
		}},
		{"VariableFeatures", "variables", "graph", append([]string{"Variables"}, valueFeatures...)},
		{"VertexFeatures", "vertex", "", append([]string{
			"MetaProperties", "AddVertices", "RemoveVertices", "MultiProperties", "DuplicateMultiProperties", "Upsert",
			"UserSuppliedIds", "AddProperty", "RemoveProperty",
		}, idFeatures...)},
		{"VertexPropertyFeatures", "properties", "vertex",
			slices.Concat([]string{"UserSuppliedIds", "RemoveProperty"}, idFeatures, []string{"Properties"}, valueFeatures)},
		{"EdgeFeatures", "edge", "", append([]string{
			"Upsert", "AddEdges", "RemoveEdges", "UserSuppliedIds", "AddProperty", "RemoveProperty",
		}, idFeatures...)},
		{"EdgePropertyFeatures", "properties", "edge", append([]string{"Properties"}, valueFeatures...)},
	}
)

// supports reports whether a graph of these options has a feature of a group, as
// TinkerGraph would.
func (f *features) supports(name string) bool {
	switch name {
	case "Transactions":
		return f.o.Transactional
	case "ThreadedTransactions", "ConcurrentAccess", "Upsert", "CustomIds":
		return false
	case "NullPropertyValues":
		return f.o.AllowNull
	}
	return true
}

func graphFeatures(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	h, err := m.Graphs()
	if err != nil {
		return value.Null, err
	}
	o, err := h.Options(graphOf(self))
	return machine.Wrap(&features{o, -1}), err
}

func (f *features) ClassName() string {
	return "org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph$TinkerGraphFeatures"
}

func (f *features) Text(*machine.Machine) string {
	var b strings.Builder
	b.WriteString("FEATURES\n")
	for i, g := range featureGroups {
		if f.group >= 0 && f.group != i {
			continue
		}
		b.WriteString("> " + g.name + "\n")
		for _, name := range g.has {
			b.WriteString(">-- " + name + ": " + strconv.FormatBool(f.supports(name)) + "\n")
		}
	}
	return b.String()
}

func (f *features) Property(m *machine.Machine, name string) (value.Value, bool) {
	v, ok, _ := f.Method(m, name, nil) // it fails never
	return v, ok
}

// Method is graph(), vertex().properties() and so on, or supportsX() of a group.
func (f *features) Method(_ *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	if len(args) > 0 {
		return value.Null, false, nil
	}
	within := ""
	if f.group >= 0 {
		within = featureGroups[f.group].method
		if what, ok := strings.CutPrefix(name, "supports"); ok && slices.Contains(featureGroups[f.group].has, what) {
			return value.Bool(f.supports(what)), true, nil
		}
	}
	for i, g := range featureGroups {
		if g.within == within && g.method == name {
			return machine.Wrap(&features{f.o, i}), true, nil
		}
	}
	return value.Null, false, nil
}
