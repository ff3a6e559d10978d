package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/conformance/hostile/corpus"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/script"
)

// attack is one request. Exactly one of code, text, bindings with text, and raw is what it
// sends.
type attack struct {
	name     string
	code     *traversal.Bytecode
	text     string
	bindings *value.Map
	raw      func(rng *rand.Rand) []byte // a whole frame
}

// plan is a group of attacks that share what is attacked: one of each group is made at
// least.
type plan struct {
	name string
	make func(rng *rand.Rand) attack
}

// plans are all groups: of each step, strategy, source option, script method, kind of
// value, script, and of broken messages.
func plans() []plan {
	var list []plan
	list = append(list, stepPlans()...)
	list = append(list, sourcePlans()...)
	list = append(list, scriptPlans()...)
	list = append(list, valuePlans()...)
	return append(list, rawPlans()...)
}

func stepPlans() []plan {
	sources, arguments := corpus.Sources(), corpus.Arguments()
	var list []plan
	for _, step := range steps.Registry().Names() {
		list = append(list, plan{"step " + step, func(rng *rand.Rand) attack {
			source, args := sources[rng.IntN(len(sources))], arguments[rng.IntN(len(arguments))]
			b := corpus.Behind(source.Of, step, args.Of)
			if rng.IntN(4) == 0 {
				b.Steps = append(b.Steps, corpus.Instruction("fold"))
			}
			return attack{name: fmt.Sprintf("%s of %s behind %s", step, args.Name, source.Name), code: b}
		}})
	}
	return list
}

func sourcePlans() []plan {
	configured := corpus.Configured()
	groups := map[string][]corpus.Part[traversal.Instruction]{}
	var names []string
	for _, o := range append(corpus.Strategies(), corpus.SourceOptions()...) {
		name, _, _ := strings.Cut(o.Name, " ")
		if groups[name] == nil {
			names = append(names, name)
		}
		groups[name] = append(groups[name], o)
	}
	var list []plan
	for _, name := range names {
		list = append(list, plan{"source " + name, func(rng *rand.Rand) attack {
			o, c := groups[name][rng.IntN(len(groups[name]))], configured[rng.IntN(len(configured))]
			return attack{name: fmt.Sprintf("%s before %s", o.Name, c.Name), code: &traversal.Bytecode{Source: o.Of, Steps: c.Of}}
		}})
	}
	return list
}

// scriptPlans call every built-in method on large objects in a loop without end, and
// have what is known to be expensive.
func scriptPlans() []plan {
	var list []plan
	builtins := script.Builtins()
	for _, kind := range slices.Sorted(maps.Keys(builtins)) {
		for _, name := range builtins[kind] {
			list = append(list, plan{"script " + kind + "." + name, func(rng *rand.Rand) attack {
				text := corpus.Call(kind, name, rng.IntN)
				return attack{name: text, text: text}
			}})
		}
	}
	for i, text := range slices.Concat(corpus.Scripts(), corpus.GraphScripts()) {
		list = append(list, plan{fmt.Sprint("script ", i), func(*rand.Rand) attack { return attack{name: text, text: text} }})
	}
	return list
}

// valuePlans send values of every kind, wide and deep, in every place.
func valuePlans() []plan {
	var list []plan
	for _, kind := range corpus.Kinds() {
		if _, ok := corpus.Sample(kind, 0); !ok {
			continue
		}
		list = append(list, plan{"value " + kind.String(), func(rng *rand.Rand) attack {
			form := corpus.Forms[rng.IntN(len(corpus.Forms))]
			n := []int{100, 10_000, 200_000}[rng.IntN(3)]
			sample := func(i int) value.Value { v, _ := corpus.Sample(kind, i); return v }
			v := form.Make(sample, fitting(sample(1), n))
			place, a := placed(v, rng)
			a.name = fmt.Sprintf("%d %s as %s in %s", n, kind, form.Name, place)
			return a
		}})
	}
	return list
}

// messageBytes is about how large a request is made at most.
const messageBytes = 8 << 20

// fitting is how many copies of a value a message has room for, n at most.
func fitting(v value.Value, n int) int {
	b, err := encode(formGraphBinary, v)
	if err != nil {
		return min(n, 100)
	}
	return min(n, messageBytes/max(len(b), 24))
}

// placed puts a value into a request.
func placed(v value.Value, rng *rand.Rand) (string, attack) {
	if i := rng.IntN(len(corpus.Places) + 1); i < len(corpus.Places) {
		p := corpus.Places[i]
		return p.Name, attack{code: p.Make(v)}
	}
	bindings := value.NewMap()
	bindings.PutString("x", v)
	return "binding", attack{text: `l = []; 100.times { l << x; l << "${x}"; l << [x, x].unique() }; l`, bindings: bindings}
}

// weight is about how many bytes bytecode takes in a message: the same large value may
// stand in it thousands of times.
func weight(b *traversal.Bytecode) (n int64) {
	var add func(v value.Value)
	add = func(v value.Value) {
		n += 8 + 8*v.Parts()
		if v.Kind() == value.KindString {
			n += int64(len(v.Str()))
		}
		switch x := v.Object().(type) {
		case *traversal.Bytecode:
			n += weight(x)
		case *traversal.P:
			for i := 0; i < len(x.Args) && n < messageBytes*2; i++ {
				add(x.Args[i])
			}
		}
	}
	for _, list := range [][]traversal.Instruction{b.Source, b.Steps} {
		for _, in := range list {
			for i := 0; i < len(in.Args) && n < messageBytes*2; i++ {
				add(in.Args[i])
			}
		}
	}
	return n
}

// textOf is a traversal as text; false when it has none.
func textOf(b *traversal.Bytecode) (string, bool) {
	text := lang.Print(b)
	return text, !strings.Contains(text, "<")
}
