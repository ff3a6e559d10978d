package graphio

import (
	"context"
	"encoding/json"
	"io"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// WriteGraphSON writes one vertex a line, each with both sides of its edges. It keeps
// no more than one element in memory.
func WriteGraphSON(ctx context.Context, w io.Writer, source blueprints.RecordSource) error {
	s := &graphSONLine{ctx: ctx, w: w}
	err := source.EachStar(func(star *blueprints.Star) error {
		s.vertex(star)
		s.flush(graphSONChunk)
		return firstError(ctx.Err(), s.err)
	})
	s.flush(0)
	return firstError(err, s.err)
}

// graphSONChunk is how many bytes are written at once, unless one element has more.
const graphSONChunk = 64 << 10

// graphSONLine builds lines; the first error sticks.
type graphSONLine struct {
	ctx context.Context
	w   io.Writer
	buf []byte
	err error
}

// flush writes what was built, when there are so many bytes of it.
func (s *graphSONLine) flush(least int) {
	if len(s.buf) < least {
		return
	}
	if s.err == nil {
		_, s.err = s.w.Write(s.buf)
	}
	s.buf = s.buf[:0]
}

func (s *graphSONLine) text(t string) { s.buf = append(s.buf, t...) }

func (s *graphSONLine) string(t string) {
	b, err := json.Marshal(t)
	s.err = firstError(s.err, err)
	s.buf = append(s.buf, b...)
}

func (s *graphSONLine) value(v value.Value) {
	b, err := appendValue(s.buf, v)
	s.err = firstError(s.err, err)
	s.buf = b
}

func (s *graphSONLine) vertex(star *blueprints.Star) {
	v := star.Vertex
	s.text(`{"id":`)
	s.value(v.ID)
	s.text(`,"label":`)
	s.string(v.Label)
	s.edges("inE", star, blueprints.In)
	s.edges("outE", star, blueprints.Out)
	if len(v.Properties) > 0 {
		s.text(`,"properties":{`)
		s.grouped(len(v.Properties), func(i int) string { return v.Properties[i].Key }, func(i int) { s.vertexProperty(&v.Properties[i]) })
		s.text(`}`)
	}
	s.text("}\n")
}

// grouped writes "key":[...] for each key in the order of first use.
func (s *graphSONLine) grouped(n int, key func(int) string, write func(int)) {
	done := map[string]bool{}
	for i := 0; i < n; i++ {
		k := key(i)
		if done[k] {
			continue
		}
		if len(done) > 0 {
			s.text(",")
		}
		done[k] = true
		s.string(k)
		s.text(":[")
		for j := i; j < n; j++ {
			if key(j) != k {
				continue
			}
			if j > i {
				s.text(",")
			}
			write(j)
		}
		s.text("]")
	}
}

func (s *graphSONLine) vertexProperty(p *blueprints.PropertyRecord) {
	s.text(`{"id":`)
	s.value(p.ID)
	s.text(`,"value":`)
	s.value(p.Value)
	if len(p.Meta) > 0 {
		s.text(`,"properties":{`)
		for i, m := range p.Meta {
			if i > 0 {
				s.text(",")
			}
			s.string(m.Key)
			s.text(":")
			s.value(m.Value)
		}
		s.text(`}`)
	}
	s.text(`}`)
}

// edges writes one side of the edges, by label.
func (s *graphSONLine) edges(name string, star *blueprints.Star, dir blueprints.Direction) {
	label, some := "", false
	err := star.Edges(dir, func(e *blueprints.EdgeRecord) error {
		switch {
		case !some:
			s.text(`,"` + name + `":{`)
		case e.Label == label:
			s.text(",")
		default:
			s.text("],")
		}
		if !some || e.Label != label {
			some, label = true, e.Label
			s.string(label)
			s.text(":[")
		}
		s.edge(e, dir)
		s.flush(graphSONChunk)
		return firstError(s.ctx.Err(), s.err)
	})
	s.err = firstError(s.err, err)
	if some {
		s.text("]}")
	}
}

func (s *graphSONLine) edge(e *blueprints.EdgeRecord, dir blueprints.Direction) {
	s.text(`{"id":`)
	s.value(e.ID)
	if dir == blueprints.Out {
		s.text(`,"inV":`)
		s.value(e.In)
	} else {
		s.text(`,"outV":`)
		s.value(e.Out)
	}
	if len(e.Properties) > 0 {
		s.text(`,"properties":{`)
		for i, p := range e.Properties {
			if i > 0 {
				s.text(",")
			}
			s.string(p.Key)
			s.text(":")
			s.value(p.Value)
		}
		s.text(`}`)
	}
	s.text(`}`)
}
