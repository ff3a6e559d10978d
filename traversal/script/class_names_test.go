package script

import (
	"strings"
	"testing"

	"github.com/gremlind/gremlind/traversal/script/classes"
	"github.com/gremlind/gremlind/traversal/script/graphs"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// TestEveryClassHasItsFullName fails when a script may name a class whose package nobody
// wrote down: name and getName() would show the simple name.
func TestEveryClassHasItsFullName(t *testing.T) {
	var names []string
	for name := range classes.Known {
		names = append(names, name)
	}
	for name := range graphs.IOSettings {
		names = append(names, name)
	}
	for name := range graphs.ProgramKinds {
		names = append(names, name)
	}
	for name := range machine.TypeKinds {
		if name != "def" && !machine.Primitives[name] {
			names = append(names, name)
		}
	}
	for _, name := range names {
		v, ok := classes.NamedClass(name)
		if !ok {
			t.Errorf("%s is no class", name)
			continue
		}
		if full := machine.Foreign(v).(*classes.Class).Full(); !strings.Contains(full, ".") {
			t.Errorf("%s.name is %q", name, full)
		}
	}
}
