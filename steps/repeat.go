package steps

import (
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// repeat() sends traversers through its traversal again and again.
//
//	repeat(out()).times(2)             two passes
//	repeat(out()).until(has("lang"))   do-while: at least one pass
//	until(has("lang")).repeat(out())   while-do: perhaps none
//	repeat(out()).emit()               what leaves each pass is also a result
//	emit().repeat(out()).times(2)      and so is what enters
//	repeat("a", out())                 a name for loops("a")
//
// The traversal is global: its steps keep their state from pass to pass. The queue
// before it merges equal traversers of the same pass into bulk.
var repeatSpec = traversal.Spec{
	Name: "repeat", Class: "RepeatStep", Kind: traversal.BranchStep, Mods: []string{"until", "emit", "times"},
	HoldsChildren: true,
	Doc:           "Sends traversers through a traversal again and again.",
	Prepare:       prepareRepeat, Open: openRepeat, Print: printRepeat,
}

// loop is the Data of repeat().
type loop struct {
	name                  string
	body                  *traversal.Plan
	until, emit           *condition
	untilFirst, emitFirst bool
}

// condition is until(), times() or emit().
type condition struct {
	on     *traversal.Plan // a traversal, or nil
	lambda value.Value     // a closure or a predicate on the traverser
	times  int64           // passes, when byTime is set
	byTime bool
	always bool // emit()
}

var errNoRepeat = errors.New("The repeat()-traversal was not defined")

func prepareRepeat(n *traversal.Node) error {
	l := &loop{}
	switch len(n.Args) {
	case 0:
		return fmt.Errorf("%w: %s", errNoRepeat, "RepeatStep")
	case 1:
		l.body = n.Child(0)
	case 2:
		l.name, l.body = n.Value(0).Str(), n.Child(1)
	}
	if l.body == nil {
		return fmt.Errorf("repeat() takes a traversal")
	}
	global(l.body)
	for _, m := range n.Mods {
		c, err := newCondition(m)
		if err != nil {
			return err
		}
		if m.Name == "emit" {
			l.emit, l.emitFirst = c, m.Before
		} else {
			l.until, l.untilFirst = c, m.Before
		}
	}
	n.Data = l
	return nil
}

func newCondition(m traversal.Mod) (*condition, error) {
	if len(m.Args) == 0 && m.Name == "emit" {
		return &condition{always: true}, nil
	}
	if len(m.Args) != 1 {
		return nil, fmt.Errorf("%s() takes one argument", m.Name)
	}
	a := m.Args[0]
	switch k := a.Value.Kind(); {
	case m.Name == "times":
		if k != value.KindInt && k != value.KindLong && k != value.KindShort && k != value.KindByte {
			return nil, fmt.Errorf("times() takes a number of passes, not %s", a.Value.Brief())
		}
		return &condition{byTime: true, times: a.Value.Int64()}, nil
	case a.Child != nil:
		return &condition{on: a.Child}, nil
	case k == value.KindP || step.IsLambda(a.Value):
		return &condition{lambda: a.Value}, nil
	}
	return nil, fmt.Errorf("%s() takes a traversal, predicate or closure, not %s", m.Name, a.Value.Brief())
}

// String prints the condition as explain() shows it.
func (c *condition) String() string {
	switch {
	case c == nil:
		return "false"
	case c.always:
		return "true"
	case c.byTime:
		return fmt.Sprintf("loops(%d)", c.times)
	case c.on != nil:
		return c.on.String()
	}
	return "lambda"
}

func printRepeat(n *traversal.Node) string {
	l, ok := n.Data.(*loop)
	if !ok {
		return "RepeatStep"
	}
	body := l.body.String()
	body = body[:len(body)-1]
	if len(l.body.Nodes) > 0 {
		body += ", "
	}
	body += "RepeatEndStep]"
	until, emit := "until("+l.until.String()+")", "emit("+l.emit.String()+")"
	switch {
	case l.untilFirst && l.emitFirst:
		return "RepeatStep(" + until + "," + emit + "," + body + ")"
	case l.emitFirst:
		return "RepeatStep(" + emit + "," + body + "," + until + ")"
	case l.untilFirst:
		return "RepeatStep(" + until + "," + body + "," + emit + ")"
	}
	return "RepeatStep(" + body + "," + until + "," + emit + ")"
}
