package pebble

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"github.com/gremlind/gremlind/storage"
)

// logger is Pebble's voice. Fatalf ends the process: Pebble calls it when the log
// cannot be written or synced, after which nobody knows what is on disk.
type logger struct{ s *Store }

func (l logger) Infof(format string, args ...any) {
	l.s.log.Debug("pebble: " + fmt.Sprintf(format, args...))
}

func (l logger) Errorf(format string, args ...any) {
	l.s.log.Error("pebble: " + fmt.Sprintf(format, args...))
}

func (l logger) Fatalf(format string, args ...any) { l.s.fatal(format, args...) }

// exitCode is that of a process which the store ends.
const exitCode = 1

// fatal ends the process. From its first moment on no read and no commit is answered:
// a half-committed value is visible inside Pebble. It does not return.
func (s *Store) fatal(format string, args ...any) {
	s.occ.Fail()
	s.log.Error("the store cannot go on, ending the process", "err", fmt.Sprintf(format, args...))
	s.opts.Exit(exitCode)
	select {} // only a test's Exit returns; its goroutine ends here
}

// apply writes a batch and syncs it, or does not return.
func (s *Store) apply(b *pebble.Batch) {
	defer func() {
		if p := recover(); p != nil { // Pebble panics when it cannot append to the log
			s.fatal("write the log: %v", p)
		}
	}()
	o := pebble.Sync
	if s.opts.InMemory {
		o = pebble.NoSync
	}
	if err := s.db.Apply(b, o); err != nil {
		s.fatal("write a group: %v", err)
	}
	_ = b.Close() // only returns memory
}

// readError marks damage for what it is; the text of Pebble names the file.
func (s *Store) readError(err error) error {
	if err == nil {
		return nil
	}
	if pebble.IsCorruptionError(err) {
		s.metrics.corruptions.Add(1)
		return fmt.Errorf("%w: %w", storage.ErrCorrupt, err)
	}
	return fmt.Errorf("read the store: %w", err)
}

// eventListener passes on what somebody must hear about.
func (s *Store) eventListener() *pebble.EventListener {
	l := pebble.EventListener{
		BackgroundError: func(err error) {
			s.metrics.backgroundErrors.Add(1)
			s.log.Error("pebble: background work", "err", err)
		},
		DataCorruption: func(i pebble.DataCorruptionInfo) {
			s.metrics.corruptions.Add(1)
			s.log.Error("data corruption", "file", i.Path, "details", i.Details)
		},
		WriteStallBegin: func(i pebble.WriteStallBeginInfo) {
			s.metrics.stalls.Add(1)
			s.log.Warn("writes are stalled", "reason", i.Reason)
		},
		WALCreated: func(pebble.WALCreateInfo) { s.blocks.notify() }, // with a table in memory
		FlushEnd:   s.flushed,
	}
	l.EnsureDefaults(nil)
	return &l
}

// flushed hears that tables in memory were written; those that were taken in were it before.
func (s *Store) flushed(i pebble.FlushInfo) {
	if i.Err == nil && !i.Ingest {
		s.beside.wrote(i.InputBytes)
	}
	s.blocks.notify()
}
