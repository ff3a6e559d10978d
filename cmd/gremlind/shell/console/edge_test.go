package console

import (
	"strings"
	"testing"
)

func TestEvenly(t *testing.T) {
	for _, x := range []struct {
		line, want    string
		indent, width int
	}{
		{"abc日", "abc日", 0, 5},
		{"abc日", "abc><", 0, 4},
		{"ab日", "ab日", 0, 4},
		{"日日日", "日><日", 2, 5},
		{"日日日", "日日日", 2, 80},
		{"e\u0301é日", "e\u0301é日", 0, 4},
		{"ab\n日日", "ab\n日><", 1, 4},
		{"a👍🏽日", "a👍🏽日", 0, 5},
		{"aa👍🏽", "aa><", 0, 3},
	} {
		if got := strings.ReplaceAll(evenly(x.line, x.indent, x.width), atEdge, "><"); got != x.want {
			t.Errorf("%q in %d: %q, not %q", x.line, x.width, got, x.want)
		}
	}
}
