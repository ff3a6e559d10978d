package main

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/client"
	"github.com/gremlind/gremlind/storage"
)

// Exit codes.
const (
	exitDone        = 0 // done, or a clean stop
	exitFailed      = 1
	exitUsage       = 2 // command line or configuration
	exitRejected    = 3 // finished with rejected records, or a check that found something
	exitData        = 4 // data directory in use, of a newer format, damaged, or its disk full
	exitUnreached   = 5 // no server, or the connection to it was lost
	exitDenied      = 6 // login refused, or the user may not do that
	exitTimeout     = 7 // the server gave a query up for its time
	exitInterrupted = 130
	exitPipe        = 141 // nobody reads the results any more; nothing is said
)

// errRejected says that a command did its work and found something to report.
var errRejected = errors.New("finished with findings")

// errInterrupted is returned when a signal ended a command before it was done.
var errInterrupted = errors.New("interrupted")

// errPipe is returned when nobody reads any more what a command writes.
var errPipe = errors.New("nobody reads the results")

// exits maps classes of errors to exit codes, and says what to do about them. It is the
// only place that does.
var exits = []struct {
	class  error
	code   int
	advice string
}{
	{errRejected, exitRejected, ""},
	{errInterrupted, exitInterrupted, ""},
	{errPipe, exitPipe, ""},
	{client.ErrLogin, exitDenied, ""},
	{client.ErrTimeout, exitTimeout, "--timeout gives a query more time, as far as the server lets it"},
	{client.ErrConnect, exitUnreached, ""},
	{client.ErrLost, exitUnreached, "what was not answered may have been done all the same"},
	{storage.ErrLocked, exitData, "end the server or the command that uses it, or name another dataDir"},
	{storage.ErrFormat, exitData, "use the program that wrote it or a newer one, or name another dataDir"},
	{storage.ErrCorrupt, exitData, "leave the directory as it is and restore a backup into another one (gremlind restore)"},
	{storage.ErrClock, exitData, ""},
	{storage.ErrNoSpace, exitData, "make room on the disk of dataDir and start again; nothing was lost"},
}

func exitCode(err error) int {
	code, _ := exitOf(err)
	return code
}

// exitOf returns the exit code of an error and what a person should do, if that is known.
func exitOf(err error) (code int, advice string) {
	var wrong usageError
	var told failure
	switch {
	case err == nil:
		return exitDone, ""
	case errors.As(err, &wrong):
		return exitUsage, ""
	case errors.As(err, &told) && told.Exit != 0:
		return told.Exit, told.Advice
	}
	for _, e := range exits {
		if errors.Is(err, e.class) {
			return e.code, e.advice
		}
	}
	return exitFailed, ""
}

// failure is how a server tells a command over its socket that it failed, and how the
// command should end.
type failure struct {
	Message string `json:"message"`
	Exit    int    `json:"exit,omitempty"`
	Advice  string `json:"advice,omitempty"`
}

// Error says what the server said.
func (f failure) Error() string { return "the server says: " + f.Message }

func answerFailure(w http.ResponseWriter, err error) {
	f := failure{Message: err.Error()}
	f.Exit, f.Advice = exitOf(err)
	w.Header().Set("Content-Type", "application/json")
	status := http.StatusInternalServerError
	if f.Exit == exitUsage {
		status = http.StatusBadRequest
	}
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(f) // the client may be gone
}
