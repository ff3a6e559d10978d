package blueprints

import (
	"context"
	"errors"

	"github.com/gremlind/gremlind/blueprints/schema"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// searchPiece is how many elements are looked at in one transaction: none is long, and each
// sees what is there by then. What comes meanwhile keeps to the rules already.
const searchPiece = 1024

// unfitSearch looks for elements that do not fit rules.
type unfitSearch struct {
	g     *Graph
	ctx   context.Context
	rules *Rules
	max   int  // how many are kept
	some  bool // no more than those are looked for

	found []Unfit
	total int64
	seen  keyed.Set // other ends of one vertex
}

// errFoundEnough ends a search.
var errFoundEnough = errors.New("found enough")

// run looks at the elements of labels, and at all labels when the schema closes.
func (s *unfitSearch) run(labels []*schema.Label, closes bool) error {
	var err error
	if closes {
		err = s.undefined()
	}
	for _, l := range labels {
		if err == nil {
			err = s.label(l)
		}
	}
	if errors.Is(err, errFoundEnough) {
		return nil
	}
	return err
}

func (s *unfitSearch) add(u Unfit) error {
	if s.total++; len(s.found) < s.max {
		s.found = append(s.found, u)
	}
	if s.some && len(s.found) == s.max {
		return errFoundEnough
	}
	return nil
}

// undefined finds the labels that have elements and no rules.
func (s *unfitSearch) undefined() error {
	return s.g.View(s.ctx, func(tx *Tx) error {
		for _, class := range [...]table.Class{table.VertexClass, table.EdgeClass} {
			count := tx.VertexCount
			if class == table.EdgeClass {
				count = tx.EdgeCount
			}
			for name, sym, ok := s.g.NameAfter(0); ok; name, sym, ok = s.g.NameAfter(sym) {
				n, err := count(sym)
				if err != nil {
					return err
				}
				if n == 0 || s.rules.labels[classSlot(class)][sym] != nil {
					continue
				}
				if err := s.add(Unfit{Class: class, Label: name, Problem: schema.Undefined(class == table.EdgeClass, name)}); err != nil {
					return err
				}
			}
		}
		return s.ctx.Err()
	})
}

// label looks at the elements of a label, piece by piece.
func (s *unfitSearch) label(l *schema.Label) error {
	class := table.VertexClass
	if l.Edge {
		class = table.EdgeClass
	}
	for sym, lr := range s.rules.labels[classSlot(class)] {
		if lr.Label != l {
			continue
		}
		for after, more := uint64(0), true; more; {
			err := s.g.View(s.ctx, func(tx *Tx) (err error) {
				return tx.ReadOnce(func() error {
					after, more, err = s.piece(tx, lr, class, sym, after)
					return err
				})
			})
			if err == nil {
				err = s.ctx.Err()
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// piece looks at the next elements behind one.
func (s *unfitSearch) piece(tx *Tx, lr *LabelRules, class table.Class, sym Symbol, after uint64) (last uint64, more bool, err error) {
	ids, err := tx.labelled(class, sym, after, searchPiece)
	if err != nil || len(ids) == 0 {
		return after, false, err
	}
	if class == table.VertexClass {
		err = s.vertices(tx, lr, asIDs[VertexID](ids))
	} else {
		err = s.edges(tx, lr, asIDs[EdgeID](ids))
	}
	return ids[len(ids)-1], len(ids) == searchPiece, err
}

func asIDs[ID ~uint64](numbers []uint64) []ID {
	ids := make([]ID, len(numbers))
	for i, n := range numbers {
		ids[i] = ID(n)
	}
	return ids
}

// labelled lists the next elements of a label behind one, as far as there are max.
func (t *Tx) labelled(class table.Class, sym Symbol, after uint64, max int) ([]uint64, error) {
	l := table.Label{Graph: t.g.number, Class: class, Label: uint32(sym), Element: after + 1}
	prefix := table.AppendLabelElements(nil, l.Graph, class, l.Label)
	it := t.tx.Scan(storage.ScanOptions{From: table.AppendLabel(nil, l), To: table.PrefixEnd(nil, prefix), Unobserved: true, Limit: max})
	defer it.Close()
	var ids []uint64
	for len(ids) < max && it.Next() {
		l, err := table.DecodeLabel(it.Key())
		if err != nil {
			return nil, corrupt("label", err)
		}
		ids = append(ids, l.Element)
	}
	return ids, it.Err()
}

func (s *unfitSearch) vertices(tx *Tx, lr *LabelRules, vs []VertexID) error {
	if err := tx.FetchVertices(vs, false); err != nil {
		return err
	}
	var props []PropertyEntry
	for _, v := range vs {
		id, err := tx.VertexUserID(v)
		if err != nil {
			return err
		}
		if props, err = tx.VertexProperties(props[:0], v, nil); err != nil {
			return err
		}
		if err := s.element(lr, VertexClass, id, props); err != nil {
			return err
		}
	}
	return nil
}

// element looks at what every element has.
func (s *unfitSearch) element(lr *LabelRules, class ElementClass, id value.Value, props []PropertyEntry) error {
	return s.unfit(lr, class, id, lr.Element(id, props))
}

func (s *unfitSearch) unfit(lr *LabelRules, class ElementClass, id value.Value, m *schema.Misfit) error {
	if m == nil {
		return nil
	}
	return s.add(Unfit{Class: class, ID: id, Label: lr.Name, Problem: m})
}

func (s *unfitSearch) edges(tx *Tx, lr *LabelRules, es []EdgeID) error {
	if err := tx.FetchEdges(es); err != nil {
		return err
	}
	var props []PropertyEntry
	for _, e := range es {
		c, err := tx.knownEdge(e)
		if err != nil {
			return err
		}
		if props, err = tx.EdgeProperties(props[:0], e, nil); err != nil {
			return err
		}
		if err := s.element(lr, EdgeClass, c.ID, props); err != nil {
			return err
		}
		m, err := misfitOf(tx.joins(lr, c))
		if err != nil {
			return err
		}
		if err := s.unfit(lr, EdgeClass, c.ID, m); err != nil {
			return err
		}
		if err := s.crowds(tx, lr, e, c); err != nil {
			return err
		}
	}
	return nil
}

// misfitOf tells misfits from other errors.
func misfitOf(err error) (*schema.Misfit, error) {
	var m *schema.Misfit
	if errors.As(err, &m) {
		return m, nil
	}
	return nil, err
}

// crowds looks whether the vertices of an edge have too many of its label. Each vertex is
// looked at once, at the first of its edges.
func (s *unfitSearch) crowds(tx *Tx, lr *LabelRules, e EdgeID, c EdgeCell) error {
	if lr.Multiplicity == schema.Simple {
		return s.parallel(tx, lr, e, c)
	}
	for _, end := range []struct {
		looks bool
		v     VertexID
		dir   Direction
	}{{lr.Multiplicity.OneOut(), c.Out, Out}, {lr.Multiplicity.OneIn(), c.In, In}} {
		if !end.looks {
			continue
		}
		first, err := tx.firstEdge(end.v, end.dir, c.Label)
		if err != nil {
			return err
		}
		if first != e {
			continue
		}
		n, err := tx.edgesOf(end.v, end.dir, c.Label)
		if err != nil {
			return err
		}
		if n > 1 {
			if err := s.crowd(tx, lr, end.v, n); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *unfitSearch) crowd(tx *Tx, lr *LabelRules, v VertexID, n int64) error {
	id, err := tx.VertexUserID(v)
	if err != nil {
		return err
	}
	return s.unfit(lr, VertexClass, id, lr.TooMany(id, n))
}

// parallel looks for a second edge to the same vertex.
func (s *unfitSearch) parallel(tx *Tx, lr *LabelRules, e EdgeID, c EdgeCell) error {
	first, err := tx.firstEdge(c.Out, Out, c.Label)
	if err != nil || first != e {
		return err
	}
	s.seen = keyed.Set{}
	twice := int64(0)
	x := Expansion{Dir: Out, Labels: []Symbol{c.Label}}
	err = tx.Expand([]VertexID{c.Out}, x, SinkFunc(func(_ int, x Expanded) error {
		for _, a := range x.Edges {
			isNew, err := s.seen.Add(uint64(a.Other))
			if err != nil {
				return err
			}
			if !isNew {
				twice++
			}
		}
		return nil
	}))
	if err != nil || twice == 0 {
		return err
	}
	return s.crowd(tx, lr, c.Out, twice+1)
}

// firstEdge returns the first edge of a label in one direction.
func (t *Tx) firstEdge(v VertexID, dir Direction, label Symbol) (first EdgeID, err error) {
	x := Expansion{Dir: dir, Labels: []Symbol{label}, Max: 1}
	err = t.Expand([]VertexID{v}, x, SinkFunc(func(_ int, e Expanded) error {
		for _, a := range e.Edges {
			first = a.Edge
		}
		return nil
	}))
	return first, err
}
