package main

import (
	"errors"
	"testing"
)

func TestElementCall(t *testing.T) {
	for _, c := range []struct{ class, id, want string }{
		{"vertex", "1", "gremlind.purge', [vertex: 1]"}, {"edge", "a", "gremlind.purge', [edge: \"a\"]"}, {"edge", "7", "gremlind.purge', [edge: 7]"},
	} {
		if got, err := elementCall("gremlind.purge")([]string{c.class, c.id}); err != nil || got != c.want {
			t.Errorf("%s %s: %q, %v", c.class, c.id, got, err)
		}
	}
	if _, err := elementCall("gremlind.purge")([]string{"node", "1"}); !errors.As(err, new(usageError)) {
		t.Errorf("of a node: %v", err)
	}
}
