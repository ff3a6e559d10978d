package connection

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/protocol/request"
	"github.com/gremlind/gremlind/storage/account"
)

const (
	// readChunk is how much a message buffer grows at least.
	readChunk = request.FreeMessage
	// bufferKept is the largest buffer that a connection keeps, for nothing.
	bufferKept = 16 << 10
	// bufferPooled is the largest buffer that is kept for other connections.
	bufferPooled = 256 << 10
	// fragmentsMax bounds the pieces of one message beyond one per 64 bytes.
	fragmentsMax = 16 << 10
	// memoryPoll is how often a connection looks whether it may read on.
	memoryPoll = 2 * time.Millisecond
)

var errTooManyFragments = errors.New("too many fragments")

// buffers are those above bufferKept, as *[]byte.
var buffers sync.Pool

// incoming is the memory of the message that a connection is reading.
type incoming struct {
	buf  []byte
	wire account.Account // what buf takes when it is above bufferKept
}

// done ends the use of the message.
func (in *incoming) done() {
	if cap(in.buf) <= bufferKept {
		return
	}
	if cap(in.buf) <= bufferPooled {
		b := in.buf
		buffers.Put(&b)
	}
	in.buf = nil
	in.wire.Clear()
}

// readMessage reads one message, which may come in fragments, into the connection's
// buffer. Once it has begun it must arrive within MessageTimeout.
func (c *Conn) readMessage(r io.Reader) ([]byte, error) {
	buf := c.incoming.buf[:0]
	waiting := false
	for reads := 0; ; reads++ {
		if reads > fragmentsMax+len(buf)/64 {
			c.closeWith(websocket.ClosePolicyViolation, errTooManyFragments.Error())
			return nil, errTooManyFragments
		}
		if reads == 2 {
			waiting = true
			c.readBy(time.Now().Add(c.desk.Limits().MessageTimeout))
		}
		setting, limit := c.messageLimit()
		if cap(buf)-len(buf) < readChunk/2 && int64(cap(buf)) <= limit {
			var err error
			if buf, err = c.grow(buf, limit); err != nil {
				return nil, err
			}
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if int64(len(buf)) > limit {
			return nil, c.refuseMessage(websocket.CloseMessageTooBig, setting, fmt.Errorf("request exceeds %s (%d)", setting, limit))
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if waiting {
		c.readBy(time.Time{})
	}
	c.incoming.buf = buf
	return buf, nil
}

// messageLimit is how many bytes a message may have, and the setting that says so.
func (c *Conn) messageLimit() (setting string, limit int64) {
	if c.unknown() {
		return "loginBytes", min(c.desk.Limits().LoginBytes, c.desk.Limits().MessageBytes)
	}
	return "maxContentLength", c.desk.Limits().MessageBytes
}

// unknown reports whether the connection's user is not known yet.
func (c *Conn) unknown() bool { return c.gate != nil && !c.gate.open.Load() }

// grow returns a larger buffer with the same bytes, with room for what is beyond limit
// to show. It waits until the connection's
// account has room for it: reading on would only make the requests more that wait.
func (c *Conn) grow(buf []byte, limit int64) ([]byte, error) {
	in := &c.incoming
	size := int(min(int64(2*cap(buf)+readChunk), limit+1))
	if size <= bufferKept {
		in.buf = append(make([]byte, 0, size), buf...)
		return in.buf, nil
	}
	charge := int64(size)
	if cap(buf) <= bufferKept {
		in.wire.Init(c.account.Load(), "", account.Unlimited)
	} else {
		charge -= int64(cap(buf))
	}
	for {
		err := in.wire.Charge(charge)
		if err == nil {
			break
		}
		if !c.awaitMemory() {
			code := websocket.CloseTryAgainLater
			if c.unknown() {
				code = websocket.CloseMessageTooBig
			}
			return nil, c.refuseMessage(code, settingOf(err), err)
		}
	}
	in.buf = append(newBuffer(size), buf...)
	return in.buf, nil
}

// newBuffer returns an empty buffer of a size.
func newBuffer(size int) []byte {
	if size <= bufferPooled {
		if b, ok := buffers.Get().(*[]byte); ok && cap(*b) == size {
			return (*b)[:0]
		}
	}
	return make([]byte, 0, size)
}

// awaitMemory waits until earlier requests of the connection have given memory back. It
// is false when there is none to wait for.
func (c *Conn) awaitMemory() bool {
	a := c.account.Load()
	tick := time.NewTicker(memoryPoll)
	defer tick.Stop()
	for used := a.Used(); ; {
		if c.unknown() || c.active.Load() == 0 && c.out.pendingBytes() <= bufferKept {
			return a.Used() < used
		}
		select {
		case <-tick.C:
		case <-c.ctx.Done():
			return false
		}
		if a.Used() < used {
			return true
		}
	}
}

// refuseMessage ends a connection whose message is not read to its end.
func (c *Conn) refuseMessage(code int, setting string, err error) error {
	c.desk.Reject(setting)
	c.desk.Log.Warn("message refused, connection closed", "remote", c.remote, "error", err)
	c.closeWith(code, err.Error())
	return err
}

// settingOf names the setting that refused a charge.
func settingOf(err error) string {
	var limit *account.LimitError
	if errors.As(err, &limit) {
		return limit.Setting
	}
	return "memory"
}

// belong makes the connection belong to a holder.
func (c *Conn) belong(kind quota.HolderKind, name string) {
	a := &account.Account{}
	owner := c.desk.Holders.Enter(kind, name)
	if kind == quota.StrangerHolder {
		a.Init(&owner.Account, "loginBytes", c.desk.Limits().LoginBytes)
	} else {
		a.Init(&owner.Account, "connectionMemory", c.desk.Limits().ConnectionBytes)
	}
	before := c.holder
	c.holder = owner
	c.account.Store(a)
	c.out.belong(a)
	if before != nil {
		c.desk.Holders.Exit(before)
	}
}

// belongNowhere is the end of a connection, which keeps nothing any more.
func (c *Conn) belongNowhere() {
	c.incoming.done()
	c.out.belong(nil)
	c.account.Load().Clear() // of requests that nobody answered any more
	c.desk.Holders.Exit(c.holder)
}
