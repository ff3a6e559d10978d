package render

import (
	"strings"

	"github.com/gremlind/gremlind/storage/value"
)

// Text is how a cell shows a value, on one line.
func Text(v value.Value) string {
	if p := v.Path(); p != nil {
		return pathText(p)
	}
	return Clean(v.JavaString())
}

// pathText joins what a path met with arrows; an edge between its vertices is an arrow
// itself, in its own direction.
func pathText(p *value.Path) string {
	var b strings.Builder
	list := p.Objects
	for i := 0; i < len(list); i++ {
		if i == 0 {
			b.WriteString(Text(list[i]))
			continue
		}
		if arrow := edgeArrow(list, i); arrow != "" {
			b.WriteString(arrow)
			i++
		} else {
			b.WriteString(" -> ")
		}
		b.WriteString(Text(list[i]))
	}
	return b.String()
}

// edgeArrow draws the edge at i when its vertices stand beside it, "" otherwise.
func edgeArrow(list []value.Value, i int) string {
	if list[i].Kind() != value.KindEdge || i+1 >= len(list) {
		return ""
	}
	e, from, to := list[i].Detached(), list[i-1].Detached(), list[i+1].Detached()
	if e == nil || from == nil || to == nil || list[i-1].Kind() != value.KindVertex || list[i+1].Kind() != value.KindVertex {
		return ""
	}
	out, in := e.Out.Detached(), e.In.Detached()
	if out == nil || in == nil {
		return ""
	}
	label := Clean(e.Label)
	switch {
	case value.Equal(out.ID, from.ID) && value.Equal(in.ID, to.ID):
		return " -" + label + "-> "
	case value.Equal(in.ID, from.ID) && value.Equal(out.ID, to.ID):
		return " <-" + label + "- "
	}
	return ""
}

// treeLines draws a tree, a line for each of its keys.
func treeLines(dst []string, t *value.Tree, indent string) []string {
	for i, k := range t.Keys {
		branch, below := "├─ ", "│  "
		if i == len(t.Keys)-1 {
			branch, below = "└─ ", "   "
		}
		dst = append(dst, indent+branch+Text(k))
		dst = treeLines(dst, t.Children[i], indent+below)
	}
	return dst
}

// lines is how a result is shown that stands by itself.
func lines(dst []string, v value.Value, width int) []string {
	if t := v.Tree(); t != nil {
		if len(t.Keys) == 0 {
			return append(dst, "(an empty tree)")
		}
		for i, k := range t.Keys {
			dst = treeLines(append(dst, Text(k)), t.Children[i], "")
		}
		return dst
	}
	if more, ok := measured(dst, v, width); ok {
		return more
	}
	if g := v.Subgraph(); g != nil {
		dst = append(dst, Text(v))
		for _, x := range g.Vertices {
			dst = append(dst, "  "+Text(x))
		}
		for _, x := range g.Edges {
			dst = append(dst, "  "+Text(x))
		}
		return dst
	}
	return append(dst, Text(v))
}
