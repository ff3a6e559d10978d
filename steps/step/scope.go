package step

import (
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// ScopeValue finds what a key means to a traverser, in the reference's order: an
// entry of the object when that is a map, a side effect, a label of the path. A pop of
// "" takes the newest, as "last" does.
func ScopeValue(r *traversal.Run, t *traversal.Traverser, key value.Value, pop string) (value.Value, bool, error) {
	if t.Kind() == value.KindMap {
		if v, ok := t.Map().Get(key); ok {
			return v, true, nil
		}
	}
	if tree := t.Tree(); tree != nil {
		if v, ok := tree.Get(key); ok {
			return v, true, nil
		}
	}
	if key.Kind() != value.KindString {
		return value.Null, false, nil
	}
	if e, ok := r.SideEffects.Lookup(key.Str()); ok {
		v, err := e.Get()
		return v, true, err
	}
	v, ok := pathValue(t.History(), key.Str(), pop)
	return v, ok, nil
}

// pathValue is what Path.get(Pop, label) gives.
func pathValue(p *traversal.PathNode, label, pop string) (value.Value, bool) {
	switch pop {
	case "first":
		return p.First(label)
	case "all", "mixed":
		vs := p.All(label)
		if pop == "mixed" && len(vs) == 1 {
			return vs[0], true
		}
		return value.List(vs), len(vs) > 0
	}
	return p.Last(label)
}

// SafeScopeValue is ScopeValue for steps that insist on the key; step is how the error
// prints them.
func SafeScopeValue(r *traversal.Run, step fmt.Stringer, t *traversal.Traverser, key string) (value.Value, error) {
	v, ok, err := ScopeValue(r, t, value.String(key), "last")
	if err == nil && !ok {
		err = &blueprints.Exception{
			Class:   "org.apache.tinkerpop.gremlin.process.traversal.step.Scoping$KeyNotFoundException",
			Message: fmt.Sprintf("Neither the map, sideEffects, nor path has a %s-key: %s", value.Brief(key), traversal.Brief(step)),
		}
	}
	return v, err
}

// Projected evaluates a by() on an object that is not where the traverser stands.
func Projected(r *traversal.Run, f traversal.Func, v value.Value) (value.Value, bool, error) {
	t := r.Generate(v)
	return f(&t)
}

// CurrentObject is the name of the traverser's object in math() and format().
const CurrentObject = "_"

// NeedsOf is what a step needs to find values by names: those of others than the
// traverser's object are labels of its path.
func NeedsOf(names []string) traversal.Needs {
	for _, name := range names {
		if name != CurrentObject {
			return traversal.NeedLabelledPath
		}
	}
	return 0
}
