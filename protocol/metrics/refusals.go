package metrics

import (
	"log/slog"
	"sync"
	"time"
)

// refusalsPerSecond bounds the lines about refusals: whoever is refused decides how many
// there are. All are counted, and the next line says how many had none.
const refusalsPerSecond = 20

// Refusals logs what was refused to whom.
type Refusals struct {
	log *slog.Logger
	now func() time.Time

	mu     sync.Mutex
	second time.Time
	lines  int
	silent int // refusals without a line
}

// Init has refusals logged to log by the clock now.
func (r *Refusals) Init(log *slog.Logger, now func() time.Time) { r.log, r.now = log, now }

// Warn logs a refusal.
func (r *Refusals) Warn(text string, args ...any) {
	if silent, ok := r.line(); ok {
		if silent > 0 {
			args = append(args, "refusalsNotLogged", silent)
		}
		r.log.Warn(text, args...)
	}
}

// line takes one of the lines of this second; silent is how many had none before.
func (r *Refusals) line() (silent int, ok bool) {
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
