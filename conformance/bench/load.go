package main

import (
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// deep is how many requests the deep client has under way on one connection.
const deep = 8

// requestTimeout is what every request asks for; the slowest peer needs it.
const requestTimeout = 30 * time.Minute

// load is what one measurement repeats: the same requests in the same order for
// every server, in both clients' forms.
type load struct {
	source   string
	bytecode []*traversal.Bytecode
	// frames are the requests' WebSocket frames; they stand side by side in wire, the
	// first few once more behind the last, so that any eight in turn are one slice.
	frames [][]byte
	wire   []byte
	at     []int
	// transaction means that all frames together, one after the other, are one request.
	transaction bool
	// fresh means that every request gets a name of its own when it is sent.
	fresh bool
	names atomic.Uint64 // given so far
}

// join lays the frames out in wire.
func (l *load) join() {
	for i := range len(l.frames) + deep {
		l.at = append(l.at, len(l.wire))
		l.wire = append(l.wire, l.frames[i%len(l.frames)]...)
	}
}

// some returns n frames from i on; n is at most deep.
func (l *load) some(i, n int) []byte { return l.wire[l.at[i]:l.at[i+n]] }

// size is over how many requests a client goes round.
func (l *load) size() int {
	if l.transaction {
		return 1
	}
	return len(l.frames)
}

// arguments are those of a request for a traversal, bytecode or text.
func arguments(source string, gremlin value.Value, timeout time.Duration) *value.Map {
	args := value.NewMap()
	args.PutString("gremlin", gremlin)
	args.PutString("evaluationTimeout", value.Long(timeout.Milliseconds()))
	aliases := value.NewMap()
	aliases.PutString("g", value.String(source))
	args.PutString("aliases", aliases.Value())
	return args
}

// encode makes a request's frame once; it is sent many times.
func encode(source string, b *traversal.Bytecode, timeout time.Duration) ([]byte, error) {
	return encodeRequest("traversal", arguments(source, b.Value(), timeout))
}

func encodeRequest(processor string, args *value.Map) ([]byte, error) {
	payload, err := client.Encode(uuid.New(), processor, "bytecode", args)
	if err != nil {
		return nil, err
	}
	return appendFrame(nil, opBinary, payload), nil
}

// encodeTransaction makes the frames of one transaction: a session that sends the
// traversal many times and commits.
func encodeTransaction(source string, b *traversal.Bytecode, times int, commit bool) ([][]byte, error) {
	session := value.String(uuid.NewString())
	var frames [][]byte
	add := func(b *traversal.Bytecode) error {
		args := arguments(source, b.Value(), requestTimeout)
		args.PutString("session", session)
		f, err := encodeRequest("session", args)
		frames = append(frames, f)
		return err
	}
	for range times {
		if err := add(b); err != nil {
			return nil, err
		}
	}
	if !commit {
		return frames, nil
	}
	return frames, add(&traversal.Bytecode{Source: []traversal.Instruction{{Name: "tx", Args: []value.Value{value.String("commit")}}}})
}
