package graphio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/graphio/graphson"
	"github.com/gremlind/gremlind/storage/value"
)

// ReadNetwork streams a file of JSON as networkx, D3, Cytoscape and APOC write them, told
// by its keys:
//
//	{"directed": true, "multigraph": false, "nodes": [{"id": 1, ...}], "links": [{"source": 1, "target": 2, ...}]}
//	the same with "edges"                                 networkx from 3.4 on, and D3
//	{"nodes": [{"id": 1}], "adjacency": [[{"id": 2}]]}    networkx
//	{"elements": {"nodes": [{"data": {...}}], "edges": [{"data": {...}}]}}    Cytoscape
//	{"type": "node", "id": "0", "labels": ["Person"], "properties": {...}}    APOC, a line each, in an array, or in nodes and rels
//
// Edges are held back until the end of the file, for its keys may stand in any order.
func ReadNetwork(ctx context.Context, r io.Reader, sink blueprints.RecordSink, h Handler) error {
	n := &network{ctx: ctx, in: &jsonStream{r: r}, sink: sink, h: h}
	n.edges.list.Options = h.Held
	defer n.edges.list.Close()
	for {
		c, err := n.in.next()
		switch {
		case errors.Is(err, io.EOF) && !n.begun:
			err = errors.New("the file is empty")
		case errors.Is(err, io.EOF):
			return n.finish()
		case err != nil:
		case c == '[':
			if err = n.in.enter('[', "the records"); err == nil {
				err = n.in.each(']', n.apoc)
			}
		case isAPOC(n.in.keys()):
			err = n.apoc()
		default:
			err = n.document()
		}
		if err != nil {
			return n.failed(err)
		}
		n.begun = true
	}
}

// network is a file being read.
type network struct {
	ctx        context.Context
	in         *jsonStream
	sink       blueprints.RecordSink
	h          Handler
	n          int // records met
	begun      bool
	edges      heldEdges
	edgesOf    string // the key of the edges
	multigraph bool
	undirected bool
	texts      bool          // ids are texts, whatever they are written as
	nodes      []value.Value // ids by place, of a file with adjacency
	adjacency  bool
	lines      bool // of APOC
}

const networkRecord = "json record"

// placedError is an error that says already where it is.
type placedError struct{ error }

func (n *network) failed(err error) error {
	var told placedError
	if errors.As(err, &told) {
		return told.error
	}
	return fmt.Errorf("json at byte %d, record %d: %w", n.in.offset(), n.n+1, err)
}

// isAPOC reports whether an object with these keys is a record of APOC.
func isAPOC(keys []string) bool {
	return slices.Contains(keys, "type") && slices.Contains(keys, "id") && !slices.Contains(keys, "nodes")
}

// isNetwork reports whether a file of JSON whose first object has these keys is one that
// ReadNetwork reads, and whether it is GraphSON.
func isNetwork(keys []string) (network, graphSON bool) {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(keys, name) })
	}
	network = isAPOC(keys) || has("nodes", "links", "edges", "adjacency", "elements", "rels", "directed", "multigraph")
	graphSON = has("vertices", "outE", "inE") || has("id") && has("label", "properties") && !has("type")
	return network, graphSON
}

// document reads an object that is a whole graph.
func (n *network) document() error {
	if err := n.in.enter('{', "the graph"); err != nil {
		return err
	}
	return n.in.each('}', func() error {
		key, err := n.in.key()
		if err != nil {
			return err
		}
		return n.part(key)
	})
}

// part reads what stands behind a key of a graph.
func (n *network) part(key string) error {
	switch key {
	case "elements":
		n.texts = true
		if c, err := n.in.next(); err != nil || c == '[' {
			return firstError(err, n.array(n.element))
		}
		return n.document()
	case "nodes":
		return n.array(n.node)
	case "links", "edges", "adjacency", "rels":
		if n.edgesOf != "" && n.edgesOf != key {
			return fmt.Errorf("the edges stand both in %q and in %q: rename the one that is not meant", n.edgesOf, key)
		}
		if n.edgesOf = key; key != "adjacency" {
			n.nodes = nil
		} else {
			n.adjacency = true
			return n.neighbours()
		}
		return n.array(n.edge)
	}
	raw, err := n.in.value()
	switch {
	case err != nil:
		return err
	case key == "multigraph":
		n.multigraph = string(raw) == "true"
	case key == "directed":
		n.undirected = string(raw) == "false"
	}
	return nil
}

