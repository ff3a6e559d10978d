package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// With returns the schema with a change: one label's rules, or a list of such, or a whole
// schema with its labels in a list. What a change does not name stays; null takes a rule
// away.
//
//	[vertex: 'person', id: 'LONG', open: false, keys: [name: [type: 'String', required: true], age: 'Integer']]
//	[edge: 'writes', from: 'author', to: 'book', multiplicity: 'MANY2ONE']
//	[open: false, labels: [[vertex: 'person'], [edge: 'knows']]]
func (s *Schema) With(change value.Value) (*Schema, error) {
	next := s.clone()
	if err := next.take(change); err != nil {
		return nil, complaint(err)
	}
	return next, nil
}

// Without returns the schema without rules that are named as With names them, one label or
// a list of labels: those of the keys in the list keys, or all of the label.
func (s *Schema) Without(what value.Value) (*Schema, error) {
	next := s.clone()
	for _, v := range listed(what) {
		if err := next.drop(v); err != nil {
			return nil, complaint(err)
		}
	}
	return next, nil
}

// listed is what stands in a list or a set, or alone.
func listed(v value.Value) []value.Value {
	switch v.Kind() {
	case value.KindList:
		return v.Elems()
	case value.KindSet:
		return v.Set().Elems()
	}
	return []value.Value{v}
}

func (s *Schema) take(change value.Value) error {
	for _, v := range listed(change) {
		m := v.Map()
		if m == nil {
			return fmt.Errorf("want a map with vertex or edge, or a list of such, not %s", v.Brief())
		}
		if _, edge, name, err := labelOf(m); err != nil {
			return err
		} else if name != "" {
			if err := s.takeLabel(m, edge, name); err != nil {
				return err
			}
			continue
		}
		if err := s.takeWhole(m); err != nil {
			return err
		}
	}
	return nil
}

