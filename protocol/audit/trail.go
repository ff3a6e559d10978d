package audit

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/gremlind/gremlind/storage/value"
)

const (
	// strangerLines bounds the lines of a second about those who have not authenticated,
	// userLines those about users.
	strangerLines = 20
	userLines     = 200
)

// Trail takes note of refusals, failures and changes. It may be used by many goroutines.
type Trail struct {
	log    *slog.Logger
	file   *slog.Logger // nil: there is none
	lost   func(error)  // hears of what the file did not take
	now    func() time.Time
	logged window
	byKind [2]window // of the file
}

// Who caused an event.
type Who uint8

// Those who cause events.
const (
	Stranger Who = iota
	User
)

// Init has events written to log by the clock now, and to file when that is not nil; lost
// hears of each that the file did not take.
func (t *Trail) Init(log *slog.Logger, file *File, lost func(error), now func() time.Time) {
	t.log, t.lost, t.now = log, lost, now
	t.logged.most, t.byKind[Stranger].most, t.byKind[User].most = strangerLines, strangerLines, userLines
	if file != nil {
		t.file = slog.New(slog.NewJSONHandler(file, nil))
	}
}

// On reports whether there is a file.
func (t *Trail) On() bool { return t.file != nil }

// Refused notes what was refused to whom.
func (t *Trail) Refused(who Who, text string, args ...any) {
	args = clipped(args)
	if silent, ok := t.logged.take(t.now()); ok {
		t.log.Warn(text, told(args, silent)...)
	}
	t.note(who, slog.LevelWarn, text, args)
}

// Failed notes a request that failed, in the file alone.
func (t *Trail) Failed(text string, args ...any) { t.note(User, slog.LevelInfo, text, clipped(args)) }

// Asked notes a request before it is evaluated, in the file or where there is none in the
// log. There are as many as there are requests.
func (t *Trail) Asked(text string, args ...any) {
	if args = clipped(args); t.file == nil {
		t.log.Info(text, args...)
		return
	}
	t.write(slog.LevelInfo, text, args)
}

// Changed notes what an administrator did, or tried to do.
func (t *Trail) Changed(text string, args ...any) {
	args = clipped(args)
	t.log.Info(text, args...)
	if t.file != nil {
		t.write(slog.LevelInfo, text, args)
	}
}

// note writes to the file while its lines of this second last.
func (t *Trail) note(who Who, level slog.Level, text string, args []any) {
	if t.file == nil {
		return
	}
	if silent, ok := t.byKind[who].take(t.now()); ok {
		t.write(level, text, told(args, silent))
	}
}

func (t *Trail) write(level slog.Level, text string, args []any) {
	r := slog.NewRecord(time.Now(), level, text, 0)
	r.Add(args...)
	if err := t.file.Handler().Handle(context.Background(), r); err != nil {
		t.lost(err)
	}
}

// told says how many events before had no line.
func told(args []any, silent int) []any {
	if silent == 0 {
		return args
	}
	return append(args[:len(args):len(args)], "notLogged", silent)
}

// clipped are the arguments of a line, whose texts are cut.
func clipped(args []any) []any {
	cut := make([]any, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case string:
			cut[i] = value.Brief(a)
		case error:
			cut[i] = value.Brief(a.Error())
		default:
			cut[i] = a
		}
	}
	return cut
}

// window bounds the lines of a second.
type window struct {
	most int

	mu     sync.Mutex
	second time.Time
	lines  int
	silent int // events without a line
}

// take takes one of the lines of this second; silent is how many had none before.
func (w *window) take(now time.Time) (silent int, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if now.Sub(w.second) >= time.Second {
		w.second, w.lines = now, 0
	}
	if w.lines++; w.lines > w.most {
		w.silent++
		return 0, false
	}
	silent, w.silent = w.silent, 0
	return silent, true
}
