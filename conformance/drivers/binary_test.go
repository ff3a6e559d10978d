//go:build drivers

package drivers

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/google/uuid"
	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/protocol/graphbinary"
	"github.com/gremlind/gremlind/storage/value"
)

const graphBinary = "application/vnd.graphbinary-v1.0"

// evalArgs are the arguments of a script on the modern graph.
func evalArgs(script string) *value.Map {
	aliases, args := value.NewMap(), value.NewMap()
	aliases.PutString("g", value.String("gmodern"))
	args.PutString("gremlin", value.String(script))
	args.PutString("aliases", aliases.Value())
	return args
}

// graphBinary posts a script as gremlinpython does over HTTP.
func (w *wire) graphBinary(d *datadriven.TestData) (string, error) {
	id := uuid.New()
	body, err := client.Encode(id, "", "eval", evalArgs(d.Input))
	if err != nil {
		return "", err
	}
	if d.HasArg("bare") {
		body = body[1+len(graphBinary):]
	}
	req, err := http.NewRequest(http.MethodPost, "http://127.0.0.1:"+w.s.port()+"/gremlin", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	req.Close = true
	req.Header.Set("Content-Type", graphBinary)
	req.Header.Set("Accept", graphBinary)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", err
	}
	out := fmt.Sprintf("%d %s\n", resp.StatusCode, resp.Header.Get("Content-Type"))
	if resp.StatusCode != http.StatusOK {
		text, _ := canonical(b, d)
		return out + text + "\n", nil
	}
	r, data, err := graphbinary.DecodeResponse(b)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s%d id echoed %t %s\n", out, r.Code, r.ID == id, typed(data)), nil
}

// TestFragments sends a request in many fragments, as gorilla's clients do with any
// message longer than their buffer; Gremlin Server never answers one.
func TestFragments(t *testing.T) {
	s := start(t)
	c, _, err := (&websocket.Dialer{WriteBufferSize: 256}).Dial(s.running.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	frame, err := client.Encode(uuid.New(), "", "eval", evalArgs("'"+strings.Repeat("x", 20_000)+"'.length()"))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.WriteMessage(websocket.BinaryMessage, frame); err != nil {
		t.Fatal(err)
	}
	_, b, err := c.ReadMessage()
	if err != nil {
		t.Fatal(err)
	}
	if _, data, err := graphbinary.DecodeResponse(b); err != nil || typed(data) != "[Integer(20000)]" {
		t.Errorf("got %s, %v", typed(data), err)
	}
}

// TestOldDrivers gives drivers that cannot read properties of elements none, by the
// version in their User-Agent.
func TestOldDrivers(t *testing.T) {
	s := start(t)
	for agent, properties := range map[string]int{
		"NotAvailable Gremlin-Python.3.5.8 3.11 Linux": 0, "NotAvailable Gremlin-Go.3.6.1 1.20 linux": 0,
		"NotAvailable Gremlin-Python.3.8.1 3.11 Linux": 2, "": 2,
	} {
		c, _, err := websocket.DefaultDialer.DialContext(context.Background(), s.running.URL, http.Header{"User-Agent": {agent}})
		if err != nil {
			t.Fatal(err)
		}
		frame, err := client.Encode(uuid.New(), "", "eval", evalArgs("g.V(1)"))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.WriteMessage(websocket.BinaryMessage, frame); err != nil {
			t.Fatal(err)
		}
		_, b, err := c.ReadMessage()
		c.Close()
		if err != nil {
			t.Fatal(err)
		}
		_, data, err := graphbinary.DecodeResponse(b)
		if want := fmt.Sprintf("[v[1] with %d properties]", properties); err != nil || typed(data) != want {
			t.Errorf("%q: got %s, %v; want %s", agent, typed(data), err, want)
		}
	}
}
