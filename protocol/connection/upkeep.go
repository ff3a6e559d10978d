package connection

import (
	"time"

	"github.com/gorilla/websocket"

	"github.com/gremlind/gremlind/protocol/answer"
	"github.com/gremlind/gremlind/protocol/request"
)

// quietAfter is how long a connection keeps its buffers without a message.
const quietAfter = time.Second

// inspect closes a connection that breaks a limit of time, and pings a quiet one.
func (c *Conn) inspect(now time.Time) {
	l := c.desk.Limits()
	quiet := now.Sub(time.Unix(0, c.heard.Load()))
	if quiet >= quietAfter {
		c.out.trim()
	}
	switch {
	case c.out.stalled(now, l.StallTimeout):
		c.desk.Reject("stallTimeout")
		c.cancel(answer.ErrStalled)
		c.out.fail(answer.ErrStalled)
		c.ws.Close()
	case c.gate != nil && c.gate.overdue(now):
		c.shutDown(websocket.ClosePolicyViolation, "not authenticated in time", answer.ErrConnectionGone)
	case c.identity.Load().Ended():
		c.renew()
	case l.ConnectionIdle > 0 && quiet >= l.ConnectionIdle && c.active.Load() == 0:
		c.shutDown(websocket.CloseNormalClosure, "idle", answer.ErrConnectionGone)
	case l.KeepAlive > 0 && quiet >= l.KeepAlive && now.UnixNano()-c.pinged.Load() >= int64(l.KeepAlive):
		c.pinged.Store(now.UnixNano())
		go c.keepAlive(now)
	}
}

func (c *Conn) keepAlive(now time.Time) {
	if c.ws.WriteControl(websocket.PingMessage, nil, now.Add(closeGrace)) == nil {
		c.out.Flush()
	}
}

// renew gives the connection the rights that its user has now. A connection whose user
// is gone, or has another password, ends.
func (c *Conn) renew() bool {
	id := c.identity.Load()
	if id == nil || c.trusted { // not yet authenticated, or never asked
		return true
	}
	now, err := c.desk.Renewed(id)
	switch {
	case err != nil:
		return false
	case now == nil:
		gone := request.GoneBy(id)
		c.desk.Log.Info("connection ended: "+gone.Error(), "user", id.User(), "remote", c.remote)
		c.shutDown(websocket.ClosePolicyViolation, gone.Error(), gone)
	case now != id:
		c.desk.Log.Info("the rights of a connection have changed", "user", id.User(), "remote", c.remote)
		c.identity.CompareAndSwap(id, now)
	}
	return true
}
