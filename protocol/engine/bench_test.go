package engine

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/protocol"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/graphbinary"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/protocol/request"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/plancache"
	"github.com/gremlind/gremlind/traversal/strategy"
)

// pipeline is how many requests BenchmarkRequest sends at once.
const pipeline = 8

// smallRequest is a traversal that asks for little.
type smallRequest struct {
	name   string
	steps  []traversal.Instruction
	source []traversal.Instruction
}

func (s *smallRequest) code() *traversal.Bytecode {
	return &traversal.Bytecode{Source: s.source, Steps: s.steps}
}

func small() []smallRequest {
	step := func(name string, args ...value.Value) traversal.Instruction {
		return traversal.Instruction{Name: name, Args: args}
	}
	marko := value.String("marko")
	within := &traversal.P{Name: "within", Args: []value.Value{marko, value.String("josh"), value.String("peter"), value.String("vadas")}}
	values := step("values", value.String("age"))
	return []smallRequest{
		{name: "ID", steps: []traversal.Instruction{step("V", value.Int(1)), values}},
		{name: "Index", steps: []traversal.Instruction{step("V"), step("has", value.String("name"), marko), values}},
		{name: "IndexWithin", steps: []traversal.Instruction{step("V"), step("has", value.String("name"), within.Value()), values}},
		{name: "Count", steps: []traversal.Instruction{step("V", value.Int(1)), step("out", value.String("knows")), step("count")}},
		{name: "Elements", steps: []traversal.Instruction{step("V", value.Int(1)), step("out", value.String("knows"))}},
		{name: "With", steps: []traversal.Instruction{step("V", value.Int(1)), values}, source: []traversal.Instruction{withOption("evaluationTimeout", value.Long(1000))}},
	}
}

// withOption is what drivers make of g.with(key, v).
func withOption(key string, v value.Value) traversal.Instruction {
	config := value.NewMap()
	config.PutString(key, v)
	spec := &traversal.StrategySpec{Class: "org.apache.tinkerpop.gremlin.process.traversal.strategy.decoration.OptionsStrategy", Config: config}
	return traversal.Instruction{Name: "withStrategies", Args: []value.Value{value.Object(value.KindStrategy, spec)}}
}

