package load

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/schema"
	"github.com/gremlind/gremlind/storage/keyed"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/storage/value"
)

// A load asks the rules about each record, before anything is kept of it: one that does not
// fit is refused as any other bad record.

// crowd is a label of edges and a direction: which vertices have one of it is kept as a set
// of places.
type crowd struct {
	label blueprints.Symbol
	dir   blueprints.Direction
}

// joint is a label of edges, and the places of two vertices that one joins.
type joint struct {
	label   blueprints.Symbol
	out, in uint32
}

func (l *loader) vertexFits(label blueprints.Symbol, id value.Value) error {
	for _, r := range l.to.Rules {
		lr, m := r.Of(table.VertexClass, label)
		if lr != nil {
			m = lr.Element(id, l.entries)
		}
		if m != nil {
			return m
		}
	}
	return nil
}

func (l *loader) edgeFits(label blueprints.Symbol, id value.Value, out, in uint32) error {
	for _, r := range l.to.Rules {
		lr, m := r.Of(table.EdgeClass, label)
		if lr != nil {
			if m = lr.Element(id, l.entries); m == nil {
				m = lr.Joins(l.vertices.labels.at(int(out)), l.vertices.labels.at(int(in)))
			}
			if m == nil {
				m = l.alone(lr, label, out, in)
			}
		}
		if m != nil {
			return m
		}
	}
	return nil
}

// alone reports whether an edge would be one too many.
func (l *loader) alone(lr *blueprints.LabelRules, label blueprints.Symbol, out, in uint32) *schema.Misfit {
	if _, taken := l.pairs[joint{label, out, in}]; taken && lr.Multiplicity == schema.Simple {
		return lr.TooMany(l.vertexUserIDs.at(int(out)), 2)
	}
	has := func(dir blueprints.Direction, v uint32) bool {
		s := l.crowds[crowd{label, dir}]
		return s != nil && s.Has(uint64(v))
	}
	switch {
	case lr.Multiplicity.OneOut() && has(blueprints.Out, out):
		return lr.TooMany(l.vertexUserIDs.at(int(out)), 2)
	case lr.Multiplicity.OneIn() && has(blueprints.In, in):
		return lr.TooMany(l.vertexUserIDs.at(int(in)), 2)
	}
	return nil
}

// joined takes note of an edge that was taken.
func (l *loader) joined(label blueprints.Symbol, out, in uint32) error {
	for _, r := range l.to.Rules {
		lr, _ := r.Of(table.EdgeClass, label)
		if lr == nil {
			continue
		}
		if lr.Multiplicity == schema.Simple {
			if l.pairs == nil {
				l.pairs = map[joint]struct{}{}
			}
			l.pairs[joint{label, out, in}] = struct{}{}
		}
		if lr.Multiplicity.OneOut() {
			if err := l.crowd(label, blueprints.Out, out); err != nil {
				return err
			}
		}
		if lr.Multiplicity.OneIn() {
			if err := l.crowd(label, blueprints.In, in); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *loader) crowd(label blueprints.Symbol, dir blueprints.Direction, v uint32) error {
	c := crowd{label, dir}
	s := l.crowds[c]
	if s == nil {
		if l.crowds == nil {
			l.crowds = map[crowd]*keyed.Set{}
		}
		s = &keyed.Set{}
		l.crowds[c] = s
	}
	_, err := s.Add(uint64(v))
	return err
}
