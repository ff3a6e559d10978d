package storage

import "errors"

// Errors of a Store. Wrapped errors carry the detail; test with errors.Is.
var (
	// ErrNotFound is returned by Get when the key does not exist.
	ErrNotFound = errors.New("key not found")
	// ErrConflict is returned by Commit when a concurrent transaction won; run again.
	ErrConflict = errors.New("conflict with another transaction")
	// ErrReadOnly is returned by writes when the store refuses them: a read-only
	// transaction, or a disk that is nearly full.
	ErrReadOnly = errors.New("store is read-only")
	// ErrUnavailable is returned while the store cannot serve; try again later.
	ErrUnavailable = errors.New("store is unavailable")
	// ErrUndetermined is returned by Commit when the outcome is unknown.
	ErrUndetermined = errors.New("commit outcome is unknown")
	// ErrTooLarge is returned when a transaction exceeds its write-set or read-set limit.
	ErrTooLarge = errors.New("transaction is too large")
	// ErrLocked is returned by Open when another process holds the data directory.
	ErrLocked = errors.New("data directory is in use by another process")
	// ErrFormat is returned by Open for a directory of a newer or unknown format.
	ErrFormat = errors.New("data directory has an unsupported format")
	// ErrCorrupt is returned when stored bytes are damaged or acknowledged data is missing.
	ErrCorrupt = errors.New("data is corrupt")
	// ErrClock is returned by Open when what is stored is from later than the clock says.
	ErrClock = errors.New("the clock is behind the data")
	// ErrFuture is returned for a Stamp that commits of now may still get.
	ErrFuture = errors.New("that is in the future")
	// ErrNoSpace is returned by Open when the disk has no room for what opening writes.
	ErrNoSpace = errors.New("the disk is full")
	// ErrClosed is returned by use after Close.
	ErrClosed = errors.New("store is closed")
)

// ConflictError is the ErrConflict that knows where. Its text starts with what
// clients of TinkerPop's transactional graphs look for.
type ConflictError struct {
	Key  []byte // the contested key, nil when there is none
	What string // the key as a person reads it, or another reason
}

// Error says what was lost, and where.
func (e *ConflictError) Error() string {
	return "Conflict: element modified in another transaction: " + e.What
}

// Is makes a ConflictError an ErrConflict.
func (e *ConflictError) Is(target error) bool { return target == ErrConflict }
