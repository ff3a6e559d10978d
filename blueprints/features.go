package blueprints

import (
	"context"
	"fmt"
	"slices"

	"github.com/gremlind/gremlind/keyindex"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

// Feature names a way in which what a graph stores, or what it means, differs from what
// the first programs knew. A graph's entry in the catalog lists those that it uses, and
// a program that does not know one of them refuses the directory and names it, because
// to open it regardless would be to misread it. A graph without features is written as
// ever, byte for byte, and stays readable for the first programs.
//
// Most are fixed when their graph is made: a name here, a field (or a value of a field) of
// Options, and a row in features. Others a graph gains while it is in use, with the first
// thing that needs them (Graph.gain): a name here, and a place in gainable. Nothing else
// writes or reads the list; the directory's format is raised before the first entry that
// needs it. A name is never given to anything else.
type Feature string

// Features, by what they change and how.
const (
	// IDsByValue is Options.IDsByValue.
	IDsByValue Feature = "ids:byValue"
	// CommittedIsolation is for graphs whose sessions read the newest commit with each
	// request.
	CommittedIsolation Feature = "isolation:committed"
	// SchemaFeature is for graphs with rules for their elements (Graph.ChangeSchema).
	SchemaFeature Feature = "schema"
	// CompositeIndexes is for graphs in which a composite index was declared; unique ones
	// are such.
	CompositeIndexes Feature = "index:composite"
	// EdgeIndexes is for graphs in which an edge-centric index was declared.
	EdgeIndexes Feature = "index:edge-centric"
	// TextIndexes is for graphs in which an index of texts was declared.
	TextIndexes Feature = "index:text"
	// GeoIndexes is for graphs in which an index of points was declared.
	GeoIndexes Feature = "index:geo"
	// Counters is for graphs in which a property key is a counter (Tx.Increment).
	Counters Feature = "counters"
	// AutoIndex is for graphs in which every key has an index (Graph.IndexEveryKey).
	AutoIndex Feature = "autoIndex"
	// TTL is for graphs in which elements and properties may end (Options.TTL).
	TTL Feature = "ttl"
	// Stamps is for graphs whose elements know when they were added and changed
	// (Options.Stamps).
	Stamps Feature = "stamps"
	// History is for graphs that keep what commits overwrite (Options.History).
	History Feature = "history"
)

// gainable are the features that a graph gains while it is in use. The order is that of
// the bits of Gained, which are in memory alone.
var gainable = []Feature{SchemaFeature, CompositeIndexes, EdgeIndexes, TextIndexes, GeoIndexes, Counters, AutoIndex, History, Stamps, TTL}

// Gained is a set of features that a graph gained, or lost again, while it was in use.
type Gained uint32

// with returns the set with a feature or without it.
func (s Gained) with(f Feature, on bool) Gained {
	bit := Gained(1) << slices.Index(gainable, f)
	if on {
		return s | bit
	}
	return s &^ bit
}

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
// though no graph of this program uses any but Counters.
var (
	cellFeatures = map[table.Family]Feature{table.StampCell: Stamps, table.ExpiryCell: TTL, table.CounterCell: Counters}
	formFeatures = []struct {
		flag byte
		name Feature
	}{{propertyChunked, "values:chunked"}}
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

// Counts reports whether there may be counters.
func (o Options) Counts() bool { return o.Gained&countersBit != 0 }

// Features lists what a graph of these options uses.
func (o Options) Features() []Feature {
	var names []Feature
	for _, f := range features {
		if f.used(&o) {
			names = append(names, f.name)
		}
	}
	for _, f := range gainable {
		if o.Gained.with(f, true) == o.Gained {
			names = append(names, f)
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
	if slices.Contains(gainable, name) {
		o.Gained = o.Gained.with(name, true)
		return nil
	}
	return fmt.Errorf("it uses the feature %q, which this program does not know: use the gremlind that made the graph, or a newer one: %w",
		string(name), storage.ErrFormat)
}

// Uses reports whether the graph uses a feature at this time.
func (g *Graph) Uses(f Feature) bool { return slices.Contains(g.Options().Features(), f) }

// gain makes it durable that the graph uses a feature: call it before the commit that is
// the first to need it. A graph that has it already is left alone.
func (g *Graph) gain(f Feature) error {
	if g.Uses(f) {
		return nil
	}
	return g.db.setFeature(g, f, true)
}

// setFeature notes in the catalog that a graph uses a feature from now on, or that it no
// longer does, when nothing is left of what needed it.
func (db *Database) setFeature(g *Graph, f Feature, on bool) error {
	return db.changeFeature(g, f, on, nil)
}

// loseFeature is setFeature that first takes away what needed the feature, while nobody can
// gain it: who asks for it meanwhile waits and makes it anew.
func (db *Database) loseFeature(g *Graph, f Feature, before func() error) error {
	return db.changeFeature(g, f, false, before)
}

func (db *Database) changeFeature(g *Graph, f Feature, on bool, before func() error) error {
	db.catalog.Lock()
	defer db.catalog.Unlock()
	switch {
	case db.isClosed():
		return storage.ErrClosed
	case g.dropped.Load():
		return fmt.Errorf("%w: %q", ErrGraphDropped, g.name)
	}
	o := g.Options()
	if o.Gained.with(f, on) == o.Gained {
		return nil
	}
	if before != nil {
		if err := before(); err != nil {
			return err
		}
	}
	o.Gained = o.Gained.with(f, on)
	if err := db.writeEntry(g.name, newCatalogEntry(g.number, o)); err != nil {
		return fmt.Errorf("change the features of graph %q: %w", g.name, err)
	}
	g.nowGained(o.Gained)
	if on || db.anyFeature() {
		return nil
	}
	return db.store.LowerFormat(entryPlain) // the first programs can read all of it again
}

// nowGained takes note of the features that the graph uses from now on. Those that it used once
// have left cells in snapshots that somebody may read.
func (g *Graph) nowGained(s Gained) {
	g.gained.Store(uint32(s))
	g.everGained.Or(uint32(s))
}

// mayHold reports whether rows of elements may have cells of a family that are read beside
// the row.
func (g *Graph) mayHold(f table.Family) bool {
	ever := Gained(g.everGained.Load())
	switch f {
	case table.CounterCell:
		return ever&countersBit != 0
	case table.StampCell:
		return ever&stampsBit != 0
	case table.ExpiryCell:
		return ever&ttlBit != 0
	}
	return false
}

// anyFeature reports whether a graph uses a feature.
func (db *Database) anyFeature() bool {
	db.mu.RLock()
	defer db.mu.RUnlock()
	for _, c := range db.graphs {
		if o := c.now(); len(o.Features()) > 0 {
			return true
		}
	}
	return false
}

// Lose takes a feature away that a graph gained while it was in use, with all that it
// keeps for it. A graph that does not use it is left alone.
func (g *Graph) Lose(ctx context.Context, f Feature) error {
	switch kept := losing[f]; {
	case g.scratch != nil:
		return errScratch
	case !g.Uses(f):
		return nil
	case kept.lose == nil:
		return illegalArgument("graph %s was made with the feature %s and cannot do without: export it, and import it into a graph that is made without", g.name, f)
	default:
		return kept.lose(g, ctx)
	}
}

// Gain has the graph use a feature that changes what comes later. The others come with what
// needs them first.
func (g *Graph) Gain(ctx context.Context, f Feature) error {
	switch f {
	case AutoIndex:
		return g.IndexEveryKey(ctx)
	case History:
		if g.Uses(History) {
			return nil
		}
		return g.KeepHistory(ctx, Forever)
	case Stamps:
		return g.keepStamps(ctx)
	case TTL:
		return g.keepTTL()
	}
	return illegalArgument("feature %s: only %s, %s, %s and %s are turned on by themselves, the others come with the first thing that needs them", f, AutoIndex, History, Stamps, TTL)
}

// Keeps says what is lost with a feature of the graph, in words; empty when it cannot be
// lost.
func (g *Graph) Keeps(ctx context.Context, f Feature) (string, error) {
	if losing[f].keeps == nil {
		return "", nil
	}
	return losing[f].keeps(g, ctx)
}

// losing are the features that a graph can lose, with what says what they keep.
var losing = map[Feature]struct {
	lose  func(*Graph, context.Context) error
	keeps func(*Graph, context.Context) (string, error)
}{
	SchemaFeature:    {(*Graph).dropSchema, (*Graph).schemaKept},
	CompositeIndexes: {dropDeclared(keyindex.Composite), declaredKept(keyindex.Composite)},
	EdgeIndexes:      {dropDeclared(keyindex.EdgeCentric), declaredKept(keyindex.EdgeCentric)},
	TextIndexes:      {dropDeclared(keyindex.Text), declaredKept(keyindex.Text)},
	GeoIndexes:       {dropDeclared(keyindex.Geo), declaredKept(keyindex.Geo)},
	Counters:         {(*Graph).loseCounters, (*Graph).countersKept},
	AutoIndex:        {(*Graph).loseAutoIndex, (*Graph).autoIndexKept},
	History:          {(*Graph).loseHistory, (*Graph).historyKept},
	TTL:              {(*Graph).loseTTL, (*Graph).ttlKept},
	Stamps:           {(*Graph).loseStamps, (*Graph).stampsKept},
}
