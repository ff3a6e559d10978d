package pebble

import (
	"fmt"
	"time"

	"github.com/gremlind/gremlind/storage"
)

// Close implements storage.Store. It waits CloseWait for open readers and
// transactions, which may still commit; no new one begins. When some stay open it
// flushes what is durable anyway, leaves the database to them and says so; the last of
// them closes it.
func (s *Store) Close() error {
	s.closing.Do(func() { s.closeMu = s.close() })
	return s.closeMu
}

func (s *Store) close() error {
	empty, err := s.lifetimes.retire()
	if err != nil {
		s.log.Error("release a snapshot", "err", err)
	}
	timer := time.NewTimer(s.opts.CloseWait)
	defer timer.Stop()
	select {
	case <-empty:
	case <-timer.C:
	case <-s.dead:
	}
	s.committer.queue.close()
	select {
	case <-s.committer.done:
	case <-s.dead: // the committer never comes back
		return s.alive()
	}
	s.keeper.stop()
	select {
	case <-empty:
		return s.closeDB()
	default:
	}
	n, _, age := s.lifetimes.openStates()
	go func() {
		<-empty
		if err := s.closeDB(); err != nil {
			s.log.Error("close the store after its last reader", "err", err)
		}
	}()
	if err := s.flush(); err != nil {
		return err
	}
	return fmt.Errorf("%d readers still open after %v, the oldest for %v: %w", n, s.opts.CloseWait, age, storage.ErrUnavailable)
}

// flush leaves nothing in the tail of the log and notes the last commit as durable.
func (s *Store) flush() error {
	if !s.enter() {
		return nil
	}
	defer s.leave()
	if s.opts.InMemory {
		return nil
	}
	if err := s.db.Flush(); err != nil {
		return fmt.Errorf("flush the store: %w", err)
	}
	return s.noteDurable()
}

func (s *Store) closeDB() error {
	first := s.flush()
	s.using.Lock()
	defer s.using.Unlock()
	s.closed = true
	// A compaction that ended since the flush has made the MANIFEST longer.
	last := func() error {
		if first != nil {
			return nil
		}
		return s.noteDurable()
	}
	for _, f := range []func() error{s.db.Close, last, s.mark.close, s.lock.Close} {
		if err := f(); err != nil && first == nil {
			first = fmt.Errorf("close the store: %w", err)
		}
	}
	return first
}
