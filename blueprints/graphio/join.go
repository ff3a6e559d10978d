package graphio

import (
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/schema"
	"github.com/gremlind/gremlind/storage/value"
)

// Refused says why a graph does not take a record, and that it takes others: what was
// written of the record is gone again.
type Refused struct{ Reason error }

// Error gives the reason.
func (r *Refused) Error() string { return r.Reason.Error() }

// Unwrap returns the reason.
func (r *Refused) Unwrap() error { return r.Reason }

func refused(format string, args ...any) error { return &Refused{fmt.Errorf(format, args...)} }

// Writing is a transaction as records need it.
type Writing interface {
	blueprints.View
	blueprints.Mutator
}

// JoinSink adds records to a graph that may have elements already, in any number of
// transactions. Ids are those of the records, converted by the graph's id managers, and
// an edge finds its vertices in the graph. An element whose id is there already is
// refused, or with merge takes the properties of the record: values of a key replace
// those that it had. Errors other than a *Refused leave the transaction to be closed.
func JoinSink(w Writing, merge bool) blueprints.RecordSink { return &joinSink{w, merge} }

type joinSink struct {
	w     Writing
	merge bool
}

// Vertex adds a vertex or merges it.
func (s *joinSink) Vertex(v *blueprints.VertexRecord) error {
	if err := s.legal(v.Properties); err != nil {
		return err
	}
	if s.merge {
		found, ok, err := s.find(v.ID)
		if err != nil {
			return err
		}
		if ok {
			return s.mergeVertex(found, v)
		}
	}
	id, err := s.w.AddVertex(v.Label, v.ID)
	if err != nil {
		return asRefused(err)
	}
	for i, p := range v.Properties {
		if _, err := s.w.SetVertexProperty(id, cardinality(v.Properties, i), p.Key, p.Value, p.ID, p.Meta); err != nil {
			return firstError(s.w.RemoveVertex(id), asRefused(fmt.Errorf("property %q: %w", p.Key, err)))
		}
	}
	if w, ok := s.w.(ruled); ok {
		if err := w.VertexFits(id); err != nil {
			return firstError(s.w.RemoveVertex(id), asRefused(err))
		}
	}
	return nil
}

// ruled is a Writing that knows before its commit whether what it added keeps to the schema.
type ruled interface {
	VertexFits(blueprints.VertexID) error
	EdgeFits(blueprints.EdgeID) error
}

// legal refuses what would fail in the middle of a record.
func (s *joinSink) legal(ps []blueprints.PropertyRecord) error {
	for i := range ps {
		err := blueprints.ValidateKey(ps[i].Key)
		for _, m := range ps[i].Meta {
			err = firstError(err, blueprints.ValidateKey(m.Key))
		}
		if err == nil {
			_, err = s.w.Options().VertexPropertyIDs.Convert(ps[i].ID)
		}
		if err != nil {
			return refused("property %q: %w", ps[i].Key, err)
		}
	}
	return nil
}

// asRefused is the error of a record, as the graph's own rules make them; others, of
// the store, are the transaction's.
func asRefused(err error) error {
	if errors.As(err, new(*blueprints.Exception)) || errors.As(err, new(*schema.Misfit)) {
		return &Refused{err}
	}
	return err
}

func (s *joinSink) find(id value.Value) (blueprints.VertexID, bool, error) {
	v, ok, err := s.w.FindVertex(id)
	return v, ok, asRefused(err)
}

// mergeVertex sets the properties of a record on a vertex.
func (s *joinSink) mergeVertex(id blueprints.VertexID, v *blueprints.VertexRecord) error {
	label, err := s.w.VertexLabel(id)
	if err != nil {
		return err
	}
	if has := s.w.Name(label); v.Label != has && v.Label != defaultVertexLabel {
		return refused("vertex %s has the label %q, which cannot become %q", v.ID.Brief(), has, v.Label)
	}
	for i := range v.Properties {
		p, kept := &v.Properties[i], "list"
		if firstOfKey(v.Properties, i) {
			kept = "single" // which takes away what was there
		}
		if _, err := s.w.SetVertexProperty(id, kept, p.Key, p.Value, p.ID, p.Meta); err != nil {
			return fmt.Errorf("vertex %s: property %q: %w", v.ID.Brief(), p.Key, err)
		}
	}
	return nil
}

func firstOfKey(ps []blueprints.PropertyRecord, i int) bool {
	for j := range i {
		if ps[j].Key == ps[i].Key {
			return false
		}
	}
	return true
}

// Edge adds an edge or merges it.
func (s *joinSink) Edge(e *blueprints.EdgeRecord) error {
	if err := s.legal(e.Properties); err != nil {
		return err
	}
	out, err := s.endpoint(e.Out)
	if err != nil {
		return err
	}
	in, err := s.endpoint(e.In)
	if err != nil {
		return err
	}
	if s.merge {
		found, ok, err := s.w.FindEdge(e.ID)
		if err != nil {
			return asRefused(err)
		}
		if ok {
			return s.mergeEdge(found, e, out, in)
		}
	}
	id, err := s.w.AddEdge(e.Label, out, in, e.ID)
	if err != nil {
		return asRefused(err)
	}
	if err := s.edgeProperties(id, e); err != nil {
		return firstError(s.w.RemoveEdge(id), asRefused(err))
	}
	if w, ok := s.w.(ruled); ok {
		if err := w.EdgeFits(id); err != nil {
			return firstError(s.w.RemoveEdge(id), asRefused(err))
		}
	}
	return nil
}

func (s *joinSink) endpoint(id value.Value) (blueprints.VertexID, error) {
	v, ok, err := s.find(id)
	if err == nil && !ok {
		err = refused("there is no vertex %s, in the graph or in the records before", id.Brief())
	}
	return v, err
}

func (s *joinSink) mergeEdge(id blueprints.EdgeID, e *blueprints.EdgeRecord, out, in blueprints.VertexID) error {
	h, err := s.w.Edge(id)
	if err != nil {
		return err
	}
	if has := s.w.Name(h.Label); h.Out != out || h.In != in || e.Label != has && e.Label != defaultEdgeLabel {
		return refused("edge %s is another one already: its label or its vertices are not those of the record", e.ID.Brief())
	}
	return s.edgeProperties(id, e)
}

func (s *joinSink) edgeProperties(id blueprints.EdgeID, e *blueprints.EdgeRecord) error {
	for _, p := range e.Properties {
		if err := s.w.SetEdgeProperty(id, p.Key, p.Value); err != nil {
			return fmt.Errorf("property %q: %w", p.Key, err)
		}
	}
	return nil
}
