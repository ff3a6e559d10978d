package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// path() gives the history of the traverser; simplePath() keeps those that meet no
// object twice, cyclicPath() the others.
//
//	V().out().path().by("name")
//	path().from("a").to("b")      the part between the labels, both included
//	simplePath().by("name")       compares names
//
// by() modulators go round; an object for which one gives nothing drops the traverser.
var (
	pathSpec       = historySpec("path", "PathStep", traversal.MapStep, "Gives the history of the traverser.", openPath)
	simplePathSpec = historySpec("simplePath", "PathFilterStep", traversal.FilterStep,
		"Keeps traversers that met no object twice.", openPathFilter)
	cyclicPathSpec = historySpec("cyclicPath", "PathFilterStep", traversal.FilterStep,
		"Keeps traversers that met an object twice.", openPathFilter)
)

func historySpec(name, class string, kind traversal.StepKind, doc string,
	open func(*traversal.Node, *traversal.Run, traversal.Source) (traversal.Source, error)) traversal.Spec {
	return traversal.Spec{
		Name: name, Class: class, Kind: kind, MaxBy: -1, Mods: []string{"from", "to"}, Needs: traversal.NeedFullPath,
		Doc: doc, Prepare: preparePath, Open: open, Print: printPath,
	}
}

// stretch is the Data of path(): the labels between which it is taken.
type stretch struct{ from, to string }

func preparePath(n *traversal.Node) error {
	s := stretch{}
	for _, m := range n.Mods {
		if len(m.Args) != 1 || m.Args[0].Value.Kind() != value.KindString {
			return fmt.Errorf("%s() behind %s() takes a label", m.Name, n.Name())
		}
		if m.Name == "from" {
			s.from = m.Args[0].Value.Str()
		} else {
			s.to = m.Args[0].Value.Str()
		}
	}
	n.Data = s
	return nil
}

func printPath(n *traversal.Node) string {
	s := n.Data.(stretch)
	or := func(label string) string {
		if label == "" {
			return "null"
		}
		return label
	}
	switch n.Name() {
	case "simplePath":
		return "PathFilterStep(simple," + or(s.from) + "," + or(s.to) + step.PrintBy(n) + ")"
	case "cyclicPath":
		return "PathFilterStep(cyclic," + or(s.from) + "," + or(s.to) + step.PrintBy(n) + ")"
	}
	if len(n.By) == 0 {
		return "PathStep"
	}
	return "PathStep(" + step.PrintBy(n)[1:] + ")"
}

// take returns the objects and labels between the two labels of a path.
func (s stretch) take(p *value.Path) (*value.Path, error) {
	if s.from == "" && s.to == "" {
		return p, nil
	}
	find := func(label string) int {
		for i := len(p.Labels) - 1; i >= 0; i-- {
			for _, l := range p.Labels[i] {
				if l == label {
					return i
				}
			}
		}
		return -1
	}
	from, to := 0, len(p.Objects)-1
	if s.from != "" {
		if from = find(s.from); from < 0 {
			return nil, step.IllegalArgument("Could not locate path from-label: %s", value.Brief(s.from))
		}
	}
	if s.to != "" {
		if to = find(s.to); to < 0 {
			return nil, step.IllegalArgument("Could not locate path to-label: %s", value.Brief(s.to))
		}
	}
	if from > to {
		return nil, fmt.Errorf("Could not isolate path because from comes after to: %s->%s", value.Brief(s.from), value.Brief(s.to))
	}
	return &value.Path{Labels: p.Labels[from : to+1], Objects: p.Objects[from : to+1]}, nil
}

// history returns the part of t's path that counts, projected; false when a by() gave
// nothing.
func history(r *traversal.Run, s stretch, by step.Ring, t *traversal.Traverser) (*value.Path, bool, error) {
	p, err := s.take(t.History().PathValue())
	if err != nil || len(by) == 0 {
		return p, err == nil, err
	}
	q := &value.Path{Labels: p.Labels, Objects: make([]value.Value, len(p.Objects))}
	for i, o := range p.Objects {
		v, ok, err := step.Projected(r, by.At(i), o)
		if err != nil || !ok {
			return nil, false, err
		}
		q.Objects[i] = v
	}
	return q, true, nil
}

func openPath(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	by, err := step.OpenRing(n, r)
	if err != nil {
		return nil, err
	}
	s := n.Data.(stretch)
	return r.Map(up, func(t *traversal.Traverser) (value.Value, bool, error) {
		p, ok, err := history(r, s, by, t)
		if err != nil || !ok {
			return value.Null, false, err
		}
		return p.Value(), true, nil
	}), nil
}
