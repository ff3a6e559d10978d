package graphio

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/storage/value"
)

// TxSink adds the records of one file to a graph within a transaction. Ids of the file
// are kept where the graph's id manager can convert them, and replaced by generated
// ones elsewhere; edges are between vertices of the file.
func TxSink(m blueprints.Mutator, o blueprints.Options) blueprints.RecordSink {
	return &txSink{m: m, o: o, vertices: value.NewMap()}
}

type txSink struct {
	m        blueprints.Mutator
	o        blueprints.Options
	vertices *value.Map // id in the file -> internal id as a Long
}

// Vertex adds a vertex with its properties.
func (s *txSink) Vertex(v *blueprints.VertexRecord) error {
	id, err := s.m.AddVertex(v.Label, allowed(s.o.VertexIDs, v.ID))
	if err != nil {
		return err
	}
	s.vertices.Put(own(s.key(v.ID)), value.Long(int64(id)))
	for i, p := range v.Properties {
		if _, err := s.m.SetVertexProperty(id, cardinality(v.Properties, i), p.Key, p.Value, allowed(s.o.VertexPropertyIDs, p.ID), p.Meta); err != nil {
			return fmt.Errorf("property %q: %w", p.Key, err)
		}
	}
	return nil
}

// key is what ids of the file have in common that name one vertex of the graph.
func (s *txSink) key(id value.Value) value.Value {
	return s.o.CanonicalID(blueprints.VertexClass, id)
}

// own is the id without the text of the file around it, which it keeps in memory.
func own(id value.Value) value.Value {
	if id.Kind() == value.KindString {
		return value.String(strings.Clone(id.Str()))
	}
	return id
}

// allowed is the id, or Null where the manager cannot convert it.
func allowed(m ids.Manager, id value.Value) value.Value {
	if _, err := m.Convert(id); err != nil {
		return value.Null
	}
	return id
}

// cardinality is list where the key stands more than once, and single elsewhere.
func cardinality(ps []blueprints.PropertyRecord, i int) string {
	for j := range ps {
		if j != i && ps[j].Key == ps[i].Key {
			return "list"
		}
	}
	return "single"
}

// Edge adds an edge between vertices that came before it.
func (s *txSink) Edge(e *blueprints.EdgeRecord) error {
	out, err := s.vertex(e.Out)
	if err != nil {
		return err
	}
	in, err := s.vertex(e.In)
	if err != nil {
		return err
	}
	id, err := s.m.AddEdge(e.Label, out, in, allowed(s.o.EdgeIDs, e.ID))
	if err != nil {
		return err
	}
	for _, p := range e.Properties {
		if err := s.m.SetEdgeProperty(id, p.Key, p.Value); err != nil {
			return fmt.Errorf("property %q: %w", p.Key, err)
		}
	}
	return nil
}

func (s *txSink) vertex(id value.Value) (blueprints.VertexID, error) {
	v, ok := s.vertices.Get(s.key(id))
	if !ok {
		return 0, fmt.Errorf("the file has no vertex %v", id)
	}
	return blueprints.VertexID(v.Int64()), nil
}

// ViewSource gives the records of a graph as a View sees it.
func ViewSource(v blueprints.View) blueprints.RecordSource { return &viewSource{v: v} }

type viewSource struct {
	v       blueprints.View
	entries []blueprints.PropertyEntry // of the element under way
	ends    []blueprints.VertexID      // that are read together
	seen    struct{ edges, bytes int }
}

const (
	transferBatch = 256  // vertices read at once
	starsMax      = 1024 // vertices with their edges
	// edgeBatch is how many edges are read at once: many, for the vertices that they join
	// lie nearer to each other then.
	edgeBatch = 4096
	// starBatch is how many edges of vertices are read at once, with their other ends: the
	// blocks that they lie in are read anew for each batch. They are fewer where they are
	// large, so that they stay in memory until they are used.
	starBatch = 8192
	starBytes = 4 << 20
	// starAlone is how many edges of a vertex in a direction are read by themselves.
	starAlone = starBatch / 4
	// rowBytes is about what the rows of an edge and of its other end take without the
	// properties of the edge, entryBytes what a value in one takes.
	rowBytes, entryBytes = 256, 64
)

// EachVertex visits all vertices.
func (s *viewSource) EachVertex(fn func(*blueprints.VertexRecord) error) error {
	return s.eachBatch(false, func(batch []blueprints.VertexID) error {
		for _, id := range batch {
			r, err := s.vertex(id)
			if err != nil {
				return err
			}
			if err := fn(r); err != nil {
				return err
			}
		}
		return nil
	})
}