// takeWhole reads what is said of the graph.
func (s *Schema) takeWhole(m *value.Map) error {
	for i := range m.Len() {
		k, v := m.Entry(i)
		var err error
		switch k.Str() {
		case "open":
			s.Closed, err = closed(v)
		case "labels":
			err = s.take(v)
		case "version":
			if n, ok := whole(v); !ok || n != s.Version {
				err = fmt.Errorf("it is at version %d, the change is made for %s", s.Version, v.Brief())
			}
		default:
			err = fmt.Errorf("%s is unknown: want vertex or edge for a label, or open, labels and version for the graph", k.Brief())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// labelOf finds which label a map is about; without a name it is about none.
func labelOf(m *value.Map) (key string, edge bool, name string, err error) {
	v, vertex := m.GetString("vertex")
	e, edge := m.GetString("edge")
	switch {
	case vertex && edge:
		return "", false, "", fmt.Errorf("a label is of a vertex or of an edge: %s and %s stand side by side", v.Brief(), e.Brief())
	case edge:
		key, v = "edge", e
	case vertex:
		key = "vertex"
	default:
		return "", false, "", nil
	}
	if v.Kind() != value.KindString || v.Str() == "" || v.Str()[0] == '~' {
		return "", false, "", fmt.Errorf("%s %s is no label", key, v.Brief())
	}
	return key, edge, v.Str(), nil
}

func (s *Schema) takeLabel(m *value.Map, edge bool, name string) error {
	all := s.labels(edge)
	l := all[name]
	if l == nil {
		l = &Label{Edge: edge, Name: name, Keys: map[string]*Key{}, Multiplicity: Multi}
		all[name] = l
	}
	for i := range m.Len() {
		k, v := m.Entry(i)
		if err := l.take(k.Str(), v); err != nil {
			return fmt.Errorf("%s %s: %w", l.class(), value.Brief(name), err)
		}
	}
	return nil
}

// take reads one rule of a label.
func (l *Label) take(rule string, v value.Value) (err error) {
	switch {
	case rule == "vertex" || rule == "edge":
	case rule == "id":
		l.ID, err = typeOf(v)
	case rule == "open":
		l.Closed, err = closed(v)
	case rule == "keys":
		err = l.takeKeys(v)
	case l.Edge && rule == "from":
		l.From, err = names(v)
	case l.Edge && rule == "to":
		l.To, err = names(v)
	case l.Edge && rule == "multiplicity":
		l.Multiplicity, err = multiplicity(v)
	case rule == "from" || rule == "to" || rule == "multiplicity":
		return fmt.Errorf("%s is for edges", rule)
	default:
		return fmt.Errorf("%s is unknown: want id, open, keys, and for an edge from, to, multiplicity", value.Brief(rule))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", rule, err)
	}
	return nil
}

func (l *Label) takeKeys(v value.Value) error {
	m := v.Map()
	if m == nil {
		return fmt.Errorf("want a map of keys, not %s", v.Brief())
	}
	for i := range m.Len() {
		k, rules := m.Entry(i)
		name := k.Str()
		if k.Kind() != value.KindString || name == "" || name[0] == '~' {
			return fmt.Errorf("%s is no property key", k.Brief())
		}
		key := l.Keys[name]
		if key == nil {
			key = &Key{Name: name}
			l.Keys[name] = key
		}
		if err := key.take(rules); err != nil {
			return fmt.Errorf("%s: %w", value.Brief(name), err)
		}
	}
	return nil
}

// take reads the rules of a key: a map, or its type alone.
func (k *Key) take(v value.Value) error {
	m := v.Map()
	if m == nil {
		var err error
		if k.Type, err = typeOf(v); err != nil {
			return err
		}
		return k.settle()
	}
	for i := range m.Len() {
		rule, v := m.Entry(i)
		var err error
		switch rule.Str() {
		case "type":
			k.Type, err = typeOf(v)
		case "required":
			k.Required, err = truth(v)
		case "min":
			k.Min = v
		case "max":
			k.Max = v
		case "maxLength":
			k.MaxLength, err = length(v)
		default:
			return fmt.Errorf("%s is unknown: want type, required, min, max, maxLength", rule.Brief())
		}
		if err != nil {
			return fmt.Errorf("%s: %w", rule.Str(), err)
		}
	}
	return k.settle()
}

func typeOf(v value.Value) (Type, error) {
	switch {
	case v.IsNull():
		return Type{}, nil
	case v.Kind() == value.KindString, v.Kind() == value.KindClass, v.Kind() == value.KindGType:
		if strings.EqualFold(v.Str(), "any") {
			return Type{}, nil
		}
		return parseType(v.Str())
	}
	return Type{}, fmt.Errorf("want the name of a type, not %s", v.Brief())
}

func truth(v value.Value) (bool, error) {
	if v.Kind() == value.KindBool {
		return v.Bool(), nil
	}
	if v.IsNull() {
		return false, nil
	}
	return false, fmt.Errorf("want true or false, not %s", v.Brief())
}

// closed reads open: whether others than those named are allowed.
func closed(v value.Value) (bool, error) {
	if v.IsNull() {
		return false, nil
	}
	open, err := truth(v)
	return !open, err
}

func whole(v value.Value) (int64, bool) {
	switch v.Kind() {
	case value.KindByte, value.KindShort, value.KindInt, value.KindLong:
		return v.Int64(), true
	}
	return 0, false
}

func length(v value.Value) (int, error) {
	n, ok := whole(v)
	switch {
	case v.IsNull():
		return 0, nil
	case !ok || n < 1 || n > 1<<31-1:
		return 0, fmt.Errorf("want a number of characters from 1 on, not %s", v.Brief())
	}
	return int(n), nil
}

// names reads labels, of which a vertex has one.
func names(v value.Value) ([]string, error) {
	if v.IsNull() {
		return nil, nil
	}
	var all []string
	for _, n := range listed(v) {
		if n.Kind() != value.KindString || n.Str() == "" {
			return nil, fmt.Errorf("want a label or a list of labels, not %s", v.Brief())
		}
		if !slices.Contains(all, n.Str()) {
			all = append(all, n.Str())
		}
	}
	return all, nil
}

func multiplicity(v value.Value) (Multiplicity, error) {
	m := Multiplicity(strings.ToUpper(v.Str()))
	switch {
	case v.IsNull():
		return Multi, nil
	case v.Kind() != value.KindString || !slices.Contains(multiplicities, m):
		return "", fmt.Errorf("%s is none: want MULTI, SIMPLE, MANY2ONE, ONE2MANY or ONE2ONE", v.Brief())
	}
	return m, nil
}

// drop takes away the rules that v names.
func (s *Schema) drop(v value.Value) error {
	m := v.Map()
	if m == nil {
		return fmt.Errorf("want a map with vertex or edge, or a list of such, not %s", v.Brief())
	}
	key, edge, name, err := labelOf(m)
	if err != nil {
		return err
	}
	l := s.labels(edge)[name]
	switch {
	case name == "":
		return fmt.Errorf("%s names no label: want vertex or edge", v.Brief())
	case l == nil:
		return fmt.Errorf("%s %s has no rules", key, value.Brief(name))
	}
	keys, given := m.GetString("keys")
	if m.Len() > 2 || m.Len() == 2 && !given {
		return fmt.Errorf("%s: what is dropped is a label, or its keys", v.Brief())
	}
	if !given {
		delete(s.labels(edge), name)
		return nil
	}
	for _, k := range listed(keys) {
		if l.Keys[k.Str()] == nil {
			return fmt.Errorf("%s %s: key %s has no rules", key, value.Brief(name), k.Brief())
		}
		delete(l.Keys, k.Str())
	}
	return nil
}
