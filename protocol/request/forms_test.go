package request

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/protocol/graphbinary"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// vertex is the request g.V(id) as a driver sends it, in a session if one is named.
func vertex(t *testing.T, id int32, session string) []byte {
	t.Helper()
	b := &traversal.Bytecode{Steps: []traversal.Instruction{{Name: "V", Args: []value.Value{value.Int(id)}}}}
	q := &message.Request{ID: uuid.New(), HasID: true, Op: message.OpBytecode, Processor: message.ProcessorTraversal, Args: value.NewMap()}
	q.Args.PutString("gremlin", b.Value())
	q.Args.PutString("aliases", valueOf(map[string]any{"g": "g"}))
	q.Args.PutString("batchSize", value.Int(7))
	q.Args.PutString("evaluationTimeout", value.Int(1234))
	if session != "" {
		q.Processor = message.ProcessorSession
		q.Args.PutString("session", value.String(session))
	}
	body, err := graphbinary.AppendRequest(nil, q)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// TestForms: a request of a form that came twice is not decoded, and asks what it would
// have asked when decoded, with its own id and constants.
func TestForms(t *testing.T) {
	d := newDesk(t, &engine{}, nil)
	var scanned message.Form
	take := func(body []byte) (*Task, bool) {
		t.Helper()
		task := NewTask()
		task.Arrive(d, newClient(), "192.0.2.1:5", time.Now())
		task.Reply.Codec = graphbinary.Codec{}
		known, ok := d.Forms.Recall(task, body, &scanned)
		if ok {
			return task, true
		}
		if err := task.Decode(body); err != nil {
			t.Fatal(err)
		}
		if err := task.Check(); err != nil {
			t.Fatal(err)
		}
		d.Forms.Learn(task, known, &scanned)
		return task, false
	}
	for i, want := range []bool{false, false, true, true} {
		body := vertex(t, int32(i), "")
		if got := d.Forms.Knows(graphbinary.Codec{}, body); got != want {
			t.Errorf("request %d: known %v", i, got)
		}
		task, recalled := take(body)
		if recalled != want {
			t.Fatalf("request %d: recalled %v", i, recalled)
		}
		step := task.Query.Code().Steps[0]
		if step.Name != "V" || len(step.Args) != 1 || step.Args[0].Int64() != int64(i) {
			t.Errorf("request %d asks %s", i, task.Summary())
		}
		if task.Reply.Batch != 7 || task.timeout != 1234*time.Millisecond || task.tokens || task.Query.Source != "g" ||
			task.Req.Op != message.OpBytecode || task.Req.Processor != message.ProcessorTraversal || !task.Req.HasID {
			t.Errorf("request %d: %+v", i, task.Arguments)
		}
		if err := task.Check(); err != nil {
			t.Errorf("request %d: %v", i, err)
		}
		if task.Quick() {
			t.Errorf("request %d is quick", i)
		}
	}
	// Sessions are checked each time, and so is what has no form.
	for range 4 {
		if _, recalled := take(vertex(t, 1, "s")); recalled {
			t.Error("a session's request is recalled")
		}
	}
	if d.Forms.Knows(graphbinary.Codec{}, []byte("x")) {
		t.Error("something else is known")
	}
}
