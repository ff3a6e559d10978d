package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
)

// bareCommits answers every request with the number 42, once keys that nobody else
// writes are in a Pebble store and synced, as many and as long as gremlind writes for the
// request: what Pebble's own group commit gives to a server that does nothing else.
type bareCommits struct {
	db   *pebble.DB
	next atomic.Uint64
}

// written is how many keys a commit of gremlind's has for a query, and how many bytes they
// and their values take.
type written struct{ keys, bytes int }

// writtenFor is found by the steps that stand in a request.
func writtenFor(request []byte) written {
	switch {
	case bytes.Contains(request, []byte("addV")): // the vertex, its label, id, properties, two entries of the index, two counts
		return written{9, 206}
	case bytes.Contains(request, []byte("addE")): // the edge at both ends and as such, its label, id, two counts
		return written{7, 155}
	}
	return written{1, 33} // the property
}

func openBareCommits(dir string) (*bareCommits, error) {
	db, err := pebble.Open(dir, &pebble.Options{FormatMajorVersion: pebble.FormatNewest, Logger: quiet{}})
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	return &bareCommits{db: db}, nil
}

// serve has every request of a connection under way at once.
func (c *bareCommits) serve(ws *websocket.Conn) {
	var under sync.WaitGroup
	defer under.Wait()
	var writing sync.Mutex
	answer, err := respond(nil, &message.Request{HasID: true}, []value.Value{value.Int(42)})
	if err != nil {
		return
	}
	for {
		_, b, err := ws.ReadMessage()
		if err != nil || len(b) < requestIDAt(b)+idBytes {
			return
		}
		id, w := b[requestIDAt(b):][:idBytes], writtenFor(b)
		under.Go(func() {
			if err := c.commit(w); err != nil {
				fmt.Fprintln(os.Stderr, err)
				ws.Close()
				return
			}
			writing.Lock()
			defer writing.Unlock()
			copy(answer[idAt:], id)
			if ws.WriteMessage(websocket.BinaryMessage, answer) != nil {
				ws.Close()
			}
		})
	}
}

func (c *bareCommits) commit(w written) error {
	batch := c.db.NewBatchWithSize(2 * w.bytes)
	defer batch.Close()
	var key [9]byte
	binary.BigEndian.PutUint64(key[1:], c.next.Add(1))
	value := make([]byte, max(0, w.bytes/w.keys-len(key)))
	for i := range w.keys {
		key[0] = byte(i) // each in a place of its own, as in tables
		if err := batch.Set(key[:], value, nil); err != nil {
			return fmt.Errorf("commit: %w", err)
		}
	}
	if err := batch.Commit(pebble.Sync); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}
