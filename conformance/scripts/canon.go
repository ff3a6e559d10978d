package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/storage/value"
)

// answerMax is the length of an answer that is kept as it is.
const answerMax = 200

var (
	identity = regexp.MustCompile(`@[0-9a-f]{5,8}\b`) // of an object's toString
	numbered = regexp.MustCompile(`\bScript\d+\b`)    // the class of a script
	elements = regexp.MustCompile(`\b[ve]\[(\d+)\]`)  // shown by their ids
	digits   = regexp.MustCompile(`\b\d+\b`)
	ends     = regexp.MustCompile(`\[(\d+)-\w+->(\d+)\]`) // of a shown edge
)

// asText begins an answer that GraphBinary has no form for: its texts.
const asText = "~ "

// printer writes values so that equal answers give equal texts.
type printer struct {
	ordered bool // the results
	inside  bool // the lists in them
	ids     bool // results are ids
	// numbered is set in what is shown of a vertex property, whose id each server gives.
	numbered bool
	texts    bool // results are their texts, as what has no other form
	// fresh is set where the block adds elements: ids from first on are not compared.
	fresh bool
	first int64
}

// answer is what is recorded: results, or the error's code and class.
func (p printer) answer(results []value.Value, err error) string {
	var status *client.StatusError
	if errors.As(err, &status) {
		return "! " + strconv.Itoa(int(status.Code)) + " " + exceptionOf(status)
	}
	if err != nil {
		return "! " + err.Error()
	}
	if p.texts {
		return asText + p.list(results, p.ordered)
	}
	return "= " + p.list(results, p.ordered)
}

// exceptionOf is the simple name of the class of what was thrown.
func exceptionOf(s *client.StatusError) string {
	for _, a := range s.Attributes {
		if a.Key == "exceptions" && len(a.Value.Elems()) > 0 {
			name := a.Value.Elems()[0].Str()
			return name[strings.LastIndexAny(name, ".$")+1:]
		}
	}
	return "?"
}

// compact replaces a long answer by its size and digest.
func compact(answer string, results int) string {
	if len(answer) <= answerMax {
		return answer
	}
	sum := sha256.Sum256([]byte(answer))
	return fmt.Sprintf("%s# %d %x", answer[:len(asText)], results, sum[:8])
}

func (p printer) list(vs []value.Value, ordered bool) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		if p.ids {
			parts[i] = p.id(v)
		} else {
			parts[i] = p.value(v)
		}
	}
	if !ordered {
		slices.Sort(parts)
	}
	return strings.Join(parts, ", ")
}

func (p printer) id(v value.Value) string {
	p.ids = false
	if p.fresh && v.Kind().IsNumber() && value.AsInt64(v) >= p.first {
		return "new"
	}
	return p.value(v)
}

func (p printer) value(v value.Value) string {
	switch v.Kind() {
	case value.KindVertex, value.KindEdge:
		return p.element(v)
	case value.KindVertexProperty:
		x := v.VertexProperty()
		return "vp[" + x.Key + "->" + p.value(x.Value) + "]"
	case value.KindProperty:
		return "p[" + v.Property().Key + "->" + p.value(v.Property().Value) + "]"
	case value.KindList:
		return "[" + p.list(v.Elems(), p.inside) + "]"
	case value.KindSet:
		return "(" + p.list(v.Set().Elems(), false) + ")"
	case value.KindBulkSet:
		return "bulk" + p.bulk(v.BulkSet())
	case value.KindMap:
		return p.mapOf(v.Map())
	case value.KindMapEntry:
		return p.value(v.MapEntry().Key) + "=" + p.entry(v.MapEntry().Key, v.MapEntry().Value)
	case value.KindPath:
		return "path" + p.path(v.Path())
	case value.KindTree:
		return p.tree(v.Tree())
	case value.KindGraph:
		g := v.Subgraph()
		return "graph{" + p.list(g.Vertices, false) + " | " + p.list(g.Edges, false) + "}"
	}
	return p.scalar(v)
}