// eachBatch visits all vertices, many at a time, which it reads at once, with their edges
// when adjacent is set.
func (s *viewSource) eachBatch(adjacent bool, fn func([]blueprints.VertexID) error) error {
	return s.v.ReadOnce(func() error {
		it := s.v.Vertices()
		defer it.Close()
		size := transferBatch
		if adjacent {
			size = starsMax
		}
		buf := make([]blueprints.VertexID, size)
		for n := it.Next(buf); n > 0; n = it.Next(buf) {
			if err := s.v.FetchVertices(buf[:n], adjacent); err != nil {
				return err
			}
			if err := fn(buf[:n]); err != nil {
				return err
			}
		}
		return it.Err()
	})
}

func (s *viewSource) vertex(id blueprints.VertexID) (*blueprints.VertexRecord, error) {
	user, err := s.v.VertexUserID(id)
	if err != nil {
		return nil, err
	}
	label, err := s.v.VertexLabel(id)
	if err != nil {
		return nil, err
	}
	s.entries, err = s.v.VertexProperties(s.entries[:0], id, nil)
	r := &blueprints.VertexRecord{ID: user, Label: s.v.Name(label), Properties: make([]blueprints.PropertyRecord, len(s.entries))}
	for i := range s.entries {
		e := &s.entries[i]
		r.Properties[i] = blueprints.PropertyRecord{Key: s.v.Name(e.Key), Value: e.Value, ID: e.ID(), Meta: e.Meta()}
	}
	return r, err
}

// EachEdge visits all edges.
func (s *viewSource) EachEdge(fn func(*blueprints.EdgeRecord) error) error {
	return s.eachEdge(func(headers []blueprints.EdgeHeader) error {
		s.ends = s.ends[:0]
		for i := range headers {
			s.ends = append(s.ends, headers[i].Out, headers[i].In)
		}
		return s.fetchEnds()
	}, s.edge, fn)
}

// EachLoose visits all edges without the vertices that they join.
func (s *viewSource) EachLoose(fn func(*blueprints.EdgeRecord) error) error {
	return s.eachEdge(func([]blueprints.EdgeHeader) error { return nil }, func(h *blueprints.EdgeHeader) (*blueprints.EdgeRecord, error) {
		return s.edgeBetween(h.ID, h.Label, value.Null, value.Null)
	}, fn)
}

// eachEdge reads edges, many at once; ahead reads what else is wanted of them.
func (s *viewSource) eachEdge(ahead func([]blueprints.EdgeHeader) error, record func(*blueprints.EdgeHeader) (*blueprints.EdgeRecord, error), fn func(*blueprints.EdgeRecord) error) error {
	return s.v.ReadOnce(func() error {
		it := s.v.Edges()
		defer it.Close()
		buf, headers := make([]blueprints.EdgeID, edgeBatch), make([]blueprints.EdgeHeader, edgeBatch)
		for n := it.Next(buf); n > 0; n = it.Next(buf) {
			if err := s.headers(headers[:n], buf[:n]); err != nil {
				return err
			}
			if err := ahead(headers[:n]); err != nil {
				return err
			}
			for i := range headers[:n] {
				r, err := record(&headers[i])
				if err != nil {
					return err
				}
				if err := fn(r); err != nil {
					return err
				}
			}
		}
		return it.Err()
	})
}

// headers reads edges.
func (s *viewSource) headers(dst []blueprints.EdgeHeader, ids []blueprints.EdgeID) (err error) {
	if err := s.v.FetchEdges(ids); err != nil {
		return err
	}
	for i, id := range ids {
		if dst[i], err = s.v.Edge(id); err != nil {
			return err
		}
	}
	return nil
}

// fetchEnds reads the vertices in s.ends.
func (s *viewSource) fetchEnds() error {
	slices.Sort(s.ends)
	s.ends = slices.Compact(s.ends)
	return s.v.FetchVertices(s.ends, false)
}

func (s *viewSource) edge(h *blueprints.EdgeHeader) (*blueprints.EdgeRecord, error) {
	out, err := s.v.VertexUserID(h.Out)
	if err != nil {
		return nil, err
	}
	in, err := s.v.VertexUserID(h.In)
	if err != nil {
		return nil, err
	}
	return s.edgeBetween(h.ID, h.Label, out, in)
}

