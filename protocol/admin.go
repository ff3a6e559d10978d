package protocol

import (
	"context"
	"fmt"
	"net/http"
	"net/http/pprof"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/gremlind/gremlind/protocol/answer"
	"github.com/gremlind/gremlind/protocol/audit"
	"github.com/gremlind/gremlind/protocol/listening"
	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/protocol/request"
	"github.com/gremlind/gremlind/protocol/web"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// Status lists the requests that run or wait, the oldest first.
func (s *Server) Status() []traversal.Request { return requests{s}.List(traversal.Anyone) }

// requests are those of the server.
type requests struct{ s *Server }

var _ traversal.Requests = requests{}

// Requests are those under way, for who may not know of all of them.
func (s *Server) Requests() traversal.Requests { return requests{s} }

// List returns those that run or wait, the oldest first.
func (r requests) List(who *traversal.Identity) []traversal.Request {
	now := time.Now()
	list := []traversal.Request{}
	r.s.eachTask(func(t *request.Task) {
		if mayKnow(who, t) {
			list = append(list, shown(t, now))
		}
	})
	sort.Slice(list, func(i, j int) bool { return list[i].Seconds > list[j].Seconds })
	return list
}

// Kill stops those that have an id.
func (r requests) Kill(who *traversal.Identity, id string) int {
	return r.s.kill(who.User(), func(t *request.Task) bool { return t.ID() == id && mayKnow(who, t) })
}

// mayKnow reports whether somebody may know of a request.
func mayKnow(who *traversal.Identity, t *request.Task) bool {
	return who.AdministersAll() || who.Owner() == t.Identity.Owner()
}

func shown(t *request.Task, now time.Time) traversal.Request {
	r := traversal.Request{
		ID: t.ID(), User: t.Identity.Asker().User(), SeeAs: t.SeesAs(), Remote: t.Remote, Session: t.Session, Source: t.Query.Resolve("g"), State: "waiting",
		Seconds: now.Sub(t.Received).Seconds(), Bytes: t.Account.Used() + t.Wire.Used(), Op: t.Req.Op, Query: t.Summary(),
	}
	if t.Runs() {
		r.State = "running"
	}
	return r
}

// Memory is what clients make the server keep, in bytes.
type Memory struct {
	Used    int64        `json:"used"`
	Most    int64        `json:"most"`
	Holders []quota.Held `json:"holders"` // who keeps most first
}

// Kept returns what clients make the server keep now.
func (s *Server) Kept() Memory {
	return Memory{Used: s.desk.Memory.Used(), Most: s.desk.Memory.Max(), Holders: s.desk.Holders.List()}
}

// Kill stops the requests whose id begins with prefix and returns how many there were.
func (s *Server) Kill(prefix string) int {
	return s.kill("", func(t *request.Task) bool { return strings.HasPrefix(t.ID(), prefix) })
}

// kill stops the chosen requests and writes down by whom.
func (s *Server) kill(by string, choose func(*request.Task) bool) int {
	var lines [][]any
	s.eachTask(func(t *request.Task) {
		if choose(t) {
			t.Stop(answer.ErrKilled)
			lines = append(lines, append([]any{"by", by, "request", t.ID()}, t.Fields("query", t.Summary())...))
		}
	})
	for _, args := range lines {
		s.desk.Trail.Changed("request killed", args...)
	}
	return len(lines)
}

// eachTask calls fn for the requests that run or wait. None of them ends meanwhile.
func (s *Server) eachTask(fn func(*request.Task)) {
	s.conns.Each(fn)
	s.posts.Each(fn)
}

// Admin says who may use an AdminHandler.
type Admin struct {
	// Hosts are names that a Host header may have besides the addresses of this machine;
	// Loopback that the address is a loopback one, where it matters.
	Hosts    []string
	Loopback bool
	// Login asks for a user with the role admin; without it everybody passes who reaches
	// the address.
	Login bool
	// By names in the audit who reaches it without a login.
	By string
	// OpenMetrics lets everybody read the metrics who reaches the address.
	OpenMetrics bool
}

// AdminHandler serves health, metrics, pprof, the status list and kill, and what more
// holds, by patterns of http.ServeMux. Health is open to everybody; who administers some
// graphs alone reaches his own requests, and else nothing.
func (s *Server) AdminHandler(a Admin, more map[string]http.HandlerFunc) http.Handler {
	mux, inside := http.NewServeMux(), http.NewServeMux()
	for _, r := range s.adminRoutes() {
		switch {
		case r.open || r.metrics && a.OpenMetrics:
			mux.HandleFunc(r.pattern, r.serve)
		case r.own:
			inside.HandleFunc(r.pattern, r.serve)
		default:
			inside.HandleFunc(r.pattern, s.wholly(r.serve))
		}
	}
	for pattern, handler := range more {
		inside.HandleFunc(pattern, s.wholly(handler))
	}
	mux.Handle("/", s.administrators(a, inside))
	g := listening.Guard{Desk: s.desk, Hosts: a.Hosts, Loopback: a.Loopback}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g.Passes(w, r) {
			mux.ServeHTTP(w, r)
		}
	})
}

