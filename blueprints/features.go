package blueprints

import (
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// Feature names a way in which what a graph stores, or what it means, differs from what
// the first programs knew. A graph's entry in the catalog lists those that it uses, and
// a program that does not know one of them refuses the directory and names it, because
// to open it regardless would be to misread it. A graph without features is written as
// ever, byte for byte, and stays readable for the first programs.
//
// A feature is fixed when its graph is made. Adding one: a name here, a field (or a value
// of a field) of Options, and a row in features. Nothing else writes or reads the list;
// the directory's format is raised by CreateGraph before the first entry that needs it.
// A name is never given to anything else.
type Feature string

// Features, by what they change and how.
const (
	// IDsByValue is Options.IDsByValue.
	IDsByValue Feature = "ids:byValue"
	// CommittedIsolation is for graphs whose sessions read the newest commit with each
	// request.
	CommittedIsolation Feature = "isolation:committed"
)

// features says how options and features map to each other: used reports whether a graph
// of these options uses the feature, use sets the options of one that does.
var features = []struct {
	name Feature
	used func(o *Options) bool
	use  func(o *Options)
}{
	{IDsByValue, func(o *Options) bool { return o.IDsByValue }, func(o *Options) { o.IDsByValue = true }},
	{CommittedIsolation, func(o *Options) bool { return o.Isolation == storage.CommittedIsolation },
		func(o *Options) { o.Isolation = storage.CommittedIsolation }},
}

// cellFeatures are the features that put cells of their own into the rows of elements, and
// formFeatures those that give cells of properties another form: their bytes are fixed,
// though no graph of this program uses them.
var (
	cellFeatures = map[table.Family]Feature{table.StampCell: "stamps", table.ExpiryCell: "ttl", table.CounterCell: "counters"}
	formFeatures = []struct {
		flag byte
		name Feature
	}{{propertyChunked, "values:chunked"}, {propertyExpires, "ttl"}}
)

// Skips returns an error unless cells of a family, in the rows of elements of a graph of
// these options, belong to a feature of it: who does not look for them passes over them.
func (o Options) Skips(f table.Family) error {
	name, known := cellFeatures[f]
	switch {
	case !known:
		return fmt.Errorf("family %#02x is unknown: %w", byte(f), storage.ErrCorrupt)
	case !slices.Contains(o.Features(), name):
		return fmt.Errorf("there is a cell %s, and the graph does not use the feature %q: restore a backup, or use the gremlind that wrote it: %w",
			f, string(name), storage.ErrCorrupt)
	}
	return nil
}

// Features lists what a graph of these options uses.
func (o Options) Features() []Feature {
	var names []Feature
	for _, f := range features {
		if f.used(&o) {
			names = append(names, f.name)
		}
	}
	return names
}

// use sets what a feature's name in the catalog stands for.
func (o *Options) use(name Feature) error {
	for _, f := range features {
		if f.name == name {
			f.use(o)
			return nil
		}
	}
	return fmt.Errorf("it uses the feature %q, which this program does not know: use the gremlind that made the graph, or a newer one: %w",
		string(name), storage.ErrFormat)
}
