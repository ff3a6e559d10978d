package text

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// format() fills a template. %{name} is a property of the element, else what name
// means to select(); %{_} is the next by(). %%{ is not a variable.
//
//	V().format("%{name} is %{age} years old")
//	V().as("a").format("%{_} knows %{_}").by("name").by(out().count())
//
// A variable without a value drops the traverser.
var Format = traversal.Spec{
	Name: "format", Class: "FormatStep", Kind: traversal.MapStep, MaxBy: -1, Effects: traversal.ReadsGraph, NeedsOf: formatNeeds,
	Scope: func(n *traversal.Node) ([]string, bool) {
		t, _ := n.Data.(*template)
		if t == nil {
			return nil, false
		}
		return t.names, true
	},
	Doc: "Fills a template.",
	Prepare: func(n *traversal.Node) error {
		if len(n.Args) == 1 && n.Child(0) == nil && n.Value(0).IsNull() {
			return errors.New("Format string for Format step can't be null.")
		}
		text, err := step.TextArg(n, 0)
		n.Data = parseTemplate(text)
		return err
	},
	Open: openFormat,
	Print: func(n *traversal.Node) string {
		return fmt.Sprintf("FormatStep(%s)", n.Value(0).Str())
	},
}

// template is texts with variables between them: one text more than names.
type template struct{ texts, names []string }

func parseTemplate(s string) *template {
	t := &template{}
	from, at := 0, 0
	for {
		i := strings.Index(s[at:], "%{")
		if i < 0 {
			break
		}
		i += at
		if i > 0 && s[i-1] == '%' {
			at = i + 2
			continue
		}
		end := strings.IndexAny(s[i:], "}\n")
		if end < 0 {
			break
		}
		if s[i+end] == '\n' {
			at = i + end
			continue
		}
		t.texts = append(t.texts, s[from:i])
		t.names = append(t.names, s[i+2:i+end])
		from = i + end + 1
		at = from
	}
	t.texts = append(t.texts, s[from:])
	return t
}

func formatNeeds(n *traversal.Node) traversal.Needs {
	if t, ok := n.Data.(*template); ok {
		return step.NeedsOf(t.names)
	}
	return 0
}

func openFormat(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	tmpl := n.Data.(*template)
	by, err := step.OpenRing(n, r)
	if err != nil {
		return nil, err
	}
	return r.Map(up, func(t *traversal.Traverser) (value.Value, bool, error) {
		var sb strings.Builder
		next := 0
		for i, name := range tmpl.names {
			f := by.At(next)
			if name == step.CurrentObject {
				next++
			}
			v, ok, err := templateValue(r, t, name, f)
			if !ok || err != nil {
				return value.Null, false, err
			}
			sb.WriteString(tmpl.texts[i])
			s, err := r.JavaString(v)
			if err != nil {
				return value.Null, false, err
			}
			sb.WriteString(s)
			if err := step.CheckText(sb.Len()); err != nil {
				return value.Null, false, err
			}
		}
		sb.WriteString(tmpl.texts[len(tmpl.names)])
		return value.String(sb.String()), true, nil
	}), nil
}

// templateValue returns what a variable stands for. A property that holds null is
// written so, any other null is no value.
func templateValue(r *traversal.Run, t *traversal.Traverser, name string, by traversal.Func) (value.Value, bool, error) {
	if name == step.CurrentObject {
		v, ok, err := by(t)
		return v, ok && !v.IsNull(), err
	}
	if t.Kind().IsElement() {
		var scratch traversal.PropertyScratch
		if v, ok, err := r.SoleProperty(t.Value, name, &scratch); ok || err != nil {
			return v, ok, err
		}
	}
	v, ok, err := step.ScopeValue(r, t, value.String(name), "last")
	return v, ok && !v.IsNull(), err
}
