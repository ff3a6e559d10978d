package request

import (
	"context"

	"github.com/gremlind/gremlind/protocol/message"
)

// Client is the connection that a task came by, to which its answer goes.
type Client interface {
	// Success are the attributes of every terminal success.
	Success() []message.Attribute
	// Reserve makes room for a frame of n bytes, if need be by waiting until the client
	// has taken earlier ones.
	Reserve(ctx context.Context, t *Task, n int) error
	// Send takes one whole frame, for which there is room.
	Send(t *Task, frame []byte)
	// Yield sends what was taken, and waits for a client that is far behind.
	Yield(ctx context.Context, t *Task) error
	// Forget gives the id of t free: its terminal frame comes next.
	Forget(t *Task)
	// Answered says that a terminal frame was taken.
	Answered()
	// Break ends a connection on which a request cannot be answered.
	Break(err error)
	// Rerun runs t again, whose commit lost a conflict.
	Rerun(t *Task)
	// Deliver sends the answer of t, which is over.
	Deliver(t *Task)
}
