package pebble

import (
	"time"

	"github.com/gremlind/gremlind/storage/occ"
)

// keeper is the goroutine that looks after the store once per tick.
type keeper struct {
	quit, done chan struct{}
	seen       uint64 // last commit at the tick before
}

func (k *keeper) start(s *Store) {
	k.quit, k.done = make(chan struct{}), make(chan struct{})
	go k.run(s)
}

func (k *keeper) stop() {
	close(k.quit)
	<-k.done
}

func (k *keeper) run(s *Store) {
	defer close(k.done)
	ticker := time.NewTicker(s.opts.Tick)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			k.tick(s)
		case <-s.blocks.moved:
			m := s.db.Metrics()
			s.blocks.balance(m)
			s.beside.look(m, s.opts.MemTableBytes)
		case <-k.quit:
			return
		case <-s.occ.Failed():
			return
		}
	}
}

func (k *keeper) tick(s *Store) {
	seq := s.Seq()
	if err := s.noteDurable(); err != nil {
		s.metrics.watermarkErrors.Add(1)
		s.log.Error("keep the watermark", "err", err)
	}
	s.disk.look(s)
	if seq == k.seen { // no commit replaces the state that idle iterators pin
		k.dropIdle(s)
	}
	k.seen = seq
}

func (k *keeper) dropIdle(s *Store) {
	err := s.occ.WithState(func(st occ.State) error { return st.(*state).dropIdle() })
	if err != nil {
		s.log.Error("close idle iterators", "err", err)
	}
}
