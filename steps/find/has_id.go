package find

import (
	"slices"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// knownIDs are the vertices that hasId() lets through, where they can be found once
// rather than asking each vertex for its id: in a run that adds none, under an id
// manager that makes no two ids equal, for a few whole numbers or strings.
type knownIDs struct {
	asked    int
	known    bool
	vertices []blueprints.VertexID
}

const (
	knownIDsMax = 16
	// knownIDsAfter is after how many vertices it is worth it to look the ids up.
	knownIDsAfter = 8
)

// has reports whether v passes; ok is false when it is not known that way.
func (k *knownIDs) has(r *traversal.Run, h *Test, v value.Value) (passes, ok bool, err error) {
	if !step.IsStoredVertex(v) {
		return false, false, nil
	}
	if k.asked < knownIDsAfter {
		if k.asked++; k.asked == knownIDsAfter {
			k.known, err = k.find(r, h)
		}
	}
	if !k.known || err != nil {
		return false, false, err
	}
	return slices.Contains(k.vertices, blueprints.VertexID(v.Ref())), true, nil
}

func (k *knownIDs) find(r *traversal.Run, h *Test) (known bool, err error) {
	p := h.has.P
	if h.has.Token.Str() != "id" || p.Name != "eq" && p.Name != "within" || len(p.Args) > knownIDsMax || r.Mutator != nil {
		return false, nil
	}
	if m := r.View.Options().VertexIDs; m == ids.Any {
		return false, nil
	}
	for _, id := range p.Args {
		if kind := id.Kind(); kind != value.KindString && kind != value.KindInt && kind != value.KindLong {
			return false, nil
		}
		v, found, err := r.View.FindVertex(id)
		if err != nil {
			return false, nil // no id is equal to it; the test itself will say so
		}
		if !found {
			continue
		}
		own, err := r.View.VertexUserID(v)
		if err != nil {
			return false, err
		}
		if ok, err := h.testToken(r, own); err != nil {
			return false, err
		} else if ok {
			k.vertices = append(k.vertices, v)
		}
	}
	return true, nil
}
