package listening

import (
	"io"
	"log/slog"
	"net"
	"net/netip"
	"testing"

	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/protocol/request"
)

// callers is a listener that hands out connections from these addresses.
type callers struct {
	net.Listener
	from []string
}

func (l *callers) Accept() (net.Conn, error) {
	if len(l.from) == 0 {
		return nil, io.EOF
	}
	addr := net.TCPAddrFromAddrPort(netip.MustParseAddrPort(l.from[0]))
	l.from = l.from[1:]
	return &caller{addr: addr}, nil
}

type caller struct {
	net.Conn
	addr net.Addr
}

func (c *caller) RemoteAddr() net.Addr { return c.addr }
func (*caller) Close() error           { return nil }

// Connections are bounded in total and for each address, and one that ends leaves its place,
// once, to another.
func TestLimitListener(t *testing.T) {
	o := request.Options{Limits: quota.DefaultLimits(), Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	o.Limits.Connections, o.Limits.ConnectionsPerAddress = 3, 2
	stop := make(chan struct{})
	defer close(stop)
	inner := &callers{}
	l := Limit(inner, request.NewDesk(o, stop))
	open := map[string]net.Conn{}
	dial := func(addr string, taken bool) {
		t.Helper()
		inner.from = []string{addr}
		c, err := l.Accept()
		if (err == nil) != taken || len(inner.from) != 0 {
			t.Fatalf("%s: %v", addr, err)
		}
		open[addr] = c
	}
	dial("192.0.2.1:1", true)
	dial("192.0.2.1:2", true)
	dial("192.0.2.1:3", false) // the address has two
	dial("[2001:db8::1]:1", true)
	dial("192.0.2.2:1", false) // all have three
	for range 2 {
		open["192.0.2.1:1"].Close()
	}
	dial("192.0.2.2:2", true)
	dial("192.0.2.3:1", false)
	open["192.0.2.2:2"].Close()
	dial("192.0.2.1:4", true)
	for _, addr := range []string{"192.0.2.1:2", "192.0.2.1:4", "[2001:db8::1]:1"} {
		open[addr].Close()
	}
	if l.total != 0 || len(l.by) != 0 {
		t.Errorf("%d connections, of %v, are counted when all are closed", l.total, l.by)
	}
}
