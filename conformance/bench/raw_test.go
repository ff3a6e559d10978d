package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/lang"
)

// wire is a connection whose server says the same again and again; what is written to
// it is kept.
type wire struct {
	net.Conn
	says    []byte
	at      int
	written bytes.Buffer
}

// Read hands out what the server says, some bytes at a time.
func (w *wire) Read(b []byte) (int, error) {
	if w.at == len(w.says) {
		w.at = 0
	}
	n := copy(b[:min(len(b), 1000)], w.says[w.at:])
	w.at += n
	return n, nil
}

// Write keeps b.
func (w *wire) Write(b []byte) (int, error) { return w.written.Write(b) }

// serverFrame is an unmasked frame.
func serverFrame(head byte, payload []byte) []byte {
	f := appendFrame(nil, head&opMask, payload)
	f[0] = head
	f[1] &^= maskBit
	at := len(f) - len(payload)
	return append(f[:at-4:at-4], payload...)
}

// answerOf is a response of a status that has n more bytes.
func answerOf(t *testing.T, code int32, n int) []byte {
	t.Helper()
	b, err := respond(nil, &message.Request{HasID: true}, []value.Value{value.String(strings.Repeat("x", n))})
	if err != nil {
		t.Fatal(err)
	}
	b[idAt+idBytes+2], b[idAt+idBytes+3] = byte(code>>8), byte(code)
	return b
}

func newWire(frames ...[]byte) (*rawConn, *wire) {
	w := &wire{says: bytes.Join(frames, nil)}
	return &rawConn{net: w, buf: make([]byte, 4096)}, w
}

func TestRawConn_Await(t *testing.T) {
	big := answerOf(t, 200, 70_000)
	c, w := newWire(
		serverFrame(finBit|opBinary, answerOf(t, 206, 10)),
		serverFrame(finBit|opPing, []byte("there?")),
		serverFrame(finBit|opBinary, answerOf(t, 206, 300)),
		// One message in three frames, with a ping between them.
		serverFrame(opBinary, big[:100]),
		serverFrame(finBit|opPing, nil),
		serverFrame(0, big[100:67_000]),
		serverFrame(finBit, big[67_000:]),
	)
	for range 3 {
		w.written.Reset()
		if err := c.await(); err != nil {
			t.Fatal(err)
		}
		pongs := append(appendFrame(nil, opPong, []byte("there?")), appendFrame(nil, opPong, nil)...)
		if !bytes.Equal(w.written.Bytes(), pongs) {
			t.Fatalf("sent %x, want two pongs", w.written.Bytes())
		}
	}
	if len(w.says) != w.at || c.r != c.w {
		t.Errorf("%d bytes were not read, %d not looked at", len(w.says)-w.at, c.w-c.r)
	}
}

func TestRawConn_Failures(t *testing.T) {
	for _, c := range []struct {
		frame []byte
		want  string
	}{
		{serverFrame(finBit|opBinary, answerOf(t, 500, 5)), "status 500"},
		{serverFrame(finBit|opClose, []byte("\x03\xf1bye")), "1009 bye"},
		{serverFrame(finBit|opClose, nil), "closed"},
		{serverFrame(finBit|opBinary, []byte{1, 2}), errShortAnswer.Error()},
	} {
		conn, _ := newWire(c.frame)
		if err := conn.await(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

func TestRawConn_AllocatesNothing(t *testing.T) {
	c, w := newWire(serverFrame(finBit|opBinary, answerOf(t, 200, 200)))
	frame := appendFrame(nil, opBinary, make([]byte, 300))
	w.written.Grow(1 << 20)
	if n := testing.AllocsPerRun(100, func() {
		if err := c.ask(frame); err != nil {
			t.Error(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations per request", n)
	}
}

func TestAppendFrame_IsUnderstood(t *testing.T) {
	for _, n := range []int{0, 125, 126, 65_535, 65_536} {
		got := make(chan int, 1)
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ws, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
			if err != nil {
				return
			}
			defer ws.Close()
			_, b, _ := ws.ReadMessage()
			got <- bytes.Count(b, []byte{7})
		}))
		c, err := dialRaw("ws" + strings.TrimPrefix(srv.URL, "http"))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.send(appendFrame(nil, opBinary, bytes.Repeat([]byte{7}, n))); err != nil {
			t.Fatal(err)
		}
		if m := <-got; m != n {
			t.Errorf("%d bytes arrived of %d", m, n)
		}
		if err := c.await(); err == nil || !strings.Contains(err.Error(), io.EOF.Error()) {
			t.Errorf("got %v when the server went away", err)
		}
		c.close()
		srv.Close()
	}
}

func TestRawConn_Deep(t *testing.T) {
	frames := make([][]byte, 10)
	for i := range frames {
		frames[i] = appendFrame(nil, opBinary, []byte{byte(i)})
	}
	l := &load{frames: frames}
	l.join()
	c, w := newWire(serverFrame(finBit|opBinary, answerOf(t, 200, 1)))
	took, err := c.asker(l, deepClient)(6, nil)
	if err != nil || len(took) != deep {
		t.Fatalf("%d latencies, %v", len(took), err)
	}
	want := bytes.Join([][]byte{frames[6], frames[7], frames[8], frames[9], frames[0], frames[1], frames[2], frames[3]}, nil)
	if !bytes.Equal(w.written.Bytes(), want) {
		t.Errorf("sent %x, want %x", w.written.Bytes(), want)
	}
}

func TestNaive(t *testing.T) {
	g := &naiveGraph{vertices: map[int32]*naiveVertex{}, edges: map[int32]*naiveEdge{}}
	for i := range int32(3) {
		g.vertices[i] = &naiveVertex{id: i, label: "person", out: map[string][]*naiveEdge{},
			properties: map[string]value.Value{"name": value.String(personName(i)), "age": value.Int(20 + i/2)}}
	}
	for i, ends := range [][2]int32{{0, 1}, {1, 2}, {2, 0}, {0, 2}} {
		e := &naiveEdge{int32(i), "knows", g.vertices[ends[0]], g.vertices[ends[1]]}
		g.edges[e.id] = e
		e.out.out[e.label] = append(e.out.out[e.label], e)
	}
	for text, want := range map[string]string{
		`g.V(0).out("knows").count()`:                                 "[2]",
		`g.V(0).repeat(__.out()).times(2).dedup().count()`:            "[2]",
		`g.V().has("name", within(["p1", "p2"])).values("age").sum()`: "[41]",
		`g.V().hasLabel("person").groupCount().by("age")`:             "[{20=2, 21=1}]",
		`g.V().order().by("name").limit(2).values("name")`:            "[p0, p1]",
		`g.E().count()`: "[4]",
		`g.V(1)`:        "[v[1]]",
	} {
		parsed, err := lang.Parse(text, lang.Options{})
		if err != nil {
			t.Fatal(err)
		}
		args := value.NewMap()
		args.PutString("gremlin", parsed.Last().Bytecode.Value())
		results, err := g.answer(&message.Request{Args: args})
		if got := value.List(results).JavaString(); err != nil || got != want {
			t.Errorf("%s: got %s, want %s (%v)", text, got, want, err)
		}
	}
}