func (n *network) array(item func(*graphson.Node) error) error {
	if err := n.in.enter('[', "a list of nodes or edges"); err != nil {
		return err
	}
	return n.in.each(']', func() error { return n.item(item) })
}

// item reads a record and has it taken; its errors are the record's.
func (n *network) item(take func(*graphson.Node) error) error {
	if err := n.ctx.Err(); err != nil {
		return placedError{err}
	}
	raw, err := n.in.value()
	if err != nil {
		return err
	}
	n.n++
	node, err := parseLoose(raw)
	fields := []string{string(raw)}
	n.h.at(n.n, fields)
	if err == nil && node.Kind() != graphson.NodeObject {
		err = fmt.Errorf("a record is expected to be an object, not %s", node.Kind())
	}
	if err == nil {
		err = take(node)
	}
	if err != nil {
		if err = n.h.bad(networkRecord, n.n, fields, err); err != nil {
			return placedError{err}
		}
	}
	return nil
}

// apoc reads a record of APOC.
func (n *network) apoc() error {
	n.lines = true
	return n.item(n.element)
}

// element takes a record that says itself what it is: of APOC, or of Cytoscape, where it
// is an edge when it has a source.
func (n *network) element(r *graphson.Node) error {
	switch r.Field("type").Text() {
	case "node":
		return n.node(r)
	case "relationship":
		return n.edge(r)
	}
	data := r.Field("data")
	switch {
	case data == nil:
		return fmt.Errorf(`it is neither {"type": "node"} nor {"type": "relationship"}: it has the keys %s`, keysOf(r))
	case data.Field("source") != nil || r.Field("group").Text() == "edges":
		return n.edge(r)
	}
	return n.node(r)
}

func keysOf(r *graphson.Node) string {
	keys := make([]string, r.Len())
	for i := range keys {
		keys[i], _ = r.Entry(i)
	}
	return strings.Join(keys, ", ")
}

// id reads the id of an element.
func (n *network) id(of *graphson.Node) (value.Value, error) {
	if of.Kind() == graphson.NodeNull {
		return value.Null, nil
	}
	v, err := looseValue(of)
	if err == nil && n.texts {
		v = value.String(v.JavaString())
	}
	return v, err
}

func (n *network) finish() error {
	named, err := n.edges.namesEdges(n.ctx)
	if err != nil {
		return err
	}
	places := map[string]int{}
	if n.adjacency && n.undirected {
		for i, id := range n.nodes {
			places[id.JavaString()] = i
		}
	}
	sink := &networkSink{n, places, named}
	return n.edges.push(n.ctx, networkRecord, sink, n.h, true)
}

// networkSink finishes edges once the whole file is known.
type networkSink struct {
	n      *network
	places map[string]int
	named  bool
}

// Vertex is not called.
func (s *networkSink) Vertex(*blueprints.VertexRecord) error { return nil }

// Edge passes an edge on.
func (s *networkSink) Edge(e *blueprints.EdgeRecord) error {
	if s.n.adjacency {
		i := int(e.Out.Int64())
		if i >= len(s.n.nodes) {
			return fmt.Errorf("there are neighbours of node %d, and %d nodes", i+1, len(s.n.nodes))
		}
		if e.Out = s.n.nodes[i]; e.Out.IsNull() {
			return fmt.Errorf("there are neighbours of node %d, which has no id", i+1)
		}
		if other, known := s.places[e.In.JavaString()]; known && other < i {
			return nil // it stands at its other end too
		}
	}
	if !s.named {
		e.ID = value.Null
	}
	if s.n.multigraph {
		// Numbers tell edges apart that have the same ends; texts mean something.
		e.Properties = slices.DeleteFunc(e.Properties, func(p blueprints.PropertyRecord) bool {
			return p.Key == "key" && p.Value.Kind() == value.KindLong
		})
	}
	return s.n.sink.Edge(e)
}
