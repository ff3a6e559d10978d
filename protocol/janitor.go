package protocol

import (
	"time"

	"github.com/gorilla/websocket"
)

// janitorPeriod is how often connections and sessions are looked at.
const janitorPeriod = 250 * time.Millisecond

// quietAfter is how long a connection keeps its buffers without a message.
const quietAfter = time.Second

// janitor ends what stands still: stalled and idle connections, idle sessions,
// transactions left open, clients that never authenticate.
func (s *Server) janitor() {
	tick := time.NewTicker(janitorPeriod)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			now := s.now()
			for _, c := range s.connections() {
				c.inspect(now)
			}
			s.renew()
			s.sessions.expire(now, &s.limits)
		case <-s.stop:
			return
		}
	}
}

// inspect closes a connection that breaks a limit of time, and pings a quiet one.
func (c *conn) inspect(now time.Time) {
	l := &c.srv.limits
	quiet := now.Sub(time.Unix(0, c.heard.Load()))
	if quiet >= quietAfter {
		c.out.trim()
	}
	switch {
	case c.out.stalled(now, l.StallTimeout):
		c.srv.metrics.rejected.WithLabelValues("stallTimeout").Inc()
		c.cancel(errStalled)
		c.out.fail(errStalled)
		c.ws.Close()
	case c.gate != nil && c.gate.overdue(now):
		c.shutDown(websocket.ClosePolicyViolation, "not authenticated in time", errConnectionGone)
	case l.ConnectionIdle > 0 && quiet >= l.ConnectionIdle && c.active.Load() == 0:
		c.shutDown(websocket.CloseNormalClosure, "idle", errConnectionGone)
	case l.KeepAlive > 0 && quiet >= l.KeepAlive && now.UnixNano()-c.pinged.Load() >= int64(l.KeepAlive):
		c.pinged.Store(now.UnixNano())
		go c.keepAlive(now)
	}
}

func (c *conn) keepAlive(now time.Time) {
	if c.ws.WriteControl(websocket.PingMessage, nil, now.Add(closeGrace)) == nil {
		c.out.Flush()
	}
}
