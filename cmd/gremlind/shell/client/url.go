package client

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// defaultPort is where a Gremlin server listens that nobody told another.
const defaultPort = 8182

// hostPort is an address without a scheme: localhost:8182, [::1]:8182.
var hostPort = regexp.MustCompile(`^(\[[0-9a-fA-F:.%]+\]|[\w.-]+):\d{1,5}(/gremlin)?$`)

// IsURL reports whether an argument names a server rather than a query.
func IsURL(s string) bool {
	scheme, _, ok := strings.Cut(s, "://")
	if !ok {
		return hostPort.MatchString(s)
	}
	switch strings.ToLower(scheme) {
	case "ws", "wss", "http", "https":
		return true
	}
	return false
}

// ParseURL reads what a user calls a server: ws://host:port/gremlin, and what lacks of
// it, has http for ws, or has a user's name and password in front.
func ParseURL(s string) (*url.URL, error) {
	text := s
	if !strings.Contains(text, "://") {
		text = "ws://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%q is no URL of a Gremlin server: want one as ws://localhost:%d/gremlin", s, defaultPort)
	}
	switch strings.ToLower(u.Scheme) {
	case "ws", "http":
		u.Scheme = "ws"
	case "wss", "https":
		u.Scheme = "wss"
	default:
		return nil, fmt.Errorf("%s: a Gremlin server is reached by ws or wss, not by %s", s, u.Scheme)
	}
	if u.Hostname() == "" {
		return nil, fmt.Errorf("%s names no host: want ws://host:%d/gremlin", s, defaultPort)
	}
	if u.Port() == "" {
		u.Host = net.JoinHostPort(u.Hostname(), strconv.Itoa(defaultPort))
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/gremlin"
	}
	return u, nil
}
