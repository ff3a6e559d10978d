package steps

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
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
				return fmt.Errorf("fail() takes a String, not %s", step.BriefArg(n.Args[0]))
			}
			f.Message = n.Value(0).JavaString()
		}
		f.Metadata = n.Value(1).Map()
		n.Data = f
		return nil
	},
	Open: func(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
		return r.SideEffect(up, func(t *traversal.Traverser) error {
			f := *n.Data.(*Failure)
			f.at, f.state = n.At, stateOf(r, t)
			return &f
		}), nil
	},
}

// Failure is the error of fail(): status 595.
type Failure struct {
	Message string
	// Metadata is what the query gave with the message; nil when nothing.
	Metadata *value.Map

	at    int      // the step's number in the bytecode
	state []string // of the traverser, in lines of the report
	where []string // the traversals, likewise
}

// Error returns the message.
func (f *Failure) Error() string { return f.Message }

// JavaClass names the exception that drivers know this error by.
func (f *Failure) JavaClass() string {
	return "org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.FailStep$FailException"
}

// reportedText bounds a line of the report, in bytes.
const reportedText = 4096

// stateOf tells of a traverser what the reference's of such a traversal carry.
func stateOf(r *traversal.Run, t *traversal.Traverser) []string {
	lines := []string{"Traverser> " + r.Beginning(t.Value, reportedText)}
	if !r.OneBulk {
		lines = append(lines, fmt.Sprintf("  Bulk   > %d", t.Bulk))
	}
	if !carries(r.Plan) {
		return lines
	}
	lines = append(lines, "  Sack   > "+r.Beginning(t.Sack(), reportedText))
	if p := t.History(); p != nil && r.TracksPath() {
		lines = append(lines, "  Path   > "+r.Beginning(p.PathValue().Value(), reportedText))
	}
	loops := 0
	if l := t.Loops(); l != nil {
		loops = l.Count
	}
	lines = append(lines, fmt.Sprintf("  Loops  > %d", loops))
	var effects []string
	for _, key := range r.SideEffects.Keys() {
		v, err := r.SideEffects.Get(key)
		if err == nil {
			effects = append(effects, key+"="+r.Beginning(v, reportedText))
		}
	}
	return append(lines, "  S/E    > {"+value.Clip(strings.Join(effects, ", "), reportedText)+"}")
}

// carries reports whether traversers of a plan carry more than object and bulk.
func carries(p *traversal.Plan) bool {
	if o := p.Options; o != nil && (o.Sack != nil || len(o.SideEffects) > 0) {
		return true
	}
	more := p.Needs() != 0 || p.Effects()&(traversal.ReadsSideEffect|traversal.WritesSideEffect) != 0
	p.Walk(func(n *traversal.Node) {
		more = more || n.Name() == "repeat" || n.Name() == "~pathWalk" || n.Name() == "loops"
	})
	return more
}

// Locate adds to the report where in b the step stands. A failure that knows it keeps it.
func (f *Failure) Locate(b *traversal.Bytecode) {
	p, ok := Registry().Find(b, f.at)
	if !ok || f.where != nil {
		return
	}
	f.where = []string{"Traversal> " + lang.Translate(p.In, reportedText)}
	if p.Parent == nil {
		return
	}
	if p.Owner == "where" { // of a traversal
		p.Owner = "filter"
	}
	class := p.Owner
	if spec, ok := Registry().Lookup(p.Owner); ok {
		class = spec.Class
	}
	f.where = append(f.where, "Parent   > "+class+" ["+lang.Translate(p.Parent, reportedText)+"]")
}

// FailMessage is the report for the status attribute failStepMessage.
func (f *Failure) FailMessage() string {
	lines := append([]string{"Message  > " + value.Clip(f.Message, reportedText)}, f.state...)
	lines = append(lines, f.where...)
	metadata := "{}"
	if f.Metadata != nil {
		metadata = f.Metadata.Value().Beginning(nil, reportedText)
	}
	lines = append(lines, "Metadata > "+metadata)
	width := 0
	for _, l := range lines {
		width = max(width, utf8.RuneCountInString(l))
	}
	rule := strings.Repeat("=", width)
	return strings.Join(append([]string{"fail() Step Triggered", rule}, append(lines, rule)...), "\n")
}
