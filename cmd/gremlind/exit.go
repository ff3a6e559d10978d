package main

import (
	"errors"

	"github.com/gremlind/gremlind/storage"
)

// Exit codes.
const (
	exitDone        = 0 // done, or a clean stop
	exitFailed      = 1
	exitUsage       = 2 // command line or configuration
	exitRejected    = 3 // finished with rejected records, or a check that found something
	exitData        = 4 // data directory locked, of a newer format or corrupt
	exitInterrupted = 130
)

// errRejected says that a command did its work and found something to report.
var errRejected = errors.New("finished with findings")

func exitCode(err error) int {
	var wrong usageError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &wrong):
		return exitUsage
	case errors.Is(err, errRejected):
		return exitRejected
	case errors.Is(err, storage.ErrLocked), errors.Is(err, storage.ErrFormat), errors.Is(err, storage.ErrCorrupt):
		return exitData
	}
	return exitFailed
}