// BenchmarkRequest answers small requests over a connection that has several of them
// under way: what it costs beside evaluating is nearly all there is.
func BenchmarkRequest(b *testing.B) {
	for _, q := range small() {
		b.Run(q.name, func(b *testing.B) {
			frames := requests(b, q.code())
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

// requestOf encodes a request, with an id of its own.
func requestOf(b *testing.B, code *traversal.Bytecode) []byte { return requestTo(b, "g", code) }

func requestTo(b *testing.B, source string, code *traversal.Bytecode) []byte {
	args := value.NewMap()
	args.Put(value.String("gremlin"), code.Value())
	aliases := value.NewMap()
	aliases.Put(value.String("g"), value.String(source))
	args.Put(value.String("aliases"), aliases.Value())
	msg, err := graphbinary.AppendRequest(nil, &message.Request{ID: uuid.New(), Op: message.OpBytecode, Processor: message.ProcessorTraversal, Args: args})
	if err != nil {
		b.Fatal(err)
	}
	return msg
}

// requests encodes the frames of one pipeline.
func requests(b *testing.B, code *traversal.Bytecode) []byte {
	var frames []byte
	for range pipeline {
		msg := append([]byte{byte(len(message.MimeGraphBinary))}, message.MimeGraphBinary...)
		msg = append(msg, requestOf(b, code)...)
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
	return dialTo(b, e).NetConn()
}

// dialTo serves an engine and connects to it.
func dialTo(b *testing.B, e *Engine) *websocket.Conn {
	srv := protocol.New(protocol.Options{
		Options: request.Options{
			Engine: e, Limits: quota.DefaultLimits(), Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
			Codecs: message.Codecs{message.MimeGraphBinary: graphbinary.Codec{}},
		},
		Loopback: true,
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
	return ws
}

// BenchmarkStream has 100,000 value maps sent over a connection. The bar is 90 ms on a
// quiet machine, half of what it was, of which the server works 60.
func BenchmarkStream(b *testing.B) {
	const vertices = 100_000
	e := open(b)
	fill := fmt.Sprintf("g.inject(1).repeat(__.addV('person').property('name', 'somebody').property('age', 29)).times(%d).count()", vertices)
	w := e.Open(contract.WorkOptions{Identity: traversal.Anyone})
	if got, err := results(w, &contract.Query{Language: languageLang, Script: fill, Aliases: map[string]string{"g": "gtx"}}); err != nil || got != "1" {
		b.Fatal(got, err)
	}
	if err := w.Commit(context.Background(), true); err != nil {
		b.Fatal(err)
	}
	w.Close()
	ws := dialTo(b, e)
	code := &traversal.Bytecode{Steps: []traversal.Instruction{{Name: "V"}, {Name: "valueMap"}}}
	msg := append(append([]byte{byte(len(message.MimeGraphBinary))}, message.MimeGraphBinary...), requestTo(b, "gtx", code)...)
	b.ReportAllocs()
	for b.Loop() {
		if err := ws.WriteMessage(websocket.BinaryMessage, msg); err != nil {
			b.Fatal(err)
		}
		for {
			_, answer, err := ws.ReadMessage()
			if err != nil || len(answer) < responseStatus+4 {
				b.Fatal(len(answer), err)
			}
			if code := binary.BigEndian.Uint32(answer[responseStatus:]); code == message.StatusSuccess {
				break
			} else if code != message.StatusPartialContent {
				b.Fatalf("status %d", code)
			}
		}
	}
}

// responseStatus is where the status stands in a response: behind version, flag and id.
const responseStatus = 18

// BenchmarkWrite runs small writing requests, one after the other, on a store in memory.
func BenchmarkWrite(b *testing.B) {
	const vertices = 1000
	e := open(b)
	if got := auto(b, e, query(languageLang, fmt.Sprintf("g.inject(1).repeat(__.addV('v')).times(%d).count()", vertices))); got != "1" {
		b.Fatal(got)
	}
	ids := strings.Fields(auto(b, e, query(languageLang, "g.V().hasLabel('v').id()")))
	at := func(n int) value.Value {
		id, err := strconv.Atoi(ids[n%len(ids)])
		if err != nil {
			b.Fatal(err)
		}
		return value.Int(int32(id))
	}
	count := traversal.Instruction{Name: "count"}
	for _, q := range []struct {
		name  string
		steps func(n int) []traversal.Instruction
	}{
		{"Property", func(n int) []traversal.Instruction {
			return []traversal.Instruction{{Name: "V", Args: []value.Value{at(n)}}, {Name: "property", Args: []value.Value{value.String("seen"), value.Int(1)}}, count}
		}},
		{"AddVertex", func(n int) []traversal.Instruction {
			return []traversal.Instruction{{Name: "addV", Args: []value.Value{value.String("w")}},
				{Name: "property", Args: []value.Value{value.String("name"), value.String(strconv.Itoa(n))}},
				{Name: "property", Args: []value.Value{value.String("age"), value.Int(1)}}, count}
		}},
		{"AddEdge", func(n int) []traversal.Instruction {
			to := &traversal.Bytecode{Steps: []traversal.Instruction{{Name: "V", Args: []value.Value{at(7 * n)}}}}
			return []traversal.Instruction{{Name: "V", Args: []value.Value{at(n)}},
				{Name: "addE", Args: []value.Value{value.String("w")}}, {Name: "to", Args: []value.Value{to.Value()}}, count}
		}},
	} {
		b.Run(q.name, func(b *testing.B) {
			codes := make([]*traversal.Bytecode, vertices)
			for i := range codes {
				codes[i] = &traversal.Bytecode{Steps: q.steps(i)}
			}
			done := make(chan error, 1)
			ended := func(err error) { done <- err }
			results := make([]value.Bulked, 0, 1)
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				w := e.Open(contract.WorkOptions{Identity: traversal.Anyone})
				r, err := w.Run(context.Background(), &contract.Query{Bytecode: codes[n%vertices], Source: "g"})
				if err != nil {
					b.Fatal(err)
				}
				if results, err = r.Next(results[:0], 1); err != nil || len(results) != 1 {
					b.Fatal(results, err)
				}
				r.Close()
				w.CommitAsync(context.Background(), ended)
				if err := <-done; err != nil {
					b.Fatal(err)
				}
				w.Close()
			}
		})
	}
}

// BenchmarkForms takes requests from their bytes to their plans: known ones by their form,
// and the same ones decoded, checked, and looked up by the shape of their bytecode. What
// lies between the two is what forms bring.
func BenchmarkForms(b *testing.B) {
	e := open(b)
	d := request.NewDesk(request.Options{Engine: e, Limits: quota.DefaultLimits()}, nil)
	indexes := strategy.IndexedKeys{Vertex: []string{"name"}}
	for _, c := range small() {
		msg := requestOf(b, c.code())
		var form message.Form
		arrive := func(t *request.Task) {
			*t = request.Task{}
			t.Arrive(d, nil, "", d.Now())
			t.Identity, t.Reply.Codec = traversal.Anyone, graphbinary.Codec{}
		}
		decode := func(t *request.Task) {
			if err := t.Decode(msg); err != nil {
				b.Fatal(err)
			}
			if err := t.Check(); err != nil || !t.Quick() {
				b.Fatal(err)
			}
		}
		for range 3 { // the third is known
			t := &request.Task{}
			arrive(t)
			if known, ok := d.Forms.Recall(t, msg, &form); !ok {
				decode(t)
				d.Forms.Learn(t, known, &form)
			}
		}
		plan := func(t *request.Task, q *plancache.Query) {
			var err error
			if t.Query.Form != nil {
				err = q.OpenForm(e.plans, t.Query.Form, t.Query.Constants)
			} else {
				err = q.Open(e.plans, t.Query.Bytecode)
			}
			if err == nil {
				_, err = q.Plan(indexes)
			}
			if err != nil {
				b.Fatal(err)
			}
			q.Memory.Release()
		}
		for _, known := range []bool{true, false} {
			b.Run(fmt.Sprintf("%s/known=%v", c.name, known), func(b *testing.B) {
				t, q := &request.Task{}, &plancache.Query{Memory: &plancache.Memory{}}
				b.ReportAllocs()
				for b.Loop() {
					arrive(t)
					if !known {
						decode(t)
					} else if _, ok := d.Forms.Recall(t, msg, &form); !ok || !t.Quick() {
						b.Fatal("the form is forgotten")
					}
					plan(t, q)
				}
			})
		}
	}
}
