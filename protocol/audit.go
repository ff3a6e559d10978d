package protocol

import (
	"log/slog"
	"sync"
	"time"

	"github.com/gremlind/gremlind/storage/value"
)

// refusalsPerSecond bounds the lines about refusals: whoever is refused decides how many
// there are. All are counted, and the next line says how many had none.
const refusalsPerSecond = 20

// refusals logs what was refused to whom.
type refusals struct {
	log *slog.Logger
	now func() time.Time

	mu     sync.Mutex
	second time.Time
	lines  int
	silent int // refusals without a line
}

func (r *refusals) warn(text string, args ...any) {
	if silent, ok := r.line(); ok {
		if silent > 0 {
			args = append(args, "refusalsNotLogged", silent)
		}
		r.log.Warn(text, args...)
	}
}

// line takes one of the lines of this second; silent is how many had none before.
func (r *refusals) line() (silent int, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := r.now(); now.Sub(r.second) >= time.Second {
		r.second, r.lines = now, 0
	}
	if r.lines++; r.lines > refusalsPerSecond {
		r.silent++
		return 0, false
	}
	silent, r.silent = r.silent, 0
	return silent, true
}

// loginRefused notes a wrong name or password, or one guess too many.
func (s *Server) loginRefused(user, remote string) {
	s.metrics.authFail.Inc()
	s.refusals.warn("authentication refused", "user", value.Brief(user), "remote", remote)
}

// rightRefused notes a request that its user may not make.
func (s *Server) rightRefused(t *task) {
	s.metrics.unauthorized.Inc()
	s.refusals.warn("request refused: the user may not do that", "user", t.identity.User(), "remote", t.remote,
		"request", t.id(), "query", t.summary())
}

// audit logs a request before it is evaluated.
func (s *Server) audit(t *task) {
	if s.opts.Audit {
		s.log.Info("audit", "user", t.identity.User(), "remote", t.remote, "session", t.session, "request", t.id(),
			"op", t.req.Op, "query", t.summary())
	}
}
