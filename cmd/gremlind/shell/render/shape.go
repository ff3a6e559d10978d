package render

import (
	"github.com/gremlind/gremlind/storage/value"
)

// shape is what results have in common, which decides how they are laid out.
type shape uint8

const (
	plain   shape = iota // one cell each
	records              // maps, vertices or edges: a column for each key
	entries              // maps of one entry with different keys: a row for each entry
)

// field is one entry of a record. The key of an element's or a map's token, T.id, begins
// with a zero byte, so that a property of the same name is another.
type field struct {
	key   string
	value value.Value
}

const token = "\x00"

// fields takes a result apart; false for one that has no fields.
func fields(dst []field, v value.Value) ([]field, bool) {
	if e := v.Detached(); e != nil {
		return elementFields(dst, v.Kind(), e), true
	}
	m := v.Map()
	if m == nil || m.Len() == 0 || isExplanation(m) {
		return dst, false
	}
	for i := range m.Len() {
		k, x := m.Entry(i)
		name, ok := keyName(k)
		if !ok {
			return dst, false
		}
		dst = append(dst, field{name, x})
	}
	return dst, true
}

// keyName is the column of a map's key.
func keyName(k value.Value) (string, bool) {
	switch {
	case k.Kind() == value.KindString:
		return k.Str(), true
	case k.Kind() == value.KindT, k.Kind() == value.KindDirection:
		return token + k.Str(), true
	}
	return "", false
}

func elementFields(dst []field, k value.Kind, e *value.Element) []field {
	dst = append(dst, field{token + "id", e.ID}, field{token + "label", value.String(e.Label)})
	if k == value.KindEdge {
		dst = append(dst, field{token + "out", e.Out}, field{token + "in", e.In})
	}
	for i := 0; i < len(e.Properties); {
		key, x := property(e.Properties[i])
		more := []value.Value{x}
		for i++; i < len(e.Properties); i++ {
			next, x := property(e.Properties[i])
			if next != key {
				break
			}
			more = append(more, x)
		}
		if len(more) > 1 {
			x = value.List(more)
		}
		dst = append(dst, field{key, x})
	}
	return dst
}

func property(v value.Value) (key string, x value.Value) {
	if p := v.VertexProperty(); p != nil {
		return p.Key, p.Value
	}
	if p := v.Property(); p != nil {
		return p.Key, p.Value
	}
	return "", value.Null
}

// columns are those of records, in the order in which they were met.
type columns struct {
	keys  []string
	index map[string]int
}

func (c *columns) add(key string) {
	if _, ok := c.index[key]; ok {
		return
	}
	if c.index == nil {
		c.index = map[string]int{}
	}
	c.index[key] = len(c.keys)
	c.keys = append(c.keys, key)
}

// title is what a column is called.
func (c *columns) title(key string) string {
	if key != "" && key[0] == token[0] {
		return key[1:]
	}
	if _, both := c.index[token+key]; both {
		return "property " + key
	}
	return key
}

// find returns the column that a user calls name.
func (c *columns) find(key string) (int, bool) {
	if i, ok := c.index[key]; ok {
		return i, true
	}
	if key != "" && key[0] == token[0] {
		i, ok := c.index[key[1:]]
		return i, ok
	}
	return 0, false
}

// learn finds the shape of results, and their columns.
func learn(rows []value.Value) (shape, *columns) {
	c := &columns{}
	var buf []field
	single, kind := len(rows) > 1, value.KindNull
	for i, v := range rows {
		if i == 0 {
			kind = v.Kind()
		}
		if v.Kind() != kind {
			return plain, nil
		}
		m := v.Map()
		single = single && m.Len() == 1
		var ok bool
		if buf, ok = fields(buf[:0], v); !ok {
			return entriesOrPlain(rows), nil
		}
		for _, f := range buf {
			c.add(f.key)
		}
	}
	switch {
	case len(rows) == 0:
		return plain, nil
	case single && len(c.keys) > 1:
		return entries, nil
	}
	return records, c
}

// entriesOrPlain tells maps of one entry, whose keys may be anything, from what else has
// no fields.
func entriesOrPlain(rows []value.Value) shape {
	for _, v := range rows {
		if v.Map() == nil || v.Map().Len() != 1 {
			return plain
		}
	}
	return entries
}
