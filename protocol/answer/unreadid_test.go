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
	if got := idIn([]byte(binary + "more")); got != id {
		t.Errorf("got %s, want %s", got, id)
	}
	for name, head := range map[string]string{"nothing": "", "cut": binary[:16], "prefix alone": "\x20application/", "another length": "\xffapplication/json",
		"no UUID": `{"requestId":"` + strings.Repeat("-", 36) + `"}`} {
		if got := idIn([]byte(head)); got == uuid.Nil || got == id {
			t.Errorf("%s: %s", name, got)
		}
	}
}
