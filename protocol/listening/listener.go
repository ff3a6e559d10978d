package listening

import (
	"errors"
	"net"
	"sync"
	"syscall"
	"time"

	"github.com/gremlind/gremlind/protocol/request"
)

// limitListener bounds connections, in total and for each address. It hides the type
// of the connections beneath, so that net/http answers nothing to clients that speak
// plain text to a TLS port.
type limitListener struct {
	net.Listener
	head int // bytes of a head that may lack its Host
	desk *request.Desk

	mu    sync.Mutex
	total int
	by    map[string]int

	refused int       // since the last line in the log
	logged  time.Time // when that was
}

// refusalsEvery is the time between two lines in the log about refused connections.
const refusalsEvery = 10 * time.Second

// limited bounds the connections of a listener.
func Limit(l net.Listener, d *request.Desk) *limitListener {
	return &limitListener{Listener: l, head: d.Limits().HeaderBytes + d.Limits().URIBytes, desk: d, by: map[string]int{}}
}

// Accept returns the next connection that the limits allow; others are closed.
func (l *limitListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		host, _, err := net.SplitHostPort(c.RemoteAddr().String())
		if err != nil {
			host = c.RemoteAddr().String()
		}
		if limit := l.count(host); limit != "" {
			c.Close()
			l.refuse(limit, host)
			continue
		}
		l.desk.Metrics.Accepted.Inc()
		return &countedConn{Conn: c, host: &hostReader{r: c, max: l.head}, release: sync.OnceFunc(func() { l.uncount(host) })}, nil
	}
}

// refuse takes note of a refused connection. Accept calls it, one at a time.
func (l *limitListener) refuse(limit, host string) {
	l.desk.Reject(limit)
	l.refused++
	if now := time.Now(); now.Sub(l.logged) >= refusalsEvery {
		l.desk.Log.Warn("connection refused", "limit", limit, "address", host, "refused", l.refused)
		l.refused, l.logged = 0, now
	}
}

// count counts a connection in, or names the limit that forbids it.
func (l *limitListener) count(host string) string {
	limits := l.desk.Limits()
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.total >= limits.Connections:
		return "connections"
	case l.by[host] >= limits.ConnectionsPerAddress:
		return "connectionsPerAddress"
	}
	l.total++
	l.by[host]++
	return ""
}

func (l *limitListener) uncount(host string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.total--
	if l.by[host]--; l.by[host] == 0 {
		delete(l.by, host)
	}
}

type countedConn struct {
	net.Conn
	host    *hostReader // nil once it has nothing to look for
	release func()
}

// Read reads through what puts a missing Host in.
func (c *countedConn) Read(p []byte) (int, error) {
	if c.host == nil {
		return c.Conn.Read(p)
	}
	n, err := c.host.Read(p)
	if c.host.settled() {
		c.host = nil
	}
	return n, err
}

func (c *countedConn) Close() error {
	c.release()
	return c.Conn.Close()
}

// SyscallConn gives access to the socket, if the transport is one.
func (c *countedConn) SyscallConn() (syscall.RawConn, error) {
	if s, ok := c.Conn.(syscall.Conn); ok {
		return s.SyscallConn()
	}
	return nil, errors.ErrUnsupported
}

// CloseWrite ends our side of the connection where the transport can.
func (c *countedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return net.ErrClosed
}
