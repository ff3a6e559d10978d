package engine

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"testing"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/protocol"
	"github.com/gremlind/gremlind/protocol/graphbinary"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// pipeline is how many requests BenchmarkRequest sends at once.
const pipeline = 8

// BenchmarkRequest answers small requests over a connection that has several of them
// under way: what it costs beside evaluating is nearly all there is.
func BenchmarkRequest(b *testing.B) {
	step := func(name string, args ...value.Value) traversal.Instruction {
		return traversal.Instruction{Name: name, Args: args}
	}
	marko := value.String("marko")
	within := &traversal.P{Name: "within", Args: []value.Value{marko, value.String("josh"), value.String("peter"), value.String("vadas")}}
	values := step("values", value.String("age"))
	for _, q := range []struct {
		name  string
		steps []traversal.Instruction
	}{
		{"ID", []traversal.Instruction{step("V", value.Int(1)), values}},
		{"Index", []traversal.Instruction{step("V"), step("has", value.String("name"), marko), values}},
		{"IndexWithin", []traversal.Instruction{step("V"), step("has", value.String("name"), within.Value()), values}},
		{"Count", []traversal.Instruction{step("V", value.Int(1)), step("out", value.String("knows")), step("count")}},
		{"Elements", []traversal.Instruction{step("V", value.Int(1)), step("out", value.String("knows"))}},
	} {
		b.Run(q.name, func(b *testing.B) {
			frames := requests(b, &traversal.Bytecode{Steps: q.steps})
			conn := dial(b)
			var buf [16 << 10]byte
			b.ReportAllocs()
			for n := 0; n < b.N; n += pipeline {
				if _, err := conn.Write(frames); err != nil {
					b.Fatal(err)
				}
				for got := 0; got < pipeline; {
					k, err := conn.Read(buf[:])
					if err != nil {
						b.Fatal(err)
					}
					got += bytes.Count(buf[:k], []byte("/127.0.0.1")) // in every answer once
				}
			}
		})
	}
}

// requests encodes the frames of one pipeline.
func requests(b *testing.B, code *traversal.Bytecode) []byte {
	args := value.NewMap()
	args.Put(value.String("gremlin"), code.Value())
	aliases := value.NewMap()
	aliases.Put(value.String("g"), value.String("g"))
	args.Put(value.String("aliases"), aliases.Value())
	var frames []byte
	for range pipeline {
		msg := append([]byte{byte(len(protocol.MimeGraphBinary))}, protocol.MimeGraphBinary...)
		msg, err := graphbinary.AppendRequest(msg, &message.Request{ID: uuid.New(), Op: "bytecode", Processor: "traversal", Args: args})
		if err != nil {
			b.Fatal(err)
		}
		// One final binary frame, masked with zeros.
		frames = append(frames, 0x82, 0x80|126, byte(len(msg)>>8), byte(len(msg)), 0, 0, 0, 0)
		frames = append(frames, msg...)
	}
	return frames
}

// dial serves the graph modern, with an index, and connects to it.
func dial(b *testing.B) net.Conn {
	e := open(b)
	g, err := e.o.Database.Graph("modern")
	if err == nil {
		err = g.CreateKeyIndex(context.Background(), blueprints.VertexClass, "name")
	}
	if err != nil {
		b.Fatal(err)
	}
	srv := protocol.New(protocol.Options{
		Engine: e, Limits: protocol.DefaultLimits(), Loopback: true, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Codecs: protocol.Codecs{protocol.MimeGraphBinary: graphbinary.Codec{}},
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	ws, _, err := websocket.DefaultDialer.Dial("ws://"+l.Addr().String()+"/gremlin", nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		ws.Close()
		if err := srv.Shutdown(context.Background()); err != nil {
			b.Error(err)
		}
		if err := <-served; err != nil {
			b.Error(err)
		}
	})
	return ws.NetConn()
}