func (s *viewSource) edgeBetween(id blueprints.EdgeID, label blueprints.Symbol, out, in value.Value) (*blueprints.EdgeRecord, error) {
	user, err := s.v.EdgeUserID(id)
	if err != nil {
		return nil, err
	}
	s.entries, err = s.v.EdgeProperties(s.entries[:0], id, nil)
	r := &blueprints.EdgeRecord{ID: user, Label: s.v.Name(label), Out: out, In: in, Properties: make([]blueprints.PropertyRecord, len(s.entries))}
	for i := range s.entries {
		v := s.entries[i].Value
		r.Properties[i] = blueprints.PropertyRecord{Key: s.v.Name(s.entries[i].Key), Value: v}
		s.seen.bytes += entryBytes * (1 + int(v.Parts()))
		if v.Kind() == value.KindString {
			s.seen.bytes += len(v.Str())
		}
	}
	s.seen.edges++
	return r, err
}

// EachStar visits all vertices with their edges, of which it holds a page at a time.
func (s *viewSource) EachStar(fn func(*blueprints.Star) error) error {
	return s.eachBatch(true, func(batch []blueprints.VertexID) error {
		for len(batch) > 0 {
			n, err := s.fetchStars(batch)
			if err != nil {
				return err
			}
			if err := s.stars(batch[:n], fn); err != nil {
				return err
			}
			batch = batch[n:]
		}
		return nil
	})
}

// stars visits vertices with their edges.
func (s *viewSource) stars(vs []blueprints.VertexID, fn func(*blueprints.Star) error) error {
	for _, id := range vs {
		r, err := s.vertex(id)
		if err != nil {
			return err
		}
		star := &blueprints.Star{Vertex: r, Edges: func(dir blueprints.Direction, fn func(*blueprints.EdgeRecord) error) error {
			return s.edges(id, r.ID, dir, fn)
		}}
		if err := fn(star); err != nil {
			return err
		}
	}
	return nil
}

// errEnough ends the collecting of edges.
var errEnough = errors.New("enough")

// fetchStars reads the edges of the first of some vertices, and returns of how many: of
// those that have many edges they are read when it is their turn.
func (s *viewSource) fetchStars(vs []blueprints.VertexID) (n int, err error) {
	var all []blueprints.Adjacent
	room := s.starRoom() / 2 // each way
	for _, dir := range [...]blueprints.Direction{blueprints.Out, blueprints.In} {
		begin := len(all)
		err := s.v.Expand(vs, blueprints.Expansion{Dir: dir, Max: starAlone}, blueprints.SinkFunc(func(i int, e blueprints.Expanded) error {
			if i > 0 && len(all)-begin+len(e.Edges) > room {
				vs = vs[:i]
				return errEnough
			}
			if len(e.Edges) < starAlone {
				all = append(all, e.Edges...)
			}
			return nil
		}))
		if err != nil && !errors.Is(err, errEnough) {
			return 0, err
		}
	}
	return len(vs), s.fetchPage(all)
}

// starRoom is how many edges may be read at once, from what was seen of edges so far.
func (s *viewSource) starRoom() int {
	return max(min(starBytes/(rowBytes+s.seen.bytes/max(s.seen.edges, 1)), starBatch), starBatch/16)
}

// fetchPage reads edges and the vertices at their other ends.
func (s *viewSource) fetchPage(page []blueprints.Adjacent) error {
	ids := make([]blueprints.EdgeID, len(page))
	s.ends = s.ends[:0]
	for i := range page {
		ids[i] = page[i].Edge
		s.ends = append(s.ends, page[i].Other)
	}
	slices.Sort(ids)
	if err := s.v.FetchEdges(slices.Compact(ids)); err != nil {
		return err
	}
	return s.fetchEnds()
}

// edges visits the edges of a vertex in a direction.
func (s *viewSource) edges(v blueprints.VertexID, own value.Value, dir blueprints.Direction, fn func(*blueprints.EdgeRecord) error) error {
	var page []blueprints.Adjacent
	take := blueprints.SinkFunc(func(_ int, e blueprints.Expanded) error {
		page = append(page[:0], e.Edges...)
		return nil
	})
	x := blueprints.Expansion{Dir: dir, Max: starBatch}
	for {
		if err := s.v.Expand([]blueprints.VertexID{v}, x, take); err != nil {
			return err
		}
		if len(page) >= starAlone {
			if err := s.fetchPage(page); err != nil {
				return err
			}
		}
		for i := range page {
			a := &page[i]
			other, err := s.v.VertexUserID(a.Other)
			if err != nil {
				return err
			}
			out, in := own, other
			if dir == blueprints.In {
				out, in = other, own
			}
			e, err := s.edgeBetween(a.Edge, a.Label, out, in)
			if err != nil {
				return err
			}
			if err := fn(e); err != nil {
				return err
			}
		}
		if len(page) < starBatch {
			return nil
		}
		x.After = page[len(page)-1]
	}
}
