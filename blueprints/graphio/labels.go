package graphio

import "strings"

// Where programs keep the labels of elements in GraphML:
//
//	TinkerPop  data of the keys labelV and labelE
//	APOC       <node labels=":Person:Actor"> and <edge label="KNOWS">, and data of the
//	           keys labels and label
//	networkx   attributes of nodes and edges, so that they are called as their users like:
//	           labelV and labelE, or label
//	Gephi      data of the key Edge Label; its key label of nodes, whose id is label, holds
//	           a text to show
//	yEd        edges have the text that is drawn; that of nodes says which node it is

// take uses the datum of a key that has the name, or that an id has, and returns its text.
func (e *graphMLElement) take(is func(*graphMLKey) bool) (string, bool) {
	for i := range e.data {
		d := &e.data[i]
		if !d.used && d.text != "" && is(d.key) {
			d.used = true
			return d.text, true
		}
	}
	return "", false
}

func named(name string) func(*graphMLKey) bool {
	return func(k *graphMLKey) bool { return k.name == name || k.id == name }
}

// vertexLabel returns the label of a node.
func (m *graphML) vertexLabel(e *graphMLElement) string {
	if wanted := m.label; wanted != "" {
		if label, ok := e.take(named(wanted)); ok {
			return label
		}
		return defaultVertexLabel
	}
	if label, ok := e.take(named(vertexLabelKey)); ok {
		return label
	}
	if m.plain {
		return defaultVertexLabel
	}
	own := e.start.attr("labels")
	if label, ok := e.take(named("labels")); ok && own == "" {
		own = label
	}
	if own = colonLabels(own); own != "" {
		return own
	}
	shown := func(k *graphMLKey) bool { return k.name == "label" && k.id != "label" }
	if !m.yfiles {
		if label, ok := e.take(shown); ok {
			return label
		}
	}
	return defaultVertexLabel
}

// colonLabels makes one label of several with a colon before each.
func colonLabels(text string) string {
	rest, several := strings.CutPrefix(text, ":")
	if !several {
		return text
	}
	return strings.ReplaceAll(rest, ":", labelSeparator)
}

// edgeLabel returns the label of an edge.
func (m *graphML) edgeLabel(e *graphMLElement) string {
	if label, ok := e.take(named(edgeLabelKey)); ok {
		return label
	}
	own := e.start.attr("label")
	switch {
	case m.plain && own != "":
		return own
	case m.plain:
		return defaultEdgeLabel
	}
	for _, name := range []string{"label", "Edge Label"} {
		if label, ok := e.take(named(name)); ok && own == "" {
			own = label
		}
		if own != "" {
			return own
		}
	}
	if len(e.texts) > 0 {
		own, e.texts = e.texts[0], e.texts[1:]
		return own
	}
	return defaultEdgeLabel
}

// edgeID returns the id of an edge, "" for none; Gephi has it among the data.
func (m *graphML) edgeID(e *graphMLElement) string {
	id := e.start.attr("id")
	if data, ok := e.take(func(k *graphMLKey) bool { return k.name == "Edge Id" && k.id == "edgeid" }); ok && id == "" {
		id = data
	}
	return id
}
