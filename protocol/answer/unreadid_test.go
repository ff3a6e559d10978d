package answer

import (
	"strings"
	"testing"

	"github.com/google/uuid"
)

// What has no id gets one of its own.
func TestIDIn(t *testing.T) {
	id := uuid.New()
	binary := "\x81" + string(id[:])
	for name, head := range map[string]string{"binary": binary, "binary and more": binary + "more", "a frame": "\x03a/b" + binary, "JSON": `{"requestId":"` + id.String() + `"}`,
		"a frame's": "\x10application/json" + `{"op":"eval","requestId" : "` + id.String() + `"}`} {
		if got := idIn([]byte(head)); (got == id) == (name == "a frame") {
			t.Errorf("%s: got %s, want %s", name, got, id)
		}
	}
	for name, head := range map[string]string{"nothing": "", "cut": binary[:16], "prefix alone": "\x20application/", "another length": "\xffapplication/json",
		"no UUID": `{"requestId":"` + strings.Repeat("-", 36) + `"}`} {
		if got := idIn([]byte(head)); got == uuid.Nil || got == id {
			t.Errorf("%s: %s", name, got)
		}
	}
}
