package protocol

import (
	"net/http"
	"net/http/pprof"
	"sort"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Running is one request in the server, as the status list shows it.
type Running struct {
	ID      string  `json:"id"`
	User    string  `json:"user,omitempty"`
	Remote  string  `json:"remote"`
	Session string  `json:"session,omitempty"`
	State   string  `json:"state"` // waiting or running
	Seconds float64 `json:"seconds"`
	Op      string  `json:"op"`
	Query   string  `json:"query"`
}

// Status lists the requests that run or wait, the oldest first.
func (s *Server) Status() []Running {
	now := time.Now()
	list := []Running{}
	s.eachTask(func(t *task) {
		r := Running{ID: t.id(), User: t.identity.User(), Remote: t.remote, Session: t.session, State: "waiting",
			Seconds: now.Sub(t.received).Seconds(), Op: t.req.Op, Query: t.summary()}
		if t.started.Load() != 0 {
			r.State = "running"
		}
		list = append(list, r)
	})
	sort.Slice(list, func(i, j int) bool { return list[i].Seconds > list[j].Seconds })
	return list
}

// Kill stops the requests whose id begins with prefix and returns how many there were.
func (s *Server) Kill(prefix string) int {
	n := 0
	s.eachTask(func(t *task) {
		if strings.HasPrefix(t.id(), prefix) {
			s.cancelTask(t, errKilled)
			n++
		}
	})
	return n
}

// eachTask calls fn for the requests that run or wait. None of them ends meanwhile.
func (s *Server) eachTask(fn func(*task)) {
	for _, c := range s.connections() {
		c.inFlight.each(fn)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for t := range s.posts {
		fn(t)
	}
}

// AdminHandler serves health, metrics, pprof, the status list and kill. It belongs on
// an address that only administrators reach.
func (s *Server) AdminHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) { s.serveReady(w) })
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, s.Status()) })
	mux.HandleFunc("POST /kill", s.serveKill)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return s.adminGuard(mux)
}

// adminGuard keeps web pages out, as guard does on the main port.
func (s *Server) adminGuard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.knownHost(r.Host) || r.Header.Get("Origin") != "" {
			httpFailure(w, http.StatusForbidden, "host or origin not allowed", "")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) serveKill(w http.ResponseWriter, r *http.Request) {
	id := r.FormValue("id")
	if id == "" {
		httpFailure(w, http.StatusBadRequest, "id is missing", "")
		return
	}
	n := s.Kill(id)
	if n == 0 {
		httpFailure(w, http.StatusNotFound, "no request "+clip(id)+" is running", "")
		return
	}
	writeJSON(w, http.StatusOK, map[string]int{"stopped": n})
}
