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
// files of TinkerPop, yEd, Gephi, networkx and APOC mean by labels is in labels.go. The
// file is taken apart ahead of the sink.
func ReadGraphML(ctx context.Context, r io.Reader, sink blueprints.RecordSink, h Handler) error {
	var edges heldEdges
	edges.list.Options = h.Held
	defer edges.list.Close()
	err := inOrder(ctx, func(first *graphMLBatch, next func() *graphMLBatch) error {
		m := &graphML{d: newXMLScanner(r), label: h.VertexLabel, plain: h.Plain, keys: map[graphMLID]*graphMLKey{}, to: first.begin(), next: next}
		return m.run()
	}, func(*graphMLBatch) {}, func(b *graphMLBatch) error { return b.push(&edges, sink, h) })
	if err != nil {
		return err
	}
	named, err := edges.namesEdges(ctx)
	if err != nil {
		return err
	}
	return edges.push(ctx, graphMLLine, sink, h, named)
}

// graphML is a file being read: its records go to batches.
type graphML struct {
	d        *xmlScanner
	label    string // Handler.VertexLabel
	plain    bool   // Handler.Plain
	keys     map[graphMLID]*graphMLKey
	met      []graphMLMet  // since the last declaration
	defaults []*graphMLKey // those that have one
	yfiles   bool          // yEd wrote the file, or another program on its library
	open     []*graphMLElement
	free     []*graphMLElement // to be used again
	found    bool              // a graph element
	to       *graphMLBatch
	begun    int64 // where in the file
	next     func() *graphMLBatch
}

// run reads to the end of the file. A batch that nobody wants any more is an error.
func (m *graphML) run() error {
	for {
		kind, err := m.d.next()
		if errors.Is(err, io.EOF) {
			return m.finish()
		}
		if err != nil {
			return m.failed(err)
		}
		switch kind {
		case xmlStart:
			err = m.begin()
		case xmlEnd:
			m.end()
		}
		if err != nil {
			return err
		}
		if len(m.to.items) < graphMLBatchItems && m.d.offset()-m.begun < aheadBytes {
			continue
		}
		b := m.next()
		if b == nil {
			return context.Canceled
		}
		m.to, m.begun = b.begin(), m.d.offset()
	}
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

func (m *graphML) finish() error {
	if !m.found {
		return m.failed(errors.New("there is no graph element: is this GraphML?"))
	}
	return nil
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
			m.to.refuse(line, []string{name}, errors.New("a hyperedge is no edge: it has any number of ends"))
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
	var e *graphMLElement
	if n := len(m.free); n > 0 {
		e, m.free = m.free[n-1], m.free[:n-1]
	} else {
		e = &graphMLElement{}
	}
	*e = graphMLElement{
		start: xmlElement{start.name, append(e.start.attrs[:0], start.attrs...)}, line: m.line(), data: e.data[:0], texts: e.texts[:0],
	}
	return e
}

// end takes the end of a graph, node or edge, or of what stands outside of all graphs.
func (m *graphML) end() {
	n := len(m.open)
	if n == 0 {
		return
	}
	e := m.open[n-1]
	m.open = m.open[:n-1]
	switch e.start.name {
	case "node":
		m.node(e)
	case "edge":
		m.edge(e)
	}
	m.free = append(m.free, e)
}

func (m *graphML) node(e *graphMLElement) {
	b := m.to
	v := blueprints.VertexRecord{ID: value.String(e.start.attr("id"))}
	m.addDefaults(e, "node")
	v.Label = m.vertexLabel(e)
	start := len(b.props)
	b.props = e.properties(b.props)
	if texts := e.texts; !e.has("label") {
		for _, text := range texts {
			b.props = append(b.props, blueprints.PropertyRecord{Key: "label", Value: value.String(text)})
		}
	}
	if e.group != "" && !e.has("group") {
		b.props = append(b.props, blueprints.PropertyRecord{Key: "group", Value: value.String(e.group)})
	}
	v.Properties = b.props[start:len(b.props):len(b.props)]
	if v.ID.Str() == "" {
		e.err = firstError(e.err, errors.New("a node needs an id"))
	}
	b.vertices = append(b.vertices, v)
	b.items = append(b.items, graphMLItem{kind: graphMLNode, line: e.line, at: len(b.vertices) - 1, err: e.err})
}

func (m *graphML) edge(e *graphMLElement) {
	b := m.to
	r := blueprints.EdgeRecord{Out: value.String(e.start.attr("source")), In: value.String(e.start.attr("target"))}
	m.addDefaults(e, "edge")
	id := m.edgeID(e)
	if id != "" {
		r.ID = value.String(id)
	}
	r.Label = m.edgeLabel(e)
	b.ofEdge = e.properties(b.ofEdge[:0])
	if len(e.texts) > 0 && !e.has("label") {
		b.ofEdge = append(b.ofEdge, blueprints.PropertyRecord{Key: "label", Value: value.String(strings.Join(e.texts, "\n"))})
	}
	r.Properties = b.ofEdge
	if r.Out.Str() == "" || r.In.Str() == "" {
		e.err = firstError(e.err, errors.New("an edge needs a source and a target"))
	}
	at := len(b.edges)
	if e.err == nil {
		b.edges, e.err = AppendEdgeRecord(b.edges, &r)
	}
	if e.err == nil {
		b.items = append(b.items, graphMLItem{kind: graphMLEdge, line: e.line, at: at, end: len(b.edges), id: id})
		return
	}
	b.refuse(e.line, []string{"edge", r.ID.JavaString(), r.Out.Str(), r.In.Str()}, fmt.Errorf("edge %q: %w", e.start.attr("id"), e.err))
}
