package graphio

import (
	"encoding/json"
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
func (m *graphML) key(start *xmlElement) error {
	k := &graphMLKey{
		graphMLID: graphMLID{start.attr("for"), start.attr("id")},
		name:      start.attr("attr.name"), kind: strings.ToLower(start.attr("attr.type")), list: strings.ToLower(start.attr("attr.list")),
		yfiles: start.attr("yfiles.type") != "",
	}
	var err error
	if k.otherwise, err = m.defaultOf(); err != nil {
		return err
	}
	if k.name == "" {
		k.name = k.id
	}
	m.yfiles, m.met = m.yfiles || k.yfiles, nil
	m.keys[k.graphMLID] = k
	if k.otherwise != "" {
		m.defaults = append(m.defaults, k)
	}
	return nil
}

// defaultOf reads the rest of a declaration.
func (m *graphML) defaultOf() (text string, err error) {
	for depth := len(m.d.open); len(m.d.open) >= depth; {
		kind, err := m.d.next()
		if err != nil {
			return "", err
		}
		if inside := len(m.d.open) == depth+1 && xmlLocal(m.d.open[depth]) == "default"; kind == xmlText && inside {
			text += m.d.text
		}
	}
	return strings.TrimSpace(text), nil
}

// keyOf finds the key of a datum, also one that was never declared.
func (m *graphML) keyOf(class, id string) *graphMLKey {
	for _, k := range m.met {
		if k.id == id && k.class == class {
			return k.key
		}
	}
	k := m.declared(class, id)
	if len(m.met) < graphMLMetMax {
		m.met = append(m.met, graphMLMet{graphMLID{class, id}, k})
	}
	return k
}

// graphMLMet is a key that keyOf found.
type graphMLMet struct {
	graphMLID
	key *graphMLKey
}

const graphMLMetMax = 16

// declared is keyOf by the declarations.
func (m *graphML) declared(class, id string) *graphMLKey {
	for _, c := range []string{class, "all", ""} {
		if k, ok := m.keys[graphMLID{c, id}]; ok {
			return k
		}
	}
	return &graphMLKey{graphMLID: graphMLID{class, id}, name: id}
}

// graphMLDatum is what an element has for a key.
type graphMLDatum struct {
	key     *graphMLKey
	text    string
	value   value.Value
	values  []value.Value // instead, of an array
	several bool          // it is one
	used    bool          // for something that is no property
}

// data reads a <data> element.
func (m *graphML) data(e *graphMLElement, start *xmlElement) error {
	id := start.attr("key")
	text, shown, nested, err := m.content()
	if err != nil {
		return err
	}
	k := m.keyOf(e.start.name, id)
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
		d.several = true
		d.values, err = graphMLList(k.list, text)
		if err == nil && e.start.name == "edge" {
			d.value, d.several = value.List(d.values), false
		}
	} else {
		d.value, err = graphMLValue(k.kind, text)
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

// properties appends the data that were not used for something else.
func (e *graphMLElement) properties(ps []blueprints.PropertyRecord) []blueprints.PropertyRecord {
	for i := range e.data {
		d := &e.data[i]
		switch {
		case d.used:
		case !d.several:
			ps = append(ps, blueprints.PropertyRecord{Key: d.key.name, Value: d.value})
		default:
			for _, v := range d.values {
				ps = append(ps, blueprints.PropertyRecord{Key: d.key.name, Value: v})
			}
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
		kind, err := m.d.next()
		if err != nil {
			return "", nil, false, err
		}
		switch kind {
		case xmlText:
			switch {
			case depth == 0 && plain.Len() == 0 && text == "":
				text = m.d.text
			case depth == 0:
				plain.WriteString(text + m.d.text)
				text = ""
			case depth == inLabel:
				label.WriteString(m.d.text)
			}
		case xmlStart:
			nested = true
			depth++
			if name := m.d.start.name; isShown(name) && (inLabel == 0 || name == "Label.Text") {
				inLabel = depth
				label.Reset()
				label.WriteString(m.d.start.attr("Text"))
			}
		case xmlEnd:
			if depth == 0 {
				return plain.String() + text, shown, nested, nil
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
