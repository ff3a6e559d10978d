package graphio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// The data keys that hold labels, as TinkerPop writes them, and the labels of
// elements without one.
const (
	vertexLabelKey     = "labelV"
	edgeLabelKey       = "labelE"
	defaultVertexLabel = "vertex"
	defaultEdgeLabel   = "edge"
	// labelSeparator stands between the labels of an element that has several, as
	// TinkerPop writes them: a graph of ours keeps one text.
	labelSeparator = "::"
)

// ReadGraphML streams a GraphML file. Edges are held back until the end of the file,
// for they may stand before their vertices. External entities are not resolved. What
// files of TinkerPop, yEd, Gephi, networkx and APOC mean by labels is in labels.go.
func ReadGraphML(ctx context.Context, r io.Reader, sink blueprints.RecordSink, h Handler) error {
	m := &graphML{d: newXMLScanner(r), sink: sink, h: h, keys: map[graphMLID]*graphMLKey{}}
	m.edges.list.Options = h.Held
	defer m.edges.list.Close()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		kind, err := m.d.next()
		if errors.Is(err, io.EOF) {
			return m.finish(ctx)
		}
		if err != nil {
			return m.failed(err)
		}
		switch kind {
		case xmlStart:
			err = m.begin()
		case xmlEnd:
			err = m.end()
		}
		if err != nil {
			return err
		}
	}
}

// graphML is a file being read.
type graphML struct {
	d        *xmlScanner
	sink     blueprints.RecordSink
	h        Handler
	keys     map[graphMLID]*graphMLKey
	defaults []*graphMLKey // those that have one
	yfiles   bool          // yEd wrote the file, or another program on its library
	open     []*graphMLElement
	free     []*graphMLElement // to be used again
	edges    heldEdges
	found    bool // a graph element
}

// graphMLElement is a graph, node or edge that has begun.
type graphMLElement struct {
	start xmlElement
	line  int
	group string // id of the node around it
	data  []graphMLDatum
	texts []string // that yEd shows
	err   error    // why it is no record
}

func (m *graphML) line() int {
	line, _ := m.d.pos()
	return line
}

func (m *graphML) failed(err error) error {
	line, column := m.d.pos()
	if n := len(m.d.open); n > 0 && errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("the file ends before </%s>: it is cut short", m.d.open[n-1])
	}
	return fmt.Errorf("graphml at line %d, column %d: %w", line, column, err)
}

func (m *graphML) finish(ctx context.Context) error {
	if !m.found {
		return m.failed(errors.New("there is no graph element: is this GraphML?"))
	}
	named, err := m.edges.namesEdges(ctx)
	if err != nil {
		return err
	}
	return m.edges.push(ctx, graphMLLine, m.sink, m.h, named)
}

const graphMLLine = "graphml line"

// begin takes the start of an element; what it does not know is passed, and so is what
// it does not know outside of all graphs, but for what is inside.
func (m *graphML) begin() error {
	start := &m.d.start
	var top *graphMLElement
	if n := len(m.open); n > 0 {
		top = m.open[n-1]
	}
	err := error(nil)
	switch name := start.name; {
	case name == "key":
		err = m.key(start)
	case name == "graph" || name == "node" || name == "edge":
		m.found = m.found || name == "graph"
		e := m.element(start)
		if top != nil {
			e.group = top.group
			if top.start.name == "node" {
				e.group = top.start.attr("id")
			}
		}
		m.open = append(m.open, e)
	case name == "hyperedge":
		line := m.line()
		if err = m.d.skip(); err == nil {
			return m.h.bad(graphMLLine, line, []string{name}, errors.New("a hyperedge is no edge: it has any number of ends"))
		}
	case top == nil:
	case name == "data" && top.start.name != "graph":
		err = m.data(top, start)
	default:
		err = m.d.skip()
	}
	if err != nil {
		return m.failed(err)
	}
	return nil
}

// element returns one that begins here.
func (m *graphML) element(start *xmlElement) *graphMLElement {
	e := &graphMLElement{}
	if n := len(m.free); n > 0 {
		e, m.free = m.free[n-1], m.free[:n-1]
	}
	*e = graphMLElement{
		start: xmlElement{start.name, append(e.start.attrs[:0], start.attrs...)}, line: m.line(), data: e.data[:0], texts: e.texts[:0],
	}
	return e
}

// end takes the end of a graph, node or edge, or of what stands outside of all graphs.
func (m *graphML) end() error {
	n := len(m.open)
	if n == 0 {
		return nil
	}
	e := m.open[n-1]
	m.open = m.open[:n-1]
	defer func() { m.free = append(m.free, e) }()
	switch e.start.name {
	case "node":
		return m.node(e)
	case "edge":
		return m.edge(e)
	}
	return nil
}

func (m *graphML) node(e *graphMLElement) error {
	v := &blueprints.VertexRecord{ID: value.String(e.start.attr("id"))}
	m.addDefaults(e, "node")
	v.Label = m.vertexLabel(e)
	v.Properties = e.properties()
	if texts := e.texts; !e.has("label") {
		for _, text := range texts {
			v.Properties = append(v.Properties, blueprints.PropertyRecord{Key: "label", Value: value.String(text)})
		}
	}
	if e.group != "" && !e.has("group") {
		v.Properties = append(v.Properties, blueprints.PropertyRecord{Key: "group", Value: value.String(e.group)})
	}
	if v.ID.Str() == "" {
		e.err = firstError(e.err, errors.New("a node needs an id"))
	}
	fields := []string{"node", v.ID.Str()}
	m.h.at(e.line, fields)
	err := e.err
	if err == nil {
		err = m.sink.Vertex(v)
	}
	if err != nil {
		return m.h.bad(graphMLLine, e.line, fields, fmt.Errorf("node %q: %w", v.ID.Str(), err))
	}
	return nil
}

func (m *graphML) edge(e *graphMLElement) error {
	r := blueprints.EdgeRecord{Out: value.String(e.start.attr("source")), In: value.String(e.start.attr("target"))}
	m.addDefaults(e, "edge")
	if id := m.edgeID(e); id != "" {
		r.ID = value.String(id)
	}
	r.Label = m.edgeLabel(e)
	if r.Properties = e.properties(); len(e.texts) > 0 && !e.has("label") {
		r.Properties = append(r.Properties, blueprints.PropertyRecord{Key: "label", Value: value.String(strings.Join(e.texts, "\n"))})
	}
	if r.Out.Str() == "" || r.In.Str() == "" {
		e.err = firstError(e.err, errors.New("an edge needs a source and a target"))
	}
	if e.err == nil {
		if e.err = m.edges.add(e.line, &r); e.err == nil {
			return nil
		}
	}
	fields := []string{"edge", r.ID.JavaString(), r.Out.Str(), r.In.Str()}
	m.h.at(e.line, fields)
	return m.h.bad(graphMLLine, e.line, fields, fmt.Errorf("edge %q: %w", e.start.attr("id"), e.err))
}
