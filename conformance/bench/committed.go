package main

import (
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

// bareCommits answers every request with the number 42, once a key that nobody else
// writes is in a Pebble store and synced: what Pebble's own group commit gives to a
// server that does nothing else.
type bareCommits struct {
	db   *pebble.DB
	next atomic.Uint64
}

// committedBytes is about what a commit of a small element writes.
const committedBytes = 200

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
		id := b[requestIDAt(b):][:idBytes]
		under.Go(func() {
			if err := c.commit(); err != nil {
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

func (c *bareCommits) commit() error {
	key := binary.BigEndian.AppendUint64(nil, c.next.Add(1))
	if err := c.db.Set(key, make([]byte, committedBytes), pebble.Sync); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}
