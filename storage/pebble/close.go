package pebble

import "fmt"

// Close implements storage.Store. It waits CloseWait for open readers and
// transactions, which may still commit; no new one begins. When some stay open it
// flushes what is durable anyway, leaves the database to them and says so; the last of
// them closes it.
func (s *Store) Close() error {
	s.closing.Do(func() { s.closeMu = s.close() })
	return s.closeMu
}

func (s *Store) close() error {
	idle, err := s.occ.End()
	if idle == nil { // it has failed
		return err
	}
	s.keeper.stop()
	if err == nil {
		return s.closeDB()
	}
	go func() {
		<-idle
		if err := s.closeDB(); err != nil {
			s.log.Error("close the store after its last reader", "err", err)
		}
	}()
	if ferr := s.flush(); ferr != nil {
		return ferr
	}
	return err
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
	defer s.blocks.cache.Unref()
	for _, f := range []func() error{s.db.Close, last, s.mark.close, s.lock.Close} {
		if err := f(); err != nil && first == nil {
			first = fmt.Errorf("close the store: %w", err)
		}
	}
	return first
}
