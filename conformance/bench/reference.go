package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/conformance/server"
	"github.com/gremlind/gremlind/protocol/graphbinary"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
)

// The references need no other software, so that every machine has something to
// compare with. Each is this program once more, as a child with a CPU account of its own.
const (
	// cannedName gives a fixed answer to everything: the ceiling of the wire.
	cannedName = "ref-canned"
	// committedName does so behind a commit of a bare Pebble store, of as many keys as gremlind's: the ceiling of writes.
	committedName = "ref-commit"
	// naiveName is the obvious server: maps of objects and an object per traverser.
	naiveName = "ref-naive"
)

// serveFlag is the first argument that makes this program a reference.
const serveFlag = "serve-reference"

func startReference(ctx context.Context, o options, d *dataset, name string) (*target, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("locate this program: %w", err)
	}
	port, err := server.FreePort()
	if err != nil {
		return nil, err
	}
	t := &target{name: name, durability: "none (memory)", url: fmt.Sprintf("ws://127.0.0.1:%d/gremlin", port), reference: true, fixed: name == cannedName}
	store := filepath.Join(o.work, name+".pebble")
	switch name {
	case cannedName:
		t.answers = func(q *query) bool { return q.canned }
	case committedName:
		t.answers, t.fixed, t.durability = func(q *query) bool { return q.committed }, true, "synced"
		if err := os.RemoveAll(store); err != nil {
			return nil, fmt.Errorf("clear store: %w", err)
		}
	case naiveName:
		t.answers = naiveAnswers
	}
	cmd := exec.Command(self, serveFlag, "-name", name, "-port", strconv.Itoa(port), "-vertices", d.vertexFile, "-edges", d.edgeFile, "-store", store)
	_, err = t.launch(ctx, cmd, filepath.Join(o.work, name+".log"))
	return t, err
}

// serveReference is the child's main function.
func serveReference(args []string) error {
	f := flag.NewFlagSet(serveFlag, flag.ContinueOnError)
	name := f.String("name", cannedName, "which reference")
	port := f.Int("port", 0, "port on 127.0.0.1")
	vertices := f.String("vertices", "", "file of the vertices")
	edges := f.String("edges", "", "file of the edges")
	store := f.String("store", "", "folder of what is committed")
	if err := f.Parse(args); err != nil {
		return fmt.Errorf("read arguments: %w", err)
	}
	answer := func(*message.Request) ([]value.Value, error) { return nil, nil }
	if *name == naiveName {
		g, err := readNaive(*vertices, *edges)
		if err != nil {
			return err
		}
		answer = g.answer
	}
	var commits *bareCommits
	if *name == committedName {
		var err error
		if commits, err = openBareCommits(*store); err != nil {
			return err
		}
	}
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(*port)))
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	return http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		upgrader := websocket.Upgrader{ReadBufferSize: 16 << 10, WriteBufferSize: 16 << 10}
		ws, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer ws.Close()
		switch *name {
		case cannedName:
			serveCanned(ws)
		case committedName:
			commits.serve(ws)
		default:
			serveAnswers(ws, answer)
		}
	}))
}

// requestIDAt is where the id stands in a request: behind the length of the mime type,
// the mime type and the version.
func requestIDAt(b []byte) int { return 1 + int(b[0]) + 1 }

// serveCanned answers with the id that it was sent and the number 42.
func serveCanned(ws *websocket.Conn) {
	answer, err := respond(nil, &message.Request{HasID: true}, []value.Value{value.Int(42)})
	if err != nil {
		return
	}
	for {
		_, b, err := ws.ReadMessage()
		if err != nil || len(b) < requestIDAt(b)+idBytes {
			return
		}
		copy(answer[idAt:], b[requestIDAt(b):][:idBytes])
		if err := ws.WriteMessage(websocket.BinaryMessage, answer); err != nil {
			return
		}
	}
}

func serveAnswers(ws *websocket.Conn, answer func(*message.Request) ([]value.Value, error)) {
	var out []byte
	for {
		_, b, err := ws.ReadMessage()
		if err != nil {
			return
		}
		q, err := graphbinary.Codec{}.DecodeRequest(b[1+int(b[0]):], nil)
		if err != nil {
			return
		}
		results, err := answer(q)
		if err == nil {
			out, err = respond(out[:0], q, results)
		}
		if err != nil {
			// The benchmark asks for nothing that the reference does not know.
			fmt.Fprintln(os.Stderr, err)
			return
		}
		if err := ws.WriteMessage(websocket.BinaryMessage, out); err != nil {
			return
		}
	}
}

// respond writes all results into one message, each in a traverser as drivers expect.
func respond(dst []byte, q *message.Request, results []value.Value) ([]byte, error) {
	var c graphbinary.Codec
	var items []byte
	for i, r := range results {
		var err error
		if items, err = c.AppendItem(items, i, value.OfTraverser(&value.Bulked{Bulk: 1, Value: r}), message.ItemOptions{}); err != nil {
			return nil, fmt.Errorf("encode answer: %w", err)
		}
	}
	return c.AppendResponse(dst, &message.Response{ID: q.ID, HasID: true, Code: 200}, items, len(results))
}
