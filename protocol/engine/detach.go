package engine

import (
	"github.com/gremlind/gremlind/storage/value"
)

// detach copies the stored elements in v, so that it means the same outside of the
// transaction that r reads.
func detach(v value.Value, r value.Resolver) (value.Value, error) {
	if v.IsStored() {
		e, err := v.Resolve(r, true)
		if err != nil {
			return value.Null, err
		}
		if v.Kind() == value.KindEdge {
			return value.DetachedEdge(e), nil
		}
		return value.DetachedVertex(e), nil
	}
	switch v.Kind() {
	case value.KindList:
		list, err := detachAll(v.Elems(), r)
		return value.List(list), err
	case value.KindSet:
		list, err := detachAll(v.Set().Elems(), r)
		s := value.NewSet()
		for _, e := range list {
			s.Add(e)
		}
		return s.Value(), err
	case value.KindBulkSet:
		return detachBulkSet(v.BulkSet(), r)
	case value.KindMap:
		return detachMap(v.Map(), r)
	case value.KindPath:
		objects, err := detachAll(v.Path().Objects, r)
		return (&value.Path{Labels: v.Path().Labels, Objects: objects}).Value(), err
	case value.KindTree:
		t, err := detachTree(v.Tree(), r)
		return t.Value(), err
	case value.KindVertexProperty:
		p := *v.VertexProperty()
		p.Vertex = value.Null
		return value.OfVertexProperty(&p), nil
	case value.KindProperty:
		p := *v.Property()
		p.Element = value.Null
		return value.OfProperty(&p), nil
	}
	return v, nil
}

func detachAll(list []value.Value, r value.Resolver) ([]value.Value, error) {
	out := make([]value.Value, len(list))
	for i, e := range list {
		v, err := detach(e, r)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func detachBulkSet(s *value.BulkSet, r value.Resolver) (value.Value, error) {
	out := value.NewBulkSet()
	for i := range s.Len() {
		e, bulk := s.Entry(i)
		v, err := detach(e, r)
		if err != nil {
			return value.Null, err
		}
		out.Add(v, bulk)
	}
	return out.Value(), nil
}

func detachMap(m *value.Map, r value.Resolver) (value.Value, error) {
	out := value.NewMap()
	for i := range m.Len() {
		k, v := m.Entry(i)
		k, err := detach(k, r)
		if err != nil {
			return value.Null, err
		}
		if v, err = detach(v, r); err != nil {
			return value.Null, err
		}
		out.Put(k, v)
	}
	return out.Value(), nil
}

func detachTree(t *value.Tree, r value.Resolver) (*value.Tree, error) {
	keys, err := detachAll(t.Keys, r)
	out := &value.Tree{Keys: keys}
	for _, c := range t.Children {
		if err != nil {
			break
		}
		var child *value.Tree
		child, err = detachTree(c, r)
		out.Children = append(out.Children, child)
	}
	return out, err
}
