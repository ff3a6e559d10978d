// Package client talks to a Gremlin server the way the suites need it: one
// connection, raw requests, GraphBinary, answers with every type kept.
package client

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/url"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/graphbinary"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/value"
)

// What requests are marked with: results as they are, or each as its text.
const (
	mimeType = "application/vnd.graphbinary-v1.0"
	mimeText = mimeType + "-stringd"
)

// Conn is one connection. One goroutine uses it.
type Conn struct {
	ws    *websocket.Conn
	login *url.Userinfo // nil: none
}

// Dial opens a connection to ws://host:port/gremlin, which has a name and a password in front
// of the host where the server asks for them.
func Dial(ctx context.Context, address string) (*Conn, error) { return DialFrom(ctx, address, nil) }

// DialFrom is Dial from one of the addresses of this machine.
func DialFrom(ctx context.Context, address string, from net.IP) (*Conn, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	login := u.User
	u.User = nil
	d := websocket.Dialer{HandshakeTimeout: 10 * time.Second}
	if from != nil {
		d.NetDialContext = (&net.Dialer{LocalAddr: &net.TCPAddr{IP: from}}).DialContext
	}
	ws, _, err := d.DialContext(ctx, u.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", u, err)
	}
	return &Conn{ws, login}, nil
}

// Socket is the connection, for who sends and reads frames himself.
func (c *Conn) Socket() *websocket.Conn { return c.ws }

// Close ends the connection.
func (c *Conn) Close() error { return c.ws.Close() }

// ErrConnection is returned when the connection can serve no further request.
var ErrConnection = errors.New("connection lost")

// StatusError is an answer that is no success.
type StatusError struct {
	Code       int32
	Message    string
	Attributes []message.Attribute
}

func (e *StatusError) Error() string { return fmt.Sprintf("%d: %s", e.Code, e.Message) }

// Text sends a script and returns its results.
func (c *Conn) Text(ctx context.Context, source, language, script string, bindings *value.Map) ([]value.Value, error) {
	args := value.NewMap()
	args.PutString("gremlin", value.String(script))
	args.PutString("language", value.String(language))
	if bindings.Len() > 0 {
		args.PutString("bindings", bindings.Value())
	}
	return c.Send(ctx, "", "eval", aliased(args, source))
}

// Bytecode sends a traversal and returns its results, traversers taken apart.
func (c *Conn) Bytecode(ctx context.Context, source string, bytecode value.Value) ([]value.Value, error) {
	args := value.NewMap()
	args.PutString("gremlin", bytecode)
	return c.Send(ctx, "traversal", "bytecode", aliased(args, source))
}

func aliased(args *value.Map, source string) *value.Map {
	aliases := value.NewMap()
	aliases.PutString("g", value.String(source))
	args.PutString("aliases", aliases.Value())
	return args
}

// Send sends any request and reads its frames to the last. A failed request gives
// a *StatusError; ErrConnection means that the connection is of no more use.
func (c *Conn) Send(ctx context.Context, processor, op string, args *value.Map) ([]value.Value, error) {
	return c.send(ctx, mimeType, processor, op, args)
}

// SendForText is Send for the results' texts, as toString() gives them: of what has no
// binary form, too.
func (c *Conn) SendForText(ctx context.Context, processor, op string, args *value.Map) ([]value.Value, error) {
	return c.send(ctx, mimeText, processor, op, args)
}

func (c *Conn) send(ctx context.Context, mime, processor, op string, args *value.Map) ([]value.Value, error) {
	id := uuid.New()
	frame, err := encode(mime, id, processor, op, args)
	if err != nil {
		return nil, err
	}
	deadline, _ := ctx.Deadline()
	if err := c.ws.SetWriteDeadline(deadline); err != nil {
		return nil, fmt.Errorf("set deadline: %w", err)
	}
	if err := c.ws.SetReadDeadline(deadline); err != nil {
		return nil, fmt.Errorf("set deadline: %w", err)
	}
	if err := c.ws.WriteMessage(websocket.BinaryMessage, frame); err != nil {
		return nil, fmt.Errorf("send request: %w: %w", ErrConnection, err)
	}
	var all []value.Value
	for {
		_, b, err := c.ws.ReadMessage()
		if err != nil {
			return all, fmt.Errorf("read answer: %w: %w", ErrConnection, err)
		}
		r, data, err := graphbinary.DecodeResponse(b)
		if err == nil && r.ID != id {
			err = fmt.Errorf("answer to %v while waiting for %v", r.ID, id)
		}
		if err != nil {
			return all, fmt.Errorf("%w: %w", ErrConnection, err)
		}
		all = append(all, takeTraversersApart(data.Elems())...)
		switch {
		case r.Code == partial:
		case r.Code == success || r.Code == noContent:
			return all, nil
		case r.Code == authenticate && c.login != nil:
			if err := c.authenticate(); err != nil {
				return all, err
			}
		default:
			return all, &StatusError{r.Code, r.Message, r.Attributes}
		}
	}
}

// authenticate shows the name and the password; what was asked is answered then.
func (c *Conn) authenticate() error {
	password, _ := c.login.Password()
	args := value.NewMap()
	args.PutString("sasl", value.String(base64.StdEncoding.EncodeToString([]byte("\x00"+c.login.Username()+"\x00"+password))))
	frame, err := Encode(uuid.New(), "traversal", "authentication", args)
	if err != nil {
		return err
	}
	if err := c.ws.WriteMessage(websocket.BinaryMessage, frame); err != nil {
		return fmt.Errorf("authenticate: %w: %w", ErrConnection, err)
	}
	return nil
}
