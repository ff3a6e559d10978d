package client

import (
	"encoding/base64"
	"time"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/protocol/graphbinary"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// mime is the form of all messages.
const mime = "application/vnd.graphbinary-v1.0"

// Request is one script, or the end of a transaction.
type Request struct {
	// ID is how the server's administration calls it; zero for a new one.
	ID       uuid.UUID
	Gremlin  string
	Bindings *value.Map // nil for none
	// Source is the traversal source that the script calls g; "" leaves it to the server.
	Source string
	// Language is gremlin-lang or gremlin-groovy; "" leaves it to the server.
	Language string
	// Timeout bounds the evaluation; 0 leaves it to the server.
	Timeout time.Duration
	// Batch is how many results a frame carries; 0 leaves it to the server.
	Batch int
	// Session keeps variables, and unless Managed a transaction, from request to request;
	// "" for none.
	Session string
	// Managed commits each request of a session by itself.
	Managed bool
	// End is commit or rollback, which ends the session's transaction; Gremlin is not
	// looked at then.
	End string
}

func (q *Request) message(id uuid.UUID) *message.Request {
	m := &message.Request{ID: id, HasID: true, Op: "eval", Args: value.NewMap()}
	set := func(name string, v value.Value) { m.Args.PutString(name, v) }
	if q.Session != "" {
		m.Processor = "session"
		set("session", value.String(q.Session))
		set("manageTransaction", value.Bool(q.Managed))
	}
	if q.Source != "" || q.End != "" {
		source := q.Source
		if source == "" {
			source = "g"
		}
		aliases := value.NewMap()
		aliases.PutString("g", value.String(source))
		set("aliases", aliases.Value())
	}
	if q.End != "" {
		m.Op = "bytecode"
		b := &traversal.Bytecode{Source: []traversal.Instruction{{Name: "tx", Args: []value.Value{value.String(q.End)}}}}
		set("gremlin", b.Value())
		return m
	}
	set("gremlin", value.String(q.Gremlin))
	if q.Bindings != nil && q.Bindings.Len() > 0 {
		set("bindings", q.Bindings.Value())
	}
	if q.Language != "" {
		set("language", value.String(q.Language))
	}
	if q.Timeout > 0 {
		set("evaluationTimeout", value.Long(max(q.Timeout.Milliseconds(), 1)))
	}
	if q.Batch > 0 {
		set("batchSize", value.Int(int32(q.Batch)))
	}
	return m
}

// login answers a server's question who asks, as SASL PLAIN.
func login(user, password string) *message.Request {
	m := &message.Request{ID: uuid.New(), HasID: true, Op: "authentication", Args: value.NewMap()}
	m.Args.PutString("saslMechanism", value.String("PLAIN"))
	m.Args.PutString("sasl", value.String(base64.StdEncoding.EncodeToString([]byte("\x00"+user+"\x00"+password))))
	return m
}

// closing says that a session is over.
func closing(session string) *message.Request {
	m := &message.Request{ID: uuid.New(), HasID: true, Op: "close", Processor: "session", Args: value.NewMap()}
	m.Args.PutString("session", value.String(session))
	return m
}

// frame is a message as it travels.
func frame(m *message.Request) ([]byte, error) {
	return graphbinary.AppendRequest(append([]byte{byte(len(mime))}, mime...), m)
}
