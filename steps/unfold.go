package steps

import (
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// unfold() gives the members of collections, the entries of maps and the objects of
// paths one by one, and the results of anonymous traversals; anything else as it is.
var unfoldSpec = traversal.Spec{
	Name: "unfold", Class: "UnfoldStep", Kind: traversal.FlatMapStep,
	Doc:  "Gives the members of collections one by one.",
	Open: openUnfold,
	Direct: func(_ *traversal.Node, r *traversal.Run) (traversal.Func, error) {
		return func(t *traversal.Traverser) (value.Value, bool, error) {
			a, err := anonymousOf(r, t.Value)
			if err != nil {
				return value.Null, false, err
			}
			var list []value.Value
			if a != nil {
				list, err = a.Next(nil, 1)
			} else {
				list, err = unfolded(r, nil, t.Value)
			}
			if err != nil || len(list) == 0 {
				return value.Null, false, err
			}
			return list[0], true, nil
		}, nil
	},
}

func openUnfold(_ *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	c := &listCursor{}
	return r.FlatMap(up, func(t *traversal.Traverser) (traversal.Cursor, error) {
		if a, err := anonymousOf(r, t.Value); a != nil || err != nil {
			return a, err
		}
		var err error
		c.list, err = unfolded(r, c.one[:0], t.Value)
		c.pos = 0
		return c, err
	}), nil
}

// unfolded returns the members of v; dst has room for one that is its own member.
func unfolded(r *traversal.Run, dst []value.Value, v value.Value) ([]value.Value, error) {
	if list, ok, err := step.Iterable(r, v); ok {
		return list, err
	}
	switch v.Kind() {
	case value.KindNull:
		return nil, traversal.NullClass("s")
	case value.KindMap, value.KindTree:
		return step.MemberList(r, v)
	}
	return append(dst, v), nil
}

// listCursor hands out a list; one step uses it again for every traverser.
type listCursor struct {
	list []value.Value
	pos  int
	one  [1]value.Value
}

func (c *listCursor) Next(dst []value.Value, max int) ([]value.Value, error) {
	n := min(max, len(c.list)-c.pos)
	dst = append(dst, c.list[c.pos:c.pos+n]...)
	c.pos += n
	return dst, nil
}

func (c *listCursor) Close() { c.list = nil }
