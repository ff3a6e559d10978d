package steps

import (
	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// The keys under which maps of properties keep key and value; id and label have those of
// all elements.
var (
	keyKey   = value.Enum(value.KindT, "key")
	keyValue = value.Enum(value.KindT, "value")
)

// propertyRoom is memory that the maps of a run are made with, one after the other.
type propertyRoom struct {
	entries []blueprints.PropertyEntry
	props   []value.Value
	several several
}

// several are the values of keys that an element has several of, while they are gathered.
type several map[string][]value.Value

// add puts a value of a key behind the others, of which old are the first.
func (l *several) add(key string, old, v value.Value) {
	list, ok := (*l)[key]
	if !ok {
		if *l == nil {
			*l = several{}
		}
		list = append(make([]value.Value, 0, 2*len(old.Elems())+2), old.Elems()...)
	}
	(*l)[key] = append(list, v)
}

// put puts all lists into out and is empty then.
func (l several) put(out *value.Map) {
	for key, list := range l {
		out.PutString(key, value.List(list))
	}
	clear(l)
}

// of is the map of an element.
func (m *propertyMap) of(r *traversal.Run, v value.Value, room *propertyRoom) (*value.Map, error) {
	if m.values && !m.none && traversal.IsStored(v) {
		return m.ofVertex(r, v, room)
	}
	out := value.NewMap()
	if err := m.addTokens(r, out, v); err != nil {
		return nil, err
	}
	room.props = room.props[:0]
	if !m.none {
		var err error
		if room.props, err = r.Properties(room.props, v, m.keys); err != nil {
			return nil, err
		}
	}
	m.addProperties(out, room, v.Kind() == value.KindVertex)
	return out, nil
}

// ofVertex is the map of a vertex's values. It is made of two pieces of memory: most
// vertices have a few properties, and most keys one value.
func (m *propertyMap) ofVertex(r *traversal.Run, v value.Value, room *propertyRoom) (*value.Map, error) {
	var err error
	if room.entries, err = r.StoredProperties(room.entries[:0], v, m.keys); err != nil {
		return nil, err
	}
	n := len(room.entries)
	if m.tokens != 0 {
		n += 2
	}
	space := make([]value.Value, 3*n)
	made := value.MapIn(space[:0:n], space[n:n:2*n])
	out, singles := &made, space[2*n:]
	if err := m.addTokens(r, out, v); err != nil {
		return nil, err
	}
	for i := range room.entries {
		e := &room.entries[i]
		name := r.View.Name(e.Key)
		key := value.String(name)
		if old, ok := out.Get(key); ok {
			room.several.add(name, old, e.Value)
			continue
		}
		singles[i] = e.Value
		out.Put(key, value.List(singles[i:i+1:i+1]))
	}
	clear(room.entries)
	room.several.put(out)
	return out, nil
}

// addTokens puts what with(WithOptions.tokens, ...) asked for ahead of the properties.
func (m *propertyMap) addTokens(r *traversal.Run, out *value.Map, v value.Value) error {
	if !m.values || m.tokens == 0 {
		return nil
	}
	if m.tokens&tokenIDs != 0 {
		id, err := r.ID(v)
		if err != nil {
			return err
		}
		out.Put(step.KeyID, id)
	}
	if p := v.VertexProperty(); p != nil {
		if m.tokens&tokenKeys != 0 {
			out.Put(keyKey, value.String(p.Key))
		}
		if m.tokens&tokenValues != 0 {
			out.Put(keyValue, p.Value)
		}
		return nil
	}
	if m.tokens&tokenLabels != 0 {
		label, err := r.Label(v)
		if err != nil {
			return err
		}
		out.Put(step.KeyLabel, value.String(label))
	}
	return nil
}

// addProperties adds one entry for each key: a list for a vertex, else the value.
func (m *propertyMap) addProperties(out *value.Map, room *propertyRoom, lists bool) {
	for _, p := range room.props {
		k, v := entryOf(p)
		if !m.values {
			v = p
		}
		if !lists {
			out.PutString(k, v)
			continue
		}
		if old, ok := out.GetString(k); ok {
			room.several.add(k, old, v)
			continue
		}
		out.PutString(k, value.List([]value.Value{v}))
	}
	room.several.put(out)
}

// entryOf takes a property apart.
func entryOf(p value.Value) (string, value.Value) {
	if vp := p.VertexProperty(); vp != nil {
		return vp.Key, vp.Value
	}
	if ep := p.Property(); ep != nil {
		return ep.Key, ep.Value
	}
	return "", value.Null
}

// applyBy sends each value of m through by(), nil leaves them.
func applyBy(t *traversal.Traverser, m *value.Map, by traversal.Func) (*value.Map, error) {
	if by == nil {
		return m, nil
	}
	out := value.NewMapSize(m.Len())
	for i := 0; i < m.Len(); i++ {
		k, v := m.Entry(i)
		u := traversal.NewTraverser(v)
		u.X = t.X
		x, ok, err := by(&u)
		if err != nil {
			return m, err
		}
		if ok && !x.IsNull() {
			out.Put(k, x)
		}
	}
	return out, nil
}
