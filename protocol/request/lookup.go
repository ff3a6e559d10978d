package request

import (
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/traversal"
)

// lookup says what a global name means to the one who asks. That somebody asked for what is
// there, and not for him, is noted.
func (t *Task) lookup(name string) contract.NameKind {
	kind := t.desk.Engine.Lookup(t.Identity, name)
	if kind == contract.NoName && t.desk.Auth != nil && t.desk.Engine.Lookup(traversal.Anyone, name) != contract.NoName {
		t.desk.rightRefused(t, "there is no graph or source "+name+" for the user")
	}
	return kind
}

// nearest is the name of a source or graph that is most like name, which is none; "" when
// there is none like it.
func (t *Task) nearest(name string) string {
	if e, ok := t.desk.Engine.(interface {
		Nearest(*traversal.Identity, string) string
	}); ok {
		return e.Nearest(t.Identity, name)
	}
	return ""
}
