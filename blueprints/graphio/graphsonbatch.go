package graphio

import (
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// graphSONBatch is some vertices of a GraphSON file with their outgoing edges: texts, of which
// parse makes records. Its memory is used again, but for the strings.
type graphSONBatch struct {
	texts []byte
	ends  []int // of the texts
	stars []star
	props []blueprints.PropertyRecord
	out   []blueprints.EdgeRecord // of the star being read
	edges []byte                  // as records, of all stars
	names map[string]string
}

// star is a vertex with its outgoing edges.
type star struct {
	v     blueprints.VertexRecord
	id    string // as it is written
	edges []int  // where each ends in graphSONBatch.edges
	from  int    // where the first begins
	err   error  // why it is none
}

func (b *graphSONBatch) begin() *graphSONBatch {
	b.texts, b.ends = b.texts[:0], b.ends[:0]
	return b
}

func (b *graphSONBatch) add(text []byte) {
	b.texts = append(b.texts, text...)
	b.ends = append(b.ends, len(b.texts))
}

// push hands on what became of the vertex i, which is the nth of the file.
func (b *graphSONBatch) push(i, n int, edges *heldEdges, sink blueprints.RecordSink, h Handler) error {
	s := &b.stars[i]
	fields := []string{"vertex", s.id}
	h.at(n, fields)
	err := s.err
	for from, k := s.from, 0; k < len(s.edges) && err == nil; k++ {
		err = edges.hold(n, "", b.edges[from:s.edges[k]])
		from = s.edges[k]
	}
	if err == nil {
		err = sink.Vertex(&s.v)
	}
	if err != nil {
		return h.bad(graphSONVertex, n, fields, err)
	}
	return nil
}

func (b *graphSONBatch) parse() {
	if b.names == nil {
		b.names = map[string]string{}
	}
	text := string(b.texts)
	b.props, b.edges = b.props[:0], b.edges[:0]
	if n := len(b.ends); cap(b.stars) < n {
		b.stars = append(b.stars[:cap(b.stars)], make([]star, n-cap(b.stars))...)
	} else {
		b.stars = b.stars[:n]
	}
	from := 0
	for i, end := range b.ends {
		s := &b.stars[i]
		*s = star{edges: s.edges[:0], from: len(b.edges)}
		s.err = b.star(s, &jsonCursor{text: text[from:end]})
		from = end
	}
}

// name is a label or key that shares no memory with its text: there are few.
func (b *graphSONBatch) name(s string, err error) (string, error) {
	known, ok := b.names[s]
	if !ok {
		known = strings.Clone(s)
		if len(b.names) < 1024 {
			b.names[known] = known
		}
	}
	return known, err
}

// star reads a vertex.
func (b *graphSONBatch) star(s *star, c *jsonCursor) error {
	b.out = b.out[:0]
	keys := make([]string, 0, 8)
	err := c.entries(func(key string) (err error) {
		keys = append(keys, key)
		switch key {
		case "id":
			c.next()
			from := c.at
			s.v.ID, err = c.value()
			s.id = c.text[from:c.at]
			if err != nil {
				return fmt.Errorf("id: %w", err)
			}
		case "label":
			s.v.Label, err = b.name(c.string())
		case "outE":
			err = b.outEdges(c)
		case "properties":
			s.v.Properties, err = b.properties(c, s.v.Properties)
		default:
			c.skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	if s.id == "" {
		return fmt.Errorf("id: %w: is this a vertex of GraphSON? It has the keys %s", errMissing, strings.Join(keys, ", "))
	}
	for i := range b.out {
		e := &b.out[i]
		e.Out = s.v.ID
		if b.edges, err = AppendEdgeRecord(b.edges, e); err != nil {
			return err
		}
		s.edges = append(s.edges, len(b.edges))
	}
	return nil
}

// properties reads those of a vertex behind others that it has.
func (b *graphSONBatch) properties(c *jsonCursor, known []blueprints.PropertyRecord) ([]blueprints.PropertyRecord, error) {
	start := len(b.props)
	b.props = append(b.props, known...)
	err := c.entries(func(key string) error {
		key, _ = b.name(key, nil)
		err := c.elements(func() error {
			b.props = append(b.props, blueprints.PropertyRecord{Key: key})
			return readProperty(&b.props[len(b.props)-1], c)
		})
		if err != nil {
			return fmt.Errorf("property %q: %w", key, err)
		}
		return nil
	})
	return b.props[start:len(b.props):len(b.props)], err
}

func readProperty(p *blueprints.PropertyRecord, c *jsonCursor) error {
	given := false
	err := c.entries(func(part string) (err error) {
		switch part {
		case "id":
			p.ID, err = c.value()
		case "value":
			given = true
			p.Value, err = c.value()
		case "properties":
			err = c.entries(func(key string) error {
				v, err := c.value()
				p.Meta = append(p.Meta, value.Property{Key: key, Value: v})
				return err
			})
		default:
			c.skip()
		}
		return err
	})
	if err == nil && !given {
		return errMissing
	}
	return err
}

func (b *graphSONBatch) outEdges(c *jsonCursor) error {
	return c.entries(func(label string) error {
		label, _ = b.name(label, nil)
		err := c.elements(func() error {
			b.out = append(b.out, blueprints.EdgeRecord{})
			e := &b.out[len(b.out)-1]
			e.Label = label
			return b.edge(e, c)
		})
		if err != nil {
			return fmt.Errorf("edge %q: %w", label, err)
		}
		return nil
	})
}

func (b *graphSONBatch) edge(e *blueprints.EdgeRecord, c *jsonCursor) error {
	id, in := false, false
	start := len(b.props)
	err := c.entries(func(key string) (err error) {
		switch key {
		case "id":
			id = true
			e.ID, err = c.value()
		case "inV":
			in = true
			e.In, err = c.value()
		case "properties":
			err = c.entries(func(key string) error {
				v, err := c.value()
				b.props = append(b.props, blueprints.PropertyRecord{Key: key, Value: v})
				return err
			})
		default:
			c.skip()
		}
		return err
	})
	e.Properties = b.props[start:len(b.props):len(b.props)]
	if err == nil && !(id && in) {
		return errMissing
	}
	return err
}
