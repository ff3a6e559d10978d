package blueprints

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
)

const (
	blockMin = 1 << 7
	blockMax = 1 << 16
)

// sequence hands out numbers in blocks. A number is used only when the store says
// that the sequence is past it, so that no crash can hand it out again.
type sequence struct {
	graph uint32
	name  string

	mu     sync.Mutex
	next   uint64 // the number to hand out next
	end    uint64 // durable: numbers below may be used
	block  uint64
	refill sync.Mutex // held during the transaction that moves end
}

func loadSequence(r storage.Reader, graph uint32, name string, first uint64) (*sequence, error) {
	s := &sequence{graph: graph, name: name, block: blockMin}
	end, err := s.stored(r, first)
	s.next, s.end = end, end
	return s, err
}

// stored returns the durable end, or first when there is none yet.
func (s *sequence) stored(r storage.Reader, first uint64) (uint64, error) {
	b, err := r.Get(s.key())
	switch {
	case errors.Is(err, storage.ErrNotFound):
		return first, nil
	case err != nil:
		return 0, fmt.Errorf("sequence %s: %w", s.name, err)
	case len(b) != 8:
		return 0, fmt.Errorf("sequence %s: %w", s.name, storage.ErrCorrupt)
	}
	return binary.BigEndian.Uint64(b), nil
}

func (s *sequence) key() []byte { return table.AppendMeta(nil, s.graph, "sequence/"+s.name) }

func (s *sequence) set(tx storage.Tx, end uint64) error {
	return tx.Set(s.key(), binary.BigEndian.AppendUint64(nil, end))
}

// take hands out n numbers in a row and returns the first.
func (s *sequence) take(ctx context.Context, g *Graph, n uint64) (uint64, error) {
	for {
		if first, ok := s.tryTake(n); ok {
			return first, nil
		}
		if err := s.extend(ctx, g, n); err != nil {
			return 0, fmt.Errorf("sequence %s: %w", s.name, err)
		}
	}
}

func (s *sequence) tryTake(n uint64) (uint64, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next+n > s.end {
		return 0, false
	}
	first := s.next
	s.next += n
	return first, true
}

// extend moves the durable end in a transaction of its own.
func (s *sequence) extend(ctx context.Context, g *Graph, n uint64) error {
	s.refill.Lock()
	defer s.refill.Unlock()
	s.mu.Lock()
	if s.next+n <= s.end {
		s.mu.Unlock()
		return nil
	}
	s.block = min(2*s.block, blockMax)
	s.mu.Unlock()
	var end uint64
	err := g.small(ctx, func(tx storage.Tx) error {
		s.mu.Lock()
		end = s.next + n + s.block
		s.mu.Unlock()
		return s.set(tx, end)
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.end = max(s.end, end)
	s.mu.Unlock()
	return nil
}

// takeWithin hands out numbers to a transaction that keeps all others from
// committing: it moves the end itself. The end counts for others only from their own
// next extend on, which is in order behind this transaction. One that was in order before
// it may have moved the end already without having said so: then that stays.
func (s *sequence) takeWithin(tx storage.Tx, n uint64) (uint64, error) {
	s.mu.Lock()
	first := s.next
	s.next += n
	beyond := s.next > s.end
	s.mu.Unlock()
	if !beyond {
		return first, nil
	}
	stored, err := s.stored(tx, 0)
	if err != nil || stored >= first+n {
		return first, err
	}
	return first, s.set(tx, first+n+blockMin)
}

// skip moves the sequence to n if it is behind.
func (s *sequence) skip(n uint64) {
	s.mu.Lock()
	s.next = max(s.next, n)
	s.mu.Unlock()
}

// giveBack stores the numbers not handed out, at a clean stop.
func (s *sequence) giveBack(tx storage.Tx) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next >= s.end {
		return nil
	}
	s.end = s.next
	return s.set(tx, s.next)
}
