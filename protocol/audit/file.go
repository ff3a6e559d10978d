package audit

import (
	"errors"
	"io"
	"os"
	"sync"
)

// File is a file that lines are appended to. Another program may move it away: Reopen
// makes a new one. It may be used by many goroutines.
type File struct {
	path string

	mu sync.Mutex
	f  io.WriteCloser
	// torn says that the last line broke off: the next one begins anew.
	torn bool
}

var errClosed = errors.New("the audit file is closed")

// Open opens a file, or makes it for its owner alone.
func Open(path string) (*File, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	return &File{path: path, f: f}, nil
}

func open(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
}

// Write appends a line. What a full disk did not take is lost, and the next line stands by
// itself nevertheless.
func (f *File) Write(line []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.f == nil {
		return 0, errClosed
	}
	if f.torn {
		if _, err := f.f.Write([]byte("\n")); err != nil {
			return 0, err
		}
		f.torn = false
	}
	n, err := f.f.Write(line)
	f.torn = n > 0 && n < len(line)
	return n, err
}

// Reopen goes on in the file that has the name now. When it cannot be opened the old one
// stays.
func (f *File) Reopen() error {
	next, err := open(f.path)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.f == nil {
		return errors.Join(errClosed, next.Close())
	}
	before := f.f
	f.f, f.torn = next, false
	return before.Close()
}

// Close ends writing; nil is no file.
func (f *File) Close() error {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.f == nil {
		return nil
	}
	before := f.f
	f.f = nil
	return before.Close()
}