// adminRoute is what an admin address answers.
type adminRoute struct {
	pattern string
	serve   http.HandlerFunc
	open    bool // to everybody
	metrics bool // open where that is asked for
	own     bool // about requests that who asks may know of
}

func (s *Server) adminRoutes() []adminRoute {
	return []adminRoute{
		{pattern: "GET /healthz", serve: func(w http.ResponseWriter, _ *http.Request) { s.serveHealth(w) }, open: true},
		{pattern: "GET /readyz", serve: func(w http.ResponseWriter, _ *http.Request) { s.serveReady(w) }, open: true},
		{pattern: "GET /metrics", serve: func(w http.ResponseWriter, r *http.Request) {
			promhttp.HandlerFor(s.Registry(), promhttp.HandlerOpts{}).ServeHTTP(w, r)
		}, metrics: true},
		{pattern: "GET /status", serve: func(w http.ResponseWriter, r *http.Request) {
			answer.WriteJSON(w, http.StatusOK, requests{s}.List(asking(r).who))
		}, own: true},
		{pattern: "GET /memory", serve: func(w http.ResponseWriter, _ *http.Request) { answer.WriteJSON(w, http.StatusOK, s.Kept()) }},
		{pattern: "POST /kill", serve: s.serveKill, own: true},
		{pattern: "/debug/pprof/", serve: pprof.Index},
		{pattern: "/debug/pprof/profile", serve: pprof.Profile},
		{pattern: "/debug/pprof/trace", serve: pprof.Trace},
	}
}

// AdminPatterns are what every AdminHandler answers, by patterns of http.ServeMux.
func AdminPatterns() []string {
	var patterns []string
	for _, r := range (*Server)(nil).adminRoutes() {
		patterns = append(patterns, r.pattern)
	}
	return patterns
}

// administrators lets only administrators through when a login is asked for.
func (s *Server) administrators(a Admin, next http.Handler) http.Handler {
	if !a.Login {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, doneBy(r, administrator{traversal.Anyone, a.By}))
		})
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := web.Login(s.desk, w, r)
		switch {
		case id == nil:
		case !id.Administers():
			s.forbid(w, r, id, "has not the role admin")
		default:
			s.desk.Trail.Changed("administration", "user", id.User(), "remote", r.RemoteAddr, "method", r.Method, "path", r.URL.Path)
			next.ServeHTTP(w, doneBy(r, administrator{id, id.User()}))
		}
	})
}

// forbid answers one who is known and may not do what he asks.
func (s *Server) forbid(w http.ResponseWriter, r *http.Request, id *traversal.Identity, why string) {
	s.desk.Metrics.Unauthorized.Inc()
	s.desk.Trail.Refused(audit.User, "request refused: the user "+why, "user", id.User(), "remote", r.RemoteAddr, "path", r.URL.Path)
	answer.RefuseHTTP(w, r, http.StatusForbidden, "user "+id.User()+" "+why)
}

// wholly lets only those through who administer every graph.
func (s *Server) wholly(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if id := asking(r).who; !id.AdministersAll() {
			s.forbid(w, r, id, "administers some graphs, and this is about the whole server")
			return
		}
		next(w, r)
	}
}

// administrator is who sent a request to an administration, and his name for the audit.
type administrator struct {
	who  *traversal.Identity
	name string
}

// administratorKey is that of the administrator in a request's context.
type administratorKey struct{}

func doneBy(r *http.Request, by administrator) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), administratorKey{}, by))
}

func asking(r *http.Request) administrator {
	by, _ := r.Context().Value(administratorKey{}).(administrator)
	return by
}

func (s *Server) serveKill(w http.ResponseWriter, r *http.Request) {
	id := r.FormValue("id")
	if id == "" {
		answer.RefuseHTTP(w, r, http.StatusBadRequest, "id is missing")
		return
	}
	by := asking(r)
	found := s.named(by.who, id)
	if len(found) > 1 {
		answer.RefuseHTTP(w, r, http.StatusConflict, fmt.Sprintf("%d requests have an id that begins with %s: give more of it", len(found), value.Brief(id)))
		return
	}
	n := s.kill(by.name, func(t *request.Task) bool { return len(found) > 0 && t.ID() == found[0] && mayKnow(by.who, t) })
	if n == 0 {
		answer.RefuseHTTP(w, r, http.StatusNotFound, "no request "+value.Brief(id)+" is running")
		return
	}
	answer.WriteJSON(w, http.StatusOK, map[string]int{"stopped": n})
}

// named returns the ids that begin with a text, of requests of which somebody may know: one
// alone where it is a whole id.
func (s *Server) named(who *traversal.Identity, beginning string) (ids []string) {
	s.eachTask(func(t *request.Task) {
		if id := t.ID(); strings.HasPrefix(id, beginning) && mayKnow(who, t) && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	})
	if slices.Contains(ids, beginning) {
		return []string{beginning}
	}
	return ids
}