func (p printer) scalar(v value.Value) string {
	switch k := v.Kind(); k {
	case value.KindString:
		return strconv.Quote(p.text(v.Str()))
	case value.KindInt:
		return v.JavaString()
	case value.KindLong:
		return v.JavaString() + "L"
	case value.KindFloat, value.KindDouble:
		return strconv.FormatFloat(value.AsFloat64(v), 'g', 12, 64) + k.String()[:1]
	case value.KindTraversalMetrics, value.KindExplanation, value.KindMetrics:
		return k.String() // durations, and plans of its own
	default:
		if k.IsNumber() {
			return v.JavaString() + k.String()
		}
		return v.JavaString()
	}
}

// text is a text without what differs from one run to the next.
func (p printer) text(s string) string {
	s = numbered.ReplaceAllString(identity.ReplaceAllString(s, "@"), "Script")
	if !p.fresh {
		return s
	}
	for _, shown := range []*regexp.Regexp{elements, ends} {
		s = shown.ReplaceAllStringFunc(s, func(part string) string {
			return digits.ReplaceAllStringFunc(part, func(id string) string {
				if n, err := strconv.ParseInt(id, 10, 64); err == nil && n >= p.first {
					return "new"
				}
				return id
			})
		})
	}
	return s
}

func (p printer) element(v value.Value) string {
	e := v.Detached()
	if e == nil {
		return v.JavaString()
	}
	if v.Kind() == value.KindVertex {
		return "v[" + p.id(e.ID) + ":" + e.Label + "]"
	}
	ends := ""
	if o, i := e.Out.Detached(), e.In.Detached(); o != nil && i != nil {
		ends = p.id(o.ID) + "->" + p.id(i.ID)
	}
	return "e[" + p.id(e.ID) + ":" + e.Label + ":" + ends + "]"
}

func has(m *value.Map, key string) bool {
	_, ok := m.GetString(key)
	return ok
}

func (p printer) mapOf(m *value.Map) string {
	if original, ok := m.GetString("original"); ok && has(m, "intermediate") && has(m, "final") { // and what is unknown
		return "explained " + p.value(original)
	}
	if _, ok := m.Get(value.Enum(value.KindT, "key")); ok {
		p.numbered = true
	}
	parts := make([]string, m.Len())
	for i := range parts {
		k, v := m.Entry(i)
		parts[i] = p.value(k) + "=" + p.entry(k, v)
	}
	slices.Sort(parts)
	return "{" + strings.Join(parts, ", ") + "}"
}

// entry is a value of a map: under the token id it is an element's.
func (p printer) entry(k, v value.Value) string {
	if k.Kind() == value.KindT && k.Str() == "id" {
		if p.numbered {
			return "its"
		}
		return p.id(v)
	}
	return p.value(v)
}

func (p printer) bulk(s *value.BulkSet) string {
	parts := make([]string, s.Len())
	for i := range parts {
		v, n := s.Entry(i)
		parts[i] = p.value(v) + "x" + strconv.FormatInt(n, 10)
	}
	slices.Sort(parts)
	return "(" + strings.Join(parts, ", ") + ")"
}

func (p printer) path(x *value.Path) string {
	parts := make([]string, len(x.Objects))
	for i, o := range x.Objects {
		parts[i] = p.value(o)
		if i < len(x.Labels) && len(x.Labels[i]) > 0 {
			labels := slices.Sorted(slices.Values(x.Labels[i]))
			parts[i] += " as " + strings.Join(labels, "+")
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func (p printer) tree(t *value.Tree) string {
	parts := make([]string, len(t.Keys))
	for i, k := range t.Keys {
		parts[i] = p.value(k) + "=" + p.tree(t.Children[i])
	}
	slices.Sort(parts)
	return "tree{" + strings.Join(parts, ", ") + "}"
}
