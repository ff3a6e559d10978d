package answer

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"time"

	"github.com/google/uuid"
)

// UnreadWait is how long the first bytes of a body that is refused may take.
const UnreadWait = time.Second

// unreadBytes is how much of a body that is refused is looked at for its request's id.
const unreadBytes = 512

var idInJSON = regexp.MustCompile(`"requestId"\s*:\s*(?:\{\s*"@type"\s*:\s*"g:UUID"\s*,\s*"@value"\s*:\s*)?"([0-9a-fA-F-]{36})"`)

// UnreadID finds the id of a request that is refused before its body was read, in the
// first bytes of it: gremlin-driver fails with a NullPointerException, not with the
// reason, when an answer has another id. It makes one up when none is there.
func UnreadID(w http.ResponseWriter, r *http.Request) uuid.UUID {
	if r.Method == http.MethodGet {
		if id, err := uuid.Parse(r.URL.Query().Get("requestId")); err == nil {
			return id
		}
		return uuid.New()
	}
	if r.Body == nil || r.Header.Get("Expect") != "" { // reading would ask for the body
		return uuid.New()
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(UnreadWait))
	head := make([]byte, unreadBytes)
	n, _ := io.ReadFull(r.Body, head) // what did not come has no id
	return idIn(head[:n])
}

// idIn finds the id in the head of a request in GraphBinary or JSON, with or without
// the mime prefix of a WebSocket frame.
func idIn(head []byte) uuid.UUID {
	if len(head) > 0 {
		if size := int(head[0]); size < len(head) && bytes.HasPrefix(head[1:], []byte("application/")) {
			head = head[1+size:]
		}
	}
	if len(head) > 16 && head[0] >= 0x80 {
		return uuid.UUID(head[1:17])
	}
	if m := idInJSON.FindSubmatch(head); m != nil {
		if id, err := uuid.ParseBytes(m[1]); err == nil {
			return id
		}
	}
	return uuid.New()
}
