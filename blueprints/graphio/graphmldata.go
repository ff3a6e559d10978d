package graphio

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
)

// graphMLID names a key: one of nodes and one of edges may have the same id.
type graphMLID struct{ class, id string }

// graphMLKey is a declared <key>.
type graphMLKey struct {
	graphMLID
	name, kind string
	list       string // of what an array is, in files of APOC
	yfiles     bool   // what it holds is for yEd to draw
	otherwise  string // of elements that have no data for it
}

// key reads a declaration.
func (m *graphML) key(start xml.StartElement) error {
	var body struct {
		Default string `xml:"default"`
	}
	if err := m.d.DecodeElement(&body, &start); err != nil {
		return err
	}
	k := &graphMLKey{
		graphMLID: graphMLID{attr(start, "for"), attr(start, "id")},
		name:      attr(start, "attr.name"), kind: strings.ToLower(attr(start, "attr.type")), list: strings.ToLower(attr(start, "attr.list")),
		yfiles: attr(start, "yfiles.type") != "", otherwise: strings.TrimSpace(body.Default),
	}
	if k.name == "" {
		k.name = k.id
	}
	m.yfiles = m.yfiles || k.yfiles
	m.keys[k.graphMLID] = k
	if k.otherwise != "" {
		m.defaults = append(m.defaults, k)
	}
	return nil
}

// keyOf finds the key of a datum, also one that was never declared.
func (m *graphML) keyOf(class, id string) *graphMLKey {
	for _, c := range []string{class, "all", ""} {
		if k, ok := m.keys[graphMLID{c, id}]; ok {
			return k
		}
	}
	return &graphMLKey{graphMLID: graphMLID{class, id}, name: id}
}

// graphMLDatum is what an element has for a key.
type graphMLDatum struct {
	key    *graphMLKey
	text   string
	values []value.Value
	used   bool // for something that is no property
}

// data reads a <data> element.
func (m *graphML) data(e *graphMLElement, start xml.StartElement) error {
	text, shown, nested, err := m.content()
	if err != nil {
		return err
	}
	k := m.keyOf(e.start.Name.Local, attr(start, "key"))
	e.texts = append(e.texts, shown...)
	if !k.yfiles && !nested {
		e.add(k, text)
	}
	return nil
}

// add adds a datum, or why it is none.
func (e *graphMLElement) add(k *graphMLKey, text string) {
	d := graphMLDatum{key: k, text: text}
	var err error
	if k.list != "" && strings.HasPrefix(strings.TrimSpace(text), "[") {
		d.values, err = graphMLList(k.list, text)
		if err == nil && e.start.Name.Local == "edge" {
			d.values = []value.Value{value.List(d.values)}
		}
	} else {
		var v value.Value
		v, err = graphMLValue(k.kind, text)
		d.values = []value.Value{v}
	}
	if err != nil {
		e.err = firstError(e.err, fmt.Errorf("data %q: %w", k.id, err))
	}
	e.data = append(e.data, d)
}

// graphMLValue reads a value; a type that GraphML does not have is that of a text.
func graphMLValue(kind, text string) (value.Value, error) {
	switch kind {
	case "boolean", "int", "integer", "long", "float", "double":
		return typed(kind, strings.TrimSpace(text))
	}
	return value.String(text), nil
}

// graphMLList reads an array as APOC writes it, in JSON.
func graphMLList(kind, text string) ([]value.Value, error) {
	var parts []json.RawMessage
	if err := json.Unmarshal([]byte(text), &parts); err != nil {
		return nil, fmt.Errorf("the array of %s: %w", kind, err)
	}
	values := make([]value.Value, len(parts))
	for i, p := range parts {
		plain := string(p)
		if plain[0] == '"' {
			if err := json.Unmarshal(p, &plain); err != nil {
				return nil, err
			}
		}
		var err error
		if values[i], err = graphMLValue(kind, plain); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// addDefaults gives an element what its keys say of elements without data for them.
func (m *graphML) addDefaults(e *graphMLElement, class string) {
	for _, k := range m.defaults {
		of := k.class == class || k.class == "all" || k.class == ""
		given := slices.ContainsFunc(e.data, func(d graphMLDatum) bool { return d.key == k })
		if of && !given && m.keyOf(class, k.id) == k {
			e.add(k, k.otherwise)
		}
	}
}

// has reports whether an element has a property of a name.
func (e *graphMLElement) has(name string) bool {
	return slices.ContainsFunc(e.data, func(d graphMLDatum) bool { return !d.used && d.key.name == name })
}

// properties are the data that were not used for something else.
func (e *graphMLElement) properties() (ps []blueprints.PropertyRecord) {
	for _, d := range e.data {
		if d.used {
			continue
		}
		for _, v := range d.values {
			ps = append(ps, blueprints.PropertyRecord{Key: d.key.name, Value: v})
		}
	}
	return ps
}

// content reads up to the end of a <data>: its text, the texts of labels in what yEd
// draws, and whether there are elements in it.
func (m *graphML) content() (text string, shown []string, nested bool, err error) {
	var plain, label strings.Builder
	depth, inLabel := 0, 0 // inLabel is the depth of the label
	for {
		tok, err := m.d.Token()
		if err != nil {
			return "", nil, false, err
		}
		switch t := tok.(type) {
		case xml.CharData:
			switch {
			case depth == 0:
				plain.Write(t)
			case depth == inLabel:
				label.Write(t)
			}
		case xml.StartElement:
			nested = true
			depth++
			if isShown(t.Name.Local) && (inLabel == 0 || t.Name.Local == "Label.Text") {
				inLabel = depth
				label.Reset()
				label.WriteString(attr(t, "Text"))
			}
		case xml.EndElement:
			if depth == 0 {
				return plain.String(), shown, nested, nil
			}
			if depth == inLabel {
				inLabel = 0
				if s := strings.TrimSpace(label.String()); s != "" {
					shown = append(shown, s)
				}
			}
			depth--
		}
	}
}

// isShown reports whether an element holds text that yEd shows; the last two are of its
// younger versions.
func isShown(name string) bool {
	return name == "NodeLabel" || name == "EdgeLabel" || name == "Label.Text" || name == "Label"
}

// typed reads text as one of GraphML's attribute types.
func typed(kind, text string) (value.Value, error) {
	var v value.Value
	var err error
	switch kind {
	case "string", "":
		return value.String(text), nil
	case "boolean":
		var b bool
		b, err = strconv.ParseBool(text)
		v = value.Bool(b)
	case "int", "integer":
		var n int64
		n, err = strconv.ParseInt(text, 10, 32)
		v = value.Int(int32(n))
	case "long":
		var n int64
		n, err = strconv.ParseInt(text, 10, 64)
		v = value.Long(n)
	case "float":
		var f float64
		f, err = strconv.ParseFloat(text, 32)
		v = value.Float(float32(f))
	case "double":
		var f float64
		f, err = strconv.ParseFloat(text, 64)
		v = value.Double(f)
	default:
		return value.Null, fmt.Errorf("unknown attribute type %q", kind)
	}
	if err != nil {
		return value.Null, fmt.Errorf("%q is no %s", text, kind)
	}
	return v, nil
}
