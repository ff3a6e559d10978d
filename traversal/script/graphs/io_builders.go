package graphs

import (
	"slices"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// Mappers, readers and writers of TinkerPop's formats can be built, as scripts that were
// written for a console do in passing. They read and write nothing here: a script has no
// streams and no files.

// IOSettings are the methods of the builders, by class.
var IOSettings = map[string][]string{
	"GraphSONMapper": {"version", "typeInfo", "normalize", "addRegistry", "addCustomModule", "addDefaultXModule"},
	"GraphSONWriter": {"mapper", "wrapAdjacencyList"},
	"GraphSONReader": {"mapper", "batchSize", "unwrapAdjacencyList"},
	"GryoMapper":     {"version", "registrationRequired", "referenceTracking", "addRegistry"},
	"GryoWriter":     {"mapper"},
	"GryoReader":     {"mapper", "batchSize"},
	"GraphMLWriter":  {"normalize", "edgeLabelKey", "vertexLabelKey"},
	"GraphMLReader":  {"batchSize", "strict", "edgeLabelKey", "vertexLabelKey"},
}

// ioStatics are build() of those classes.
func ioStatics() machine.Methods {
	all := machine.Methods{}
	for class := range IOSettings {
		all[class+".build"] = machine.Method{0, 0, func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
			return machine.Wrap(&ioObject{class, true}), nil
		}}
	}
	return all
}

// ioObject is a mapper, reader or writer, or its builder.
type ioObject struct {
	class    string
	building bool
}

func (o *ioObject) ClassName() string {
	name := "org.apache.tinkerpop.gremlin.structure.io."
	switch {
	case strings.HasPrefix(o.class, "GraphSON"):
		name += "graphson."
	case strings.HasPrefix(o.class, "GraphML"):
		name += "graphml."
	default:
		name += "gryo."
	}
	if name += o.class; o.building {
		name += "$Builder"
	}
	return name
}

func (o *ioObject) Text(*machine.Machine) string { return machine.Identity(o) }

func (o *ioObject) Property(*machine.Machine, string) (value.Value, bool) { return value.Null, false }

func (o *ioObject) Method(_ *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	switch {
	case o.building && name == "create" && len(args) == 0:
		return machine.Wrap(&ioObject{class: o.class}), true, nil
	case o.building && len(args) <= 1 && slices.Contains(IOSettings[o.class], name):
		return machine.Wrap(o), true, nil
	case name == "readGraph", name == "writeGraph", name == "readVertex", name == "writeVertex", name == "readObject", name == "writeObject":
		return value.Null, false, &machine.UnknownClass{Name: o.class + "." + name + "()"}
	}
	return value.Null, false, nil
}
