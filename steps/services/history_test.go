package services_test

import (
	"regexp"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

var commitTimes = regexp.MustCompile(`version=[^,]*, time=[^,]*, `)

// past asks services of a graph with history and writes in it.
type past struct {
	*testing.T
	g *blueprints.Graph
}

// commit writes.
func (p past) commit(write func(c *caller) error) {
	p.Helper()
	c := newCaller(p.T, p.g)
	must(p.T, write(c))
	must(p.T, c.tx.Commit(ctx))
}

// told compares the answers of a service without the times in them; of is nil at the start.
func (p past) told(want, name string, of func(c *caller) value.Value, params ...any) {
	p.Helper()
	c, in := newCaller(p.T, p.g), value.Null
	if of != nil {
		in = of(c)
	}
	if got := commitTimes.ReplaceAllString(c.texts(name, in, params...), ""); got != want {
		p.Errorf("%s%v\n got %s\nwant %s", name, params, got, want)
	}
}

// versions are those of the commits, the oldest first.
func (p past) versions() (all []int64) {
	p.Helper()
	must(p.T, newCaller(p.T, p.g).tx.EachCommit(0, 0, false, func(c *blueprints.Commit) (bool, error) {
		all = append(all, int64(c.Version))
		return true, nil
	}))
	return all
}

// TestHistory: what the services of the past answer, one commit after the other.
func TestHistory(t *testing.T) {
	p := past{t, open(t, "modern")}
	p.told("error: graph modern keeps no history (setting: history)", "gremlind.trash", nil)
	must(t, p.g.KeepHistory(ctx, blueprints.Forever))
	p.commit(func(c *caller) error {
		_, err := c.tx.SetVertexProperty(blueprints.VertexID(c.vertex(1).Ref()), "single", "age", value.Int(30), value.Null, nil)
		return err
	})
	p.commit(func(c *caller) error { return c.tx.RemoveVertex(blueprints.VertexID(c.vertex(4).Ref())) })
	at := p.versions()
	const begun = "{op=add, vertex=1, label=person} {op=set, vertex=1, label=person, key=age, value=29} {op=set, vertex=1, label=person, key=name, value=marko} "
	p.told(begun+"{op=set, vertex=1, label=person, key=age, before=29, value=30}", "gremlind.history", func(c *caller) value.Value { return c.vertex(1) })
	p.told("{op=add, edge=8, label=knows, out=1, in=4} {op=set, edge=8, label=knows, key=weight, value=1.0} {op=drop, edge=8, label=knows, out=1, in=4}", "gremlind.history", nil, "edge", 8)
	p.told("error: gremlind.history wants the id of one element: vertex or edge", "gremlind.history", nil)
	p.told("error: gremlind.history wants the id of one element: vertex or edge", "gremlind.history", nil, "vertex", 4, "edge", 8)
	p.told("error: there was no edge 99 in the history of the graph", "gremlind.history", nil, "edge", 99)
	const gone = "{op=drop, edge=10, label=created, out=4, in=5} {op=drop, edge=11, label=created, out=4, in=3} {op=drop, edge=8, label=knows, out=1, in=4} {op=drop, vertex=4, label=person}"
	p.told(gone, "gremlind.diff", nil, "from", at[0], "to", at[1])
	p.told("error: Missing from parameter: a version or a time", "gremlind.diff", nil, "to", at[1])
	const josh = "{class=edge, id=10, label=created} {class=edge, id=11, label=created} {class=edge, id=8, label=knows} {class=vertex, id=4, label=person}"
	p.told(josh, "gremlind.trash", nil)
	p.told("{class=vertex, id=4, label=person}", "gremlind.trash", nil, "limit", 1)
	p.told("error: the parameter limit is a whole number of at least 1, not 0", "gremlind.trash", nil, "limit", 0)

	// What is there again is not in the trash; what goes then is alone there.
	p.commit(func(c *caller) error {
		c.want("{vertices=1, edges=3, skipped=0}", "gremlind.restore", value.Null, "vertex", 4)
		return nil
	})
	p.told("", "gremlind.trash", nil)
	p.commit(func(c *caller) error { return c.tx.RemoveEdge(blueprints.EdgeID(c.edge(9).Ref())) })
	p.told("{class=edge, id=9, label=created}", "gremlind.trash", nil)
	p.told("error: edge 8 exists", "gremlind.restore", nil, "edge", 8)
	p.commit(func(c *caller) error {
		c.want("{vertices=0, edges=0, properties=1}", "gremlind.undo", value.Null, "version", at[0])
		return nil
	})
	p.told("{op=drop, edge=9, label=created, out=1, in=3} {op=remove, vertex=1, label=person, key=age, before=30} {op=set, vertex=1, label=person, key=age, value=29}", "gremlind.diff", nil, "from", at[0])
}
