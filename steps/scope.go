package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// scopeValue finds what a key means to a traverser, in the reference's order: an
// entry of the object when that is a map, a side effect, a label of the path. A pop of
// "" takes the newest, as "last" does.
func scopeValue(r *traversal.Run, t *traversal.Traverser, key value.Value, pop string) (value.Value, bool, error) {
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

// safeScopeValue is scopeValue for steps that insist on the key; step is how the error
// prints them.
func safeScopeValue(r *traversal.Run, step fmt.Stringer, t *traversal.Traverser, key string) (value.Value, error) {
	v, ok, err := scopeValue(r, t, value.String(key), "last")
	if err == nil && !ok {
		err = &blueprints.Exception{
			Class:   "org.apache.tinkerpop.gremlin.process.traversal.step.Scoping$KeyNotFoundException",
			Message: fmt.Sprintf("Neither the map, sideEffects, nor path has a %s-key: %s", value.Brief(key), traversal.Brief(step)),
		}
	}
	return v, err
}

// projected evaluates a by() on an object that is not where the traverser stands.
func projected(r *traversal.Run, f traversal.Func, v value.Value) (value.Value, bool, error) {
	t := r.Generate(v)
	return f(&t)
}

// ring hands out by() modulators in turn; without any it is identity.
type ring []traversal.Func

func (g ring) at(i int) traversal.Func {
	if len(g) == 0 {
		return func(t *traversal.Traverser) (value.Value, bool, error) { return t.Value, true, nil }
	}
	return g[i%len(g)]
}

// openRing opens the by() modulators of a node.
func openRing(n *traversal.Node, r *traversal.Run) (ring, error) {
	fs, err := r.ByFuncs(n)
	return ring(fs), err
}
