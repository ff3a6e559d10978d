package services

import (
	"errors"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// What commits changed in a graph with history, as far as who asks may see it.
//
//	V(1).call("gremlind.history")                        of an element, the oldest change first
//	V(1).properties("age").call("gremlind.history")      of a property
//	call("gremlind.history", [vertex: 4])                of one that may be gone
//	call("gremlind.diff", [from: v0, to: v2])            what is different between two versions
//	call("gremlind.trash", [limit: 10])                  what was dropped and is gone, the newest first
//
// A change is a map of op, vertex or edge (the id) and label; for set and remove of key, before
// and value, where there is one, and meta; for add and drop of edges of out and in. In a history
// each begins with version, time, and user or by.
var (
	history = &service{name: "gremlind.history", past: true, kinds: either, call: callHistory, params: []traversal.ServiceParam{vertexParam, edgeParam}}
	diff    = &service{name: "gremlind.diff", past: true, kinds: atStart, call: callDiff, params: []traversal.ServiceParam{
		{Name: "from", Type: "Date", Doc: "A version or a time, not before the history"},
		{Name: "to", Type: "Date", Doc: "A later one; now without (optional)"},
	}}
	trash = &service{name: "gremlind.trash", past: true, kinds: atStart, call: callTrash, params: []traversal.ServiceParam{
		{Name: "limit", Type: "Long", Doc: "How many at most, 100 without (optional)"},
	}}

	vertexParam = traversal.ServiceParam{Name: "vertex", Type: "Object", Doc: "The id of a vertex, there or gone (this or edge)"}
	edgeParam   = traversal.ServiceParam{Name: "edge", Type: "Object", Doc: "The id of an edge, there or gone (this or vertex)"}
)

// changeRows are rows that a call gathers, which are charged for.
type changeRows struct {
	run  *traversal.Run
	rows []value.Value
}

const changeRowBytes = 1200 // a row without values, about

// add takes a row, and charges for it and for the properties in it.
func (x *changeRows) add(m *value.Map, with ...*blueprints.PropertyEntry) error {
	bytes := changeRowBytes
	for _, p := range with {
		if p != nil {
			bytes += decodedTimes * p.Bytes()
		}
	}
	if err := x.run.Charge(bytes); err != nil {
		return err
	}
	x.rows = append(x.rows, m.Value())
	return x.run.Poll()
}

// decodedTimes is how much larger a value is in memory than stored, at most: a list has a byte for
// what takes the place of a value.
const decodedTimes = 32

// signed begins a row with the commit that it is of.
func signed(m *value.Map, c *blueprints.Commit) {
	m.PutString("version", versionText(c.Version))
	m.PutString("time", value.OffsetDateTime(c.Time().UTC()))
	if c.Author.User != "" {
		m.PutString("user", value.String(c.Author.User))
	}
	if c.Author.By != "" {
		m.PutString("by", value.String(c.Author.By))
	}
}

// putChange puts a change into a row.
func (x *changeRows) putChange(m *value.Map, ch *blueprints.Change) {
	m.PutString("op", value.String(ch.Op.String()))
	if ch.Op == blueprints.OpPurge {
		m.PutString("class", value.String(ch.Class.String()))
		return
	}
	name := x.run.View.Name
	m.PutString(ch.Class.String(), ch.ID)
	m.PutString("label", value.String(name(ch.Label)))
	if ch.Op == blueprints.OpAdd || ch.Op == blueprints.OpDrop {
		if ch.Class == table.EdgeClass {
			m.PutString("out", ch.OutID)
			m.PutString("in", ch.InID)
		}
		return
	}
	m.PutString("key", value.String(name(ch.Key)))
	if ch.Before != nil {
		m.PutString("before", ch.Before.Value)
	}
	if ch.After == nil {
		return
	}
	m.PutString("value", ch.After.Value)
	if len(ch.After.Meta()) > 0 {
		meta := value.NewMap()
		for _, p := range ch.After.Meta() {
			meta.PutString(p.Key, p.Value)
		}
		m.PutString("meta", meta.Value())
	}
}

// pastElement is what a history is asked of.
type pastElement struct {
	class    blueprints.ElementClass
	id       uint64
	property bool // only that of key and ordinal, or all of key if that is of a single one
	key      string
	ordinal  uint64
}

// unfiltered returns the error of a call beneath strategies that hide parts of the graph: what
// they hide of its past cannot be told.
func unfiltered(c traversal.ServiceCall) error {
	if graphRead(c) == nil {
		return errors.New("history cannot be reached through a filtered view of the graph")
	}
	return nil
}

func callHistory(c traversal.ServiceCall) (traversal.Cursor, error) {
	if err := unfiltered(c); err != nil {
		return nil, err
	}
	if _, err := c.Run.View.HistoryFloor(); err != nil {
		return nil, err
	}
	e, err := historyOf(c)
	if err != nil {
		return nil, err
	}
	x := &changeRows{run: c.Run}
	err = c.Run.View.EachCommitOf(e.class, e.id, 0, 0, func(commit *blueprints.Commit) (bool, error) {
		return true, commit.Changes(func(ch *blueprints.Change) (bool, error) {
			if e.property && (ch.Op != blueprints.OpSet && ch.Op != blueprints.OpRemove || e.ordinal != blueprints.SlotSingle && ch.Ordinal != e.ordinal || c.Run.View.Name(ch.Key) != e.key) {
				return true, nil
			}
			m := value.NewMapSize(8)
			signed(m, commit)
			x.putChange(m, ch)
			return true, x.add(m, ch.Before, ch.After)
		})
	})
	return traversal.Values(x.rows), err
}

// historyOf returns the element that a call is about: one that comes in, or one of an id.
func historyOf(c traversal.ServiceCall) (e pastElement, err error) {
	if c.Start {
		class, id, err := named(c, "gremlind.history")
		if err != nil {
			return e, err
		}
		element, ok, err := c.Run.View.FindPast(class, id)
		if err == nil && !ok {
			err = step.IllegalArgument("there was no %s %s in the history of the graph", class, id.Brief())
		}
		return pastElement{class: class, id: element}, err
	}
	owner := c.In
	switch c.In.Kind() {
	case value.KindVertexProperty:
		p := c.In.VertexProperty()
		owner, e = p.Vertex, pastElement{property: true, key: p.Key, ordinal: p.Ordinal}
	case value.KindProperty:
		p := c.In.Property()
		owner, e = p.Element, pastElement{property: true, key: p.Key}
	}
	e.class = blueprints.VertexClass
	switch k := owner.Kind(); {
	case k != value.KindVertex && k != value.KindEdge:
		return e, step.IllegalArgument("gremlind.history is for vertices, edges and their properties, not for %s", value.Article(c.In.Kind().String()))
	case !owner.IsStored():
		return e, step.IllegalArgument("gremlind.history is for elements of the graph, and this is a copy of one: give its id as vertex or edge")
	case k == value.KindEdge:
		e.class = blueprints.EdgeClass
	}
	e.id = owner.Ref()
	return e, nil
}

// named is the element that the parameters of a call name, one of vertex and edge.
func named(c traversal.ServiceCall, service string) (blueprints.ElementClass, value.Value, error) {
	v, isVertex := c.Params.GetString(vertexParam.Name)
	e, isEdge := c.Params.GetString(edgeParam.Name)
	switch {
	case isVertex == isEdge:
		return 0, v, step.IllegalArgument("%s wants the id of one element: vertex or edge", service)
	case isEdge:
		return blueprints.EdgeClass, e, nil
	}
	return blueprints.VertexClass, v, nil
}

// versionOf reads a parameter that is a version or a time, 0 for none.
func versionOf(c traversal.ServiceCall, name string) (storage.Stamp, error) {
	v, ok := c.Params.GetString(name)
	if !ok {
		return 0, nil
	}
	return traversal.ParseVersion(name, v)
}

func callDiff(c traversal.ServiceCall) (traversal.Cursor, error) {
	if err := unfiltered(c); err != nil {
		return nil, err
	}
	from, err := versionOf(c, "from")
	if err != nil {
		return nil, err
	}
	if from == 0 {
		return nil, step.IllegalArgument("Missing from parameter: a version or a time")
	}
	to, err := versionOf(c, "to")
	if err != nil {
		return nil, err
	}
	x := &changeRows{run: c.Run}
	err = c.Run.View.Diff(from, to, func(ch *blueprints.Change) (bool, error) {
		m := value.NewMapSize(6)
		x.putChange(m, ch)
		return true, x.add(m, ch.Before, ch.After)
	})
	return traversal.Values(x.rows), err
}

const trashLimit = 100

func callTrash(c traversal.ServiceCall) (traversal.Cursor, error) {
	if err := unfiltered(c); err != nil {
		return nil, err
	}
	limit := int64(trashLimit)
	if v, ok := c.Params.GetString("limit"); ok {
		if limit, ok = wholeNumber(v); !ok || limit < 1 {
			return nil, step.IllegalArgument("the parameter limit is a whole number of at least 1, not %s", v.Brief())
		}
	}
	x := &changeRows{run: c.Run}
	err := c.Run.View.EachCommit(0, 0, true, func(commit *blueprints.Commit) (bool, error) {
		err := commit.Changes(func(ch *blueprints.Change) (bool, error) {
			if ch.Op != blueprints.OpDrop {
				return true, nil
			}
			if back, err := isThere(c.Run.View, ch); back || err != nil {
				return true, err
			}
			m := value.NewMapSize(6)
			signed(m, commit)
			m.PutString("class", value.String(ch.Class.String()))
			m.PutString("id", ch.ID)
			m.PutString("label", value.String(c.Run.View.Name(ch.Label)))
			return int64(len(x.rows)+1) < limit, x.add(m)
		})
		return int64(len(x.rows)) < limit, err
	})
	return traversal.Values(x.rows), err
}

func isThere(v blueprints.View, ch *blueprints.Change) (bool, error) {
	if ch.Class == blueprints.EdgeClass {
		return v.EdgeExists(blueprints.EdgeID(ch.Element))
	}
	return v.VertexExists(blueprints.VertexID(ch.Element))
}
