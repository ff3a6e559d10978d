package protocol

import (
	"net"
	"net/http"
	"net/url"
	"strings"
)

// guard refuses what a page of another site makes a browser send: a foreign Origin, a
// cross-site fetch without one (an image, say), and on loopback a Host that names
// another machine (DNS rebinding). It returns "" for requests that may pass. The
// type of the body is not looked at: curl -d sends a form's.
func (s *Server) guard(r *http.Request) string {
	if s.opts.Loopback && !s.knownHost(r.Host) {
		return "host not allowed"
	}
	if origin := r.Header.Get("Origin"); origin != "" && !s.sameOrigin(origin, r.Host) {
		return "origin not allowed"
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site":
		return "origin not allowed"
	}
	return ""
}

func (s *Server) knownHost(host string) bool {
	name := strings.ToLower(withoutPort(host))
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	if ip := net.ParseIP(strings.Trim(name, "[]")); ip != nil {
		return ip.IsLoopback()
	}
	for _, h := range s.opts.Hosts {
		if strings.EqualFold(h, name) {
			return true
		}
	}
	return false
}

func (s *Server) sameOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return false
	}
	if strings.EqualFold(u.Host, host) {
		return true
	}
	port := "80"
	if u.Scheme == "https" || u.Scheme == "wss" {
		port = "443"
	}
	return strings.EqualFold(withPort(u.Host, port), withPort(host, port))
}

func withoutPort(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}

func withPort(host, port string) string {
	if _, _, err := net.SplitHostPort(host); err == nil {
		return host
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), port)
}
