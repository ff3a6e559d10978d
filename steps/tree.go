package steps

import (
	"slices"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// tree() gathers the paths of all traversers into a tree, whose branches are shared
// beginnings.
//
//	V().out().out().tree().by("name")
//	V().out().tree("t").cap("t")      as a side effect
//
// by() modulators go round along each path. An object for which one gives nothing is
// left out of the tree by tree(), and is an error of tree("t").
var treeSpec = traversal.Spec{
	Name: "tree", Class: "TreeStep", Kind: traversal.ReduceStep, MaxBy: -1, Needs: traversal.NeedFullPath,
	EffectsOf: keyedEffects, Doc: "Gathers paths into a tree.", Prepare: prepareKeyed, Open: openTree,
	Print: func(n *traversal.Node) string {
		if key := string(n.Data.(sideKey)); key != "" {
			return "TreeSideEffectStep(" + key + step.PrintBy(n) + ")"
		}
		if len(n.By) == 0 {
			return "TreeStep"
		}
		return "TreeStep(" + step.PrintBy(n)[1:] + ")"
	},
}

func openTree(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	by, err := step.OpenRing(n, r)
	if err != nil {
		return nil, err
	}
	key := string(n.Data.(sideKey))
	if key == "" {
		return r.Reduce(up, func() traversal.Reducer { return newGrower(r, by) }), nil
	}
	e := r.SideEffects.Register(key, func() *traversal.SideEffect {
		return &traversal.SideEffect{State: newGrower(r, by)}
	})
	shared, ok := e.State.(*grower)
	if !ok {
		return othersSideEffect(n, r, up, key, e), nil
	}
	g := &grower{r: r, by: by, strict: n.By, root: shared.root}
	return &gather{r: r, in: r.Input(up), set: r.NewSet(), max: sideEffectAll,
		each: func(t *traversal.Traverser) error { return g.Add(t) }}, nil
}

// treeNode is a tree that grows: children are found by their key.
type treeNode struct {
	keys     *value.Set // at the places of children; nil for none
	children []*treeNode
}

// child returns the branch of a key, which it makes when there is none.
func (b *treeNode) child(k value.Value) (c *treeNode, isNew bool) {
	if b.keys == nil {
		b.keys = &value.Set{}
	}
	i, isNew := b.keys.Place(k)
	if isNew {
		b.children = append(b.children, &treeNode{})
	}
	return b.children[i], isNew
}

// copy returns what has grown so far.
func (b *treeNode) copy() *value.Tree {
	t := &value.Tree{Keys: slices.Clone(b.keys.Elems()), Children: make([]*value.Tree, len(b.children))}
	for i, c := range b.children {
		t.Children[i] = c.copy()
	}
	return t
}

// end returns the tree, which grows no more: what it grew from goes meanwhile.
func (b *treeNode) end() *value.Tree {
	t := &value.Tree{Keys: b.keys.Elems(), Children: make([]*value.Tree, len(b.children))}
	b.keys = nil
	for i, c := range b.children {
		t.Children[i], b.children[i] = c.end(), nil
	}
	return t
}

// treeRoot is a tree that grows, and may be looked at meanwhile.
type treeRoot struct {
	treeNode
	branches int64
	copied   *value.Tree // nil when it grew since
}

// grower adds paths to a tree.
type grower struct {
	traversal.One
	r      *traversal.Run
	by     step.Ring
	strict []*traversal.Modulator // by() modulators that have to give something, for the error
	root   *treeRoot
}

func newGrower(r *traversal.Run, by step.Ring) *grower {
	return &grower{r: r, by: by, root: &treeRoot{}}
}

// treeNodeBytes is what a budget is charged for a new branch, and its place in the tree that
// is made in the end; treeCopyBytes what it is charged for one of a copy.
const (
	treeNodeBytes = 192
	treeCopyBytes = 80
)

// AddBatch implements traversal.Reducer.
func (g *grower) AddBatch(b *traversal.Batch) error { return g.Each(g.r, b, g) }

// Add grows the tree by the traverser's path.
func (g *grower) Add(t *traversal.Traverser) error {
	at := &g.root.treeNode
	for i, o := range t.History().PathValue().Objects {
		k, ok, err := step.Projected(g.r, g.by.At(i), o)
		if err != nil {
			return err
		}
		if !ok && len(g.strict) > 0 {
			return step.IllegalArgument("The provided start does not map to a value: %s->%s", g.r.Text(o), traversal.Brief(g.strict[i%len(g.strict)]))
		}
		if !ok {
			continue
		}
		next, isNew := at.child(k)
		if isNew {
			g.root.branches, g.root.copied = g.root.branches+1, nil
			if err := g.r.ChargeText(k, treeNodeBytes); err != nil {
				return err
			}
		}
		at = next
	}
	return nil
}

// Result returns the tree.
func (g *grower) Result() (value.Value, bool, error) { return g.root.end().Value(), true, nil }

// Value returns the tree as a side effect, which may go on growing.
func (g *grower) Value() (value.Value, error) {
	if g.root.copied == nil {
		if err := g.r.Account.Charge(g.root.branches * treeCopyBytes); err != nil {
			return value.Null, err
		}
		g.root.copied = g.root.copy()
	}
	return g.root.copied.Value(), nil
}
