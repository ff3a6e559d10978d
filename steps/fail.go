package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// fail() ends the traversal with an error as soon as a traverser reaches it.
//
//	fail()  fail("no such person")
var failSpec = traversal.Spec{
	Name: "fail", Class: "FailStep", Kind: traversal.SideEffectStep,
	Doc: "Ends the traversal with an error.",
	Prepare: func(n *traversal.Node) error {
		f := &Failure{Message: "fail() step triggered"}
		if len(n.Args) > 0 {
			if k := n.Value(0).Kind(); k != value.KindString && k != value.KindNull {
				return fmt.Errorf("fail() takes a String, not %s", argText(n.Args[0]))
			}
			f.Message = n.Value(0).Str()
		}
		f.Metadata = n.Value(1).Map()
		n.Data = f
		return nil
	},
	Open: func(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
		return r.SideEffect(up, func(t *traversal.Traverser) error {
			f := *n.Data.(*Failure)
			f.Object, f.Step = t.Value, n.String()
			return &f
		}), nil
	},
}

// Failure is the error of fail(): status 595.
type Failure struct {
	Message string
	// Metadata is what the query gave with the message; nil when nothing.
	Metadata *value.Map
	// Object is where the traverser stood, Step the step as explain() prints it.
	Object value.Value
	Step   string
}

// Error returns the message.
func (f *Failure) Error() string { return f.Message }

// FailMessage returns the message for the status attribute failStepMessage.
func (f *Failure) FailMessage() string { return f.Message }

// JavaClass names the exception that drivers know this error by.
func (f *Failure) JavaClass() string {
	return "org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.FailStep$FailException"
}
