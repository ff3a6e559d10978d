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
	s := &sequence{graph: graph, name: name, next: first, end: first, block: blockMin}
	b, err := r.Get(s.key())
	switch {
	case errors.Is(err, storage.ErrNotFound):
		return s, nil
	case err != nil:
		return nil, fmt.Errorf("sequence %s: %w", name, err)
	case len(b) != 8:
		return nil, fmt.Errorf("sequence %s: %w", name, storage.ErrCorrupt)
	}
	s.next = binary.BigEndian.Uint64(b)
	s.end = s.next
	return s, nil
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
// next extend on, which is in order behind this transaction.
func (s *sequence) takeWithin(tx storage.Tx, n uint64) (uint64, error) {
	s.mu.Lock()
	first := s.next
	s.next += n
	beyond := s.next > s.end
	s.mu.Unlock()
	if beyond {
		return first, s.set(tx, first+n+blockMin)
	}
	return first, nil
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
