package steps_test

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/conformance/hostile/corpus"
	"github.com/gremlind/gremlind/conformance/queryhost"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// errorMax is the length of an error in bytes, whatever it is about.
const errorMax = 4 << 10

// hugeArguments are values of which nobody wants to read all.
func hugeArguments() map[string]value.Value {
	const n = 3_000
	number := func(i int) value.Value { return value.Int(int32(i)) }
	list := value.List(corpus.Many(n, number))
	of := value.NewMap()
	for i := range n {
		of.Put(number(i), number(i))
	}
	code := corpus.Bytecode(corpus.Instruction("is", list), corpus.Instruction("is", value.String(strings.Repeat("x", 4*n))))
	return map[string]value.Value{
		"list": list, "set": value.NewSet(corpus.Many(n, number)...).Value(), "map": of.Value(), "text": value.String(strings.Repeat("é", 4*n)),
		"nested":    value.List([]value.Value{list, list, of.Value()}),
		"predicate": (&traversal.P{Name: "within", Args: list.Elems()}).Value(), "code": code,
		"lambda":   value.Object(value.KindLambda, &traversal.Lambda{Language: "gremlin-groovy", Script: strings.Repeat("x", 4*n)}),
		"binding":  value.Object(value.KindBinding, &traversal.Binding{Key: strings.Repeat("k", 4*n), Value: list}),
		"number":   value.BigInt(new(big.Int).Lsh(big.NewInt(1), 8*n)),
		"class":    value.Class(strings.Repeat("x", 4*n)),
		"strategy": value.Object(value.KindStrategy, &traversal.StrategySpec{Class: strings.Repeat("x", 4*n)}),
		"path":     (&value.Path{Objects: list.Elems(), Labels: make([][]string, n)}).Value(),
		"vertex":   value.DetachedVertex(&value.Element{ID: list, Label: strings.Repeat("l", 4*n)}),
		"property": value.OfProperty(&value.Property{Key: strings.Repeat("k", 4*n), Value: list}),
	}
}

// TestErrorsAreBrief calls every step and every source instruction with something huge in
// every place, every modulator behind the steps that take it, and every step on something
// huge: none has an error that tells it all.
func TestErrorsAreBrief(t *testing.T) {
	g, err := queryhost.New(t).Get(t.Context(), "modern")
	if err != nil {
		t.Fatal(err)
	}
	one, huge := value.Int(1), hugeArguments()
	calls := func(name string) (list []traversal.Instruction) {
		for _, v := range huge {
			list = append(list, corpus.Instruction(name, v), corpus.Instruction(name, value.String("k"), v), corpus.Instruction(name, v, one))
		}
		return list
	}
	try := func(source []traversal.Instruction, list ...traversal.Instruction) {
		t.Helper()
		err := briefly(t, g, &traversal.Bytecode{Source: source, Steps: list})
		if own := new(steps.Failure); errors.As(err, &own) {
			return // the message of fail() is the client's
		}
		if err != nil && len(err.Error()) > errorMax {
			t.Errorf("%v%v: an error of %d bytes: %.200s", names(source), names(list), len(err.Error()), err)
		}
	}
	mods := map[string]bool{}
	for _, step := range steps.Registry().Names() {
		spec, _ := steps.Registry().Lookup(step)
		for _, in := range calls(step) {
			try(nil, in)
			try(nil, corpus.Instruction("V"), in)
		}
		for _, v := range huge {
			try(nil, corpus.Instruction("inject", v), corpus.Instruction(step))
			try(nil, corpus.Instruction("inject", v), corpus.Instruction(step, value.String("k")))
		}
		for _, mod := range spec.Mods {
			mods[mod] = true
			for _, in := range calls(mod) {
				try(nil, corpus.Instruction("V"), corpus.Instruction(step, corpus.Child("identity")), in)
				try(nil, corpus.Instruction("V"), corpus.Instruction(step), in)
			}
		}
	}
	for _, name := range traversal.SourceInstructions() {
		for _, in := range calls(name) {
			try([]traversal.Instruction{in}, corpus.Instruction("V"))
		}
	}
	if len(mods) < 5 {
		t.Errorf("only the modulators %v were tried", mods)
	}
}

func names(list []traversal.Instruction) (all []string) {
	for _, in := range list {
		name := in.Name
		for _, a := range in.Args {
			name += " " + a.Kind().String()
		}
		all = append(all, name)
	}
	return all
}

// briefly runs bytecode for a moment.
func briefly(t *testing.T, g *blueprints.Graph, b *traversal.Bytecode) error {
	h := &hostile{t: t, g: g, registry: steps.Registry()}
	w := &watched{Context: t.Context(), left: looks}
	return h.run(w, account.New(nil, "queryMemory", 64<<20), b, func() {})
}
