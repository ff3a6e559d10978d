package listening

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/protocol/answer"
	"github.com/gremlind/gremlind/protocol/audit"
	"github.com/gremlind/gremlind/protocol/request"
)

// Guard refuses what a page of another site makes a browser send: a foreign Origin that
// is not allowed, a cross-site fetch without one (an image, say), and on loopback a Host
// that names another machine (DNS rebinding). A request without any Host comes from no
// browser. The type of the body is not looked at: curl -d sends a form's.
type Guard struct {
	Desk     *request.Desk
	Hosts    []string // allowed besides the addresses of this machine
	Origins  []string // allowed besides our own
	Loopback bool
}

// Passes reports whether a request may pass, and answers one that may not.
func (g *Guard) Passes(w http.ResponseWriter, r *http.Request) bool {
	reason := g.refuse(r)
	if reason == "" {
		return true
	}
	g.Desk.Reject(strings.Fields(reason)[0])
	g.Desk.Trail.Refused(audit.Stranger, "request refused: "+reason, "origin", r.Header.Get("Origin"), "host", r.Host, "remote", r.RemoteAddr)
	answer.RefuseHTTP(w, r, http.StatusForbidden, reason)
	return false
}

// refuse returns why a request may not pass, "" for one that may.
func (g *Guard) refuse(r *http.Request) string {
	if g.Loopback && r.Host != "" && !g.knownHost(r.Host) {
		return "host not allowed (allowedHosts)"
	}
	origin := r.Header.Get("Origin")
	if len(r.Header.Values("Origin")) > 1 || origin != "" && !sameOrigin(origin, r.Host) && !g.foreign(origin) {
		return "origin not allowed (allowedOrigins)"
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site":
		if !g.foreign(origin) {
			return "origin not allowed (allowedOrigins)"
		}
	}
	return ""
}

// foreign reports whether a page of another site may use the server.
func (g *Guard) foreign(origin string) bool {
	if origin == "" {
		return false
	}
	return slices.ContainsFunc(g.Origins, func(o string) bool { return o == "*" || strings.EqualFold(o, origin) })
}

func (g *Guard) knownHost(host string) bool {
	name := strings.ToLower(withoutPort(host))
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	if ip := net.ParseIP(strings.Trim(name, "[]")); ip != nil {
		return ip.IsLoopback()
	}
	return slices.ContainsFunc(g.Hosts, func(h string) bool { return strings.EqualFold(h, name) })
}

func sameOrigin(origin, host string) bool {
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

// Share tells a browser that a page of an allowed site may read the answer. The answer
// to a preflight is complete with it: then share is true. Credentials that a browser
// keeps are never asked for: a page sends its own.
func (g *Guard) Share(w http.ResponseWriter, r *http.Request) (answered bool) {
	if len(g.Origins) == 0 {
		return false
	}
	h := w.Header()
	h.Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if !g.foreign(origin) {
		return false
	}
	h.Set("Access-Control-Allow-Origin", origin)
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST")
	h.Set("Access-Control-Allow-Headers", "Accept, Authorization, Content-Type")
	h.Set("Access-Control-Max-Age", "600")
	if r.Header.Get("Access-Control-Request-Private-Network") == "true" {
		h.Set("Access-Control-Allow-Private-Network", "true")
	}
	w.WriteHeader(http.StatusNoContent)
	return true
}
