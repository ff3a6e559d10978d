package services

import (
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// tinker.search gives the properties whose values match a regular expression as a
// whole: of vertices, then of edges, then of vertex properties. It scans.
var search = &service{
	name: "tinker.search", kinds: atStart,
	params: []traversal.ServiceParam{
		{Name: "search", Doc: "Specify a search term - will be converted to regex via .*(search).*"},
		{Name: "regex", Doc: "Directly specify the regex"},
		{Name: "type", Doc: "Specify the type of Element to search for, one of Vertex/Edge/VertexProperty (optional)"},
	},
	call: func(c traversal.ServiceCall) (traversal.Cursor, error) {
		pattern, ok := c.Params.GetString("regex")
		re := pattern.Str()
		if !ok {
			term, ok := c.Params.GetString("search")
			if !ok {
				return nil, errors.New("Missing search/regex parameter")
			}
			re = ".*(" + term.JavaString() + ").*"
		}
		exp, err := traversal.NewRegex(c.Run, `^(?:`+re+`)$`)
		if err != nil {
			return nil, err
		}
		kind, _ := c.Params.GetString("type")
		switch kind.Str() {
		case "", "Vertex", "Edge", "VertexProperty":
		default:
			return nil, fmt.Errorf("Type must be one of Vertex/Edge/VertexProperty: %s", kind.Str())
		}
		return &searcher{r: c.Run, exp: exp, only: kind.Str()}, nil
	},
}

// searcher walks all elements: pass 0 over vertices, 1 over edges, 2 over vertices
// again for the properties of their properties.
type searcher struct {
	r    *traversal.Run
	exp  *traversal.Regex
	only string
	pass int
	vs   blueprints.VertexIterator
	es   blueprints.EdgeIterator
	// props are those of one element still to be looked at.
	props []value.Value
}

var passes = [...]string{"Vertex", "Edge", "VertexProperty"}

func (s *searcher) Next(dst []value.Value, max int) ([]value.Value, error) {
	for from := len(dst); len(dst)-from < max; {
		if len(s.props) == 0 {
			more, err := s.advance()
			if !more || err != nil {
				return dst, err
			}
			continue
		}
		p := s.props[0]
		s.props = s.props[1:]
		v, err := s.r.Token(p, "value")
		if err != nil {
			return dst, err
		}
		text, err := s.r.JavaString(v)
		if err != nil {
			return dst, err
		}
		if v.IsNull() {
			continue
		}
		found, err := s.exp.Finds(text)
		if err != nil {
			return dst, err
		}
		if found {
			dst = append(dst, p)
		}
	}
	return dst, nil
}

// advance reads the properties of the next element; false when there is none left.
func (s *searcher) advance() (bool, error) {
	for ; s.pass < len(passes); s.pass++ {
		if s.only != "" && s.only != passes[s.pass] {
			continue
		}
		v, ok, err := s.element()
		if err != nil {
			return false, err
		}
		if !ok {
			s.Close()
			continue
		}
		if err := s.r.Poll(); err != nil {
			return false, err
		}
		return true, s.read(v)
	}
	return false, nil
}

func (s *searcher) element() (value.Value, bool, error) {
	if s.pass == 1 {
		if s.es == nil {
			s.es = s.r.View.Edges()
		}
		var buf [1]blueprints.EdgeID
		n := s.es.Next(buf[:])
		return value.EdgeRef(uint64(buf[0])), n > 0, s.es.Err()
	}
	if s.vs == nil {
		s.vs = s.r.View.Vertices()
	}
	var buf [1]blueprints.VertexID
	n := s.vs.Next(buf[:])
	return value.VertexRef(uint64(buf[0])), n > 0, s.vs.Err()
}

func (s *searcher) read(v value.Value) error {
	props, err := s.r.Properties(nil, v, nil)
	if err != nil || s.pass < 2 {
		s.props = props
		return err
	}
	for _, p := range props {
		if s.props, err = s.r.Properties(s.props, p, nil); err != nil {
			return err
		}
	}
	return nil
}

// Close gives the iterators back.
func (s *searcher) Close() {
	if s.vs != nil {
		s.vs.Close()
		s.vs = nil
	}
	if s.es != nil {
		s.es.Close()
		s.es = nil
	}
}
