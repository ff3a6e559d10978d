package assist

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/client"
	"github.com/gremlind/gremlind/storage/value"
)

// Bounds of a schema.
const (
	namesMax    = 10_000 // labels and keys that are asked for
	labelsMax   = 60     // of vertices, and of edges, that are shown: those with the most elements
	keysMax     = 60     // of a label
	endsMax     = 30     // pairs of labels that the edges of a label connect
	sample      = 100    // elements of a label that are looked at
	sampleEnds  = 1000   // edges of a label
	sampleOther = 2000   // elements of a graph that does not list its labels
)

// Schema is what an assistant is told of a graph.
type Schema struct {
	Graph    string   `json:"graph"`
	Source   string   `json:"source"`
	Vertices *Class   `json:"vertices"`
	Edges    *Class   `json:"edges"`
	Indexes  []any    `json:"indexes,omitempty"`
	Notes    []string `json:"notes,omitempty"`
}

// Class is vertices, or edges.
type Class struct {
	Count  *int64   `json:"count,omitempty"` // nil where counting is too much
	Labels []*Label `json:"labels"`
}

// Label is a label and what its elements have.
type Label struct {
	Label string `json:"label"`
	Count *int64 `json:"count,omitempty"`
	// Keys are property keys with the types of their values.
	Keys map[string]string `json:"keys,omitempty"`
	// Connects are the labels of the vertices that edges go from and to.
	Connects []Ends `json:"connects,omitempty"`
}

// Ends are the labels of both ends of edges.
type Ends struct {
	From string `json:"from"`
	To   string `json:"to"`
}

func (s *Server) schema(ctx context.Context) (*Schema, error) {
	out := &Schema{Graph: s.o.Place, Source: s.o.Source, Vertices: &Class{}, Edges: &Class{}}
	if out.Source == "" {
		out.Source = sourceName
	}
	names, err := s.ask(ctx, "g.call('gremlind.names').limit("+strconv.Itoa(namesMax)+")", namesMax)
	if err == nil {
		err = s.own(ctx, out, names)
	} else if refused := (*client.ServerError)(nil); errors.As(err, &refused) {
		err = s.others(ctx, out)
	}
	if err != nil {
		return nil, err
	}
	for _, c := range []struct {
		class *Class
		name  string
		edges bool
	}{{out.Vertices, "vertex", false}, {out.Edges, "edge", true}} {
		slices.SortStableFunc(c.class.Labels, func(a, b *Label) int { return cmp.Compare(counted(b), counted(a)) })
		if more := len(c.class.Labels) - labelsMax; more > 0 {
			c.class.Labels = c.class.Labels[:labelsMax]
			out.Notes = append(out.Notes, fmt.Sprintf("There are %d more %s labels, with fewer elements than those shown.", more, c.name))
		}
		for _, l := range c.class.Labels {
			if err := s.describe(ctx, l, c.edges); err != nil {
				return nil, err
			}
		}
	}
	out.Notes = append(out.Notes, fmt.Sprintf("Keys are those of %d elements of each label, connections those of %d edges of each.", sample, sampleEnds))
	return out, nil
}

func counted(l *Label) int64 {
	if l.Count == nil {
		return 0
	}
	return *l.Count
}

// own asks gremlind, which counts as it writes.
func (s *Server) own(ctx context.Context, out *Schema, names []value.Value) error {
	var vertices, edges int64
	for _, v := range names {
		name, _ := v.Map().GetString("name")
		for _, c := range []struct {
			class *Class
			key   string
			sum   *int64
		}{{out.Vertices, "vertices", &vertices}, {out.Edges, "edges", &edges}} {
			if n, _ := v.Map().GetString(c.key); n.Int64() > 0 {
				count := n.Int64()
				*c.sum += count
				c.class.Labels = append(c.class.Labels, &Label{Label: name.Str(), Count: &count})
			}
		}
	}
	out.Vertices.Count, out.Edges.Count = &vertices, &edges
	if len(names) == namesMax {
		out.Vertices.Count, out.Edges.Count = nil, nil
		out.Notes = append(out.Notes, fmt.Sprintf("The graph has more than %d labels and keys; only so many were looked at.", namesMax))
	}
	for _, service := range []string{"gremlind.index.keys", "gremlind.index.list"} {
		list, err := s.ask(ctx, "g.call('"+service+"')", labelsMax)
		if err != nil {
			return err
		}
		for _, v := range list {
			out.Indexes = append(out.Indexes, plain(v))
		}
	}
	return nil
}

// plain is a map of texts.
func plain(v value.Value) any {
	m := map[string]string{}
	for i := range v.Map().Len() {
		k, x := v.Map().Entry(i)
		m[k.JavaString()] = x.JavaString()
	}
	return m
}

// others asks a server that has no list of names: its first elements tell what there is.
func (s *Server) others(ctx context.Context, out *Schema) error {
	for _, c := range []struct {
		class *Class
		all   string
	}{{out.Vertices, "g.V()"}, {out.Edges, "g.E()"}} {
		labels, err := s.ask(ctx, c.all+".limit("+strconv.Itoa(sampleOther)+").label().dedup()", labelsMax)
		if err != nil {
			return err
		}
		for _, v := range labels {
			c.class.Labels = append(c.class.Labels, &Label{Label: v.Str()})
		}
	}
	out.Notes = append(out.Notes, fmt.Sprintf("Labels are those of the first %d vertices and edges: there may be more.", sampleOther))
	return nil
}

// describe looks at some elements of a label.
func (s *Server) describe(ctx context.Context, l *Label, edges bool) error {
	of := "g.V()"
	if edges {
		of = "g.E()"
	}
	label := value.NewMap()
	label.PutString("wanted", value.String(l.Label))
	first := func(n int) string { return of + ".hasLabel(wanted).limit(" + strconv.Itoa(n) + ")" }
	keys, err := s.askWith(ctx, first(sample)+".properties().dedup().by(key()).project('key', 'value').by(key()).by(value())", label, keysMax)
	if err != nil {
		return err
	}
	l.Keys = types(keys)
	if !edges {
		return nil
	}
	ends, err := s.askWith(ctx, first(sampleEnds)+".project('from', 'to').by(outV().label()).by(inV().label()).dedup()", label, endsMax)
	for _, v := range ends {
		from, _ := v.Map().GetString("from")
		to, _ := v.Map().GetString("to")
		l.Connects = append(l.Connects, Ends{from.Str(), to.Str()})
	}
	return err
}

// types are the names of the types of values, by key.
func types(properties []value.Value) map[string]string {
	out := map[string]string{}
	for _, p := range properties {
		k, _ := p.Map().GetString("key")
		v, _ := p.Map().GetString("value")
		class := value.JavaClass(v)
		out[k.JavaString()] = class[strings.LastIndexByte(class, '.')+1:]
	}
	return out
}
