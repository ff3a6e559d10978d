package schema

import (
	"encoding/json"
	"fmt"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/value"
)

// TextMax is how many bytes a schema may take in its stored form.
const TextMax = 1 << 20

// The stored form is JSON, so that it can be read without this program. What is not there
// is as in the zero value; open is written where it is false.

type record struct {
	Version int64         `json:"version"`
	Open    *bool         `json:"open,omitempty"`
	Labels  []labelRecord `json:"labels,omitempty"`
}

type labelRecord struct {
	Vertex       string               `json:"vertex,omitempty"`
	Edge         string               `json:"edge,omitempty"`
	ID           string               `json:"id,omitempty"`
	Open         *bool                `json:"open,omitempty"`
	From         []string             `json:"from,omitempty"`
	To           []string             `json:"to,omitempty"`
	Multiplicity Multiplicity         `json:"multiplicity,omitempty"`
	Keys         map[string]keyRecord `json:"keys,omitempty"`
}

type keyRecord struct {
	Type      string          `json:"type,omitempty"`
	Required  bool            `json:"required,omitempty"`
	Min       json.RawMessage `json:"min,omitempty"`
	Max       json.RawMessage `json:"max,omitempty"`
	MaxLength int             `json:"maxLength,omitempty"`
}

// openUnless is open where it is false.
func openUnless(closed bool) *bool {
	if !closed {
		return nil
	}
	open := false
	return &open
}

// Encode returns the stored form, or why it is too large.
func (s *Schema) Encode() ([]byte, error) {
	r := record{Version: s.Version, Open: openUnless(s.Closed)}
	for _, l := range s.Labels() {
		lr := labelRecord{ID: l.ID.String(), Open: openUnless(l.Closed), From: l.From, To: l.To, Keys: map[string]keyRecord{}}
		if lr.Vertex = l.Name; l.Edge {
			lr.Vertex, lr.Edge = "", l.Name
		}
		if l.Multiplicity != Multi {
			lr.Multiplicity = l.Multiplicity
		}
		for name, k := range l.Keys {
			lr.Keys[name] = keyRecord{k.Type.String(), k.Required, encodeBound(k.Min), encodeBound(k.Max), k.MaxLength}
		}
		r.Labels = append(r.Labels, lr)
	}
	b, err := json.Marshal(r)
	if err == nil && len(b) > TextMax {
		err = complaint(fmt.Errorf("it takes %d bytes, at most %d are kept: leave labels or keys out", len(b), TextMax))
	}
	return b, err
}

// Decode reads what Encode wrote.
func Decode(b []byte) (*Schema, error) {
	var r record
	s := (&Schema{}).clone()
	err := json.Unmarshal(b, &r)
	if err == nil {
		s.Version, s.Closed = r.Version, r.Open != nil && !*r.Open
		for i := range r.Labels {
			if err = s.decodeLabel(&r.Labels[i]); err != nil {
				break
			}
		}
	}
	if err != nil {
		return nil, fmt.Errorf("schema: %w: %w", storage.ErrCorrupt, err)
	}
	return s, nil
}

func (s *Schema) decodeLabel(r *labelRecord) error {
	l := &Label{Edge: r.Edge != "", Name: r.Vertex + r.Edge, Closed: r.Open != nil && !*r.Open, From: r.From, To: r.To,
		Multiplicity: r.Multiplicity, Keys: map[string]*Key{}}
	if l.Multiplicity == "" {
		l.Multiplicity = Multi
	}
	if _, err := multiplicity(value.String(string(l.Multiplicity))); err != nil {
		return fmt.Errorf("%s: multiplicity: %w", l.Name, err)
	}
	var err error
	if l.ID, err = decodeType(r.ID); err != nil {
		return fmt.Errorf("%s: id: %w", l.Name, err)
	}
	for name, kr := range r.Keys {
		k := &Key{Name: name, Required: kr.Required, MaxLength: kr.MaxLength}
		if k.Type, err = decodeType(kr.Type); err == nil {
			k.Min, err = decodeBound(kr.Min)
		}
		if err == nil {
			k.Max, err = decodeBound(kr.Max)
		}
		if err == nil {
			err = k.settle()
		}
		if err != nil {
			return fmt.Errorf("%s: key %s: %w", l.Name, name, err)
		}
		l.Keys[name] = k
	}
	if l.Name == "" {
		return fmt.Errorf("a label without a name")
	}
	s.labels(l.Edge)[l.Name] = l
	return nil
}

func decodeType(name string) (Type, error) {
	if name == "" {
		return Type{}, nil
	}
	return parseType(name)
}

// Value returns the schema as With reads it, so that it can be given to another graph, with
// everything said that holds and nothing that does not.
func (s *Schema) Value() value.Value {
	m := value.NewMap()
	m.PutString("version", value.Long(s.Version))
	m.PutString("open", value.Bool(!s.Closed))
	var labels []value.Value
	for _, l := range s.Labels() {
		labels = append(labels, l.value())
	}
	m.PutString("labels", value.List(labels))
	return m.Value()
}

func (l *Label) value() value.Value {
	m := value.NewMap()
	m.PutString(l.class(), value.String(l.Name))
	if !l.ID.Any() {
		m.PutString("id", value.String(l.ID.String()))
	}
	m.PutString("open", value.Bool(!l.Closed))
	for _, end := range []struct {
		name   string
		labels []string
	}{{"from", l.From}, {"to", l.To}} {
		switch len(end.labels) {
		case 0:
		case 1:
			m.PutString(end.name, value.String(end.labels[0]))
		default:
			m.PutString(end.name, value.Of(end.labels))
		}
	}
	if l.Edge {
		m.PutString("multiplicity", value.String(string(l.Multiplicity)))
	}
	if len(l.Keys) > 0 {
		keys := value.NewMap()
		for _, k := range l.Sorted() {
			keys.PutString(k.Name, k.value())
		}
		m.PutString("keys", keys.Value())
	}
	return m.Value()
}

func (k *Key) value() value.Value {
	m := value.NewMap()
	if !k.Type.Any() {
		m.PutString("type", value.String(k.Type.String()))
	}
	if k.Required {
		m.PutString("required", value.Bool(true))
	}
	for _, b := range []struct {
		name string
		v    value.Value
	}{{"min", k.Min}, {"max", k.Max}} {
		switch {
		case b.v.IsNull():
		case b.v.Kind().IsNumber():
			m.PutString(b.name, b.v)
		default:
			m.PutString(b.name, value.String(boundText(b.v)))
		}
	}
	if k.MaxLength > 0 {
		m.PutString("maxLength", value.Int(int32(k.MaxLength)))
	}
	return m.Value()
}
