package script

import (
	"strings"
	"testing"
)

// TestEveryClassHasItsFullName fails when a script may name a class whose package nobody
// wrote down: name and getName() would show the simple name.
func TestEveryClassHasItsFullName(t *testing.T) {
	var names []string
	for name := range classes {
		names = append(names, name)
	}
	for name := range ioSettings {
		names = append(names, name)
	}
	for name := range programKinds {
		names = append(names, name)
	}
	for name := range typeKinds {
		if name != "def" && !primitives[name] {
			names = append(names, name)
		}
	}
	for _, name := range names {
		v, ok := namedClass(name)
		if !ok {
			t.Errorf("%s is no class", name)
			continue
		}
		if full := foreign(v).(*classObject).full(); !strings.Contains(full, ".") {
			t.Errorf("%s.name is %q", name, full)
		}
	}
}
