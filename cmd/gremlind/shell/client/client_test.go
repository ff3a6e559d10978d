package client

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gorilla/websocket"
)

func TestParseURL(t *testing.T) {
	for in, want := range map[string]string{
		"ws://a":                  "ws://a:8182/gremlin",
		"http://a:1/":             "ws://a:1/gremlin",
		"https://a:1/other":       "wss://a:1/other",
		"localhost:8182":          "ws://localhost:8182/gremlin",
		"[::1]:8182":              "ws://[::1]:8182/gremlin",
		"wss://u:p@[::1]/gremlin": "wss://u:p@[::1]:8182/gremlin",
		"WS://a":                  "ws://a:8182/gremlin",
	} {
		if u, err := ParseURL(in); err != nil || u.String() != want || !IsURL(in) {
			t.Errorf("%s: %v, %v", in, u, err)
		}
	}
	for _, wrong := range []string{"ftp://a", "ws://", "ws://a b", "://"} {
		if u, err := ParseURL(wrong); err == nil {
			t.Errorf("%s: %v", wrong, u)
		}
	}
	for _, query := range []string{"g.V()", "x = 'ws://a'", "g.V().has('a:1')", "1", "a://b", ""} {
		if IsURL(query) {
			t.Errorf("%q is taken for a server", query)
		}
	}
}

// TestConn_Nonsense is a server that answers what is no answer.
func TestConn_Nonsense(t *testing.T) {
	for _, answer := range [][]byte{{}, {0x81}, []byte("{}"), {0x81, 0, 1, 2, 3}, make([]byte, 1000)} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ws, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
			if err != nil {
				return
			}
			defer ws.Close()
			ws.ReadMessage()
			ws.WriteMessage(websocket.BinaryMessage, answer)
			ws.ReadMessage()
		}))
		u, err := ParseURL(s.URL)
		if err != nil {
			t.Fatal(err)
		}
		c := New(Options{URL: u})
		rows, err := c.Submit(context.Background(), &Request{Gremlin: "g.V()"})
		if err == nil {
			_, err = rows.Next()
		}
		if !errors.Is(err, ErrLost) {
			t.Errorf("%v: %v", answer[:min(len(answer), 5)], err)
		}
		if !c.Lost() || c.Lost() {
			t.Error("the loss is told once")
		}
		c.Close()
		s.Close()
	}
}
