package value

import (
	"strings"
	"testing"
)

// TestKind_JavaClass: a class is named with its package, which messages show.
func TestKind_JavaClass(t *testing.T) {
	for k := range Kind(len(kindNames)) {
		if name := k.JavaClass(); kindNames[k] != "" && k != KindNull && k != KindForeign && !strings.Contains(name, ".") {
			t.Errorf("%s has the class %s", k, name)
		}
	}
}
