package merge

import (
	"errors"
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/steps/write"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// mergePlan is the Data of mergeV and mergeE: the maps, each given as a value or as
// a traversal that makes it.
type mergePlan struct {
	name string // mergeV or mergeE
	// merge is what to look for; own is set when it is the traverser's object.
	merge mapArg
	own   bool
	// onCreate and onMatch are unset unless given; out and in belong to mergeE.
	onCreate, onMatch, out, in mapArg
	// extra is put into every map: what PartitionStrategy adds.
	extra []traversal.Arg
}

type mapArg struct {
	arg   traversal.Arg
	given bool
}

func prepareMerge(n *traversal.Node) error {
	p := &mergePlan{name: n.Name(), own: len(n.Args) == 0}
	if !p.own {
		p.merge = mapArg{n.Args[0], true}
		if err := p.checkConstant(n.Args[0]); err != nil {
			return err
		}
	}
	for _, m := range n.Mods {
		var err error
		switch m.Name {
		case write.PropertyMod, write.PartitionMod:
			p.extra = append(p.extra, m.Args...)
		case "option":
			err = p.option(m.Args)
		}
		if err != nil {
			return err
		}
	}
	n.Data = p
	return nil
}

// checkConstant finds mistakes in a map that is given as a value.
func (p *mergePlan) checkConstant(a traversal.Arg) error {
	if a.Child != nil || a.Value.IsNull() {
		return nil
	}
	if a.Value.Kind() != value.KindMap {
		return fmt.Errorf("%s() takes a Map, not %s", p.name, a.Value.Brief())
	}
	return validateMerge(p.name, a.Value.Map())
}

func (p *mergePlan) option(args []traversal.Arg) error {
	if len(args) < 2 || args[0].Value.Kind() != value.KindMerge {
		return fmt.Errorf("%s() takes option(Merge, Map) and option(Merge, Traversal)", p.name)
	}
	token, arg := args[0].Value.Str(), args[1]
	if p.name != "mergeV" && (len(args) > 2 || hasCardinality(arg.Value.Map())) {
		return errors.New("option() with the Cardinality argument can only be used following mergeV()")
	}
	if len(args) > 2 {
		arg.Value = withCardinality(arg.Value, args[2].Value)
	}
	opt := mapArg{arg, true}
	switch {
	case token == "onCreate":
		p.onCreate = opt
		return p.checkOverrides()
	case token == "onMatch":
		p.onMatch = opt
	case token == "outV" && p.name == "mergeE":
		p.out = opt
	case token == "inV" && p.name == "mergeE":
		p.in = opt
	default:
		return &blueprints.Exception{Class: "java.lang.UnsupportedOperationException", Message: fmt.Sprintf("Option %s for Merge is not supported", token)}
	}
	return nil
}

// checkOverrides compares the maps of merge and onCreate when both are values.
func (p *mergePlan) checkOverrides() error {
	a, b := p.merge.arg, p.onCreate.arg
	if a.Child != nil || b.Child != nil {
		return nil
	}
	return noOverrides(a.Value.Map(), b.Value.Map())
}

// noOverrides refuses an onCreate map that contradicts what was searched for.
func noOverrides(merge, create *value.Map) error {
	for i := 0; i < create.Len(); i++ {
		k, v := create.Entry(i)
		if old, ok := merge.Get(k); ok && !sameValue(v, old) {
			return step.IllegalArgument("option(onCreate) cannot override values from merge() argument: (%s, %s)",
				k.Brief(), v.Brief())
		}
	}
	return nil
}

// sameValue is Java's equals, with stored and detached copies of an element alike.
func sameValue(a, b value.Value) bool {
	if c, x, ok := traversal.CardinalityValue(a); ok {
		d, y, ok := traversal.CardinalityValue(b)
		return ok && c == d && value.Identical(x, y)
	}
	return value.Identical(a, b)
}

func hasCardinality(m *value.Map) bool {
	for _, v := range m.Values() {
		if _, _, ok := traversal.CardinalityValue(v); ok {
			return true
		}
	}
	return false
}
