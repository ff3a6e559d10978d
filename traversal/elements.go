package traversal

import (
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

// How steps read elements. Every accessor takes stored references and detached
// copies alike; stored ones are read through the View.

// ID returns the user-visible id of an element.
func (r *Run) ID(v value.Value) (value.Value, error) {
	switch {
	case v.Kind() == value.KindVertexProperty:
		return v.VertexProperty().ID, nil
	case v.Detached() != nil:
		return v.Detached().ID, nil
	case v.Kind() == value.KindVertex:
		return r.View.VertexUserID(blueprints.VertexID(v.Ref()))
	case v.Kind() == value.KindEdge:
		return r.View.EdgeUserID(blueprints.EdgeID(v.Ref()))
	}
	return value.Null, notElement(v)
}

// Label returns the label of an element; of a vertex property its key.
func (r *Run) Label(v value.Value) (string, error) {
	switch {
	case v.Kind() == value.KindVertexProperty:
		return v.VertexProperty().Key, nil
	case v.Kind() == value.KindProperty:
		return v.Property().Key, nil
	case v.Detached() != nil:
		return v.Detached().Label, nil
	case v.Kind() == value.KindVertex:
		s, err := r.View.VertexLabel(blueprints.VertexID(v.Ref()))
		return r.name(s, err)
	case v.Kind() == value.KindEdge:
		h, err := r.View.Edge(blueprints.EdgeID(v.Ref()))
		return r.name(h.Label, err)
	}
	return "", notElement(v)
}

func (r *Run) name(s blueprints.Symbol, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return r.View.Name(s), nil
}

func notElement(v value.Value) error {
	return fmt.Errorf("%s cannot be cast to org.apache.tinkerpop.gremlin.structure.Element", v.Kind().JavaClass())
}

// Property returns the value of an element's first property of that key.
func (r *Run) Property(v value.Value, key string) (value.Value, bool, error) {
	switch {
	case v.Kind() == value.KindVertexProperty:
		for _, p := range v.VertexProperty().Meta {
			if p.Key == key {
				return p.Value, true, nil
			}
		}
		return r.propertyHidden(v, key)
	case v.Kind() == value.KindProperty && isHidden(key):
		return r.propertyHidden(v, key)
	case v.Detached() != nil:
		for _, p := range v.Detached().Properties {
			if k, pv := keyValue(p); k == key {
				return pv, true, nil
			}
		}
		return value.Null, false, nil
	}
	s, ok := r.View.Symbol(key)
	switch {
	case v.Kind() == value.KindVertex && ok:
		return r.View.VertexValue(blueprints.VertexID(v.Ref()), s)
	case v.Kind() == value.KindEdge && ok:
		return r.View.EdgeValue(blueprints.EdgeID(v.Ref()), s)
	case v.Kind() == value.KindVertex || v.Kind() == value.KindEdge:
		return value.Null, false, nil
	}
	return value.Null, false, notElement(v)
}

// PropertyScratch is memory that callers of SoleProperty keep between calls.
type PropertyScratch struct {
	key     [1]blueprints.Symbol
	entries []blueprints.PropertyEntry
}

// SoleProperty is Property where several values of one key are an error, as they are to
// by("key").
func (r *Run) SoleProperty(v value.Value, key string, scratch *PropertyScratch) (value.Value, bool, error) {
	if v.Kind() != value.KindVertex || !v.IsStored() {
		return r.Property(v, key)
	}
	s, ok := r.View.Symbol(key)
	if !ok {
		return value.Null, false, nil
	}
	scratch.key[0] = s
	var err error
	scratch.entries, err = r.View.VertexProperties(scratch.entries[:0], blueprints.VertexID(v.Ref()), scratch.key[:])
	switch {
	case err != nil || len(scratch.entries) == 0:
		return value.Null, false, err
	case len(scratch.entries) > 1:
		return value.Null, false, severalProperties(key)
	}
	return scratch.entries[0].Value, true, nil
}

func severalProperties(key string) error {
	return illegalState("Multiple properties exist for the provided key, use Vertex.properties(%s)", key)
}

// keyValue takes a VertexProperty or Property apart.
func keyValue(p value.Value) (string, value.Value) {
	if vp := p.VertexProperty(); vp != nil {
		return vp.Key, vp.Value
	}
	if ep := p.Property(); ep != nil {
		return ep.Key, ep.Value
	}
	return "", value.Null
}

// Properties appends the properties of an element with one of the keys (none: all)
// to dst: KindVertexProperty for a vertex, KindProperty otherwise.
func (r *Run) Properties(dst []value.Value, v value.Value, keys []string) ([]value.Value, error) {
	switch {
	case v.Kind() == value.KindVertexProperty:
		among := namesOf(keys)
		for i := range v.VertexProperty().Meta {
			p := v.VertexProperty().Meta[i]
			if len(keys) == 0 || among.has(p.Key) {
				dst = append(dst, value.OfProperty(&value.Property{Element: v, Key: p.Key, Value: p.Value}))
			}
		}
		return r.appendHidden(dst, v, keys)
	case v.Kind() == value.KindProperty && AreHidden(keys):
		return r.appendHidden(dst, v, keys)
	case v.Detached() != nil:
		among := namesOf(keys)
		for _, p := range v.Detached().Properties {
			if k, _ := keyValue(p); len(keys) == 0 || among.has(k) {
				dst = append(dst, p)
			}
		}
		return dst, nil
	case v.Kind() == value.KindVertex:
		return r.vertexProperties(dst, v, keys)
	case v.Kind() == value.KindEdge:
		return r.edgeProperties(dst, v, keys)
	}
	return dst, notElement(v)
}

// Symbols returns the symbols of names that any element uses; none is set when names
// were given and no element uses one of them.
func (r *Run) Symbols(names []string) (syms []blueprints.Symbol, none bool) {
	return r.AppendSymbols(nil, names)
}

// AppendSymbols is Symbols into dst, which is empty.
func (r *Run) AppendSymbols(dst []blueprints.Symbol, names []string) (syms []blueprints.Symbol, none bool) {
	for _, n := range names {
		if s, ok := r.View.Symbol(n); ok {
			dst = append(dst, s)
		}
	}
	return dst, len(names) > 0 && len(dst) == 0
}

// IsStored reports whether v is a vertex of the graph, not a copy of one.
func IsStored(v value.Value) bool { return v.Kind() == value.KindVertex && v.Detached() == nil }

// StoredProperties appends the properties of a vertex for which IsStored holds, all when
// there are no keys, without making values of them.
func (r *Run) StoredProperties(dst []blueprints.PropertyEntry, v value.Value, keys []string) ([]blueprints.PropertyEntry, error) {
	syms, none := r.Symbols(keys)
	if none {
		return dst, nil
	}
	return r.View.VertexProperties(dst, blueprints.VertexID(v.Ref()), syms)
}

func (r *Run) vertexProperties(dst []value.Value, v value.Value, keys []string) ([]value.Value, error) {
	entries, err := r.StoredProperties(nil, v, keys)
	for i := range entries {
		dst = append(dst, value.OfVertexProperty(r.VertexProperty(v, &entries[i])))
	}
	return dst, err
}

// VertexProperty makes the value of a stored property.
func (r *Run) VertexProperty(v value.Value, e *blueprints.PropertyEntry) *value.VertexProperty {
	return &value.VertexProperty{ID: e.ID(), Vertex: v, Key: r.View.Name(e.Key), Value: e.Value, Meta: e.Meta(), Ordinal: e.Ordinal}
}

func (r *Run) edgeProperties(dst []value.Value, v value.Value, keys []string) ([]value.Value, error) {
	syms, none := r.Symbols(keys)
	if none {
		return dst, nil
	}
	entries, err := r.View.EdgeProperties(nil, blueprints.EdgeID(v.Ref()), syms)
	for _, e := range entries {
		dst = append(dst, value.OfProperty(&value.Property{Element: v, Key: r.View.Name(e.Key), Value: e.Value}))
	}
	return dst, err
}

// Token returns T.id, T.label, T.key or T.value of v.
func (r *Run) Token(v value.Value, token string) (value.Value, error) {
	switch token {
	case "id":
		return r.ID(v)
	case "label":
		s, err := r.Label(v)
		return value.String(s), err
	case "key":
		if k, _ := keyValue(v); v.VertexProperty() != nil || v.Property() != nil {
			return value.String(k), nil
		}
	case "value":
		if v.VertexProperty() != nil || v.Property() != nil {
			_, pv := keyValue(v)
			return pv, nil
		}
	}
	return value.Null, fmt.Errorf("%s cannot be cast to org.apache.tinkerpop.gremlin.structure.Property", v.Kind().JavaClass())
}

// Column returns the keys (a Set) or values (a List) of a map, map entry or path.
func (r *Run) Column(v value.Value, column string) (value.Value, error) {
	keys := column == "keys"
	switch v.Kind() {
	case value.KindMap:
		if !keys {
			return value.List(append([]value.Value(nil), v.Map().Values()...)), nil
		}
		return value.NewSet(v.Map().Keys()...).Value(), nil
	case value.KindTree:
		if keys {
			return value.NewSet(v.Tree().Keys...).Value(), nil
		}
		children := make([]value.Value, len(v.Tree().Children))
		for i, c := range v.Tree().Children {
			children[i] = c.Value()
		}
		return value.List(children), nil
	case value.KindMapEntry:
		if keys {
			return v.MapEntry().Key, nil
		}
		return v.MapEntry().Value, nil
	case value.KindPath:
		if !keys {
			return value.List(v.Path().Objects), nil
		}
		sets := make([]value.Value, len(v.Path().Labels))
		for i, ls := range v.Path().Labels {
			set := value.NewSet()
			for _, l := range ls {
				set.Add(value.String(l))
			}
			sets[i] = set.Value()
		}
		return value.List(sets), nil
	}
	return value.Null, illegalArgument("The provided object does not have accessible %s: %s", column, v.Kind().JavaClass())
}

// JavaString is Java's toString of v, with stored elements looked up, or account.ErrLimit.
func (r *Run) JavaString(v value.Value) (string, error) {
	if most := r.partsMax(); v.Exceeds(most) {
		return "", fmt.Errorf("%w: the text of a value that stands for more than %d others", account.ErrLimit, most)
	}
	// The text is charged while it grows; whoever keeps it charges for it.
	charged := 0
	t := value.JavaText{Grown: func(n int) error {
		if err := r.PollNow(); err != nil {
			return err
		}
		err := r.Charge(n - charged)
		if err == nil {
			charged = n
		}
		return err
	}}
	t.Resolver, _ = r.View.(value.Resolver)
	if v.Kind() == value.KindString {
		return v.Str(), nil
	}
	b, err := t.Append(nil, v)
	r.Release(charged)
	return string(b), err
}

// Text is value.Brief with stored elements as users know them: what messages show.
func (r *Run) Text(v value.Value) string {
	res, _ := r.View.(value.Resolver)
	return v.BriefWith(res)
}

// Beginning is the text of v, or as much of it as fits into some bytes.
func (r *Run) Beginning(v value.Value, most int) string {
	res, _ := r.View.(value.Resolver)
	return v.Beginning(res, most)
}

// Edge returns label and endpoints of a stored edge.
func (r *Run) Edge(v value.Value) (blueprints.EdgeHeader, error) {
	return r.View.Edge(blueprints.EdgeID(v.Ref()))
}

// Endpoints returns the out and in vertices of an edge, stored or detached.
func (r *Run) Endpoints(v value.Value) (out, in value.Value, err error) {
	if e := v.Detached(); e != nil {
		return e.Out, e.In, nil
	}
	if v.Kind() != value.KindEdge {
		return value.Null, value.Null, fmt.Errorf("%s cannot be cast to org.apache.tinkerpop.gremlin.structure.Edge", v.Kind().JavaClass())
	}
	h, err := r.Edge(v)
	return value.VertexRef(uint64(h.Out)), value.VertexRef(uint64(h.In)), err
}
